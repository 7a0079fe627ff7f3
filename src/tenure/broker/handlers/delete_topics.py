"""DeleteTopics (20). v4 flexible, v5 error messages, v6 topics by id as well as by name."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tenure.broker.keys import DELETE_TOPIC_ENABLE
from tenure.broker.request import Request
from tenure.broker.route import Route, in_steps
from tenure.broker.topic_names import CONSUMER_OFFSETS
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import TopicsRemoved
from tenure.coordinator.metadata.commands import DeleteTopics, TopicToDelete
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeletableTopicResult, DeleteTopicsRequest, DeleteTopicsResponse
from tenure.protocol.types import ZERO_TOPIC_ID

if TYPE_CHECKING:
    from tenure.broker.broker import Broker


def handle(broker: "Broker", request: Request, message: DeleteTopicsRequest) -> Iterator[None]:
    asked = [TopicToDelete(topic.name, topic.topic_id) for topic in message.topics]
    asked += [TopicToDelete(name, ZERO_TOPIC_ID) for name in message.topic_names]
    allowed: list[TopicToDelete] = []
    refused: list[DeletableTopicResult] = []
    for topic in asked:
        if refusal := _refusal(broker, topic):
            refused.append(DeletableTopicResult(topic.name, topic.topic_id, *refusal))
        else:
            allowed.append(topic)
        yield

    def respond(answer: Refused | TopicsRemoved) -> None:
        if isinstance(answer, TopicsRemoved):
            broker.topics_removed([result.topic for result in answer.results if result.topic is not None])
        request.go_on(_answer(request, refused, allowed, answer))

    broker.metadata.ask(DeleteTopics(allowed), respond)


def _answer(
    request: Request,
    refused: list[DeletableTopicResult],
    allowed: list[TopicToDelete],
    answer: Refused | TopicsRemoved,
) -> Iterator[None]:
    if isinstance(answer, TopicsRemoved):
        results = yield from in_steps(
            DeletableTopicResult(result.name, result.topic_id, result.error_code, result.error_message)
            for result in answer.results
        )
    else:
        results = [DeletableTopicResult(topic.name, topic.topic_id, answer.error_code) for topic in allowed]
    responses = refused + results
    yield from request.answer_in_steps(DeleteTopicsResponse(responses=responses), len(responses))


def _refusal(broker: "Broker", asked: TopicToDelete) -> tuple[ErrorCode, str] | None:
    if not broker.settings[DELETE_TOPIC_ENABLE]:
        return ErrorCode.TOPIC_DELETION_DISABLED, "this broker deletes no topics: set delete.topic.enable=true"
    topic = broker.topics.with_id(asked.topic_id)
    name = topic.name if topic is not None else asked.name
    if name == CONSUMER_OFFSETS:
        return ErrorCode.INVALID_REQUEST, f"{name} belongs to the broker: every group would be lost with it"
    return None


route = Route(DeleteTopicsRequest, handle)
