"""Generated from `tenure/protocol/tables/leave_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.leave_group import (
    LeaveGroupRequest,
    LeaveGroupResponse,
    MemberIdentity,
    MemberResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    MemberId,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from


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


def read_member_identity_v3_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[MemberIdentity], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[MemberIdentity] = []
    for _ in range(announced):
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
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
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
    if elements is not UNBOUNDED:
        elements.add(n)
    members, at = read_member_identity_v3_list(data, at, n, elements)
    return LeaveGroupRequest(group_id, MemberId(""), members), at


def read_member_identity_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[MemberIdentity], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[MemberIdentity] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberIdentity.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            at = skip_tags(data, at - 1, elements)
        found.append(MemberIdentity(member_id, group_instance_id))
    return found, at


def read_leave_group_request_v4(data: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
    if elements is not UNBOUNDED:
        elements.add(n)
    members, at = read_member_identity_v4_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return LeaveGroupRequest(group_id, MemberId(""), members), at


def read_member_identity_v5_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[MemberIdentity], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[MemberIdentity] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberIdentity.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            n, at = read_text_length(data, at - 1)
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
            at = skip_tags(data, at - 1, elements)
        found.append(MemberIdentity(member_id, group_instance_id, reason))
    return found, at


def read_leave_group_request_v5(data: bytes, at: int) -> tuple[LeaveGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
    if elements is not UNBOUNDED:
        elements.add(n)
    members, at = read_member_identity_v5_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return LeaveGroupRequest(group_id, MemberId(""), members), at


def read_leave_group_response_v0(data: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    (error_code,) = unpack_h(data, at)
    at += 2
    return LeaveGroupResponse(0, error_code), at


def read_leave_group_response_v1(data: bytes, at: int) -> tuple[LeaveGroupResponse, int]:
    throttle_time_ms, error_code = unpack_ih(data, at)
    at += 6
    return LeaveGroupResponse(throttle_time_ms, error_code), at


def read_member_response_v3_list(data: bytes, at: int, announced: int) -> tuple[list[MemberResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[MemberResponse] = []
    for _ in range(announced):
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


def read_member_response_v4_list(data: bytes, at: int, announced: int) -> tuple[list[MemberResponse], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[MemberResponse] = []
    for _ in range(announced):
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


LeaveGroupRequest.READERS = {
    0: read_leave_group_request_v0,
    1: read_leave_group_request_v0,
    2: read_leave_group_request_v0,
    3: read_leave_group_request_v3,
    4: read_leave_group_request_v4,
    5: read_leave_group_request_v5,
}
LeaveGroupResponse.READERS = {
    0: read_leave_group_response_v0,
    1: read_leave_group_response_v1,
    2: read_leave_group_response_v1,
    3: read_leave_group_response_v3,
    4: read_leave_group_response_v4,
    5: read_leave_group_response_v4,
}
