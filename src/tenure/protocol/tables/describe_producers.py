"""DescribeProducers (API key 61, KIP-664): active producers of partitions, with their open transactions."""

from tenure.protocol.schema import (
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import PartitionId, ProducerId, TopicName

DESCRIBE_PRODUCERS_REQUEST = MessageSchema(
    "DescribeProducersRequest", key=61, versions="0", flexible="0+",
    fields=[
        Field("topics", ArrayOf(StructSchema("DescribeProducersTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partition_indexes", ArrayOf(INT32), as_=PartitionId),
        ]))),
    ],
)

DESCRIBE_PRODUCERS_RESPONSE = MessageSchema(
    "DescribeProducersResponse", key=61, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("topics", ArrayOf(StructSchema("DescribeProducersTopicResponse", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("DescribeProducersPartitionResponse", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("error_message", NULLABLE_STRING, default=None),
                Field("active_producers", ArrayOf(StructSchema("ProducerState", [
                    Field("producer_id", INT64, as_=ProducerId),
                    Field("producer_epoch", INT32),
                    Field("last_sequence", INT32, default=-1),
                    Field("last_timestamp", INT64, default=-1),
                    Field("coordinator_epoch", INT32),
                    Field("current_txn_start_offset", INT64, default=-1),
                ]))),
            ]))),
        ]))),
    ],
)
