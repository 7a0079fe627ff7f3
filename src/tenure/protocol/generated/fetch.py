"""Generated from `tenure/protocol/tables/fetch.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Records,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    ProducerId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class ReplicaState(Struct):
    __slots__ = ("replica_id", "replica_epoch")

    def __init__(
        self,
        replica_id: BrokerId = BrokerId(-1),
        replica_epoch: int = -1,
    ) -> None:
        self.replica_id: Final = replica_id
        self.replica_epoch: Final = replica_epoch


DEFAULT_REPLICA_STATE: Final = ReplicaState()


class FetchPartition(Struct):
    __slots__ = ("partition", "current_leader_epoch", "fetch_offset", "last_fetched_epoch", "log_start_offset", "partition_max_bytes", "replica_directory_id", "high_watermark")

    def __init__(
        self,
        partition: PartitionId = PartitionId(0),
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = bytes(16),
        high_watermark: int = 9223372036854775807,
    ) -> None:
        self.partition: Final = partition
        self.current_leader_epoch: Final = current_leader_epoch
        self.fetch_offset: Final = fetch_offset
        self.last_fetched_epoch: Final = last_fetched_epoch
        self.log_start_offset: Final = log_start_offset
        self.partition_max_bytes: Final = partition_max_bytes
        self.replica_directory_id: Final = replica_directory_id
        self.high_watermark: Final = high_watermark


class FetchTopic(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[FetchPartition] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ForgottenTopic(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class FetchRequest(Message):
    __slots__ = ("cluster_id", "replica_id", "replica_state", "max_wait_ms", "min_bytes", "max_bytes", "isolation_level", "session_id", "session_epoch", "topics", "forgotten_topics_data", "rack_id")
    TABLE = "fetch"
    KEY = 1
    VERSIONS = range(4, 19)

    def __init__(
        self,
        cluster_id: str | None = None,
        replica_id: BrokerId = BrokerId(-1),
        replica_state: ReplicaState = DEFAULT_REPLICA_STATE,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[FetchTopic] = EMPTY,
        forgotten_topics_data: list[ForgottenTopic] = EMPTY,
        rack_id: str = "",
    ) -> None:
        self.cluster_id: Final = cluster_id
        self.replica_id: Final = replica_id
        self.replica_state: Final = replica_state
        self.max_wait_ms: Final = max_wait_ms
        self.min_bytes: Final = min_bytes
        self.max_bytes: Final = max_bytes
        self.isolation_level: Final = isolation_level
        self.session_id: Final = session_id
        self.session_epoch: Final = session_epoch
        self.topics: Final = [] if topics is EMPTY else topics
        self.forgotten_topics_data: Final = [] if forgotten_topics_data is EMPTY else forgotten_topics_data
        self.rack_id: Final = rack_id


class EpochEndOffset(Struct):
    __slots__ = ("epoch", "end_offset")

    def __init__(
        self,
        epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.epoch: Final = epoch
        self.end_offset: Final = end_offset


DEFAULT_EPOCH_END_OFFSET: Final = EpochEndOffset()


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: BrokerId = BrokerId(-1),
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch


DEFAULT_LEADER_ID_AND_EPOCH: Final = LeaderIdAndEpoch()


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(
        self,
        end_offset: int = -1,
        epoch: int = -1,
    ) -> None:
        self.end_offset: Final = end_offset
        self.epoch: Final = epoch


DEFAULT_SNAPSHOT_ID: Final = SnapshotId()


class AbortedTransaction(Struct):
    __slots__ = ("producer_id", "first_offset")

    def __init__(
        self,
        producer_id: ProducerId = ProducerId(0),
        first_offset: int = 0,
    ) -> None:
        self.producer_id: Final = producer_id
        self.first_offset: Final = first_offset


class PartitionData(Struct):
    __slots__ = ("partition_index", "error_code", "high_watermark", "last_stable_offset", "log_start_offset", "diverging_epoch", "current_leader", "snapshot_id", "aborted_transactions", "preferred_read_replica", "records")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        diverging_epoch: EpochEndOffset = DEFAULT_EPOCH_END_OFFSET,
        current_leader: LeaderIdAndEpoch = DEFAULT_LEADER_ID_AND_EPOCH,
        snapshot_id: SnapshotId = DEFAULT_SNAPSHOT_ID,
        aborted_transactions: list[AbortedTransaction] | None = EMPTY,
        preferred_read_replica: BrokerId = BrokerId(-1),
        records: Records | None = b"",
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.high_watermark: Final = high_watermark
        self.last_stable_offset: Final = last_stable_offset
        self.log_start_offset: Final = log_start_offset
        self.diverging_epoch: Final = diverging_epoch
        self.current_leader: Final = current_leader
        self.snapshot_id: Final = snapshot_id
        self.aborted_transactions: Final = [] if aborted_transactions is EMPTY else aborted_transactions
        self.preferred_read_replica: Final = preferred_read_replica
        self.records: Final = records


class FetchableTopicResponse(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionData] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(
        self,
        node_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.rack: Final = rack


class FetchResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints")
    TABLE = "fetch"
    KEY = 1
    VERSIONS = range(4, 19)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[FetchableTopicResponse] = EMPTY,
        node_endpoints: list[NodeEndpoint] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.session_id: Final = session_id
        self.responses: Final = [] if responses is EMPTY else responses
        self.node_endpoints: Final = [] if node_endpoints is EMPTY else node_endpoints
