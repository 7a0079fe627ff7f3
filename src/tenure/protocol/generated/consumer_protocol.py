"""Generated from `tenure/protocol/tables/consumer_protocol.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GenerationId,
    PartitionId,
    TopicName,
)


class TopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ConsumerProtocolSubscription(Message):
    __slots__ = ("topics", "user_data", "owned_partitions", "generation_id", "rack_id")
    TABLE = "consumer_protocol"
    KEY = -1
    VERSIONS = range(0, 4)

    def __init__(
        self,
        topics: list[TopicName] = EMPTY,
        user_data: bytes | None = None,
        owned_partitions: list[TopicPartition] = EMPTY,
        generation_id: GenerationId = GenerationId(-1),
        rack_id: str | None = None,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.user_data: Final = user_data
        self.owned_partitions: Final = [] if owned_partitions is EMPTY else owned_partitions
        self.generation_id: Final = generation_id
        self.rack_id: Final = rack_id


class ConsumerProtocolAssignment(Message):
    __slots__ = ("assigned_partitions", "user_data")
    TABLE = "consumer_protocol"
    KEY = -1
    VERSIONS = range(0, 4)

    def __init__(
        self,
        assigned_partitions: list[TopicPartition] = EMPTY,
        user_data: bytes | None = None,
    ) -> None:
        self.assigned_partitions: Final = [] if assigned_partitions is EMPTY else assigned_partitions
        self.user_data: Final = user_data


class StickyAssignorUserData(Message):
    __slots__ = ("previous_assignment", "generation")
    TABLE = "consumer_protocol"
    KEY = -1
    VERSIONS = range(0, 2)

    def __init__(
        self,
        previous_assignment: list[TopicPartition] = EMPTY,
        generation: GenerationId = GenerationId(-1),
    ) -> None:
        self.previous_assignment: Final = [] if previous_assignment is EMPTY else previous_assignment
        self.generation: Final = generation


class CooperativeStickyAssignorUserData(Message):
    __slots__ = ("generation",)
    TABLE = "consumer_protocol"
    KEY = -1
    VERSIONS = range(0, 1)

    def __init__(
        self,
        generation: GenerationId = GenerationId(0),
    ) -> None:
        self.generation: Final = generation
