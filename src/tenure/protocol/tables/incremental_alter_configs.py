"""IncrementalAlterConfigs (API key 44, KIP-339). Changes: flexible encoding (v1)."""

from tenure.protocol.schema import (
    BOOL,
    CONFIG_VALUE,
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

INCREMENTAL_ALTER_CONFIGS_REQUEST = MessageSchema(
    "IncrementalAlterConfigsRequest", key=44, versions="0-1", flexible="1+",
    fields=[
        Field("resources", ArrayOf(StructSchema("IncrementalAlterConfigsResource", [
            Field("resource_type", INT8),
            Field("resource_name", STRING),
            Field("configs", ArrayOf(StructSchema("IncrementalAlterableConfig", [
                Field("name", STRING),
                Field("config_operation", INT8),
                Field("value", CONFIG_VALUE),
            ]))),
        ]))),
        Field("validate_only", BOOL),
    ],
)

INCREMENTAL_ALTER_CONFIGS_RESPONSE = MessageSchema(
    "IncrementalAlterConfigsResponse", key=44, versions="0-1", flexible="1+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("responses", ArrayOf(StructSchema("IncrementalAlterConfigsResourceResponse", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
            Field("resource_type", INT8),
            Field("resource_name", STRING),
        ]))),
    ],
)
