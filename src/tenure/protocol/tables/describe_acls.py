"""DescribeAcls (API key 29). Changes: pattern types (v1), flexible encoding (v2), resources of type USER (v3)."""

from tenure.protocol.acls import PatternType
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

DESCRIBE_ACLS_REQUEST = MessageSchema(
    "DescribeAclsRequest", key=29, versions="1-3", flexible="2+",
    fields=[
        Field("resource_type_filter", INT8),
        Field("resource_name_filter", NULLABLE_STRING),
        Field("pattern_type_filter", INT8, default=int(PatternType.LITERAL)),
        Field("principal_filter", NULLABLE_STRING),
        Field("host_filter", NULLABLE_STRING),
        Field("operation", INT8),
        Field("permission_type", INT8),
    ],
)

DESCRIBE_ACLS_RESPONSE = MessageSchema(
    "DescribeAclsResponse", key=29, versions="1-3", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, default=None),
        Field("resources", ArrayOf(StructSchema("DescribeAclsResource", [
            Field("resource_type", INT8),
            Field("resource_name", STRING),
            Field("pattern_type", INT8, default=int(PatternType.LITERAL)),
            Field("acls", ArrayOf(StructSchema("AclDescription", [
                Field("principal", STRING),
                Field("host", STRING),
                Field("operation", INT8),
                Field("permission_type", INT8),
            ]))),
        ]))),
    ],
)
