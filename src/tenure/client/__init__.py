"""Client of any Kafka broker: group members, consumers, producers and Arrow readers.

    from tenure.client import Consumer, Producer, read_arrow

`Consumer` and `AsyncConsumer` read as group members or from assigned partitions. `read_arrow` reads a bounded range
into a table. `Producer` writes. `GroupMember` and `StreamsMember` are memberships without fetching, for engines that do
the work elsewhere. The blocking classes share one event loop per process. Each name is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tenure.client.configuration import ConfigurationError
    from tenure.client.consumer.async_consumer import AsyncConsumer
    from tenure.client.consumer.consumer import Consumer
    from tenure.client.consumer.consumer_records import ConsumerRecord
    from tenure.client.consumer.fetch_arrow import fetch_arrow
    from tenure.client.consumer.read_arrow import read_arrow
    from tenure.client.errors import ClientError, ProducerFenced, TransactionAbortable
    from tenure.client.group.group_member import GroupMember
    from tenure.client.producer.producer import Producer
    from tenure.client.producer.transaction_lender import TransactionLender
    from tenure.client.streams.streams_member import StreamsMember
    from tenure.client.tasks import InternalTopic, Subtopology, Task, Tasks, Topology
    from tenure.client.values import (
        GroupMetadata,
        OffsetAndMetadata,
        RecordMetadata,
        SubscriptionPattern,
        TopicPartition,
    )

__all__ = [
    "AsyncConsumer",
    "ClientError",
    "ConfigurationError",
    "Consumer",
    "ConsumerRecord",
    "GroupMember",
    "GroupMetadata",
    "InternalTopic",
    "OffsetAndMetadata",
    "Producer",
    "ProducerFenced",
    "RecordMetadata",
    "StreamsMember",
    "SubscriptionPattern",
    "Subtopology",
    "Task",
    "Tasks",
    "TopicPartition",
    "Topology",
    "TransactionAbortable",
    "TransactionLender",
    "fetch_arrow",
    "read_arrow",
]

_MODULES: Final = {
    "AsyncConsumer": "consumer.async_consumer",
    "ClientError": "errors",
    "ConfigurationError": "configuration",
    "Consumer": "consumer.consumer",
    "ConsumerRecord": "consumer.consumer_records",
    "GroupMember": "group.group_member",
    "GroupMetadata": "values",
    "InternalTopic": "tasks",
    "OffsetAndMetadata": "values",
    "Producer": "producer.producer",
    "ProducerFenced": "errors",
    "RecordMetadata": "values",
    "StreamsMember": "streams.streams_member",
    "SubscriptionPattern": "values",
    "Subtopology": "tasks",
    "Task": "tasks",
    "Tasks": "tasks",
    "TopicPartition": "values",
    "Topology": "tasks",
    "TransactionAbortable": "errors",
    "TransactionLender": "producer.transaction_lender",
    "fetch_arrow": "consumer.fetch_arrow",
    "read_arrow": "consumer.read_arrow",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{module}"), name)
