"""Records of `__transaction_state`.

Keys have the classic encoding. Values of v1 (transaction version 2) have the flexible encoding.
"""

from tenure.protocol.schema import INT8, INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import PartitionId, ProducerId, TopicName

TRANSACTION_LOG_KEY = MessageSchema(
    "TransactionLogKey", key=0, versions="0",
    fields=[
        Field("transactional_id", STRING),
    ],
)

TRANSACTION_LOG_VALUE = MessageSchema(
    "TransactionLogValue", key=0, versions="0-1", flexible="1+",
    fields=[
        Field("producer_id", INT64, as_=ProducerId),
        Field("previous_producer_id", INT64, versions="1+", default=-1, ignorable=True, tag=0, as_=ProducerId),
        Field("next_producer_id", INT64, versions="1+", default=-1, ignorable=True, tag=1, as_=ProducerId),
        Field("producer_epoch", INT16),
        Field("next_producer_epoch", INT16, versions="1+", default=-1, ignorable=True, tag=3),
        Field("transaction_timeout_ms", INT32),
        Field("transaction_status", INT8),
        Field("transaction_partitions", ArrayOf(StructSchema("TransactionPartitions", [
            Field("topic", STRING, as_=TopicName),
            Field("partition_ids", ArrayOf(INT32), as_=PartitionId),
        ])), nullable="0+"),
        Field("transaction_last_update_timestamp_ms", INT64),
        Field("transaction_start_timestamp_ms", INT64),
        Field("client_transaction_version", INT16, versions="1+", ignorable=True, tag=2),
    ],
)
