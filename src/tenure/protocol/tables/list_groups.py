"""ListGroups (API key 16). Changes: throttle time (v1), flexible encoding (v3), states (v4), types (v5)."""

from tenure.protocol.schema import INT16, INT32, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import GroupId

LIST_GROUPS_REQUEST = MessageSchema(
    "ListGroupsRequest", key=16, versions="0-5", flexible="3+",
    fields=[
        Field("states_filter", ArrayOf(STRING), versions="4+"),
        Field("types_filter", ArrayOf(STRING), versions="5+"),
    ],
)

LIST_GROUPS_RESPONSE = MessageSchema(
    "ListGroupsResponse", key=16, versions="0-5", flexible="3+",
    fields=[
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("error_code", INT16),
        Field("groups", ArrayOf(StructSchema("ListedGroup", [
            Field("group_id", STRING, as_=GroupId),
            Field("protocol_type", STRING),
            Field("group_state", STRING, versions="4+", ignorable=True),
            Field("group_type", STRING, versions="5+", ignorable=True),
        ]))),
    ],
)
