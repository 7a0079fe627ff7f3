"""DescribeTransactions (API key 65, KIP-664): states of transactional ids, and partitions of open transactions."""

from tenure.protocol.schema import INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, ProducerId, TopicName

DESCRIBE_TRANSACTIONS_REQUEST = MessageSchema(
    "DescribeTransactionsRequest", key=65, versions="0", flexible="0+",
    fields=[
        Field("transactional_ids", ArrayOf(STRING)),
    ],
)

DESCRIBE_TRANSACTIONS_RESPONSE = MessageSchema(
    "DescribeTransactionsResponse", key=65, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("transaction_states", ArrayOf(StructSchema("DescribedTransaction", [
            Field("error_code", INT16),
            Field("transactional_id", STRING),
            Field("transaction_state", STRING),
            Field("transaction_timeout_ms", INT32),
            Field("transaction_start_time_ms", INT64),
            Field("producer_id", INT64, as_=ProducerId),
            Field("producer_epoch", INT16),
            Field("topics", ArrayOf(StructSchema("DescribedTransactionTopic", [
                Field("topic", STRING, as_=TopicName),
                Field("partitions", ArrayOf(INT32), as_=PartitionId),
            ]))),
        ]))),
    ],
)
