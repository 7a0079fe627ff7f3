"""DescribeUserScramCredentials (API key 50, KIP-554)."""

from tenure.protocol.schema import (
    INT8,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)

DESCRIBE_USER_SCRAM_CREDENTIALS_REQUEST = MessageSchema(
    "DescribeUserScramCredentialsRequest", key=50, versions="0", flexible="0+",
    fields=[
        Field("users", ArrayOf(StructSchema("UserName", [
            Field("name", STRING),
        ])), nullable="0+"),
    ],
)

DESCRIBE_USER_SCRAM_CREDENTIALS_RESPONSE = MessageSchema(
    "DescribeUserScramCredentialsResponse", key=50, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("results", ArrayOf(StructSchema("DescribeUserScramCredentialsResult", [
            Field("user", STRING),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
            Field("credential_infos", ArrayOf(StructSchema("CredentialInfo", [
                Field("mechanism", INT8),
                Field("iterations", INT32),
            ]))),
        ]))),
    ],
)
