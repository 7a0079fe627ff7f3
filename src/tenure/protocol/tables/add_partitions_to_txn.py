"""AddPartitionsToTxn (API key 24).

Changes: flexible encoding (v3), several transactions per request and `verify_only` (v4). Only brokers send v4.
"""

from tenure.protocol.schema import BOOL, INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, ProducerId, TopicName

_TOPIC = StructSchema("AddPartitionsToTxnTopic", [
    Field("name", STRING, as_=TopicName),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])
_TOPIC_RESULT = StructSchema("AddPartitionsToTxnTopicResult", [
    Field("name", STRING, as_=TopicName),
    Field("results_by_partition", ArrayOf(StructSchema("AddPartitionsToTxnPartitionResult", [
        Field("partition_index", INT32, as_=PartitionId),
        Field("partition_error_code", INT16),
    ]))),
])

ADD_PARTITIONS_TO_TXN_REQUEST = MessageSchema(
    "AddPartitionsToTxnRequest", key=24, versions="0-5", flexible="3+",
    fields=[
        Field("transactions", ArrayOf(StructSchema("AddPartitionsToTxnTransaction", [
            Field("transactional_id", STRING),
            Field("producer_id", INT64, as_=ProducerId),
            Field("producer_epoch", INT16),
            Field("verify_only", BOOL),
            Field("topics", ArrayOf(_TOPIC)),
        ])), versions="4+"),
        Field("v3_and_below_transactional_id", STRING, versions="0-3"),
        Field("v3_and_below_producer_id", INT64, versions="0-3", as_=ProducerId),
        Field("v3_and_below_producer_epoch", INT16, versions="0-3"),
        Field("v3_and_below_topics", ArrayOf(_TOPIC), versions="0-3"),
    ],
)

ADD_PARTITIONS_TO_TXN_RESPONSE = MessageSchema(
    "AddPartitionsToTxnResponse", key=24, versions="0-5", flexible="3+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16, versions="4+", ignorable=True),
        Field("results_by_transaction", ArrayOf(StructSchema("AddPartitionsToTxnResult", [
            Field("transactional_id", STRING),
            Field("topic_results", ArrayOf(_TOPIC_RESULT)),
        ])), versions="4+"),
        Field("results_by_topic_v3_and_below", ArrayOf(_TOPIC_RESULT), versions="0-3"),
    ],
)
