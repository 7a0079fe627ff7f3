"""DescribeTopicPartitions (API key 75, KIP-966): a limited number of partitions, with a cursor for the rest."""

from tenure.protocol.schema import (
    BOOL,
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
from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName

CURSOR = StructSchema("Cursor", [
    Field("topic_name", STRING, as_=TopicName),
    Field("partition_index", INT32, as_=PartitionId),
])

DESCRIBE_TOPIC_PARTITIONS_REQUEST = MessageSchema(
    "DescribeTopicPartitionsRequest", key=75, versions="0", flexible="0+",
    fields=[
        Field("topics", ArrayOf(StructSchema("TopicRequest", [
            Field("name", STRING, as_=TopicName),
        ]))),
        Field("response_partition_limit", INT32, default=2000),
        Field("cursor", CURSOR, nullable="0+", default=None),
    ],
)

DESCRIBE_TOPIC_PARTITIONS_RESPONSE = MessageSchema(
    "DescribeTopicPartitionsResponse", key=75, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32, ignorable=True),
        Field("topics", ArrayOf(StructSchema("DescribeTopicPartitionsResponseTopic", [
            Field("error_code", INT16),
            Field("name", NULLABLE_STRING, as_=TopicName),
            Field("topic_id", UUID, ignorable=True, as_=TopicId),
            Field("is_internal", BOOL, default=False, ignorable=True),
            Field("partitions", ArrayOf(StructSchema("DescribeTopicPartitionsResponsePartition", [
                Field("error_code", INT16),
                Field("partition_index", INT32, as_=PartitionId),
                Field("leader_id", INT32, as_=BrokerId),
                Field("leader_epoch", INT32, default=-1, ignorable=True),
                Field("replica_nodes", ArrayOf(INT32), as_=BrokerId),
                Field("isr_nodes", ArrayOf(INT32), as_=BrokerId),
                Field("eligible_leader_replicas", ArrayOf(INT32), nullable="0+", default=None, as_=BrokerId),
                Field("last_known_elr", ArrayOf(INT32), nullable="0+", default=None, as_=BrokerId),
                Field("offline_replicas", ArrayOf(INT32), ignorable=True, as_=BrokerId),
            ]))),
            Field("topic_authorized_operations", INT32, default=-(2**31)),
        ]))),
        Field("next_cursor", CURSOR, nullable="0+", default=None),
    ],
)
