"""Generated from `tenure/protocol/tables/heartbeat.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
)


class HeartbeatRequest(Message):
    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id")
    TABLE = "heartbeat"
    KEY = 12
    VERSIONS = range(0, 5)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        generation_id: GenerationId = GenerationId(0),
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id: Final = generation_id
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id


class HeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")
    TABLE = "heartbeat"
    KEY = 12
    VERSIONS = range(0, 5)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
