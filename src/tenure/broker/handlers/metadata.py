"""Metadata (API key 3).

Changes: v1 racks, controller, null for all topics; v2 cluster id, v3 throttle time, v4 flag that allows topic creation,
v5 offline replicas, v7 leader epoch, v8 authorized operations, v9 flexible encoding, v10 topic ids, v11 no operations
on the cluster, v12 topics by id, v13 top-level error.

If the request creates a topic, it is answered when the topic is durable, and the response contains the topic.
"""

from collections.abc import Container, Generator, Iterator
from typing import TYPE_CHECKING, Final

from tenure.broker.config.keys import AUTO_CREATE_TOPICS_ENABLE
from tenure.broker.requests.authorized_operations import cluster_operations_if_asked_for, operations_if_asked_for
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import allowed_names, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.broker.requests.topic_creation import TopicCreation
from tenure.broker.requests.topic_descriptions import partitions, why_unknown
from tenure.coordinator.metadata.commands import DescribeTopics, NewTopic
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS, why_illegal
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
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
    from tenure.coordinator.metadata.topics import Topic


TOPICS_BY_ID_SINCE: Final = 12
"""First version in which a request may name topics by id. Versions 10 and 11 have the field, but do not allow it."""


def handle(context: Context, request: Request, message: MetadataRequest) -> Iterator[None]:
    if request.version < TOPICS_BY_ID_SINCE and (yield from _names_topics_by_id(message)):
        yield from _refuse(request, message)
        return
    missing = yield from _names_to_create(context, request, message)

    def respond(_: object) -> None:
        """Respond after the metadata shard has answered, so that the response contains durable topics only.

        The shard answers when all topics that it had before the command are durable.
        """
        request.go_on(_answer(context, request, message))

    if missing:
        TopicCreation(context, request, [NewTopic(name) for name in missing], respond)
    else:
        context.metadata.ask(DescribeTopics([]), request.callback(respond))


def _names_topics_by_id(message: MetadataRequest) -> Generator[None, None, bool]:
    for topic in message.topics or ():
        if topic.name is None or topic.topic_id != ZERO_TOPIC_ID:
            return True
        yield
    return False


def _refuse(request: Request, message: MetadataRequest) -> Iterator[None]:
    """Refuse all topics, because the request names a topic by id in a version that does not allow it.

    Such a version has no null names: in the response, a topic without a name has the name "".
    """
    topics = yield from in_steps(
        MetadataResponseTopic(ErrorCode.INVALID_REQUEST, topic.name or TopicName(""), topic.topic_id)
        for topic in message.topics or ()
    )
    yield from request.answer_in_steps(MetadataResponse(topics=topics), len(topics))


def _names_to_create(
    context: Context, request: Request, message: MetadataRequest
) -> Generator[None, None, list[TopicName]]:
    if not (message.allow_auto_topic_creation and context.settings[AUTO_CREATE_TOPICS_ENABLE]) or _wants_all(
        request, message
    ):
        return []
    missing: dict[TopicName, None] = {}
    for topic in message.topics or ():
        name = topic.name
        if name is not None and context.topics.named(name) is None and name not in INTERNAL_TOPICS:
            if why_illegal(name) is None and _may_create(context, request, name):
                missing[name] = None
            yield
    return list(missing)


def _may_create(context: Context, request: Request, name: TopicName) -> bool:
    """Return whether the client may create a topic by requesting its metadata: it needs DESCRIBE and CREATE."""
    authorization = context.authorization
    return authorization is None or (
        authorization.would_allow(request, AclOperation.DESCRIBE, ResourceType.TOPIC, name)
        and (
            authorization.would_allow(request, AclOperation.CREATE, ResourceType.CLUSTER, CLUSTER_NAME)
            or authorization.would_allow(request, AclOperation.CREATE, ResourceType.TOPIC, name)
        )
    )


def _wants_all(request: Request, message: MetadataRequest) -> bool:
    """Return whether the request is for all topics: an empty list in version 0, null in later versions."""
    return message.topics is None or (request.version == 0 and not message.topics)


