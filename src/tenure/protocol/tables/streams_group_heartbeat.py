"""StreamsGroupHeartbeat (API key 88, KIP-1071).

Changes: acceptable recovery lag as int64, and requests for topology descriptions (both v1).
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

KEY_VALUE = StructSchema("StreamsHeartbeatKeyValue", [
    Field("key", STRING),
    Field("value", STRING),
])
TOPIC_INFO = StructSchema("StreamsHeartbeatTopicInfo", [
    Field("name", STRING, as_=TopicName),
    Field("partitions", INT32),
    Field("replication_factor", INT16),
    Field("topic_configs", ArrayOf(KEY_VALUE)),
])
ENDPOINT = StructSchema("StreamsHeartbeatEndpoint", [
    Field("host", STRING),
    Field("port", UINT16),
])
TASK_OFFSET = StructSchema("StreamsHeartbeatTaskOffset", [
    Field("subtopology_id", STRING),
    Field("partition", INT32, as_=PartitionId),
    Field("offset", INT64),
])
TASK_IDS = StructSchema("StreamsHeartbeatTaskIds", [
    Field("subtopology_id", STRING),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])
TOPIC_PARTITION = StructSchema("StreamsHeartbeatTopicPartition", [
    Field("topic", STRING, as_=TopicName),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])
COPARTITION_GROUP = StructSchema("StreamsHeartbeatCopartitionGroup", [
    Field("source_topics", ArrayOf(INT16)),
    Field("source_topic_regex", ArrayOf(INT16)),
    Field("repartition_source_topics", ArrayOf(INT16)),
])
SUBTOPOLOGY = StructSchema("StreamsHeartbeatSubtopology", [
    Field("subtopology_id", STRING),
    Field("source_topics", ArrayOf(STRING), as_=TopicName),
    Field("source_topic_regex", ArrayOf(STRING)),
    Field("state_changelog_topics", ArrayOf(TOPIC_INFO)),
    Field("repartition_sink_topics", ArrayOf(STRING), as_=TopicName),
    Field("repartition_source_topics", ArrayOf(TOPIC_INFO)),
    Field("copartition_groups", ArrayOf(COPARTITION_GROUP)),
])

STREAMS_GROUP_HEARTBEAT_REQUEST = MessageSchema(
    "StreamsGroupHeartbeatRequest", key=88, versions="0-1", flexible="0+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
        Field("member_epoch", INT32),
        Field("endpoint_information_epoch", INT32),
        Field("instance_id", NULLABLE_STRING, default=None, as_=InstanceId),
        Field("rack_id", NULLABLE_STRING, default=None),
        Field("rebalance_timeout_ms", INT32, default=-1),
        Field("topology", StructSchema("StreamsHeartbeatTopology", [
            Field("epoch", INT32),
            Field("subtopologies", ArrayOf(SUBTOPOLOGY)),
        ]), nullable="0+", default=None),
        Field("active_tasks", ArrayOf(TASK_IDS), nullable="0+", default=None),
        Field("standby_tasks", ArrayOf(TASK_IDS), nullable="0+", default=None),
        Field("warmup_tasks", ArrayOf(TASK_IDS), nullable="0+", default=None),
        Field("process_id", NULLABLE_STRING, default=None),
        Field("user_endpoint", ENDPOINT, nullable="0+", default=None),
        Field("client_tags", ArrayOf(KEY_VALUE), nullable="0+", default=None),
        Field("task_offsets", ArrayOf(TASK_OFFSET), nullable="0+", default=None),
        Field("task_end_offsets", ArrayOf(TASK_OFFSET), nullable="0+", default=None),
        Field("shutdown_application", BOOL),
    ],
)

STREAMS_GROUP_HEARTBEAT_RESPONSE = MessageSchema(
    "StreamsGroupHeartbeatResponse", key=88, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, default=None),
        Field("member_id", STRING, as_=MemberId),
        Field("member_epoch", INT32),
        Field("heartbeat_interval_ms", INT32),
        Field("acceptable_recovery_lag_legacy", INT32, versions="0", ignorable=True),
        Field("task_offset_interval_ms", INT32),
        Field("acceptable_recovery_lag", INT64, versions="1+", default=-1, ignorable=True),
        Field("status", ArrayOf(StructSchema("StreamsHeartbeatStatus", [
            Field("status_code", INT8),
            Field("status_detail", STRING),
        ])), nullable="0+"),
        Field("active_tasks", ArrayOf(TASK_IDS), nullable="0+", default=None),
        Field("standby_tasks", ArrayOf(TASK_IDS), nullable="0+", default=None),
        Field("warmup_tasks", ArrayOf(TASK_IDS), nullable="0+", default=None),
        Field("topology_description_required", BOOL, versions="1+"),
        Field("endpoint_information_epoch", INT32),
        Field("partitions_by_user_endpoint", ArrayOf(StructSchema("StreamsHeartbeatEndpointToPartitions", [
            Field("user_endpoint", ENDPOINT),
            Field("active_partitions", ArrayOf(TOPIC_PARTITION)),
            Field("standby_partitions", ArrayOf(TOPIC_PARTITION)),
        ])), nullable="0+", default=None),
    ],
)
