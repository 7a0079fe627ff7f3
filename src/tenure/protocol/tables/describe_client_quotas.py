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
    Message,
    Struct,
)

DESCRIBE_CLIENT_QUOTAS_REQUEST = Message(
    "DescribeClientQuotasRequest", key=48, versions="0-1", flexible="1+",
    fields=[
        Field("components", ArrayOf(Struct("ComponentData", [
            Field("entity_type", STRING),
            Field("match_type", INT8),
            Field("match", NULLABLE_STRING),
        ]))),
        Field("strict", BOOL),
    ],
)

DESCRIBE_CLIENT_QUOTAS_RESPONSE = Message(
    "DescribeClientQuotasResponse", key=48, versions="0-1", flexible="1+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("entries", ArrayOf(Struct("DescribeClientQuotasEntry", [
            Field("entity", ArrayOf(Struct("DescribeClientQuotasEntity", [
                Field("entity_type", STRING),
                Field("entity_name", NULLABLE_STRING),
            ]))),
            Field("values", ArrayOf(Struct("ValueData", [
                Field("key", STRING),
                Field("value", FLOAT64),
            ]))),
        ])), nullable="0+"),
    ],
)
