"""AlterUserScramCredentials (API key 51, KIP-554)."""

from tenure.protocol.schema import (
    BYTES,
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

ALTER_USER_SCRAM_CREDENTIALS_REQUEST = MessageSchema(
    "AlterUserScramCredentialsRequest", key=51, versions="0", flexible="0+",
    fields=[
        Field("deletions", ArrayOf(StructSchema("ScramCredentialDeletion", [
            Field("name", STRING),
            Field("mechanism", INT8),
        ]))),
        Field("upsertions", ArrayOf(StructSchema("ScramCredentialUpsertion", [
            Field("name", STRING),
            Field("mechanism", INT8),
            Field("iterations", INT32),
            Field("salt", BYTES),
            Field("salted_password", BYTES),
        ]))),
    ],
)

ALTER_USER_SCRAM_CREDENTIALS_RESPONSE = MessageSchema(
    "AlterUserScramCredentialsResponse", key=51, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(StructSchema("AlterUserScramCredentialsResult", [
            Field("user", STRING),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
        ]))),
    ],
)
