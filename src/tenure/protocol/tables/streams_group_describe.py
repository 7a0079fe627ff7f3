"""StreamsGroupDescribe (API key 89, KIP-1071).

Changes: name of the assignor, and description of the topology (both v1, KIP-1331).
"""

from tenure.protocol.schema import (
    BOOL,
    INT8,
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    UINT16,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName

KEY_VALUE = StructSchema("DescribedStreamsKeyValue", [
    Field("key", STRING),
    Field("value", STRING),
])
TOPIC_INFO = StructSchema("DescribedStreamsTopicInfo", [
    Field("name", STRING, as_=TopicName),
    Field("partitions", INT32),
    Field("replication_factor", INT16),
    Field("topic_configs", ArrayOf(KEY_VALUE)),
])
ENDPOINT = StructSchema("DescribedStreamsEndpoint", [
    Field("host", STRING),
    Field("port", UINT16),
])
TASK_OFFSET = StructSchema("DescribedStreamsTaskOffset", [
    Field("subtopology_id", STRING),
    Field("partition", INT32, as_=PartitionId),
    Field("offset", INT64),
])
TASK_IDS = StructSchema("DescribedStreamsTaskIds", [
    Field("subtopology_id", STRING),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])
ASSIGNMENT = StructSchema("DescribedStreamsAssignment", [
    Field("active_tasks", ArrayOf(TASK_IDS)),
    Field("standby_tasks", ArrayOf(TASK_IDS)),
    Field("warmup_tasks", ArrayOf(TASK_IDS)),
])
SUBTOPOLOGY = StructSchema("DescribedStreamsSubtopology", [
    Field("subtopology_id", STRING),
    Field("source_topics", ArrayOf(STRING), as_=TopicName),
    Field("repartition_sink_topics", ArrayOf(STRING), as_=TopicName),
    Field("state_changelog_topics", ArrayOf(TOPIC_INFO)),
    Field("repartition_source_topics", ArrayOf(TOPIC_INFO)),
])
MEMBER = StructSchema("DescribedStreamsMember", [
    Field("member_id", STRING, as_=MemberId),
    Field("member_epoch", INT32),
    Field("instance_id", NULLABLE_STRING, default=None, as_=InstanceId),
    Field("rack_id", NULLABLE_STRING, default=None),
    Field("client_id", STRING),
    Field("client_host", STRING),
    Field("topology_epoch", INT32),
    Field("process_id", STRING),
    Field("user_endpoint", ENDPOINT, nullable="0+", default=None),
    Field("client_tags", ArrayOf(KEY_VALUE)),
    Field("task_offsets", ArrayOf(TASK_OFFSET)),
    Field("task_end_offsets", ArrayOf(TASK_OFFSET)),
    Field("assignment", ASSIGNMENT),
    Field("target_assignment", ASSIGNMENT),
    Field("is_classic", BOOL),
])
NODE = StructSchema("DescribedTopologyNode", [
    Field("name", STRING),
    Field("node_type", INT8),
    Field("source_topics", ArrayOf(STRING), as_=TopicName),
    Field("sink_topic", NULLABLE_STRING, default=None, as_=TopicName),
    Field("stores", ArrayOf(STRING)),
    Field("successors", ArrayOf(STRING)),
])
TOPOLOGY_DESCRIPTION = StructSchema("DescribedTopology", [
    Field("subtopologies", ArrayOf(StructSchema("DescribedTopologySubtopology", [
        Field("subtopology_id", STRING),
        Field("nodes", ArrayOf(NODE)),
    ]))),
    Field("global_stores", ArrayOf(StructSchema("DescribedTopologyGlobalStore", [
        Field("source", NODE),
        Field("processor", NODE),
    ]))),
])

STREAMS_GROUP_DESCRIBE_REQUEST = MessageSchema(
    "StreamsGroupDescribeRequest", key=89, versions="0-1", flexible="0+",
    fields=[
        Field("group_ids", ArrayOf(STRING), as_=GroupId),
        Field("include_authorized_operations", BOOL),
        Field("include_topology_description", BOOL, versions="1+"),
    ],
)

STREAMS_GROUP_DESCRIBE_RESPONSE = MessageSchema(
    "StreamsGroupDescribeResponse", key=89, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("groups", ArrayOf(StructSchema("DescribedStreamsGroup", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, default=None),
            Field("group_id", STRING, as_=GroupId),
            Field("group_state", STRING),
            Field("group_epoch", INT32),
            Field("assignment_epoch", INT32),
            Field("topology", StructSchema("DescribedStreamsTopology", [
                Field("epoch", INT32),
                Field("subtopologies", ArrayOf(SUBTOPOLOGY), nullable="0+", default=None),
            ]), nullable="0+", default=None),
            Field("members", ArrayOf(MEMBER)),
            Field("authorized_operations", INT32, default=-(2**31)),
            Field("topology_description", TOPOLOGY_DESCRIPTION, versions="1+", nullable="1+", default=None),
            Field("topology_description_status", INT8, versions="1+"),
            Field("assignor_name", NULLABLE_STRING, versions="1+", default=None, ignorable=True),
        ]))),
    ],
)
