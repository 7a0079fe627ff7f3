"""Generated from `tenure/protocol/tables/sync_group.py` by `python -m tenure.protocol.generate`."""

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

pack_h: Final = Packer(">h").pack
pack_hi: Final = Packer(">hi").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from


class SyncGroupRequestAssignment(Struct):
    __slots__ = ('member_id', 'assignment')

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        assignment: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.assignment: Final = assignment


class SyncGroupRequest(Message):
    __slots__ = ('group_id', 'generation_id', 'member_id', 'group_instance_id', 'protocol_type', 'protocol_name', 'assignments')
    KEY = 14

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
    __slots__ = ('throttle_time_ms', 'error_code', 'protocol_type', 'protocol_name', 'assignment')
    KEY = 14

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


def read_sync_group_request_assignment_v0_list(data: bytes, at: int, n: int) -> tuple[list[SyncGroupRequestAssignment], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[SyncGroupRequestAssignment] = []
    for _ in range(n):
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
    assignments, at = read_sync_group_request_assignment_v0_list(data, at, n)
    return SyncGroupRequest(group_id, generation_id, member_id, None, None, None, assignments), at


def read_sync_group_request_v3(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
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
    assignments, at = read_sync_group_request_assignment_v0_list(data, at, n)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, None, None, assignments), at


def read_sync_group_request_assignment_v4_list(data: bytes, at: int, n: int) -> tuple[list[SyncGroupRequestAssignment], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[SyncGroupRequestAssignment] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
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
            at = skip_tags(data, at - 1)
        found.append(SyncGroupRequestAssignment(member_id, assignment))
    return found, at


def read_sync_group_request_v4(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.member_id is null")
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
        raise MalformedMessage("SyncGroupRequest.assignments is null")
    assignments, at = read_sync_group_request_assignment_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return SyncGroupRequest(group_id, generation_id, member_id, group_instance_id, None, None, assignments), at


def read_sync_group_request_v5(data: bytes, at: int) -> tuple[SyncGroupRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SyncGroupRequest.member_id is null")
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
        raise MalformedMessage("SyncGroupRequest.assignments is null")
    assignments, at = read_sync_group_request_assignment_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
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


def write_sync_group_request_assignment_v0_list(out: list[bytes], items: list[SyncGroupRequestAssignment]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.assignment)))
        put(m.assignment)


def write_sync_group_request_v0(out: list[bytes], m: SyncGroupRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("SyncGroupRequest.group_instance_id exists in versions 3+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id, len(text)))
    put(text)
    put(pack_i(len(m.assignments)))
    write_sync_group_request_assignment_v0_list(out, m.assignments)


def write_sync_group_request_v3(out: list[bytes], m: SyncGroupRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id, len(text)))
    put(text)
    if m.group_instance_id is None:
        put(pack_h(-1))
    else:
        text = m.group_instance_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_i(len(m.assignments)))
    write_sync_group_request_assignment_v0_list(out, m.assignments)


def write_sync_group_request_assignment_v4_list(out: list[bytes], items: list[SyncGroupRequestAssignment]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.assignment) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.assignment)
        put(b"\0")


def write_sync_group_request_v4(out: list[bytes], m: SyncGroupRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id))
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
    n = len(m.assignments) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_sync_group_request_assignment_v4_list(out, m.assignments)
    put(b"\0")


def write_sync_group_request_v5(out: list[bytes], m: SyncGroupRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id))
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
    n = len(m.assignments) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_sync_group_request_assignment_v4_list(out, m.assignments)
    put(b"\0")


def write_sync_group_response_v0(out: list[bytes], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.assignment)))
    put(m.assignment)


def write_sync_group_response_v1(out: list[bytes], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.assignment)))
    put(m.assignment)


def write_sync_group_response_v4(out: list[bytes], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.assignment) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.assignment)
    put(b"\0")


def write_sync_group_response_v5(out: list[bytes], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
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
    n = len(m.assignment) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.assignment)
    put(b"\0")


SyncGroupRequest.READERS = {
    0: read_sync_group_request_v0,
    1: read_sync_group_request_v0,
    2: read_sync_group_request_v0,
    3: read_sync_group_request_v3,
    4: read_sync_group_request_v4,
    5: read_sync_group_request_v5,
}
SyncGroupRequest.WRITERS = {
    0: write_sync_group_request_v0,
    1: write_sync_group_request_v0,
    2: write_sync_group_request_v0,
    3: write_sync_group_request_v3,
    4: write_sync_group_request_v4,
    5: write_sync_group_request_v5,
}
SyncGroupResponse.READERS = {
    0: read_sync_group_response_v0,
    1: read_sync_group_response_v1,
    2: read_sync_group_response_v1,
    3: read_sync_group_response_v1,
    4: read_sync_group_response_v4,
    5: read_sync_group_response_v5,
}
SyncGroupResponse.WRITERS = {
    0: write_sync_group_response_v0,
    1: write_sync_group_response_v1,
    2: write_sync_group_response_v1,
    3: write_sync_group_response_v1,
    4: write_sync_group_response_v4,
    5: write_sync_group_response_v5,
}
