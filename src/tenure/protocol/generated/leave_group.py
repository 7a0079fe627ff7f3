"""Generated from `tenure/protocol/tables/leave_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
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

pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from


class MemberIdentity(Struct):
    __slots__ = ('member_id', 'group_instance_id', 'reason')

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        reason: str | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.reason: Final = reason


class LeaveGroupRequest(Message):
    __slots__ = ('group_id', 'member_id', 'members')
    KEY = 13

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
        members: list[MemberIdentity] = EMPTY,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.members: Final = [] if members is EMPTY else members


class MemberResponse(Struct):
    __slots__ = ('member_id', 'group_instance_id', 'error_code')

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = InstanceId(""),
        error_code: int = 0,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.error_code: Final = error_code


class LeaveGroupResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code', 'members')
    KEY = 13

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        members: list[MemberResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.members: Final = [] if members is EMPTY else members


def read_leave_group_request_v0(data: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return LeaveGroupRequest(group_id, member_id), at


def read_member_identity_v3_list(data: bytes, at: int, n: int) -> tuple[list[MemberIdentity], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[MemberIdentity] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberIdentity.member_id is null")
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
            raise MalformedMessage("MemberIdentity.group_instance_id has a negative length")
        found.append(MemberIdentity(member_id, group_instance_id))
    return found, at


def read_leave_group_request_v3(data: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.members is null")
    members, at = read_member_identity_v3_list(data, at, n)
    return LeaveGroupRequest(group_id, MemberId(""), members), at


def read_member_identity_v4_list(data: bytes, at: int, n: int) -> tuple[list[MemberIdentity], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[MemberIdentity] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberIdentity.member_id is null")
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MemberIdentity(member_id, group_instance_id))
    return found, at


def read_leave_group_request_v4(data: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.members is null")
    members, at = read_member_identity_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return LeaveGroupRequest(group_id, MemberId(""), members), at


def read_member_identity_v5_list(data: bytes, at: int, n: int) -> tuple[list[MemberIdentity], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[MemberIdentity] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberIdentity.member_id is null")
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
        found.append(MemberIdentity(member_id, group_instance_id, reason))
    return found, at


def read_leave_group_request_v5(data: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("LeaveGroupRequest.members is null")
    members, at = read_member_identity_v5_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return LeaveGroupRequest(group_id, MemberId(""), members), at


def read_leave_group_response_v0(data: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    (error_code,) = unpack_h(data, at)
    at += 2
    return LeaveGroupResponse(0, error_code), at


def read_leave_group_response_v1(data: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code = unpack_ih(data, at)
    at += 6
    return LeaveGroupResponse(throttle_time_ms, error_code), at


def read_member_response_v3_list(data: bytes, at: int, n: int) -> tuple[list[MemberResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[MemberResponse] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberResponse.member_id is null")
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
            raise MalformedMessage("MemberResponse.group_instance_id has a negative length")
        (error_code,) = unpack_h(data, at)
        at += 2
        found.append(MemberResponse(member_id, group_instance_id, error_code))
    return found, at


def read_leave_group_response_v3(data: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihi(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("LeaveGroupResponse.members is null")
    members, at = read_member_response_v3_list(data, at, n)
    return LeaveGroupResponse(throttle_time_ms, error_code, members), at


def read_member_response_v4_list(data: bytes, at: int, n: int) -> tuple[list[MemberResponse], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[MemberResponse] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberResponse.member_id is null")
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
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MemberResponse(member_id, group_instance_id, error_code))
    return found, at


def read_leave_group_response_v4(data: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("LeaveGroupResponse.members is null")
    members, at = read_member_response_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return LeaveGroupResponse(throttle_time_ms, error_code, members), at


def write_leave_group_request_v0(out: list[bytes], m: LeaveGroupRequest) -> None:
    put = out.append
    if m.members:
        raise UnsupportedVersion("LeaveGroupRequest.members exists in versions 3+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_member_identity_v3_list(out: list[bytes], items: list[MemberIdentity]) -> None:
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


def write_leave_group_request_v3(out: list[bytes], m: LeaveGroupRequest) -> None:
    put = out.append
    if m.member_id:
        raise UnsupportedVersion("LeaveGroupRequest.member_id exists in versions 0-2 only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.members)))
    write_member_identity_v3_list(out, m.members)


def write_member_identity_v4_list(out: list[bytes], items: list[MemberIdentity]) -> None:
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
        put(b"\0")


def write_leave_group_request_v4(out: list[bytes], m: LeaveGroupRequest) -> None:
    put = out.append
    if m.member_id:
        raise UnsupportedVersion("LeaveGroupRequest.member_id exists in versions 0-2 only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_member_identity_v4_list(out, m.members)
    put(b"\0")


def write_member_identity_v5_list(out: list[bytes], items: list[MemberIdentity]) -> None:
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
        if m.reason is None:
            put(b"\0")
        else:
            text = m.reason.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_leave_group_request_v5(out: list[bytes], m: LeaveGroupRequest) -> None:
    put = out.append
    if m.member_id:
        raise UnsupportedVersion("LeaveGroupRequest.member_id exists in versions 0-2 only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_member_identity_v5_list(out, m.members)
    put(b"\0")


def write_leave_group_response_v0(out: list[bytes], m: LeaveGroupResponse) -> None:
    put = out.append
    if m.members:
        raise UnsupportedVersion("LeaveGroupResponse.members exists in versions 3+ only")
    put(pack_h(m.error_code))


def write_leave_group_response_v1(out: list[bytes], m: LeaveGroupResponse) -> None:
    put = out.append
    if m.members:
        raise UnsupportedVersion("LeaveGroupResponse.members exists in versions 3+ only")
    put(pack_ih(m.throttle_time_ms, m.error_code))


def write_member_response_v3_list(out: list[bytes], items: list[MemberResponse]) -> None:
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
        put(pack_h(m.error_code))


def write_leave_group_response_v3(out: list[bytes], m: LeaveGroupResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.members)))
    write_member_response_v3_list(out, m.members)


def write_member_response_v4_list(out: list[bytes], items: list[MemberResponse]) -> None:
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
        put(pack_hx(m.error_code))


def write_leave_group_response_v4(out: list[bytes], m: LeaveGroupResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_member_response_v4_list(out, m.members)
    put(b"\0")


LeaveGroupRequest.READERS = {
    0: read_leave_group_request_v0,
    1: read_leave_group_request_v0,
    2: read_leave_group_request_v0,
    3: read_leave_group_request_v3,
    4: read_leave_group_request_v4,
    5: read_leave_group_request_v5,
}
LeaveGroupRequest.WRITERS = {
    0: write_leave_group_request_v0,
    1: write_leave_group_request_v0,
    2: write_leave_group_request_v0,
    3: write_leave_group_request_v3,
    4: write_leave_group_request_v4,
    5: write_leave_group_request_v5,
}
LeaveGroupResponse.READERS = {
    0: read_leave_group_response_v0,
    1: read_leave_group_response_v1,
    2: read_leave_group_response_v1,
    3: read_leave_group_response_v3,
    4: read_leave_group_response_v4,
    5: read_leave_group_response_v4,
}
LeaveGroupResponse.WRITERS = {
    0: write_leave_group_response_v0,
    1: write_leave_group_response_v1,
    2: write_leave_group_response_v1,
    3: write_leave_group_response_v3,
    4: write_leave_group_response_v4,
    5: write_leave_group_response_v4,
}
