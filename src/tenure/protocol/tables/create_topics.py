"""CreateTopics (API key 19).

Changes: broker defaults (v4), flexible encoding and configs in the response (v5), topic ids (v7).
"""

from tenure.protocol.schema import (
    BOOL,
    CONFIG_VALUE,
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
from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName

CREATE_TOPICS_REQUEST = MessageSchema(
    "CreateTopicsRequest", key=19, versions="2-7", flexible="5+",
    fields=[
        Field("topics", ArrayOf(StructSchema("CreatableTopic", [
            Field("name", STRING, as_=TopicName),
            Field("num_partitions", INT32),
            Field("replication_factor", INT16),
            Field("assignments", ArrayOf(StructSchema("CreatableReplicaAssignment", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("broker_ids", ArrayOf(INT32), as_=BrokerId),
            ]))),
            Field("configs", ArrayOf(StructSchema("CreatableTopicConfig", [
                Field("name", STRING),
                Field("value", CONFIG_VALUE),
            ]))),
        ]))),
        Field("timeout_ms", INT32, default=60_000),
        Field("validate_only", BOOL),
    ],
)

CREATE_TOPICS_RESPONSE = MessageSchema(
    "CreateTopicsResponse", key=19, versions="2-7", flexible="5+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("topics", ArrayOf(StructSchema("CreatableTopicResult", [
            Field("name", STRING, as_=TopicName),
            Field("topic_id", UUID, versions="7+", ignorable=True, as_=TopicId),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
            Field("topic_config_error_code", INT16, versions="5+", ignorable=True, tag=0),
            Field("num_partitions", INT32, versions="5+", default=-1, ignorable=True),
            Field("replication_factor", INT16, versions="5+", default=-1, ignorable=True),
            Field("configs", ArrayOf(StructSchema("CreatableTopicConfigs", [
                Field("name", STRING),
                Field("value", NULLABLE_STRING),
                Field("read_only", BOOL),
                Field("config_source", INT8, default=-1),
                Field("is_sensitive", BOOL),
            ])), versions="5+", nullable="5+", ignorable=True),
        ]))),
    ],
)
