"""CreateAcls (API key 30). Changes: pattern types (v1), flexible encoding (v2), resources of type USER (v3)."""

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

CREATE_ACLS_REQUEST = MessageSchema(
    "CreateAclsRequest", key=30, versions="1-3", flexible="2+",
    fields=[
        Field("creations", ArrayOf(StructSchema("AclCreation", [
            Field("resource_type", INT8),
            Field("resource_name", STRING),
            Field("resource_pattern_type", INT8, default=int(PatternType.LITERAL)),
            Field("principal", STRING),
            Field("host", STRING),
            Field("operation", INT8),
            Field("permission_type", INT8),
        ]))),
    ],
)

CREATE_ACLS_RESPONSE = MessageSchema(
    "CreateAclsResponse", key=30, versions="1-3", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(StructSchema("AclCreationResult", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, default=None),
        ]))),
    ],
)
