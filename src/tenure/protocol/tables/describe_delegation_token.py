"""DescribeDelegationToken (API key 41).

Changes: flexible encoding (v2), principal that requested a token (v3, KIP-373).
"""

from tenure.protocol.schema import BYTES, INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema

DESCRIBE_DELEGATION_TOKEN_REQUEST = MessageSchema(
    "DescribeDelegationTokenRequest", key=41, versions="1-3", flexible="2+",
    fields=[
        Field("owners", ArrayOf(StructSchema("DescribeDelegationTokenOwner", [
            Field("principal_type", STRING),
            Field("principal_name", STRING),
        ])), nullable="0+"),
    ],
)

DESCRIBE_DELEGATION_TOKEN_RESPONSE = MessageSchema(
    "DescribeDelegationTokenResponse", key=41, versions="1-3", flexible="2+",
    fields=[
        Field("error_code", INT16),
        Field("tokens", ArrayOf(StructSchema("DescribedDelegationToken", [
            Field("principal_type", STRING),
            Field("principal_name", STRING),
            Field("token_requester_principal_type", STRING, versions="3+"),
            Field("token_requester_principal_name", STRING, versions="3+"),
            Field("issue_timestamp", INT64),
            Field("expiry_timestamp", INT64),
            Field("max_timestamp", INT64),
            Field("token_id", STRING),
            Field("hmac", BYTES),
            Field("renewers", ArrayOf(StructSchema("DescribedDelegationTokenRenewer", [
                Field("principal_type", STRING),
                Field("principal_name", STRING),
            ]))),
        ]))),
        Field("throttle_time_ms", INT32),
    ],
)
