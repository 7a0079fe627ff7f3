"""DescribeClientQuotas (API key 48, KIP-546). Changes: flexible encoding (v1)."""

from tenure.protocol.schema import (
    BOOL,
    FLOAT64,
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

DESCRIBE_CLIENT_QUOTAS_REQUEST = MessageSchema(
    "DescribeClientQuotasRequest", key=48, versions="0-1", flexible="1+",
    fields=[
        Field("components", ArrayOf(StructSchema("ComponentData", [
            Field("entity_type", STRING),
            Field("match_type", INT8),
            Field("match", NULLABLE_STRING),
        ]))),
        Field("strict", BOOL),
    ],
)

DESCRIBE_CLIENT_QUOTAS_RESPONSE = MessageSchema(
    "DescribeClientQuotasResponse", key=48, versions="0-1", flexible="1+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("entries", ArrayOf(StructSchema("DescribeClientQuotasEntry", [
            Field("entity", ArrayOf(StructSchema("DescribeClientQuotasEntity", [
                Field("entity_type", STRING),
                Field("entity_name", NULLABLE_STRING),
            ]))),
            Field("values", ArrayOf(StructSchema("ValueData", [
                Field("key", STRING),
                Field("value", FLOAT64),
            ]))),
        ])), nullable="0+"),
    ],
)
