"""ConsumerGroupDescribe (API key 69). Changes: protocol of each member (v1, KIP-1099)."""

from tenure.protocol.schema import (
    BOOL,
    INT8,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

ASSIGNMENT = StructSchema("DescribedAssignment", [
    Field("topic_partitions", ArrayOf(StructSchema("DescribedTopicPartitions", [
        Field("topic_id", UUID, as_=TopicId),
        Field("topic_name", STRING, as_=TopicName),
        Field("partitions", ArrayOf(INT32), as_=PartitionId),
    ]))),
])

CONSUMER_GROUP_DESCRIBE_REQUEST = MessageSchema(
    "ConsumerGroupDescribeRequest", key=69, versions="0-1", flexible="0+",
    fields=[
        Field("group_ids", ArrayOf(STRING), as_=GroupId),
        Field("include_authorized_operations", BOOL),
    ],
)

CONSUMER_GROUP_DESCRIBE_RESPONSE = MessageSchema(
    "ConsumerGroupDescribeResponse", key=69, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("groups", ArrayOf(StructSchema("DescribedConsumerGroup", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, default=None),
            Field("group_id", STRING, as_=GroupId),
            Field("group_state", STRING),
            Field("group_epoch", INT32),
            Field("assignment_epoch", INT32),
            Field("assignor_name", STRING),
            Field("members", ArrayOf(StructSchema("DescribedConsumerGroupMember", [
                Field("member_id", STRING, as_=MemberId),
                Field("instance_id", NULLABLE_STRING, default=None, as_=InstanceId),
                Field("rack_id", NULLABLE_STRING, default=None),
                Field("member_epoch", INT32),
                Field("client_id", STRING),
                Field("client_host", STRING),
                Field("subscribed_topic_names", ArrayOf(STRING), as_=TopicName),
                Field("subscribed_topic_regex", NULLABLE_STRING, default=None),
                Field("assignment", ASSIGNMENT),
                Field("target_assignment", ASSIGNMENT),
                Field("member_type", INT8, versions="1+", default=-1, ignorable=True),
            ]))),
            Field("authorized_operations", INT32, default=-(2**31)),
        ]))),
    ],
)
