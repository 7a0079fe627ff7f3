"""SyncGroup (API key 14).

Changes: throttle time (v1), static members (v3), flexible encoding (v4), protocol type and name (v5).
"""

from tenure.protocol.schema import (
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

SYNC_GROUP_REQUEST = MessageSchema(
    "SyncGroupRequest", key=14, versions="0-5", flexible="4+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("generation_id", INT32, as_=GenerationId),
        Field("member_id", STRING, as_=MemberId),
        Field("group_instance_id", NULLABLE_STRING, versions="3+", default=None, as_=InstanceId),
        Field("protocol_type", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        Field("protocol_name", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        Field("assignments", ArrayOf(StructSchema("SyncGroupRequestAssignment", [
            Field("member_id", STRING, as_=MemberId),
            Field("assignment", BYTES),
        ]))),
    ],
)

SYNC_GROUP_RESPONSE = MessageSchema(
    "SyncGroupResponse", key=14, versions="0-5", flexible="4+",
    fields=[
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("error_code", INT16),
        Field("protocol_type", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        Field("protocol_name", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        Field("assignment", BYTES),
    ],
)
