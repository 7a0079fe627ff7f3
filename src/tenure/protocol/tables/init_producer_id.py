"""InitProducerId (API key 22).

Changes: flexible encoding (v2), producer id and epoch in the request (v3). v6 (two-phase commit) is unstable in Kafka,
and not supported.
"""

from tenure.protocol.schema import INT16, INT32, INT64, NULLABLE_STRING, Field, MessageSchema
from tenure.protocol.types import ProducerId

INIT_PRODUCER_ID_REQUEST = MessageSchema(
    "InitProducerIdRequest", key=22, versions="0-5", flexible="2+",
    fields=[
        Field("transactional_id", NULLABLE_STRING),
        Field("transaction_timeout_ms", INT32),
        Field("producer_id", INT64, versions="3+", default=-1, as_=ProducerId),
        Field("producer_epoch", INT16, versions="3+", default=-1),
    ],
)

INIT_PRODUCER_ID_RESPONSE = MessageSchema(
    "InitProducerIdResponse", key=22, versions="0-5", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("producer_id", INT64, default=-1, as_=ProducerId),
        Field("producer_epoch", INT16),
    ],
)
