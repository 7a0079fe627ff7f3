"""CreatePartitions (API key 37). Changes: flexible encoding (v2)."""

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
from tenure.protocol.types import BrokerId, TopicName

CREATE_PARTITIONS_REQUEST = MessageSchema(
    "CreatePartitionsRequest", key=37, versions="0-3", flexible="2+",
    fields=[
        Field("topics", ArrayOf(StructSchema("CreatePartitionsTopic", [
            Field("name", STRING, as_=TopicName),
            Field("count", INT32),
            Field("assignments", ArrayOf(StructSchema("CreatePartitionsAssignment", [
                Field("broker_ids", ArrayOf(INT32), as_=BrokerId),
            ])), nullable="0+"),
        ]))),
        Field("timeout_ms", INT32),
        Field("validate_only", BOOL),
    ],
)

CREATE_PARTITIONS_RESPONSE = MessageSchema(
    "CreatePartitionsResponse", key=37, versions="0-3", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(StructSchema("CreatePartitionsTopicResult", [
            Field("name", STRING, as_=TopicName),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, default=None),
        ]))),
    ],
)