def _answer(context: Context, request: Request, message: MetadataRequest) -> Iterator[None]:
    topics: list[MetadataResponseTopic] = []
    if _wants_all(request, message):
        may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
        for name in list(context.topics.names):
            topic = context.topics.named(name)
            if topic is not None and (may_see is None or may_see(name)):
                topics.append((yield from _described(context, request, topic, message)))
    else:
        described = allowed_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
        for requested in message.topics or ():
            refusal = _refusal(context, request, requested, message, described)
            topics.append(refusal or (yield from _requested(context, request, requested, message)))
            yield
    response = MetadataResponse(
        brokers=[MetadataResponseBroker(context.node_id, *request.broker_address)],
        cluster_id=context.cluster_id,
        controller_id=context.node_id,
        topics=topics,
        cluster_authorized_operations=cluster_operations_if_asked_for(
            context, request, is_asked_for=message.include_cluster_authorized_operations
        ),
    )
    yield from request.answer_in_steps(response, sum([1 + len(topic.partitions) for topic in topics]))


def _refusal(
    context: Context,
    request: Request,
    requested: MetadataRequestTopic,
    message: MetadataRequest,
    described: Container[str],
) -> MetadataResponseTopic | None:
    """Return the refusal of a requested topic; None if the topic is not refused.

    `described` contains the topic names that the client may DESCRIBE. A client needs DESCRIBE. If the request would
    create the topic, the client also needs permission to create it. The refusal does not reveal whether a topic name
    exists. It may reveal that a topic id exists, but not the name of the topic.
    """
    topic = context.topics.with_id(requested.topic_id)
    name = requested.name if topic is None else topic.name
    if context.authorization is None or name is None:
        return None
    creates = message.allow_auto_topic_creation and context.settings[AUTO_CREATE_TOPICS_ENABLE]
    is_missing = creates and context.topics.named(name) is None
    if name in described and not (is_missing and not _may_create(context, request, name)):
        return None
    shown = None if requested.topic_id != ZERO_TOPIC_ID else name
    is_internal = name in described and name in INTERNAL_TOPICS
    return MetadataResponseTopic(ErrorCode.TOPIC_AUTHORIZATION_FAILED, shown, requested.topic_id, is_internal)


def _requested(
    context: Context, request: Request, requested: MetadataRequestTopic, message: MetadataRequest
) -> Generator[None, None, MetadataResponseTopic]:
    if requested.topic_id != ZERO_TOPIC_ID:
        topic = context.topics.with_id(requested.topic_id)
        if topic is None:
            return MetadataResponseTopic(ErrorCode.UNKNOWN_TOPIC_ID, None, requested.topic_id)
        return (yield from _described(context, request, topic, message))
    if requested.name is None:
        return MetadataResponseTopic(ErrorCode.INVALID_REQUEST, None, requested.topic_id)
    topic = context.topics.named(requested.name)
    if topic is not None:
        return (yield from _described(context, request, topic, message))
    operations = operations_if_asked_for(
        context, request, ResourceType.TOPIC, requested.name, is_asked_for=message.include_topic_authorized_operations
    )
    is_internal = requested.name in INTERNAL_TOPICS
    return MetadataResponseTopic(
        why_unknown(requested.name), requested.name, is_internal=is_internal, topic_authorized_operations=operations
    )


def _described(
    context: Context, request: Request, topic: "Topic", message: MetadataRequest
) -> Generator[None, None, MetadataResponseTopic]:
    described = yield from partitions(context, topic, range(topic.partitions), MetadataResponsePartition)
    return MetadataResponseTopic(
        ErrorCode.NONE,
        topic.name,
        topic.topic_id,
        topic.name in INTERNAL_TOPICS,
        described,
        operations_if_asked_for(
            context, request, ResourceType.TOPIC, topic.name, is_asked_for=message.include_topic_authorized_operations
        ),
    )


route = Route(MetadataRequest, handle)
