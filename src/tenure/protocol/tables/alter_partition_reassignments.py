"""AlterPartitionReassignments (API key 45, KIP-455).

Changes: a flag that forbids a change of the replication factor (v1, KIP-860).
"""

from tenure.protocol.schema import (
    BOOL,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import PartitionId, TopicName

ALTER_PARTITION_REASSIGNMENTS_REQUEST = MessageSchema(
    "AlterPartitionReassignmentsRequest", key=45, versions="0-1", flexible="0+",
    fields=[
        Field("timeout_ms", INT32, default=60_000),
        Field("allow_replication_factor_change", BOOL, versions="1+", default=True),
        Field("topics", ArrayOf(StructSchema("ReassignableTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("ReassignablePartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("replicas", ArrayOf(INT32), nullable="0+", default=None),
            ]))),
        ]))),
    ],
)

ALTER_PARTITION_REASSIGNMENTS_RESPONSE = MessageSchema(
    "AlterPartitionReassignmentsResponse", key=45, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("allow_replication_factor_change", BOOL, versions="1+", default=True, ignorable=True),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("responses", ArrayOf(StructSchema("ReassignableTopicResponse", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("ReassignablePartitionResponse", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("error_message", NULLABLE_STRING),
            ]))),
        ]))),
    ],
)
