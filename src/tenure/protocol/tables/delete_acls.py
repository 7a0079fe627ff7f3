"""DeleteAcls (API key 31). Changes: pattern types (v1), flexible encoding (v2), resources of type USER (v3)."""

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

DELETE_ACLS_REQUEST = MessageSchema(
    "DeleteAclsRequest", key=31, versions="1-3", flexible="2+",
    fields=[
        Field("filters", ArrayOf(StructSchema("DeleteAclsFilter", [
            Field("resource_type_filter", INT8),
            Field("resource_name_filter", NULLABLE_STRING),
            Field("pattern_type_filter", INT8, default=int(PatternType.LITERAL)),
            Field("principal_filter", NULLABLE_STRING),
            Field("host_filter", NULLABLE_STRING),
            Field("operation", INT8),
            Field("permission_type", INT8),
        ]))),
    ],
)

DELETE_ACLS_RESPONSE = MessageSchema(
    "DeleteAclsResponse", key=31, versions="1-3", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("filter_results", ArrayOf(StructSchema("DeleteAclsFilterResult", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, default=None),
            Field("matching_acls", ArrayOf(StructSchema("DeleteAclsMatchingAcl", [
                Field("error_code", INT16),
                Field("error_message", NULLABLE_STRING, default=None),
                Field("resource_type", INT8),
                Field("resource_name", STRING),
                Field("pattern_type", INT8, default=int(PatternType.LITERAL)),
                Field("principal", STRING),
                Field("host", STRING),
                Field("operation", INT8),
                Field("permission_type", INT8),
            ]))),
        ]))),
    ],
)
