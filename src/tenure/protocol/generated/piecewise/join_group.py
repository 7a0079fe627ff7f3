"""Generated from `tenure/protocol/tables/join_group.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.join_group import (
    JoinGroupResponse,
)
from tenure.protocol.generated.writers.join_group import (
    write_join_group_response_member_v0_list,
    write_join_group_response_member_v5_list,
    write_join_group_response_member_v6_list,
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
pack_ihi: Final = Packer(">ihi").pack
pack_ihih: Final = Packer(">ihih").pack


def pieces_of_join_group_response_v0(out: list[MessagePart], m: JoinGroupResponse) -> Iterator[None]:
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
    for start in range(0, len(m.members), 256):
        write_join_group_response_member_v0_list(out, m.members[start : start + 256])
        yield


def pieces_of_join_group_response_v2(out: list[MessagePart], m: JoinGroupResponse) -> Iterator[None]:
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
    for start in range(0, len(m.members), 256):
        write_join_group_response_member_v0_list(out, m.members[start : start + 256])
        yield


def pieces_of_join_group_response_v5(out: list[MessagePart], m: JoinGroupResponse) -> Iterator[None]:
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
    for start in range(0, len(m.members), 256):
        write_join_group_response_member_v5_list(out, m.members[start : start + 256])
        yield


def pieces_of_join_group_response_v6(out: list[MessagePart], m: JoinGroupResponse) -> Iterator[None]:
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
    for start in range(0, len(m.members), 256):
        write_join_group_response_member_v6_list(out, m.members[start : start + 256])
        yield
    put(b"\0")


def pieces_of_join_group_response_v7(out: list[MessagePart], m: JoinGroupResponse) -> Iterator[None]:
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
    for start in range(0, len(m.members), 256):
        write_join_group_response_member_v6_list(out, m.members[start : start + 256])
        yield
    put(b"\0")


def pieces_of_join_group_response_v9(out: list[MessagePart], m: JoinGroupResponse) -> Iterator[None]:
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
    for start in range(0, len(m.members), 256):
        write_join_group_response_member_v6_list(out, m.members[start : start + 256])
        yield
    put(b"\0")


JoinGroupResponse.PIECEWISE_WRITERS = {
    0: pieces_of_join_group_response_v0,
    1: pieces_of_join_group_response_v0,
    2: pieces_of_join_group_response_v2,
    3: pieces_of_join_group_response_v2,
    4: pieces_of_join_group_response_v2,
    5: pieces_of_join_group_response_v5,
    6: pieces_of_join_group_response_v6,
    7: pieces_of_join_group_response_v7,
    8: pieces_of_join_group_response_v7,
    9: pieces_of_join_group_response_v9,
}
