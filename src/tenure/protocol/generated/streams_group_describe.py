"""Generated from `tenure/protocol/tables/streams_group_describe.py` by `python -m tenure.protocol.generate`."""

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


class StreamsGroupDescribeRequest(Message):
    __slots__ = ("group_ids", "include_authorized_operations", "include_topology_description")
    TABLE = "streams_group_describe"
    KEY = 89
    VERSIONS = range(0, 2)

    def __init__(
        self,
        group_ids: list[GroupId] = EMPTY,
        include_authorized_operations: bool = False,
        include_topology_description: bool = False,
    ) -> None:
        self.group_ids: Final = [] if group_ids is EMPTY else group_ids
        self.include_authorized_operations: Final = include_authorized_operations
        self.include_topology_description: Final = include_topology_description


class DescribedStreamsKeyValue(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
    ) -> None:
        self.key: Final = key
        self.value: Final = value


class DescribedStreamsTopicInfo(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: list[DescribedStreamsKeyValue] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.replication_factor: Final = replication_factor
        self.topic_configs: Final = [] if topic_configs is EMPTY else topic_configs


class DescribedStreamsSubtopology(Struct):
    __slots__ = ("subtopology_id", "source_topics", "repartition_sink_topics", "state_changelog_topics", "repartition_source_topics")

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: list[TopicName] = EMPTY,
        repartition_sink_topics: list[TopicName] = EMPTY,
        state_changelog_topics: list[DescribedStreamsTopicInfo] = EMPTY,
        repartition_source_topics: list[DescribedStreamsTopicInfo] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.source_topics: Final = [] if source_topics is EMPTY else source_topics
        self.repartition_sink_topics: Final = [] if repartition_sink_topics is EMPTY else repartition_sink_topics
        self.state_changelog_topics: Final = [] if state_changelog_topics is EMPTY else state_changelog_topics
        self.repartition_source_topics: Final = [] if repartition_source_topics is EMPTY else repartition_source_topics


class DescribedStreamsTopology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: list[DescribedStreamsSubtopology] | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.subtopologies: Final = subtopologies


DEFAULT_DESCRIBED_STREAMS_TOPOLOGY: Final = DescribedStreamsTopology()


class DescribedStreamsEndpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.host: Final = host
        self.port: Final = port


DEFAULT_DESCRIBED_STREAMS_ENDPOINT: Final = DescribedStreamsEndpoint()


class DescribedStreamsTaskOffset(Struct):
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


class DescribedStreamsTaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribedStreamsAssignment(Struct):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    def __init__(
        self,
        active_tasks: list[DescribedStreamsTaskIds] = EMPTY,
        standby_tasks: list[DescribedStreamsTaskIds] = EMPTY,
        warmup_tasks: list[DescribedStreamsTaskIds] = EMPTY,
    ) -> None:
        self.active_tasks: Final = [] if active_tasks is EMPTY else active_tasks
        self.standby_tasks: Final = [] if standby_tasks is EMPTY else standby_tasks
        self.warmup_tasks: Final = [] if warmup_tasks is EMPTY else warmup_tasks


DEFAULT_DESCRIBED_STREAMS_ASSIGNMENT: Final = DescribedStreamsAssignment()


class DescribedStreamsMember(Struct):
    __slots__ = ("member_id", "member_epoch", "instance_id", "rack_id", "client_id", "client_host", "topology_epoch", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "assignment", "target_assignment", "is_classic")

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        member_epoch: int = 0,
        instance_id: InstanceId | None = None,
        rack_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: DescribedStreamsEndpoint | None = None,
        client_tags: list[DescribedStreamsKeyValue] = EMPTY,
        task_offsets: list[DescribedStreamsTaskOffset] = EMPTY,
        task_end_offsets: list[DescribedStreamsTaskOffset] = EMPTY,
        assignment: DescribedStreamsAssignment = DEFAULT_DESCRIBED_STREAMS_ASSIGNMENT,
        target_assignment: DescribedStreamsAssignment = DEFAULT_DESCRIBED_STREAMS_ASSIGNMENT,
        is_classic: bool = False,
    ) -> None:
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.topology_epoch: Final = topology_epoch
        self.process_id: Final = process_id
        self.user_endpoint: Final = user_endpoint
        self.client_tags: Final = [] if client_tags is EMPTY else client_tags
        self.task_offsets: Final = [] if task_offsets is EMPTY else task_offsets
        self.task_end_offsets: Final = [] if task_end_offsets is EMPTY else task_end_offsets
        self.assignment: Final = assignment
        self.target_assignment: Final = target_assignment
        self.is_classic: Final = is_classic


class DescribedTopologyNode(Struct):
    __slots__ = ("name", "node_type", "source_topics", "sink_topic", "stores", "successors")

    def __init__(
        self,
        name: str = "",
        node_type: int = 0,
        source_topics: list[TopicName] = EMPTY,
        sink_topic: TopicName | None = None,
        stores: list[str] = EMPTY,
        successors: list[str] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.node_type: Final = node_type
        self.source_topics: Final = [] if source_topics is EMPTY else source_topics
        self.sink_topic: Final = sink_topic
        self.stores: Final = [] if stores is EMPTY else stores
        self.successors: Final = [] if successors is EMPTY else successors


DEFAULT_DESCRIBED_TOPOLOGY_NODE: Final = DescribedTopologyNode()


class DescribedTopologySubtopology(Struct):
    __slots__ = ("subtopology_id", "nodes")

    def __init__(
        self,
        subtopology_id: str = "",
        nodes: list[DescribedTopologyNode] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.nodes: Final = [] if nodes is EMPTY else nodes


class DescribedTopologyGlobalStore(Struct):
    __slots__ = ("source", "processor")

    def __init__(
        self,
        source: DescribedTopologyNode = DEFAULT_DESCRIBED_TOPOLOGY_NODE,
        processor: DescribedTopologyNode = DEFAULT_DESCRIBED_TOPOLOGY_NODE,
    ) -> None:
        self.source: Final = source
        self.processor: Final = processor


class DescribedTopology(Struct):
    __slots__ = ("subtopologies", "global_stores")

    def __init__(
        self,
        subtopologies: list[DescribedTopologySubtopology] = EMPTY,
        global_stores: list[DescribedTopologyGlobalStore] = EMPTY,
    ) -> None:
        self.subtopologies: Final = [] if subtopologies is EMPTY else subtopologies
        self.global_stores: Final = [] if global_stores is EMPTY else global_stores


DEFAULT_DESCRIBED_TOPOLOGY: Final = DescribedTopology()


class DescribedStreamsGroup(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "topology", "members", "authorized_operations", "topology_description", "topology_description_status", "assignor_name")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: GroupId = GroupId(""),
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        topology: DescribedStreamsTopology | None = None,
        members: list[DescribedStreamsMember] = EMPTY,
        authorized_operations: int = -2147483648,
        topology_description: DescribedTopology | None = None,
        topology_description_status: int = 0,
        assignor_name: str | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.group_epoch: Final = group_epoch
        self.assignment_epoch: Final = assignment_epoch
        self.topology: Final = topology
        self.members: Final = [] if members is EMPTY else members
        self.authorized_operations: Final = authorized_operations
        self.topology_description: Final = topology_description
        self.topology_description_status: Final = topology_description_status
        self.assignor_name: Final = assignor_name


class StreamsGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    TABLE = "streams_group_describe"
    KEY = 89
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribedStreamsGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = [] if groups is EMPTY else groups
