"""Generated from `tenure/protocol/tables/sync_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.sync_group import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
    SyncGroupResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
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
unpack_hi: Final = Packer(">hi").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from


def read_sync_group_request_assignment_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[SyncGroupRequestAssignment], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[SyncGroupRequestAssignment] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("SyncGroupRequestAssignment.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("SyncGroupRequestAssignment.assignment is null")
        end = at + n
        assignment = data[at:end]
        at = end
        found.append(SyncGroupRequestAssignment(member_id, assignment))
    return found, at


def read_sync_group_request_v0(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.assignments is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    assignments, at = read_sync_group_request_assignment_v0_list(data, at, n, elements)
    return SyncGroupRequest(group_id, generation_id, member_id, None, None, None, assignments), at


def read_sync_group_request_v3(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.member_id is null")
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
        raise MalformedMessage("SyncGroupRequest.group_instance_id has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.assignments is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    assignments, at = read_sync_group_request_assignment_v0_list(data, at, n, elements)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, None, None, assignments), at


def read_sync_group_request_assignment_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[SyncGroupRequestAssignment], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[SyncGroupRequestAssignment] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("SyncGroupRequestAssignment.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("SyncGroupRequestAssignment.assignment is null")
        end = at + n
        assignment = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(SyncGroupRequestAssignment(member_id, assignment))
    return found, at


def read_sync_group_request_v4(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.member_id is null")
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
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.assignments is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    assignments, at = read_sync_group_request_assignment_v4_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, None, None, assignments), at


def read_sync_group_request_v5(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.member_id is null")
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
        protocol_type = utf8(data[at:end])
        at = end
    else:
        protocol_type = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        raise MalformedMessage("SyncGroupRequest.assignments is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    assignments, at = read_sync_group_request_assignment_v4_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, protocol_type, protocol_name, assignments), at


def read_sync_group_response_v0(data: bytes, at: int) -> tuple[SyncGroupResponse, int]:
    error_code, n = unpack_hi(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("SyncGroupResponse.assignment is null")
    end = at + n
    assignment = data[at:end]
    at = end
    return SyncGroupResponse(0, error_code, None, None, assignment), at


def read_sync_group_response_v1(data: bytes, at: int) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihi(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("SyncGroupResponse.assignment is null")
    end = at + n
    assignment = data[at:end]
    at = end
    return SyncGroupResponse(throttle_time_ms, error_code, None, None, assignment), at


def read_sync_group_response_v4(data: bytes, at: int) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupResponse.assignment is null")
    end = at + n
    assignment = data[at:end]
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return SyncGroupResponse(throttle_time_ms, error_code, None, None, assignment), at


def read_sync_group_response_v5(data: bytes, at: int) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
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
        raise MalformedMessage("SyncGroupResponse.assignment is null")
    end = at + n
    assignment = data[at:end]
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return SyncGroupResponse(throttle_time_ms, error_code, protocol_type, protocol_name, assignment), at


SyncGroupRequest.READERS = {
    0: read_sync_group_request_v0,
    1: read_sync_group_request_v0,
    2: read_sync_group_request_v0,
    3: read_sync_group_request_v3,
    4: read_sync_group_request_v4,
    5: read_sync_group_request_v5,
}
SyncGroupResponse.READERS = {
    0: read_sync_group_response_v0,
    1: read_sync_group_response_v1,
    2: read_sync_group_response_v1,
    3: read_sync_group_response_v1,
    4: read_sync_group_response_v4,
    5: read_sync_group_response_v5,
}
