"""CreateDelegationToken (API key 38). Changes: flexible encoding (v2), tokens for another owner (v3, KIP-373)."""

from tenure.protocol.schema import (
    BYTES,
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

CREATE_DELEGATION_TOKEN_REQUEST = MessageSchema(
    "CreateDelegationTokenRequest", key=38, versions="1-3", flexible="2+",
    fields=[
        Field("owner_principal_type", NULLABLE_STRING, versions="3+"),
        Field("owner_principal_name", NULLABLE_STRING, versions="3+"),
        Field("renewers", ArrayOf(StructSchema("CreatableRenewers", [
            Field("principal_type", STRING),
            Field("principal_name", STRING),
        ]))),
        Field("max_lifetime_ms", INT64),
    ],
)

CREATE_DELEGATION_TOKEN_RESPONSE = MessageSchema(
    "CreateDelegationTokenResponse", key=38, versions="1-3", flexible="2+",
    fields=[
        Field("error_code", INT16),
        Field("principal_type", STRING),
        Field("principal_name", STRING),
        Field("token_requester_principal_type", STRING, versions="3+"),
        Field("token_requester_principal_name", STRING, versions="3+"),
        Field("issue_timestamp_ms", INT64),
        Field("expiry_timestamp_ms", INT64),
        Field("max_timestamp_ms", INT64),
        Field("token_id", STRING),
        Field("hmac", BYTES),
        Field("throttle_time_ms", INT32),
    ],
)
