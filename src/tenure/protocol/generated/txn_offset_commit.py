"""Generated from `tenure/protocol/tables/txn_offset_commit.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    ProducerId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class TxnOffsetCommitRequestPartition(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.committed_metadata: Final = committed_metadata


class TxnOffsetCommitRequestTopic(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[TxnOffsetCommitRequestPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class TxnOffsetCommitRequest(Message):
    __slots__ = ("transactional_id", "group_id", "producer_id", "producer_epoch", "generation_id_or_member_epoch", "member_id", "group_instance_id", "topics")
    TABLE = "txn_offset_commit"
    KEY = 28
    VERSIONS = range(0, 7)

    def __init__(
        self,
        transactional_id: str = "",
        group_id: GroupId = GroupId(""),
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        generation_id_or_member_epoch: GenerationId = GenerationId(-1),
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        topics: list[TxnOffsetCommitRequestTopic] = EMPTY,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.group_id: Final = group_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.generation_id_or_member_epoch: Final = generation_id_or_member_epoch
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.topics: Final = [] if topics is EMPTY else topics


class TxnOffsetCommitResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code


class TxnOffsetCommitResponseTopic(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[TxnOffsetCommitResponsePartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class TxnOffsetCommitResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    TABLE = "txn_offset_commit"
    KEY = 28
    VERSIONS = range(0, 7)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[TxnOffsetCommitResponseTopic] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
