"""ExpireDelegationToken (API key 40). Changes: flexible encoding (v2)."""

from tenure.protocol.schema import BYTES, INT16, INT32, INT64, Field, MessageSchema

EXPIRE_DELEGATION_TOKEN_REQUEST = MessageSchema(
    "ExpireDelegationTokenRequest", key=40, versions="1-2", flexible="2+",
    fields=[
        Field("hmac", BYTES),
        Field("expiry_time_period_ms", INT64),
    ],
)

EXPIRE_DELEGATION_TOKEN_RESPONSE = MessageSchema(
    "ExpireDelegationTokenResponse", key=40, versions="1-2", flexible="2+",
    fields=[
        Field("error_code", INT16),
        Field("expiry_timestamp_ms", INT64),
        Field("throttle_time_ms", INT32),
    ],
)
