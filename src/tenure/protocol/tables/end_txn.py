"""EndTxn (API key 26).

Changes: flexible encoding (v3), producer id and epoch of the next transaction (v5, KIP-890).
"""

from tenure.protocol.schema import BOOL, INT16, INT32, INT64, STRING, Field, MessageSchema
from tenure.protocol.types import ProducerId

END_TXN_REQUEST = MessageSchema(
    "EndTxnRequest", key=26, versions="0-5", flexible="3+",
    fields=[
        Field("transactional_id", STRING),
        Field("producer_id", INT64, as_=ProducerId),
        Field("producer_epoch", INT16),
        Field("committed", BOOL),
    ],
)

END_TXN_RESPONSE = MessageSchema(
    "EndTxnResponse", key=26, versions="0-5", flexible="3+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("producer_id", INT64, versions="5+", default=-1, ignorable=True, as_=ProducerId),
        Field("producer_epoch", INT16, versions="5+", default=-1, ignorable=True),
    ],
)
