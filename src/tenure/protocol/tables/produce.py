"""Produce (API key 0).

Changes: flexible encoding (v9), current leader (v10, KIP-951), topic ids (v13). v0 to v2 are advertised, but not
supported (rule 1.4.8).
"""

from tenure.protocol.schema import (
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    RECORDS_IN_PLACE,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName

PRODUCE_REQUEST = MessageSchema(
    "ProduceRequest", key=0, versions="3-13", flexible="9+",
    fields=[
        Field("transactional_id", NULLABLE_STRING, default=None),
        Field("acks", INT16),
        Field("timeout_ms", INT32),
        Field("topic_data", ArrayOf(StructSchema("TopicProduceData", [
            Field("name", STRING, versions="0-12", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="13+", ignorable=True, as_=TopicId),
            Field("partition_data", ArrayOf(StructSchema("PartitionProduceData", [
                Field("index", INT32, as_=PartitionId),
                Field("records", RECORDS_IN_PLACE),
            ]))),
        ]))),
    ],
)

PRODUCE_RESPONSE = MessageSchema(
    "ProduceResponse", key=0, versions="3-13", flexible="9+",
    fields=[
        Field("responses", ArrayOf(StructSchema("TopicProduceResponse", [
            Field("name", STRING, versions="0-12", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="13+", ignorable=True, as_=TopicId),
            Field("partition_responses", ArrayOf(StructSchema("PartitionProduceResponse", [
                Field("index", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("base_offset", INT64),
                Field("log_append_time_ms", INT64, default=-1),
                Field("log_start_offset", INT64, versions="5+", default=-1, ignorable=True),
                Field("record_errors", ArrayOf(StructSchema("BatchIndexAndErrorMessage", [
                    Field("batch_index", INT32),
                    Field("batch_index_error_message", NULLABLE_STRING, default=None),
                ])), versions="8+", ignorable=True),
                Field("error_message", NULLABLE_STRING, versions="8+", default=None, ignorable=True),
                Field("current_leader", StructSchema("LeaderIdAndEpoch", [
                    Field("leader_id", INT32, default=-1, as_=BrokerId),
                    Field("leader_epoch", INT32, default=-1),
                ]), versions="10+", tag=0),
            ]))),
        ]))),
        Field("throttle_time_ms", INT32),
        Field("node_endpoints", ArrayOf(StructSchema("NodeEndpoint", [
            Field("node_id", INT32, as_=BrokerId),
            Field("host", STRING),
            Field("port", INT32),
            Field("rack", NULLABLE_STRING, default=None),
        ])), versions="10+", tag=0),
    ],
)
