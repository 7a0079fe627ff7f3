"""Generated from `tenure/protocol/tables/produce.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Data,
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class PartitionProduceData(Struct):
    __slots__ = ("index", "records")

    def __init__(
        self,
        index: PartitionId = PartitionId(0),
        records: Data | None = b"",
    ) -> None:
        self.index: Final = index
        self.records: Final = records


class TopicProduceData(Struct):
    __slots__ = ("name", "topic_id", "partition_data")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partition_data: list[PartitionProduceData] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_data: Final = [] if partition_data is EMPTY else partition_data


class ProduceRequest(Message):
    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data")
    TABLE = "produce"
    KEY = 0
    VERSIONS = range(3, 14)

    def __init__(
        self,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[TopicProduceData] = EMPTY,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.acks: Final = acks
        self.timeout_ms: Final = timeout_ms
        self.topic_data: Final = [] if topic_data is EMPTY else topic_data


class BatchIndexAndErrorMessage(Struct):
    __slots__ = ("batch_index", "batch_index_error_message")

    def __init__(
        self,
        batch_index: int = 0,
        batch_index_error_message: str | None = None,
    ) -> None:
        self.batch_index: Final = batch_index
        self.batch_index_error_message: Final = batch_index_error_message


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


class PartitionProduceResponse(Struct):
    __slots__ = ("index", "error_code", "base_offset", "log_append_time_ms", "log_start_offset", "record_errors", "error_message", "current_leader")

    def __init__(
        self,
        index: PartitionId = PartitionId(0),
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: list[BatchIndexAndErrorMessage] = EMPTY,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = DEFAULT_LEADER_ID_AND_EPOCH,
    ) -> None:
        self.index: Final = index
        self.error_code: Final = error_code
        self.base_offset: Final = base_offset
        self.log_append_time_ms: Final = log_append_time_ms
        self.log_start_offset: Final = log_start_offset
        self.record_errors: Final = [] if record_errors is EMPTY else record_errors
        self.error_message: Final = error_message
        self.current_leader: Final = current_leader


class TopicProduceResponse(Struct):
    __slots__ = ("name", "topic_id", "partition_responses")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partition_responses: list[PartitionProduceResponse] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_responses: Final = [] if partition_responses is EMPTY else partition_responses


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


class ProduceResponse(Message):
    __slots__ = ("responses", "throttle_time_ms", "node_endpoints")
    TABLE = "produce"
    KEY = 0
    VERSIONS = range(3, 14)

    def __init__(
        self,
        responses: list[TopicProduceResponse] = EMPTY,
        throttle_time_ms: int = 0,
        node_endpoints: list[NodeEndpoint] = EMPTY,
    ) -> None:
        self.responses: Final = [] if responses is EMPTY else responses
        self.throttle_time_ms: Final = throttle_time_ms
        self.node_endpoints: Final = [] if node_endpoints is EMPTY else node_endpoints
