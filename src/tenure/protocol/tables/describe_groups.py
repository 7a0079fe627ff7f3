"""DescribeGroups (API key 15).

Changes: throttle time (v1), authorized operations (v3), static members (v4), flexible encoding (v5), error message
(v6).
"""

from tenure.protocol.schema import (
    BOOL,
    BYTES,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId

DESCRIBE_GROUPS_REQUEST = MessageSchema(
    "DescribeGroupsRequest", key=15, versions="0-6", flexible="5+",
    fields=[
        Field("groups", ArrayOf(STRING), as_=GroupId),
        Field("include_authorized_operations", BOOL, versions="3+"),
    ],
)

DESCRIBE_GROUPS_RESPONSE = MessageSchema(
    "DescribeGroupsResponse", key=15, versions="0-6", flexible="5+",
    fields=[
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("groups", ArrayOf(StructSchema("DescribedGroup", [
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING, versions="6+", default=None),
            Field("group_id", STRING, as_=GroupId),
            Field("group_state", STRING),
            Field("protocol_type", STRING),
            Field("protocol_data", STRING),
            Field("members", ArrayOf(StructSchema("DescribedGroupMember", [
                Field("member_id", STRING, as_=MemberId),
                Field(
                    "group_instance_id", NULLABLE_STRING, versions="4+", default=None, ignorable=True, as_=InstanceId,
                ),
                Field("client_id", STRING),
                Field("client_host", STRING),
                Field("member_metadata", BYTES),
                Field("member_assignment", BYTES),
            ]))),
            Field("authorized_operations", INT32, versions="3+", default=-(2**31)),
        ]))),
    ],
)
