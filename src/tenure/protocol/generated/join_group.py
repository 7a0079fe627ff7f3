"""Generated from `tenure/protocol/tables/join_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    InvalidMessage,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
)
from tenure.protocol.wire import (
    UVARINT,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_Z: Final = Packer(">?").pack
pack_h: Final = Packer(">h").pack
pack_hih: Final = Packer(">hih").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack
pack_ihih: Final = Packer(">ihih").pack
pack_ii: Final = Packer(">ii").pack
pack_iih: Final = Packer(">iih").pack
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hih: Final = Packer(">hih").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihiB: Final = Packer(">ihiB").unpack_from
unpack_ihih: Final = Packer(">ihih").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from
unpack_iih: Final = Packer(">iih").unpack_from


class JoinGroupRequestProtocol(Struct):
    __slots__ = ('name', 'metadata')

    def __init__(
        self,
        name: str = "",
        metadata: bytes = b"",
    ) -> None:
        self.name: Final = name
        self.metadata: Final = metadata


class JoinGroupRequest(Message):
    __slots__ = ('group_id', 'session_timeout_ms', 'rebalance_timeout_ms', 'member_id', 'group_instance_id', 'protocol_type', 'protocols', 'reason')
    KEY = 11

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
    __slots__ = ('member_id', 'group_instance_id', 'metadata')

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
    __slots__ = ('throttle_time_ms', 'error_code', 'generation_id', 'protocol_type', 'protocol_name', 'leader', 'skip_assignment', 'member_id', 'members')
    KEY = 11

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


def read_join_group_request_protocol_v0_list(data: bytes, at: int, n: int) -> tuple[list[JoinGroupRequestProtocol], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[JoinGroupRequestProtocol] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        found.append(JoinGroupRequestProtocol(name, metadata))
    return found, at


def read_join_group_request_v0(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    protocols, at = read_join_group_request_protocol_v0_list(data, at, n)
    return JoinGroupRequest(group_id, session_timeout_ms, -1, member_id, None, protocol_type, protocols), at


def read_join_group_request_v1(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iih(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    protocols, at = read_join_group_request_protocol_v0_list(data, at, n)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, None, protocol_type, protocols), at


def read_join_group_request_v5(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iih(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        group_instance_id = utf8(data[at:end])
        at = end
    elif n == -1:
        group_instance_id = None
    else:
        raise MalformedMessage("JoinGroupRequest.group_instance_id has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    protocols, at = read_join_group_request_protocol_v0_list(data, at, n)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols), at


def read_join_group_request_protocol_v6_list(data: bytes, at: int, n: int) -> tuple[list[JoinGroupRequestProtocol], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[JoinGroupRequestProtocol] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(JoinGroupRequestProtocol(name, metadata))
    return found, at


def read_join_group_request_v6(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iiB(data, at)
    at += 9
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        group_instance_id = utf8(data[at:end])
        at = end
    else:
        group_instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    protocols, at = read_join_group_request_protocol_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols), at


def read_join_group_request_v8(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iiB(data, at)
    at += 9
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        group_instance_id = utf8(data[at:end])
        at = end
    else:
        group_instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    protocols, at = read_join_group_request_protocol_v6_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        reason = utf8(data[at:end])
        at = end
    else:
        reason = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols, reason), at


def read_join_group_response_member_v0_list(data: bytes, at: int, n: int) -> tuple[list[JoinGroupResponseMember], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[JoinGroupResponseMember] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        found.append(JoinGroupResponseMember(member_id, None, metadata))
    return found, at


def read_join_group_response_v0(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    error_code, generation_id, n = unpack_hih(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v0_list(data, at, n)
    return JoinGroupResponse(0, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_v2(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihih(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v0_list(data, at, n)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_member_v5_list(data: bytes, at: int, n: int) -> tuple[list[JoinGroupResponseMember], int]:
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    found: list[JoinGroupResponseMember] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            group_instance_id = utf8(data[at:end])
            at = end
        elif n == -1:
            group_instance_id = None
        else:
            raise MalformedMessage("JoinGroupResponseMember.group_instance_id has a negative length")
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        found.append(JoinGroupResponseMember(member_id, group_instance_id, metadata))
    return found, at


def read_join_group_response_v5(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihih(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v5_list(data, at, n)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_member_v6_list(data: bytes, at: int, n: int) -> tuple[list[JoinGroupResponseMember], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[JoinGroupResponseMember] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            group_instance_id = utf8(data[at:end])
            at = end
        else:
            group_instance_id = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(JoinGroupResponseMember(member_id, group_instance_id, metadata))
    return found, at


def read_join_group_response_v6(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_v7(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
    else:
        protocol_type = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_name = utf8(data[at:end])
        at = end
    else:
        protocol_name = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, protocol_type, protocol_name, leader, False, member_id, members), at


def read_join_group_response_v9(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
    else:
        protocol_type = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_name = utf8(data[at:end])
        at = end
    else:
        protocol_name = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    skip_assignment, n = unpack_ZB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, protocol_type, protocol_name, leader, skip_assignment, member_id, members), at


def write_join_group_request_protocol_v0_list(out: list[bytes], items: list[JoinGroupRequestProtocol]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.metadata)))
        put(m.metadata)


def write_join_group_request_v0(out: list[bytes], m: JoinGroupRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("JoinGroupRequest.group_instance_id exists in versions 5+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.session_timeout_ms, len(text)))
    put(text)
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.protocols)))
    write_join_group_request_protocol_v0_list(out, m.protocols)


def write_join_group_request_v1(out: list[bytes], m: JoinGroupRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("JoinGroupRequest.group_instance_id exists in versions 5+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_iih(m.session_timeout_ms, m.rebalance_timeout_ms, len(text)))
    put(text)
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.protocols)))
    write_join_group_request_protocol_v0_list(out, m.protocols)


def write_join_group_request_v5(out: list[bytes], m: JoinGroupRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_iih(m.session_timeout_ms, m.rebalance_timeout_ms, len(text)))
    put(text)
    if m.group_instance_id is None:
        put(pack_h(-1))
    else:
        text = m.group_instance_id.encode()
        put(pack_h(len(text)))
        put(text)
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.protocols)))
    write_join_group_request_protocol_v0_list(out, m.protocols)


def write_join_group_request_protocol_v6_list(out: list[bytes], items: list[JoinGroupRequestProtocol]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.metadata) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.metadata)
        put(b"\0")


def write_join_group_request_v6(out: list[bytes], m: JoinGroupRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_ii(m.session_timeout_ms, m.rebalance_timeout_ms))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.protocol_type.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.protocols) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_join_group_request_protocol_v6_list(out, m.protocols)
    put(b"\0")


def write_join_group_request_v8(out: list[bytes], m: JoinGroupRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_ii(m.session_timeout_ms, m.rebalance_timeout_ms))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.protocol_type.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.protocols) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_join_group_request_protocol_v6_list(out, m.protocols)
    if m.reason is None:
        put(b"\0")
    else:
        text = m.reason.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


def write_join_group_response_member_v0_list(out: list[bytes], items: list[JoinGroupResponseMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.metadata)))
        put(m.metadata)


def write_join_group_response_v0(out: list[bytes], m: JoinGroupResponse) -> None:
    put = out.append
    if m.skip_assignment:
        raise UnsupportedVersion("JoinGroupResponse.skip_assignment exists in versions 9+ only")
    if m.protocol_name is None:
        raise InvalidMessage("JoinGroupResponse.protocol_name may be null in versions 7+ only")
    text = m.protocol_name.encode()
    put(pack_hih(m.error_code, m.generation_id, len(text)))
    put(text)
    text = m.leader.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.members)))
    write_join_group_response_member_v0_list(out, m.members)


def write_join_group_response_v2(out: list[bytes], m: JoinGroupResponse) -> None:
    put = out.append
    if m.skip_assignment:
        raise UnsupportedVersion("JoinGroupResponse.skip_assignment exists in versions 9+ only")
    if m.protocol_name is None:
        raise InvalidMessage("JoinGroupResponse.protocol_name may be null in versions 7+ only")
    text = m.protocol_name.encode()
    put(pack_ihih(m.throttle_time_ms, m.error_code, m.generation_id, len(text)))
    put(text)
    text = m.leader.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.members)))
    write_join_group_response_member_v0_list(out, m.members)


def write_join_group_response_member_v5_list(out: list[bytes], items: list[JoinGroupResponseMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        if m.group_instance_id is None:
            put(pack_h(-1))
        else:
            text = m.group_instance_id.encode()
            put(pack_h(len(text)))
            put(text)
        put(pack_i(len(m.metadata)))
        put(m.metadata)


def write_join_group_response_v5(out: list[bytes], m: JoinGroupResponse) -> None:
    put = out.append
    if m.skip_assignment:
        raise UnsupportedVersion("JoinGroupResponse.skip_assignment exists in versions 9+ only")
    if m.protocol_name is None:
        raise InvalidMessage("JoinGroupResponse.protocol_name may be null in versions 7+ only")
    text = m.protocol_name.encode()
    put(pack_ihih(m.throttle_time_ms, m.error_code, m.generation_id, len(text)))
    put(text)
    text = m.leader.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.members)))
    write_join_group_response_member_v5_list(out, m.members)


def write_join_group_response_member_v6_list(out: list[bytes], items: list[JoinGroupResponseMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.group_instance_id is None:
            put(b"\0")
        else:
            text = m.group_instance_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        n = len(m.metadata) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.metadata)
        put(b"\0")


def write_join_group_response_v6(out: list[bytes], m: JoinGroupResponse) -> None:
    put = out.append
    if m.skip_assignment:
        raise UnsupportedVersion("JoinGroupResponse.skip_assignment exists in versions 9+ only")
    if m.protocol_name is None:
        raise InvalidMessage("JoinGroupResponse.protocol_name may be null in versions 7+ only")
    text = m.protocol_name.encode()
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.generation_id))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.leader.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_join_group_response_member_v6_list(out, m.members)
    put(b"\0")


def write_join_group_response_v7(out: list[bytes], m: JoinGroupResponse) -> None:
    put = out.append
    if m.skip_assignment:
        raise UnsupportedVersion("JoinGroupResponse.skip_assignment exists in versions 9+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.generation_id))
    if m.protocol_type is None:
        put(b"\0")
    else:
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.protocol_name is None:
        put(b"\0")
    else:
        text = m.protocol_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.leader.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_join_group_response_member_v6_list(out, m.members)
    put(b"\0")


def write_join_group_response_v9(out: list[bytes], m: JoinGroupResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.generation_id))
    if m.protocol_type is None:
        put(b"\0")
    else:
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.protocol_name is None:
        put(b"\0")
    else:
        text = m.protocol_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.leader.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_Z(m.skip_assignment))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_join_group_response_member_v6_list(out, m.members)
    put(b"\0")


JoinGroupRequest.READERS = {
    0: read_join_group_request_v0,
    1: read_join_group_request_v1,
    2: read_join_group_request_v1,
    3: read_join_group_request_v1,
    4: read_join_group_request_v1,
    5: read_join_group_request_v5,
    6: read_join_group_request_v6,
    7: read_join_group_request_v6,
    8: read_join_group_request_v8,
    9: read_join_group_request_v8,
}
JoinGroupRequest.WRITERS = {
    0: write_join_group_request_v0,
    1: write_join_group_request_v1,
    2: write_join_group_request_v1,
    3: write_join_group_request_v1,
    4: write_join_group_request_v1,
    5: write_join_group_request_v5,
    6: write_join_group_request_v6,
    7: write_join_group_request_v6,
    8: write_join_group_request_v8,
    9: write_join_group_request_v8,
}
JoinGroupResponse.READERS = {
    0: read_join_group_response_v0,
    1: read_join_group_response_v0,
    2: read_join_group_response_v2,
    3: read_join_group_response_v2,
    4: read_join_group_response_v2,
    5: read_join_group_response_v5,
    6: read_join_group_response_v6,
    7: read_join_group_response_v7,
    8: read_join_group_response_v7,
    9: read_join_group_response_v9,
}
JoinGroupResponse.WRITERS = {
    0: write_join_group_response_v0,
    1: write_join_group_response_v0,
    2: write_join_group_response_v2,
    3: write_join_group_response_v2,
    4: write_join_group_response_v2,
    5: write_join_group_response_v5,
    6: write_join_group_response_v6,
    7: write_join_group_response_v7,
    8: write_join_group_response_v7,
    9: write_join_group_response_v9,
}
