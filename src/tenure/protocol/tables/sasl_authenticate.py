"""SaslAuthenticate (API key 36). Changes: session lifetime (v1), flexible encoding (v2)."""

from tenure.protocol.schema import BYTES, INT16, INT64, NULLABLE_STRING, Field, MessageSchema

SASL_AUTHENTICATE_REQUEST = MessageSchema(
    "SaslAuthenticateRequest", key=36, versions="0-2", flexible="2+",
    fields=[
        Field("auth_bytes", BYTES),
    ],
)

SASL_AUTHENTICATE_RESPONSE = MessageSchema(
    "SaslAuthenticateResponse", key=36, versions="0-2", flexible="2+",
    fields=[
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("auth_bytes", BYTES),
        Field("session_lifetime_ms", INT64, versions="1+", ignorable=True),
    ],
)
