"""Heartbeat (API key 12). Changes: throttle time (v1), static members (v3), flexible encoding (v4)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, STRING, Field, MessageSchema
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId

HEARTBEAT_REQUEST = MessageSchema(
    "HeartbeatRequest", key=12, versions="0-4", flexible="4+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("generation_id", INT32, as_=GenerationId),
        Field("member_id", STRING, as_=MemberId),
        Field("group_instance_id", NULLABLE_STRING, versions="3+", default=None, as_=InstanceId),
    ],
)

HEARTBEAT_RESPONSE = MessageSchema(
    "HeartbeatResponse", key=12, versions="0-4", flexible="4+",
    fields=[
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("error_code", INT16),
    ],
)
