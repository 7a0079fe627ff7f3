"""DeleteTopics (API key 20). Changes: v4 flexible encoding, v5 error messages, v6 topics by id as well as by name."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tenure.broker.config.keys import DELETE_TOPIC_ENABLE
from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import OneByOne, Route
from tenure.broker.requests.steps import in_steps, portions
from tenure.broker.requests.topic_refusals import MUTATION_QUOTA_EXCEEDED, NAMED_TWICE
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import TopicsRemoved
from tenure.coordinator.metadata.commands import DeleteTopics, TopicToDelete
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS
from tenure.limits.broker import TOPICS_DELETED_AT_ONCE_MAX
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeletableTopicResult, DeleteTopicsRequest, DeleteTopicsResponse
from tenure.protocol.types import ZERO_TOPIC_ID

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic

STRICT_SINCE: Final = 5
"""First version with quota errors (KIP-599)."""


def handle(context: Context, request: Request, message: DeleteTopicsRequest) -> Iterator[None]:
    requested = Counter((topic.name, topic.topic_id) for topic in message.topics)
    requested.update((name, ZERO_TOPIC_ID) for name in message.topic_names)
    allowed: list[TopicToDelete] = []
    refused: list[DeletableTopicResult] = []
    for (name, topic_id), times in requested.items():
        topic = TopicToDelete(name, topic_id)
        if times > 1:
            refused.append(DeletableTopicResult(topic.name, topic.topic_id, *NAMED_TWICE))
        elif unauthorized := _unauthorized(context, request, topic):
            refused.append(unauthorized)
        elif refusal := _refusal(context, topic):
            refused.append(DeletableTopicResult(topic.name, topic.topic_id, *refusal))
        elif not request.may_mutate(_deleted(context, topic), is_strict=request.version >= STRICT_SINCE):
            refused.append(DeletableTopicResult(topic.name, topic.topic_id, *MUTATION_QUOTA_EXCEEDED))
        else:
            allowed.append(topic)
        yield

    some = _in_portions(context, allowed)

    def ask(index: int, slot: Callable[[object], None]) -> None:
        """Delete the topics of the portion with this index, and pass the answer to `slot`.

        The logs are deleted before the answer is passed on, so that topics with the same names can then be created.
        """

        def removed(answer: Refused | TopicsRemoved) -> None:
            if isinstance(answer, TopicsRemoved):
                context.delete_data_of_topics([result.topic for result in answer.results if result.topic is not None])
            slot(answer)

        context.metadata.ask(DeleteTopics(some[index]), request.callback(removed))

    def respond(answers: list[Refused | TopicsRemoved]) -> None:
        request.go_on(_answer(request, refused, some, answers))

    OneByOne(context.loop, request, len(some), ask, respond)


def _in_portions(context: Context, allowed: list[TopicToDelete]) -> list[Sequence[TopicToDelete]]:
    """Divide the topics into portions, between which other requests are served.

    Topics that the request names both by name and by id are all in the first portion. The metadata shard refuses them.
    """
    found = [_found(context, topic) for topic in allowed]
    times = Counter(topic.topic_id for topic in found if topic is not None)
    once: list[TopicToDelete] = []
    repeatedly: list[TopicToDelete] = []
    for requested, topic in zip(allowed, found, strict=True):
        (once if topic is None or times[topic.topic_id] == 1 else repeatedly).append(requested)
    return [repeatedly, *portions(once, TOPICS_DELETED_AT_ONCE_MAX)]


def _found(context: Context, requested: TopicToDelete) -> "Topic | None":
    return (
        context.topics.with_id(requested.topic_id) if requested.name is None else context.topics.named(requested.name)
    )


def _deleted(context: Context, requested: TopicToDelete) -> int:
    topic = _found(context, requested)
    return 0 if topic is None else topic.partitions


def _answer(
    request: Request,
    refused: list[DeletableTopicResult],
    some: list[Sequence[TopicToDelete]],
    answers: list[Refused | TopicsRemoved],
) -> Iterator[None]:
    responses = refused
    for topics, answer in zip(some, answers, strict=True):
        if isinstance(answer, TopicsRemoved):
            responses += yield from in_steps(
                DeletableTopicResult(result.name, result.topic_id, result.error_code, result.error_message)
                for result in answer.results
            )
        else:
            responses += [DeletableTopicResult(topic.name, topic.topic_id, answer.error_code) for topic in topics]
    yield from request.answer_in_steps(DeleteTopicsResponse(responses=responses), len(responses))


def _unauthorized(context: Context, request: Request, requested: TopicToDelete) -> DeletableTopicResult | None:
    """Return the refusal of a client without permission; None if the client may delete the topic.

    A client that may not DESCRIBE the topic does not learn whether a topic name exists. If the client has sent a topic
    id, it does not learn the name of the topic.
    """
    authorization = context.authorization
    topic = _found(context, requested)
    name = requested.name if topic is None else topic.name
    if authorization is None or name is None or (requested.name is not None and requested.topic_id != ZERO_TOPIC_ID):
        return None
    if authorization.would_allow(request, AclOperation.DELETE, ResourceType.CLUSTER, CLUSTER_NAME):
        return None
    may_describe = authorization.would_allow(request, AclOperation.DESCRIBE, ResourceType.TOPIC, name)
    if may_describe and topic is None:
        return None
    if authorization.allows(request, AclOperation.DELETE, ResourceType.TOPIC, name) and may_describe:
        return None
    shown = name if requested.name is not None or may_describe else None
    return DeletableTopicResult(shown, requested.topic_id, ErrorCode.TOPIC_AUTHORIZATION_FAILED)


def _refusal(context: Context, requested: TopicToDelete) -> tuple[ErrorCode, str] | None:
    if not context.settings[DELETE_TOPIC_ENABLE]:
        return ErrorCode.TOPIC_DELETION_DISABLED, "deletion of topics is disabled: set delete.topic.enable=true"
    topic = context.topics.with_id(requested.topic_id)
    name = topic.name if topic is not None else requested.name
    if name == CONSUMER_OFFSETS:
        return ErrorCode.INVALID_REQUEST, f"{name} is an internal topic and cannot be deleted"
    return None


route = Route(DeleteTopicsRequest, handle)
