"""JoinGroup (API key 11).

Changes: rebalance timeout (v1), throttle time (v2), member id required (v4), static members (v5), flexible encoding
(v6), protocol type (v7), reason (v8), skipped assignment (v9).
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
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId

JOIN_GROUP_REQUEST = MessageSchema(
    "JoinGroupRequest", key=11, versions="0-9", flexible="6+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("session_timeout_ms", INT32),
        Field("rebalance_timeout_ms", INT32, versions="1+", default=-1, ignorable=True),
        Field("member_id", STRING, as_=MemberId),
        Field("group_instance_id", NULLABLE_STRING, versions="5+", default=None, as_=InstanceId),
        Field("protocol_type", STRING),
        Field("protocols", ArrayOf(StructSchema("JoinGroupRequestProtocol", [
            Field("name", STRING),
            Field("metadata", BYTES),
        ]))),
        Field("reason", NULLABLE_STRING, versions="8+", default=None, ignorable=True),
    ],
)

JOIN_GROUP_RESPONSE = MessageSchema(
    "JoinGroupResponse", key=11, versions="0-9", flexible="6+",
    fields=[
        Field("throttle_time_ms", INT32, versions="2+", ignorable=True),
        Field("error_code", INT16),
        Field("generation_id", INT32, default=-1, as_=GenerationId),
        Field("protocol_type", NULLABLE_STRING, versions="7+", default=None, ignorable=True),
        Field("protocol_name", STRING, nullable="7+"),
        Field("leader", STRING, as_=MemberId),
        Field("skip_assignment", BOOL, versions="9+"),
        Field("member_id", STRING, as_=MemberId),
        Field("members", ArrayOf(StructSchema("JoinGroupResponseMember", [
            Field("member_id", STRING, as_=MemberId),
            Field("group_instance_id", NULLABLE_STRING, versions="5+", default=None, ignorable=True, as_=InstanceId),
            Field("metadata", BYTES),
        ]))),
    ],
)
