"""AlterConfigs (API key 33). Changes: flexible encoding (v2).

AlterConfigs resets all configs that a request does not name. IncrementalAlterConfigs does not.
"""

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

ALTER_CONFIGS_REQUEST = MessageSchema(
    "AlterConfigsRequest", key=33, versions="0-2", flexible="2+",
    fields=[
        Field("resources", ArrayOf(StructSchema("AlterConfigsResource", [
            Field("resource_type", INT8),
            Field("resource_name", STRING),
            Field("configs", ArrayOf(StructSchema("AlterableConfig", [
                Field("name", STRING),
                Field("value", CONFIG_VALUE),
            ]))),
        ]))),
        Field("validate_only", BOOL),
    ],
)

ALTER_CONFIGS_RESPONSE = MessageSchema(
    "AlterConfigsResponse", key=33, versions="0-2", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("responses", ArrayOf(StructSchema("AlterConfigsResourceResponse", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
            Field("resource_type", INT8),
            Field("resource_name", STRING),
        ]))),
    ],
)
