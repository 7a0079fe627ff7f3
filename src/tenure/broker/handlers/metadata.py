"""Metadata (3). v1 racks, controller, null for all topics; v2 cluster id, v3 throttle time, v4 auto creation on demand,
v5 offline replicas, v7 leader epoch, v8 authorized operations, v9 flexible, v10 topic ids, v11 no cluster operations,
v12 topics by id, v13 top-level error.

A topic that is created because somebody asks for it is in the answer: the request waits until the topic is durable.
"""

from typing import TYPE_CHECKING

from tenure.broker.authorized_operations import CLUSTER, TOPIC, if_asked_for
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.broker.topic_descriptions import partitions, why_unknown
from tenure.broker.topic_names import INTERNAL_TOPICS, is_valid_topic_name
from tenure.coordinator.metadata.commands import CreateTopics, DescribeTopics, NewTopic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from tenure.protocol.types import ZERO_TOPIC_ID, TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker
    from tenure.coordinator.metadata.topics import Topic


def handle(broker: "Broker", request: Request, message: MetadataRequest) -> None:
    missing = _names_to_create(broker, request, message)
    command = CreateTopics([NewTopic(name) for name in missing]) if missing else DescribeTopics([])

    def respond(_: object) -> None:
        """The shard has answered, so what it knows by now is durable and may be told."""
        request.answer(_response(broker, request, message))

    broker.metadata.ask(command, respond)


def _names_to_create(broker: "Broker", request: Request, message: MetadataRequest) -> list[TopicName]:
    if not (message.allow_auto_topic_creation and broker.auto_create_topics) or _wants_all(request, message):
        return []
    names = [
        topic.name for topic in message.topics or () if topic.name is not None and topic.name not in INTERNAL_TOPICS
    ]
    return [name for name in dict.fromkeys(names) if broker.topics.named(name) is None and is_valid_topic_name(name)]


def _wants_all(request: Request, message: MetadataRequest) -> bool:
    """Version 0 says "all" with an empty list, later ones with null."""
    return message.topics is None or (request.version == 0 and not message.topics)


def _response(broker: "Broker", request: Request, message: MetadataRequest) -> MetadataResponse:
    if _wants_all(request, message):
        topics = [_described(broker, topic, message) for topic in broker.topics]
    else:
        topics = [_asked(broker, topic, message) for topic in message.topics or ()]
    return MetadataResponse(
        brokers=[MetadataResponseBroker(broker.node_id, broker.address.host, broker.address.port)],
        cluster_id=broker.cluster_id,
        controller_id=broker.node_id,
        topics=topics,
        cluster_authorized_operations=if_asked_for(CLUSTER, message.include_cluster_authorized_operations),
    )


def _asked(broker: "Broker", asked: MetadataRequestTopic, message: MetadataRequest) -> MetadataResponseTopic:
    if asked.topic_id != ZERO_TOPIC_ID:
        topic = broker.topics.with_id(asked.topic_id)
        if topic is None:
            return MetadataResponseTopic(ErrorCode.UNKNOWN_TOPIC_ID, None, asked.topic_id)
        return _described(broker, topic, message)
    if asked.name is None:
        return MetadataResponseTopic(ErrorCode.INVALID_REQUEST, None, asked.topic_id)
    topic = broker.topics.named(asked.name)
    if topic is not None:
        return _described(broker, topic, message)
    operations = if_asked_for(TOPIC, message.include_topic_authorized_operations)
    return MetadataResponseTopic(why_unknown(asked.name), asked.name, topic_authorized_operations=operations)


def _described(broker: "Broker", topic: "Topic", message: MetadataRequest) -> MetadataResponseTopic:
    return MetadataResponseTopic(
        ErrorCode.NONE,
        topic.name,
        topic.topic_id,
        topic.name in INTERNAL_TOPICS,
        partitions(broker, topic, range(topic.partitions), MetadataResponsePartition),
        if_asked_for(TOPIC, message.include_topic_authorized_operations),
    )


route = Route(MetadataRequest, handle)
