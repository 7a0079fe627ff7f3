"""Generated from `tenure/protocol/tables/create_partitions.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    TopicName,
)


class CreatePartitionsAssignment(Struct):
    __slots__ = ("broker_ids",)

    def __init__(
        self,
        broker_ids: list[BrokerId] = EMPTY,
    ) -> None:
        self.broker_ids: Final = [] if broker_ids is EMPTY else broker_ids


class CreatePartitionsTopic(Struct):
    __slots__ = ("name", "count", "assignments")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        count: int = 0,
        assignments: list[CreatePartitionsAssignment] | None = EMPTY,
    ) -> None:
        self.name: Final = name
        self.count: Final = count
        self.assignments: Final = [] if assignments is EMPTY else assignments


class CreatePartitionsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")
    TABLE = "create_partitions"
    KEY = 37
    VERSIONS = range(0, 4)

    def __init__(
        self,
        topics: list[CreatePartitionsTopic] = EMPTY,
        timeout_ms: int = 0,
        validate_only: bool = False,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.timeout_ms: Final = timeout_ms
        self.validate_only: Final = validate_only


class CreatePartitionsTopicResult(Struct):
    __slots__ = ("name", "error_code", "error_message")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name: Final = name
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class CreatePartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    TABLE = "create_partitions"
    KEY = 37
    VERSIONS = range(0, 4)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[CreatePartitionsTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results
