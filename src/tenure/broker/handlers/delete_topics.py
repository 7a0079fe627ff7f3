"""DeleteTopics (20). v4 flexible, v5 error messages, v6 topics by id as well as by name."""

from typing import TYPE_CHECKING

from tenure.broker.keys import DELETE_TOPIC_ENABLE
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.broker.topic_names import CONSUMER_OFFSETS
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import TopicsRemoved
from tenure.coordinator.metadata.commands import DeleteTopics, TopicToDelete
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeletableTopicResult, DeleteTopicsRequest, DeleteTopicsResponse
from tenure.protocol.types import ZERO_TOPIC_ID

if TYPE_CHECKING:
    from tenure.broker.broker import Broker


def handle(broker: "Broker", request: Request, message: DeleteTopicsRequest) -> None:
    asked = [TopicToDelete(topic.name, topic.topic_id) for topic in message.topics]
    asked += [TopicToDelete(name, ZERO_TOPIC_ID) for name in message.topic_names]
    allowed = [topic for topic in asked if not _refusal(broker, topic)]
    refused = [
        DeletableTopicResult(topic.name, topic.topic_id, refusal[0], refusal[1])
        for topic in asked
        if (refusal := _refusal(broker, topic))
    ]

    def respond(answer: object) -> None:
        results = refused
        if isinstance(answer, TopicsRemoved):
            results = refused + [
                DeletableTopicResult(result.name, result.topic_id, result.error_code, result.error_message)
                for result in answer.results
            ]
            broker.topics_removed([result.topic for result in answer.results if result.topic is not None])
        elif isinstance(answer, Refused):
            results = refused + [DeletableTopicResult(t.name, t.topic_id, answer.error_code) for t in allowed]
        request.answer(DeleteTopicsResponse(responses=results))

    broker.metadata.ask(DeleteTopics(allowed), respond)


def _refusal(broker: "Broker", asked: TopicToDelete) -> tuple[ErrorCode, str] | None:
    if not broker.settings[DELETE_TOPIC_ENABLE]:
        return ErrorCode.TOPIC_DELETION_DISABLED, "this broker deletes no topics: set delete.topic.enable=true"
    topic = broker.topics.with_id(asked.topic_id)
    name = topic.name if topic is not None else asked.name
    if name == CONSUMER_OFFSETS:
        return ErrorCode.INVALID_REQUEST, f"{name} belongs to the broker: every group would be lost with it"
    return None


route = Route(DeleteTopicsRequest, handle)
