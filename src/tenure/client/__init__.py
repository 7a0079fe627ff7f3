"""Members, consumers, producers and bulk readers for any Kafka broker.

    from tenure.client import Consumer, Producer, read_arrow

`Consumer` and `AsyncConsumer` read as members of a group, or partitions by hand; `read_arrow` reads a bounded range
into a table; `Producer` writes. `GroupMember` is a seat without reading, for whoever does the work elsewhere. What
blocks leaves the sockets to one event loop of the process. Each name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tenure.client.async_consumer import AsyncConsumer
    from tenure.client.configuration import ConfigurationError
    from tenure.client.consumer import Consumer
    from tenure.client.consumer_records import ConsumerRecord
    from tenure.client.errors import ClientError, ProducerFenced, TransactionAbortable
    from tenure.client.fetcher import fetch_arrow
    from tenure.client.group_member import GroupMember
    from tenure.client.producer import Producer
    from tenure.client.read import read_arrow
    from tenure.client.transaction_lender import TransactionLender
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
    "OffsetAndMetadata",
    "Producer",
    "ProducerFenced",
    "RecordMetadata",
    "SubscriptionPattern",
    "TopicPartition",
    "TransactionAbortable",
    "TransactionLender",
    "fetch_arrow",
    "read_arrow",
]

_MODULES: Final = {
    "AsyncConsumer": "async_consumer",
    "ClientError": "errors",
    "ConfigurationError": "configuration",
    "Consumer": "consumer",
    "ConsumerRecord": "consumer_records",
    "GroupMember": "group_member",
    "GroupMetadata": "values",
    "OffsetAndMetadata": "values",
    "Producer": "producer",
    "ProducerFenced": "errors",
    "RecordMetadata": "values",
    "SubscriptionPattern": "values",
    "TopicPartition": "values",
    "TransactionAbortable": "errors",
    "TransactionLender": "transaction_lender",
    "fetch_arrow": "fetcher",
    "read_arrow": "read",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{module}"), name)
