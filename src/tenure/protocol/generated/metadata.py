"""Generated from `tenure/protocol/tables/metadata.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
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


class MetadataRequestTopic(Struct):
    __slots__ = ("topic_id", "name")

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        name: TopicName | None = TopicName(""),
    ) -> None:
        self.topic_id: Final = topic_id
        self.name: Final = name


class MetadataRequest(Message):
    __slots__ = ("topics", "allow_auto_topic_creation", "include_cluster_authorized_operations", "include_topic_authorized_operations")
    TABLE = "metadata"
    KEY = 3
    VERSIONS = range(0, 14)

    def __init__(
        self,
        topics: list[MetadataRequestTopic] | None = EMPTY,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.allow_auto_topic_creation: Final = allow_auto_topic_creation
        self.include_cluster_authorized_operations: Final = include_cluster_authorized_operations
        self.include_topic_authorized_operations: Final = include_topic_authorized_operations


class MetadataResponseBroker(Struct):
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


class MetadataResponsePartition(Struct):
    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "offline_replicas")

    def __init__(
        self,
        error_code: int = 0,
        partition_index: PartitionId = PartitionId(0),
        leader_id: BrokerId = BrokerId(0),
        leader_epoch: int = -1,
        replica_nodes: list[BrokerId] = EMPTY,
        isr_nodes: list[BrokerId] = EMPTY,
        offline_replicas: list[BrokerId] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.partition_index: Final = partition_index
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.replica_nodes: Final = [] if replica_nodes is EMPTY else replica_nodes
        self.isr_nodes: Final = [] if isr_nodes is EMPTY else isr_nodes
        self.offline_replicas: Final = [] if offline_replicas is EMPTY else offline_replicas


class MetadataResponseTopic(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        name: TopicName | None = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        is_internal: bool = False,
        partitions: list[MetadataResponsePartition] = EMPTY,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code: Final = error_code
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.is_internal: Final = is_internal
        self.partitions: Final = [] if partitions is EMPTY else partitions
        self.topic_authorized_operations: Final = topic_authorized_operations


class MetadataResponse(Message):
    __slots__ = ("throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics", "cluster_authorized_operations", "error_code")
    TABLE = "metadata"
    KEY = 3
    VERSIONS = range(0, 14)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        brokers: list[MetadataResponseBroker] = EMPTY,
        cluster_id: str | None = None,
        controller_id: BrokerId = BrokerId(-1),
        topics: list[MetadataResponseTopic] = EMPTY,
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.brokers: Final = [] if brokers is EMPTY else brokers
        self.cluster_id: Final = cluster_id
        self.controller_id: Final = controller_id
        self.topics: Final = [] if topics is EMPTY else topics
        self.cluster_authorized_operations: Final = cluster_authorized_operations
        self.error_code: Final = error_code
