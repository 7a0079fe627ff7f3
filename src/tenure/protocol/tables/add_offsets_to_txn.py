"""AddOffsetsToTxn (API key 25). Changes: flexible encoding (v3)."""

from tenure.protocol.schema import INT16, INT32, INT64, STRING, Field, MessageSchema
from tenure.protocol.types import GroupId, ProducerId

ADD_OFFSETS_TO_TXN_REQUEST = MessageSchema(
    "AddOffsetsToTxnRequest", key=25, versions="0-4", flexible="3+",
    fields=[
        Field("transactional_id", STRING),
        Field("producer_id", INT64, as_=ProducerId),
        Field("producer_epoch", INT16),
        Field("group_id", STRING, as_=GroupId),
    ],
)

ADD_OFFSETS_TO_TXN_RESPONSE = MessageSchema(
    "AddOffsetsToTxnResponse", key=25, versions="0-4", flexible="3+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
    ],
)
