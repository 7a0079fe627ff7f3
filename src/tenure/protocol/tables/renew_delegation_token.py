"""RenewDelegationToken (API key 39). Changes: flexible encoding (v2)."""

from tenure.protocol.schema import BYTES, INT16, INT32, INT64, Field, MessageSchema

RENEW_DELEGATION_TOKEN_REQUEST = MessageSchema(
    "RenewDelegationTokenRequest", key=39, versions="1-2", flexible="2+",
    fields=[
        Field("hmac", BYTES),
        Field("renew_period_ms", INT64),
    ],
)

RENEW_DELEGATION_TOKEN_RESPONSE = MessageSchema(
    "RenewDelegationTokenResponse", key=39, versions="1-2", flexible="2+",
    fields=[
        Field("error_code", INT16),
        Field("expiry_timestamp_ms", INT64),
        Field("throttle_time_ms", INT32),
    ],
)
