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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack


def write_leave_group_request_v0(out: list[MessagePart], m: LeaveGroupRequest) -> None:
    put = out.append
    if m.members:
        raise UnsupportedVersion("LeaveGroupRequest.members exists in versions 3+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_member_identity_v3_list(out: list[MessagePart], items: list[MemberIdentity]) -> None:
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


def write_leave_group_request_v3(out: list[MessagePart], m: LeaveGroupRequest) -> None:
    put = out.append
    if m.member_id:
        raise UnsupportedVersion("LeaveGroupRequest.member_id exists in versions 0-2 only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.members)))
    write_member_identity_v3_list(out, m.members)


def write_member_identity_v4_list(out: list[MessagePart], items: list[MemberIdentity]) -> None:
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


def write_leave_group_request_v4(out: list[MessagePart], m: LeaveGroupRequest) -> None:
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


def write_member_identity_v5_list(out: list[MessagePart], items: list[MemberIdentity]) -> None:
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


def write_leave_group_request_v5(out: list[MessagePart], m: LeaveGroupRequest) -> None:
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


def write_leave_group_response_v0(out: list[MessagePart], m: LeaveGroupResponse) -> None:
    put = out.append
    if m.members:
        raise UnsupportedVersion("LeaveGroupResponse.members exists in versions 3+ only")
    put(pack_h(m.error_code))


def write_leave_group_response_v1(out: list[MessagePart], m: LeaveGroupResponse) -> None:
    put = out.append
    if m.members:
        raise UnsupportedVersion("LeaveGroupResponse.members exists in versions 3+ only")
    put(pack_ih(m.throttle_time_ms, m.error_code))


def write_member_response_v3_list(out: list[MessagePart], items: list[MemberResponse]) -> None:
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


def write_leave_group_response_v3(out: list[MessagePart], m: LeaveGroupResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.members)))
    write_member_response_v3_list(out, m.members)


def write_member_response_v4_list(out: list[MessagePart], items: list[MemberResponse]) -> None:
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


def write_leave_group_response_v4(out: list[MessagePart], m: LeaveGroupResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_member_response_v4_list(out, m.members)
    put(b"\0")


LeaveGroupRequest.WRITERS = {
    0: write_leave_group_request_v0,
    1: write_leave_group_request_v0,
    2: write_leave_group_request_v0,
    3: write_leave_group_request_v3,
    4: write_leave_group_request_v4,
    5: write_leave_group_request_v5,
}
LeaveGroupResponse.WRITERS = {
    0: write_leave_group_response_v0,
    1: write_leave_group_response_v1,
    2: write_leave_group_response_v1,
    3: write_leave_group_response_v3,
    4: write_leave_group_response_v4,
    5: write_leave_group_response_v4,
}
