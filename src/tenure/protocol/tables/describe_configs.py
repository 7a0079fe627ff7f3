"""DescribeConfigs (API key 32). Changes: synonyms (v1), types and documentation (v3), flexible encoding (v4)."""

from tenure.protocol.schema import (
    BOOL,
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

DESCRIBE_CONFIGS_REQUEST = MessageSchema(
    "DescribeConfigsRequest", key=32, versions="1-4", flexible="4+",
    fields=[
        Field("resources", ArrayOf(StructSchema("DescribeConfigsResource", [
            Field("resource_type", INT8),
            Field("resource_name", STRING),
            Field("configuration_keys", ArrayOf(STRING), nullable="0+"),
        ]))),
        Field("include_synonyms", BOOL),
        Field("include_documentation", BOOL, versions="3+"),
    ],
)

DESCRIBE_CONFIGS_RESPONSE = MessageSchema(
    "DescribeConfigsResponse", key=32, versions="1-4", flexible="4+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(StructSchema("DescribeConfigsResult", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
            Field("resource_type", INT8),
            Field("resource_name", STRING),
            Field("configs", ArrayOf(StructSchema("DescribeConfigsResourceResult", [
                Field("name", STRING),
                Field("value", NULLABLE_STRING),
                Field("read_only", BOOL),
                Field("config_source", INT8, default=-1),
                Field("is_sensitive", BOOL),
                Field("synonyms", ArrayOf(StructSchema("DescribeConfigsSynonym", [
                    Field("name", STRING),
                    Field("value", NULLABLE_STRING),
                    Field("source", INT8),
                ]))),
                Field("config_type", INT8, versions="3+", ignorable=True),
                Field("documentation", NULLABLE_STRING, versions="3+", ignorable=True),
            ]))),
        ]))),
    ],
)
