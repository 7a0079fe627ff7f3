"""Generated from `tenure/protocol/tables/streams_group_records.py` by `python -m tenure.protocol.generate`."""

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


class StreamsGroupMetadataKey(Message):
    __slots__ = ("group_id",)
    TABLE = "streams_group_records"
    KEY = 17
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.group_id: Final = group_id


class LastAssignmentConfig(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key: Final = key
        self.value: Final = value


class StreamsGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash", "validated_topology_epoch", "last_assignment_configs", "stored_description_topology_epoch", "failed_description_topology_epoch")
    TABLE = "streams_group_records"
    KEY = 17
    VERSIONS = range(0, 1)

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
        validated_topology_epoch: int = -1,
        last_assignment_configs: list[LastAssignmentConfig] | None = EMPTY,
        stored_description_topology_epoch: int = -1,
        failed_description_topology_epoch: int = -1,
    ) -> None:
        self.epoch: Final = epoch
        self.metadata_hash: Final = metadata_hash
        self.validated_topology_epoch: Final = validated_topology_epoch
        self.last_assignment_configs: Final = [] if last_assignment_configs is EMPTY else last_assignment_configs
        self.stored_description_topology_epoch: Final = stored_description_topology_epoch
        self.failed_description_topology_epoch: Final = failed_description_topology_epoch


class StreamsGroupMemberMetadataKey(Message):
    __slots__ = ("group_id", "member_id")
    TABLE = "streams_group_records"
    KEY = 19
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id


class StreamsEndpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.host: Final = host
        self.port: Final = port


DEFAULT_STREAMS_ENDPOINT: Final = StreamsEndpoint()


class StreamsClientTag(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key: Final = key
        self.value: Final = value


class StreamsGroupMemberMetadataValue(Message):
    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "rebalance_timeout_ms", "topology_epoch", "process_id", "user_endpoint", "client_tags")
    TABLE = "streams_group_records"
    KEY = 19
    VERSIONS = range(0, 1)

    def __init__(
        self,
        instance_id: InstanceId | None = InstanceId(""),
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout_ms: int = -1,
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: StreamsEndpoint | None = None,
        client_tags: list[StreamsClientTag] = EMPTY,
    ) -> None:
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.topology_epoch: Final = topology_epoch
        self.process_id: Final = process_id
        self.user_endpoint: Final = user_endpoint
        self.client_tags: Final = [] if client_tags is EMPTY else client_tags


class StreamsGroupTargetAssignmentMetadataKey(Message):
    __slots__ = ("group_id",)
    TABLE = "streams_group_records"
    KEY = 20
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.group_id: Final = group_id


class StreamsGroupTargetAssignmentMetadataValue(Message):
    __slots__ = ("assignment_epoch", "assignment_timestamp")
    TABLE = "streams_group_records"
    KEY = 20
    VERSIONS = range(0, 1)

    def __init__(
        self,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
    ) -> None:
        self.assignment_epoch: Final = assignment_epoch
        self.assignment_timestamp: Final = assignment_timestamp


class StreamsGroupTargetAssignmentMemberKey(Message):
    __slots__ = ("group_id", "member_id")
    TABLE = "streams_group_records"
    KEY = 21
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id


class TargetTaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class StreamsGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")
    TABLE = "streams_group_records"
    KEY = 21
    VERSIONS = range(0, 1)

    def __init__(
        self,
        active_tasks: list[TargetTaskIds] = EMPTY,
        standby_tasks: list[TargetTaskIds] = EMPTY,
        warmup_tasks: list[TargetTaskIds] = EMPTY,
    ) -> None:
        self.active_tasks: Final = [] if active_tasks is EMPTY else active_tasks
        self.standby_tasks: Final = [] if standby_tasks is EMPTY else standby_tasks
        self.warmup_tasks: Final = [] if warmup_tasks is EMPTY else warmup_tasks


class StreamsGroupCurrentMemberAssignmentKey(Message):
    __slots__ = ("group_id", "member_id")
    TABLE = "streams_group_records"
    KEY = 22
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id


class CurrentTaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: list[PartitionId] = EMPTY,
        assignment_epochs: list[int] | None = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partitions: Final = [] if partitions is EMPTY else partitions
        self.assignment_epochs: Final = [] if assignment_epochs is EMPTY else assignment_epochs


class StreamsGroupCurrentMemberAssignmentValue(Message):
    __slots__ = ("member_epoch", "previous_member_epoch", "state", "active_tasks", "standby_tasks", "warmup_tasks", "active_tasks_pending_revocation", "standby_tasks_pending_revocation", "warmup_tasks_pending_revocation")
    TABLE = "streams_group_records"
    KEY = 22
    VERSIONS = range(0, 1)

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        active_tasks: list[CurrentTaskIds] = EMPTY,
        standby_tasks: list[CurrentTaskIds] = EMPTY,
        warmup_tasks: list[CurrentTaskIds] = EMPTY,
        active_tasks_pending_revocation: list[CurrentTaskIds] = EMPTY,
        standby_tasks_pending_revocation: list[CurrentTaskIds] = EMPTY,
        warmup_tasks_pending_revocation: list[CurrentTaskIds] = EMPTY,
    ) -> None:
        self.member_epoch: Final = member_epoch
        self.previous_member_epoch: Final = previous_member_epoch
        self.state: Final = state
        self.active_tasks: Final = [] if active_tasks is EMPTY else active_tasks
        self.standby_tasks: Final = [] if standby_tasks is EMPTY else standby_tasks
        self.warmup_tasks: Final = [] if warmup_tasks is EMPTY else warmup_tasks
        self.active_tasks_pending_revocation: Final = [] if active_tasks_pending_revocation is EMPTY else active_tasks_pending_revocation
        self.standby_tasks_pending_revocation: Final = [] if standby_tasks_pending_revocation is EMPTY else standby_tasks_pending_revocation
        self.warmup_tasks_pending_revocation: Final = [] if warmup_tasks_pending_revocation is EMPTY else warmup_tasks_pending_revocation


class StreamsGroupTopologyKey(Message):
    __slots__ = ("group_id",)
    TABLE = "streams_group_records"
    KEY = 23
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.group_id: Final = group_id


class TopologyTopicConfig(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key: Final = key
        self.value: Final = value


class TopologyTopicInfo(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[TopologyTopicConfig] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.replication_factor: Final = replication_factor
        self.topic_configs: Final = [] if topic_configs is EMPTY else topic_configs


class TopologyCopartitionGroup(Struct):
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


class TopologySubtopology(Struct):
    __slots__ = ("subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics", "repartition_sink_topics", "repartition_source_topics", "copartition_groups")

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: list[TopicName] = EMPTY,
        source_topic_regex: list[str] = EMPTY,
        state_changelog_topics: list[TopologyTopicInfo] = EMPTY,
        repartition_sink_topics: list[TopicName] = EMPTY,
        repartition_source_topics: list[TopologyTopicInfo] = EMPTY,
        copartition_groups: list[TopologyCopartitionGroup] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.source_topics: Final = [] if source_topics is EMPTY else source_topics
        self.source_topic_regex: Final = [] if source_topic_regex is EMPTY else source_topic_regex
        self.state_changelog_topics: Final = [] if state_changelog_topics is EMPTY else state_changelog_topics
        self.repartition_sink_topics: Final = [] if repartition_sink_topics is EMPTY else repartition_sink_topics
        self.repartition_source_topics: Final = [] if repartition_source_topics is EMPTY else repartition_source_topics
        self.copartition_groups: Final = [] if copartition_groups is EMPTY else copartition_groups


class StreamsGroupTopologyValue(Message):
    __slots__ = ("epoch", "subtopologies")
    TABLE = "streams_group_records"
    KEY = 23
    VERSIONS = range(0, 1)

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[TopologySubtopology] = EMPTY,
    ) -> None:
        self.epoch: Final = epoch
        self.subtopologies: Final = [] if subtopologies is EMPTY else subtopologies
