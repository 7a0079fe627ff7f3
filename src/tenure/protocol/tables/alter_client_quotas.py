"""AlterClientQuotas (API key 49, KIP-546). Changes: flexible encoding (v1)."""

from tenure.protocol.schema import (
    BOOL,
    FLOAT64,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)

ENTITY = ArrayOf(StructSchema("AlterClientQuotasEntity", [
    Field("entity_type", STRING),
    Field("entity_name", NULLABLE_STRING),
]))

ALTER_CLIENT_QUOTAS_REQUEST = MessageSchema(
    "AlterClientQuotasRequest", key=49, versions="0-1", flexible="1+",
    fields=[
        Field("entries", ArrayOf(StructSchema("AlterClientQuotasEntry", [
            Field("entity", ENTITY),
            Field("ops", ArrayOf(StructSchema("OpData", [
                Field("key", STRING),
                Field("value", FLOAT64),
                Field("remove", BOOL),
            ]))),
        ]))),
        Field("validate_only", BOOL),
    ],
)

ALTER_CLIENT_QUOTAS_RESPONSE = MessageSchema(
    "AlterClientQuotasResponse", key=49, versions="0-1", flexible="1+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("entries", ArrayOf(StructSchema("AlterClientQuotasEntryResult", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
            Field("entity", ENTITY),
        ]))),
    ],
)
