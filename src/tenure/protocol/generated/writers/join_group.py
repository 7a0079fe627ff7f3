"""Generated from `tenure/protocol/tables/join_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.join_group import (
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    JoinGroupResponse,
    JoinGroupResponseMember,
)
from tenure.protocol.message import (
    InvalidMessage,
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
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


def write_join_group_request_protocol_v0_list(out: list[MessagePart], items: list[JoinGroupRequestProtocol]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.metadata)))
        put(m.metadata)


def write_join_group_request_v0(out: list[MessagePart], m: JoinGroupRequest) -> None:
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


def write_join_group_request_v1(out: list[MessagePart], m: JoinGroupRequest) -> None:
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


def write_join_group_request_v5(out: list[MessagePart], m: JoinGroupRequest) -> None:
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


def write_join_group_request_protocol_v6_list(out: list[MessagePart], items: list[JoinGroupRequestProtocol]) -> None:
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


def write_join_group_request_v6(out: list[MessagePart], m: JoinGroupRequest) -> None:
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


def write_join_group_request_v8(out: list[MessagePart], m: JoinGroupRequest) -> None:
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


def write_join_group_response_member_v0_list(out: list[MessagePart], items: list[JoinGroupResponseMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.metadata)))
        put(m.metadata)


def write_join_group_response_v0(out: list[MessagePart], m: JoinGroupResponse) -> None:
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


def write_join_group_response_v2(out: list[MessagePart], m: JoinGroupResponse) -> None:
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


def write_join_group_response_member_v5_list(out: list[MessagePart], items: list[JoinGroupResponseMember]) -> None:
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


def write_join_group_response_v5(out: list[MessagePart], m: JoinGroupResponse) -> None:
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


def write_join_group_response_member_v6_list(out: list[MessagePart], items: list[JoinGroupResponseMember]) -> None:
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


def write_join_group_response_v6(out: list[MessagePart], m: JoinGroupResponse) -> None:
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


def write_join_group_response_v7(out: list[MessagePart], m: JoinGroupResponse) -> None:
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


def write_join_group_response_v9(out: list[MessagePart], m: JoinGroupResponse) -> None:
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
