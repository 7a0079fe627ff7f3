"""Generated from `tenure/protocol/tables/sync_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.sync_group import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
    SyncGroupResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hi: Final = Packer(">hi").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack


def write_sync_group_request_assignment_v0_list(out: list[MessagePart], items: list[SyncGroupRequestAssignment]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.assignment)))
        put(m.assignment)


def write_sync_group_request_v0(out: list[MessagePart], m: SyncGroupRequest) -> None:
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


def write_sync_group_request_v3(out: list[MessagePart], m: SyncGroupRequest) -> None:
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


def write_sync_group_request_assignment_v4_list(out: list[MessagePart], items: list[SyncGroupRequestAssignment]) -> None:
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


def write_sync_group_request_v4(out: list[MessagePart], m: SyncGroupRequest) -> None:
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


def write_sync_group_request_v5(out: list[MessagePart], m: SyncGroupRequest) -> None:
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


def write_sync_group_response_v0(out: list[MessagePart], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.assignment)))
    put(m.assignment)


def write_sync_group_response_v1(out: list[MessagePart], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.assignment)))
    put(m.assignment)


def write_sync_group_response_v4(out: list[MessagePart], m: SyncGroupResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.assignment) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.assignment)
    put(b"\0")


def write_sync_group_response_v5(out: list[MessagePart], m: SyncGroupResponse) -> None:
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


SyncGroupRequest.WRITERS = {
    0: write_sync_group_request_v0,
    1: write_sync_group_request_v0,
    2: write_sync_group_request_v0,
    3: write_sync_group_request_v3,
    4: write_sync_group_request_v4,
    5: write_sync_group_request_v5,
}
SyncGroupResponse.WRITERS = {
    0: write_sync_group_response_v0,
    1: write_sync_group_response_v1,
    2: write_sync_group_response_v1,
    3: write_sync_group_response_v1,
    4: write_sync_group_response_v4,
    5: write_sync_group_response_v5,
}
