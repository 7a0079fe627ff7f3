"""Generated from `tenure/protocol/tables/delete_topics.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class DeleteTopicState(Struct):
    __slots__ = ("name", "topic_id")

    def __init__(
        self,
        name: TopicName | None = None,
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id


class DeleteTopicsRequest(Message):
    __slots__ = ("topics", "topic_names", "timeout_ms")
    TABLE = "delete_topics"
    KEY = 20
    VERSIONS = range(1, 7)

    def __init__(
        self,
        topics: list[DeleteTopicState] = EMPTY,
        topic_names: list[TopicName] = EMPTY,
        timeout_ms: int = 0,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.topic_names: Final = [] if topic_names is EMPTY else topic_names
        self.timeout_ms: Final = timeout_ms


class DeletableTopicResult(Struct):
    __slots__ = ("name", "topic_id", "error_code", "error_message")

    def __init__(
        self,
        name: TopicName | None = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class DeleteTopicsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")
    TABLE = "delete_topics"
    KEY = 20
    VERSIONS = range(1, 7)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[DeletableTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.responses: Final = [] if responses is EMPTY else responses
