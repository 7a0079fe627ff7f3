"""Generated from `tenure/protocol/tables/sync_group.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
)


class SyncGroupRequestAssignment(Struct):
    __slots__ = ("member_id", "assignment")

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        assignment: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.assignment: Final = assignment


class SyncGroupRequest(Message):
    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id", "protocol_type", "protocol_name", "assignments")
    TABLE = "sync_group"
    KEY = 14
    VERSIONS = range(0, 6)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        generation_id: GenerationId = GenerationId(0),
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: list[SyncGroupRequestAssignment] = EMPTY,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id: Final = generation_id
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.protocol_type: Final = protocol_type
        self.protocol_name: Final = protocol_name
        self.assignments: Final = [] if assignments is EMPTY else assignments


class SyncGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment")
    TABLE = "sync_group"
    KEY = 14
    VERSIONS = range(0, 6)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b"",
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.protocol_type: Final = protocol_type
        self.protocol_name: Final = protocol_name
        self.assignment: Final = assignment
