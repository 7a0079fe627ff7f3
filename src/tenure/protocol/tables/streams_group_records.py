"""Records of streams groups in `__consumer_offsets` (rule 6.3).

Keys have the classic encoding, and values have the flexible encoding. Two fields have the default null in Kafka's
schema, but Kafka treats the empty list as their default on the wire. So null is always encoded (rule 1.1.4).
"""

from tenure.protocol.schema import (
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

STREAMS_GROUP_METADATA_KEY = MessageSchema(
    "StreamsGroupMetadataKey", key=17, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
    ],
)

STREAMS_GROUP_METADATA_VALUE = MessageSchema(
    "StreamsGroupMetadataValue", key=17, versions="0", flexible="0+",
    fields=[
        Field("epoch", INT32),
        Field("metadata_hash", INT64),
        Field("validated_topology_epoch", INT32, default=-1, tag=0),
        Field("last_assignment_configs", ArrayOf(StructSchema("LastAssignmentConfig", [
            Field("key", STRING),
            Field("value", STRING),
        ])), nullable="0+", tag=1),
        Field("stored_description_topology_epoch", INT32, default=-1, tag=2),
        Field("failed_description_topology_epoch", INT32, default=-1, tag=3),
    ],
)

STREAMS_GROUP_MEMBER_METADATA_KEY = MessageSchema(
    "StreamsGroupMemberMetadataKey", key=19, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
    ],
)

STREAMS_GROUP_MEMBER_METADATA_VALUE = MessageSchema(
    "StreamsGroupMemberMetadataValue", key=19, versions="0", flexible="0+",
    fields=[
        Field("instance_id", NULLABLE_STRING, as_=InstanceId),
        Field("rack_id", NULLABLE_STRING),
        Field("client_id", STRING),
        Field("client_host", STRING),
        Field("rebalance_timeout_ms", INT32, default=-1),
        Field("topology_epoch", INT32),
        Field("process_id", STRING),
        Field("user_endpoint", StructSchema("StreamsEndpoint", [
            Field("host", STRING),
            Field("port", UINT16),
        ]), nullable="0+", default=None),
        Field("client_tags", ArrayOf(StructSchema("StreamsClientTag", [
            Field("key", STRING),
            Field("value", STRING),
        ]))),
    ],
)

STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_KEY = MessageSchema(
    "StreamsGroupTargetAssignmentMetadataKey", key=20, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
    ],
)

STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE = MessageSchema(
    "StreamsGroupTargetAssignmentMetadataValue", key=20, versions="0", flexible="0+",
    fields=[
        Field("assignment_epoch", INT32),
        Field("assignment_timestamp", INT64, ignorable=True, tag=0),
    ],
)

STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY = MessageSchema(
    "StreamsGroupTargetAssignmentMemberKey", key=21, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
    ],
)

TARGET_TASK_IDS = StructSchema("TargetTaskIds", [
    Field("subtopology_id", STRING),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])

STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE = MessageSchema(
    "StreamsGroupTargetAssignmentMemberValue", key=21, versions="0", flexible="0+",
    fields=[
        Field("active_tasks", ArrayOf(TARGET_TASK_IDS)),
        Field("standby_tasks", ArrayOf(TARGET_TASK_IDS)),
        Field("warmup_tasks", ArrayOf(TARGET_TASK_IDS)),
    ],
)

STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY = MessageSchema(
    "StreamsGroupCurrentMemberAssignmentKey", key=22, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
    ],
)

CURRENT_TASK_IDS = StructSchema("CurrentTaskIds", [
    Field("subtopology_id", STRING),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
    Field("assignment_epochs", ArrayOf(INT32), nullable="0+", tag=0),
])

STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE = MessageSchema(
    "StreamsGroupCurrentMemberAssignmentValue", key=22, versions="0", flexible="0+",
    fields=[
        Field("member_epoch", INT32),
        Field("previous_member_epoch", INT32),
        Field("state", INT8),
        Field("active_tasks", ArrayOf(CURRENT_TASK_IDS)),
        Field("standby_tasks", ArrayOf(CURRENT_TASK_IDS)),
        Field("warmup_tasks", ArrayOf(CURRENT_TASK_IDS)),
        Field("active_tasks_pending_revocation", ArrayOf(CURRENT_TASK_IDS)),
        Field("standby_tasks_pending_revocation", ArrayOf(CURRENT_TASK_IDS)),
        Field("warmup_tasks_pending_revocation", ArrayOf(CURRENT_TASK_IDS)),
    ],
)

STREAMS_GROUP_TOPOLOGY_KEY = MessageSchema(
    "StreamsGroupTopologyKey", key=23, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
    ],
)

TOPIC_INFO = StructSchema("TopologyTopicInfo", [
    Field("name", STRING, as_=TopicName),
    Field("partitions", INT32),
    Field("replication_factor", INT16),
    Field("topic_configs", ArrayOf(StructSchema("TopologyTopicConfig", [
        Field("key", STRING),
        Field("value", STRING),
    ]))),
])

STREAMS_GROUP_TOPOLOGY_VALUE = MessageSchema(
    "StreamsGroupTopologyValue", key=23, versions="0", flexible="0+",
    fields=[
        Field("epoch", INT32),
        Field("subtopologies", ArrayOf(StructSchema("TopologySubtopology", [
            Field("subtopology_id", STRING),
            Field("source_topics", ArrayOf(STRING), as_=TopicName),
            Field("source_topic_regex", ArrayOf(STRING)),
            Field("state_changelog_topics", ArrayOf(TOPIC_INFO)),
            Field("repartition_sink_topics", ArrayOf(STRING), as_=TopicName),
            Field("repartition_source_topics", ArrayOf(TOPIC_INFO)),
            Field("copartition_groups", ArrayOf(StructSchema("TopologyCopartitionGroup", [
                Field("source_topics", ArrayOf(INT16)),
                Field("source_topic_regex", ArrayOf(INT16)),
                Field("repartition_source_topics", ArrayOf(INT16)),
            ]))),
        ]))),
    ],
)
