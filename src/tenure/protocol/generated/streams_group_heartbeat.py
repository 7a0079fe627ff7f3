"""Generated from `tenure/protocol/tables/streams_group_heartbeat.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicName,
)


class StreamsHeartbeatKeyValue(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key: Final = key
        self.value: Final = value


class StreamsHeartbeatTopicInfo(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[StreamsHeartbeatKeyValue] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.replication_factor: Final = replication_factor
        self.topic_configs: Final = [] if topic_configs is EMPTY else topic_configs


class StreamsHeartbeatCopartitionGroup(Struct):
    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics")

    def __init__(
        self,
        source_topics: list[int] = EMPTY,
        source_topic_regex: list[int] = EMPTY,
        repartition_source_topics: list[int] = EMPTY,
    ) -> None:
        self.source_topics: Final = [] if source_topics is EMPTY else source_topics
        self.source_topic_regex: Final = [] if source_topic_regex is EMPTY else source_topic_regex
        self.repartition_source_topics: Final = [] if repartition_source_topics is EMPTY else repartition_source_topics


class StreamsHeartbeatSubtopology(Struct):
    __slots__ = ("subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics", "repartition_sink_topics", "repartition_source_topics", "copartition_groups")

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: list[TopicName] = EMPTY,
        source_topic_regex: list[str] = EMPTY,
        state_changelog_topics: list[StreamsHeartbeatTopicInfo] = EMPTY,
        repartition_sink_topics: list[TopicName] = EMPTY,
        repartition_source_topics: list[StreamsHeartbeatTopicInfo] = EMPTY,
        copartition_groups: list[StreamsHeartbeatCopartitionGroup] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.source_topics: Final = [] if source_topics is EMPTY else source_topics
        self.source_topic_regex: Final = [] if source_topic_regex is EMPTY else source_topic_regex
        self.state_changelog_topics: Final = [] if state_changelog_topics is EMPTY else state_changelog_topics
        self.repartition_sink_topics: Final = [] if repartition_sink_topics is EMPTY else repartition_sink_topics
        self.repartition_source_topics: Final = [] if repartition_source_topics is EMPTY else repartition_source_topics
        self.copartition_groups: Final = [] if copartition_groups is EMPTY else copartition_groups


class StreamsHeartbeatTopology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[StreamsHeartbeatSubtopology] = EMPTY,
    ) -> None:
        self.epoch: Final = epoch
        self.subtopologies: Final = [] if subtopologies is EMPTY else subtopologies


DEFAULT_STREAMS_HEARTBEAT_TOPOLOGY: Final = StreamsHeartbeatTopology()


class StreamsHeartbeatTaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class StreamsHeartbeatEndpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.host: Final = host
        self.port: Final = port


DEFAULT_STREAMS_HEARTBEAT_ENDPOINT: Final = StreamsHeartbeatEndpoint()


class StreamsHeartbeatTaskOffset(Struct):
    __slots__ = ("subtopology_id", "partition", "offset")

    def __init__(
        self,
        subtopology_id: str = "",
        partition: PartitionId = PartitionId(0),
        offset: int = 0,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partition: Final = partition
        self.offset: Final = offset


class StreamsGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "endpoint_information_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "topology", "active_tasks", "standby_tasks", "warmup_tasks", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "shutdown_application")
    TABLE = "streams_group_heartbeat"
    KEY = 88
    VERSIONS = range(0, 2)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
        member_epoch: int = 0,
        endpoint_information_epoch: int = 0,
        instance_id: InstanceId | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        topology: StreamsHeartbeatTopology | None = None,
        active_tasks: list[StreamsHeartbeatTaskIds] | None = None,
        standby_tasks: list[StreamsHeartbeatTaskIds] | None = None,
        warmup_tasks: list[StreamsHeartbeatTaskIds] | None = None,
        process_id: str | None = None,
        user_endpoint: StreamsHeartbeatEndpoint | None = None,
        client_tags: list[StreamsHeartbeatKeyValue] | None = None,
        task_offsets: list[StreamsHeartbeatTaskOffset] | None = None,
        task_end_offsets: list[StreamsHeartbeatTaskOffset] | None = None,
        shutdown_application: bool = False,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.endpoint_information_epoch: Final = endpoint_information_epoch
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.topology: Final = topology
        self.active_tasks: Final = active_tasks
        self.standby_tasks: Final = standby_tasks
        self.warmup_tasks: Final = warmup_tasks
        self.process_id: Final = process_id
        self.user_endpoint: Final = user_endpoint
        self.client_tags: Final = client_tags
        self.task_offsets: Final = task_offsets
        self.task_end_offsets: Final = task_end_offsets
        self.shutdown_application: Final = shutdown_application


class StreamsHeartbeatStatus(Struct):
    __slots__ = ("status_code", "status_detail")

    def __init__(
        self,
        status_code: int = 0,
        status_detail: str = "",
    ) -> None:
        self.status_code: Final = status_code
        self.status_detail: Final = status_detail


class StreamsHeartbeatTopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class StreamsHeartbeatEndpointToPartitions(Struct):
    __slots__ = ("user_endpoint", "active_partitions", "standby_partitions")

    def __init__(
        self,
        user_endpoint: StreamsHeartbeatEndpoint = DEFAULT_STREAMS_HEARTBEAT_ENDPOINT,
        active_partitions: list[StreamsHeartbeatTopicPartition] = EMPTY,
        standby_partitions: list[StreamsHeartbeatTopicPartition] = EMPTY,
    ) -> None:
        self.user_endpoint: Final = user_endpoint
        self.active_partitions: Final = [] if active_partitions is EMPTY else active_partitions
        self.standby_partitions: Final = [] if standby_partitions is EMPTY else standby_partitions


class StreamsGroupHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "acceptable_recovery_lag_legacy", "task_offset_interval_ms", "acceptable_recovery_lag", "status", "active_tasks", "standby_tasks", "warmup_tasks", "topology_description_required", "endpoint_information_epoch", "partitions_by_user_endpoint")
    TABLE = "streams_group_heartbeat"
    KEY = 88
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: MemberId = MemberId(""),
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        acceptable_recovery_lag_legacy: int = 0,
        task_offset_interval_ms: int = 0,
        acceptable_recovery_lag: int = -1,
        status: list[StreamsHeartbeatStatus] | None = EMPTY,
        active_tasks: list[StreamsHeartbeatTaskIds] | None = None,
        standby_tasks: list[StreamsHeartbeatTaskIds] | None = None,
        warmup_tasks: list[StreamsHeartbeatTaskIds] | None = None,
        topology_description_required: bool = False,
        endpoint_information_epoch: int = 0,
        partitions_by_user_endpoint: list[StreamsHeartbeatEndpointToPartitions] | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.heartbeat_interval_ms: Final = heartbeat_interval_ms
        self.acceptable_recovery_lag_legacy: Final = acceptable_recovery_lag_legacy
        self.task_offset_interval_ms: Final = task_offset_interval_ms
        self.acceptable_recovery_lag: Final = acceptable_recovery_lag
        self.status: Final = [] if status is EMPTY else status
        self.active_tasks: Final = active_tasks
        self.standby_tasks: Final = standby_tasks
        self.warmup_tasks: Final = warmup_tasks
        self.topology_description_required: Final = topology_description_required
        self.endpoint_information_epoch: Final = endpoint_information_epoch
        self.partitions_by_user_endpoint: Final = partitions_by_user_endpoint
