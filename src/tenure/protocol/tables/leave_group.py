"""LeaveGroup (API key 13).

Changes: throttle time (v1), several members at once (v3), flexible encoding (v4), reason (v5).
"""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import GroupId, InstanceId, MemberId

LEAVE_GROUP_REQUEST = MessageSchema(
    "LeaveGroupRequest", key=13, versions="0-5", flexible="4+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("member_id", STRING, versions="0-2", as_=MemberId),
        Field("members", ArrayOf(StructSchema("MemberIdentity", [
            Field("member_id", STRING, as_=MemberId),
            Field("group_instance_id", NULLABLE_STRING, default=None, as_=InstanceId),
            Field("reason", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        ])), versions="3+"),
    ],
)

LEAVE_GROUP_RESPONSE = MessageSchema(
    "LeaveGroupResponse", key=13, versions="0-5", flexible="4+",
    fields=[
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("error_code", INT16),
        Field("members", ArrayOf(StructSchema("MemberResponse", [
            Field("member_id", STRING, as_=MemberId),
            Field("group_instance_id", NULLABLE_STRING, as_=InstanceId),
            Field("error_code", INT16),
        ])), versions="3+"),
    ],
)
