"""DeleteGroups (API key 42). Changes: flexible encoding (v2), error messages (v3)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import GroupId

DELETE_GROUPS_REQUEST = MessageSchema(
    "DeleteGroupsRequest", key=42, versions="0-3", flexible="2+",
    fields=[
        Field("groups_names", ArrayOf(STRING), as_=GroupId),
    ],
)

DELETE_GROUPS_RESPONSE = MessageSchema(
    "DeleteGroupsResponse", key=42, versions="0-3", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("results", ArrayOf(StructSchema("DeletableGroupResult", [
            Field("group_id", STRING, as_=GroupId),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, versions="3+", default=None, ignorable=True),
        ]))),
    ],
)
