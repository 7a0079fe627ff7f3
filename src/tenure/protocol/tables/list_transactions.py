"""ListTransactions (API key 66, KIP-664). Changes: filters by duration (v1, KIP-994) and pattern (v2, KIP-1152)."""

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
from tenure.protocol.types import ProducerId

LIST_TRANSACTIONS_REQUEST = MessageSchema(
    "ListTransactionsRequest", key=66, versions="0-2", flexible="0+",
    fields=[
        Field("state_filters", ArrayOf(STRING)),
        Field("producer_id_filters", ArrayOf(INT64), as_=ProducerId),
        Field("duration_filter", INT64, versions="1+", default=-1),
        Field("transactional_id_pattern", NULLABLE_STRING, versions="2+", default=None),
    ],
)

LIST_TRANSACTIONS_RESPONSE = MessageSchema(
    "ListTransactionsResponse", key=66, versions="0-2", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("unknown_state_filters", ArrayOf(STRING)),
        Field("transaction_states", ArrayOf(StructSchema("ListedTransaction", [
            Field("transactional_id", STRING),
            Field("producer_id", INT64, as_=ProducerId),
            Field("transaction_state", STRING),
        ]))),
    ],
)
