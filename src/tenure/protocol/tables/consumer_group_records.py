"""Records of consumer groups in `__consumer_offsets` (rule 6.3).

Keys have the classic encoding, and values have the flexible encoding. Two fields have the default null in Kafka's
schema, but Kafka treats the empty struct or list as their default on the wire. So null is always encoded (rule 1.1.4).
"""

from tenure.protocol.schema import (
    BYTES,
    INT8,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

CONSUMER_GROUP_METADATA_KEY = MessageSchema(
    "ConsumerGroupMetadataKey", key=3, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
    ],
)

CONSUMER_GROUP_METADATA_VALUE = MessageSchema(
    "ConsumerGroupMetadataValue", key=3, versions="0", flexible="0+",
    fields=[
        Field("epoch", INT32),
        Field("metadata_hash", INT64, tag=0),
    ],
)

CONSUMER_GROUP_PARTITION_METADATA_KEY = MessageSchema(
    "ConsumerGroupPartitionMetadataKey", key=4, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
    ],
)

CONSUMER_GROUP_PARTITION_METADATA_VALUE = MessageSchema(
    "ConsumerGroupPartitionMetadataValue", key=4, versions="0", flexible="0+",
    fields=[
        Field("topics", ArrayOf(StructSchema("TopicMetadata", [
            Field("topic_id", UUID, as_=TopicId),
            Field("topic_name", STRING, as_=TopicName),
            Field("num_partitions", INT32),
            Field("partition_metadata", ArrayOf(StructSchema("PartitionMetadata", [
                Field("partition", INT32, as_=PartitionId),
                Field("racks", ArrayOf(STRING)),
            ]))),
        ]))),
    ],
)

CONSUMER_GROUP_MEMBER_METADATA_KEY = MessageSchema(
    "ConsumerGroupMemberMetadataKey", key=5, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
    ],
)

CONSUMER_GROUP_MEMBER_METADATA_VALUE = MessageSchema(
    "ConsumerGroupMemberMetadataValue", key=5, versions="0", flexible="0+",
    fields=[
        Field("instance_id", NULLABLE_STRING, as_=InstanceId),
        Field("rack_id", NULLABLE_STRING),
        Field("client_id", STRING),
        Field("client_host", STRING),
        Field("subscribed_topic_names", ArrayOf(STRING), as_=TopicName),
        Field("subscribed_topic_regex", NULLABLE_STRING),
        Field("rebalance_timeout_ms", INT32, default=-1),
        Field("server_assignor", NULLABLE_STRING),
        Field("classic_member_metadata", StructSchema("ClassicMemberMetadata", [
            Field("session_timeout_ms", INT32),
            Field("supported_protocols", ArrayOf(StructSchema("ClassicProtocol", [
                Field("name", STRING),
                Field("metadata", BYTES),
            ]))),
        ]), nullable="0+", tag=0),
    ],
)

CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_KEY = MessageSchema(
    "ConsumerGroupTargetAssignmentMetadataKey", key=6, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
    ],
)

CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE = MessageSchema(
    "ConsumerGroupTargetAssignmentMetadataValue", key=6, versions="0", flexible="0+",
    fields=[
        Field("assignment_epoch", INT32),
        Field("assignment_timestamp", INT64, ignorable=True, tag=0),
    ],
)

CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY = MessageSchema(
    "ConsumerGroupTargetAssignmentMemberKey", key=7, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
    ],
)

CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE = MessageSchema(
    "ConsumerGroupTargetAssignmentMemberValue", key=7, versions="0", flexible="0+",
    fields=[
        Field("topic_partitions", ArrayOf(StructSchema("TargetTopicPartitions", [
            Field("topic_id", UUID, as_=TopicId),
            Field("partitions", ArrayOf(INT32), as_=PartitionId),
        ]))),
    ],
)

CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY = MessageSchema(
    "ConsumerGroupCurrentMemberAssignmentKey", key=8, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, as_=MemberId),
    ],
)

CURRENT_TOPIC_PARTITIONS = StructSchema("CurrentTopicPartitions", [
    Field("topic_id", UUID, as_=TopicId),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
    Field("assignment_epochs", ArrayOf(INT32), nullable="0+", tag=0),
])

CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE = MessageSchema(
    "ConsumerGroupCurrentMemberAssignmentValue", key=8, versions="0", flexible="0+",
    fields=[
        Field("member_epoch", INT32),
        Field("previous_member_epoch", INT32),
        Field("state", INT8),
        Field("assigned_partitions", ArrayOf(CURRENT_TOPIC_PARTITIONS)),
        Field("partitions_pending_revocation", ArrayOf(CURRENT_TOPIC_PARTITIONS)),
    ],
)

CONSUMER_GROUP_REGULAR_EXPRESSION_KEY = MessageSchema(
    "ConsumerGroupRegularExpressionKey", key=16, versions="0",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("regular_expression", STRING),
    ],
)

CONSUMER_GROUP_REGULAR_EXPRESSION_VALUE = MessageSchema(
    "ConsumerGroupRegularExpressionValue", key=16, versions="0", flexible="0+",
    fields=[
        Field("topics", ArrayOf(STRING), as_=TopicName),
        Field("version", INT64),
        Field("timestamp", INT64),
    ],
)
