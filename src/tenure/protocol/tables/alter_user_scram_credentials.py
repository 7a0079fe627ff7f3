"""AlterUserScramCredentials (API key 51, KIP-554)."""

from tenure.protocol.schema import BYTES, INT8, INT16, INT32, NULLABLE_STRING, STRING, ArrayOf, Field, Message, Struct

ALTER_USER_SCRAM_CREDENTIALS_REQUEST = Message(
    "AlterUserScramCredentialsRequest", key=51, versions="0", flexible="0+",
    fields=[
        Field("deletions", ArrayOf(Struct("ScramCredentialDeletion", [
            Field("name", STRING),
            Field("mechanism", INT8),
        ]))),
        Field("upsertions", ArrayOf(Struct("ScramCredentialUpsertion", [
            Field("name", STRING),
            Field("mechanism", INT8),
            Field("iterations", INT32),
            Field("salt", BYTES),
            Field("salted_password", BYTES),
        ]))),
    ],
)

ALTER_USER_SCRAM_CREDENTIALS_RESPONSE = Message(
    "AlterUserScramCredentialsResponse", key=51, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(Struct("AlterUserScramCredentialsResult", [
            Field("user", STRING),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
        ]))),
    ],
)
