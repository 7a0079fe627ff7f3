"""Generated from `tenure/protocol/tables/join_group.py` by `python -m tenure.protocol.generate`."""

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


class JoinGroupRequestProtocol(Struct):
    __slots__ = ("name", "metadata")

    def __init__(
        self,
        name: str = "",
        metadata: bytes = b"",
    ) -> None:
        self.name: Final = name
        self.metadata: Final = metadata


class JoinGroupRequest(Message):
    __slots__ = ("group_id", "session_timeout_ms", "rebalance_timeout_ms", "member_id", "group_instance_id", "protocol_type", "protocols", "reason")
    TABLE = "join_group"
    KEY = 11
    VERSIONS = range(0, 10)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        protocol_type: str = "",
        protocols: list[JoinGroupRequestProtocol] = EMPTY,
        reason: str | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.session_timeout_ms: Final = session_timeout_ms
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.protocol_type: Final = protocol_type
        self.protocols: Final = [] if protocols is EMPTY else protocols
        self.reason: Final = reason


class JoinGroupResponseMember(Struct):
    __slots__ = ("member_id", "group_instance_id", "metadata")

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        metadata: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.metadata: Final = metadata


class JoinGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "generation_id", "protocol_type", "protocol_name", "leader", "skip_assignment", "member_id", "members")
    TABLE = "join_group"
    KEY = 11
    VERSIONS = range(0, 10)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: GenerationId = GenerationId(-1),
        protocol_type: str | None = None,
        protocol_name: str | None = "",
        leader: MemberId = MemberId(""),
        skip_assignment: bool = False,
        member_id: MemberId = MemberId(""),
        members: list[JoinGroupResponseMember] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.generation_id: Final = generation_id
        self.protocol_type: Final = protocol_type
        self.protocol_name: Final = protocol_name
        self.leader: Final = leader
        self.skip_assignment: Final = skip_assignment
        self.member_id: Final = member_id
        self.members: Final = [] if members is EMPTY else members
