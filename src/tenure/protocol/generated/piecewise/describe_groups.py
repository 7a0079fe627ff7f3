"""Generated from `tenure/protocol/tables/describe_groups.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_groups import (
    DescribeGroupsResponse,
    DescribedGroup,
)
from tenure.protocol.generated.writers.describe_groups import (
    write_described_group_member_v0_list,
    write_described_group_member_v4_list,
    write_described_group_member_v5_list,
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
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def pieces_of_described_group_v0_list(out: list[MessagePart], items: list[DescribedGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.error_message is not None:
            raise UnsupportedVersion("DescribedGroup.error_message exists in versions 6+ only")
        if m.authorized_operations != -2147483648:
            raise UnsupportedVersion("DescribedGroup.authorized_operations exists in versions 3+ only")
        text = m.group_id.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        text = m.group_state.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_data.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.members)))
        for start in range(0, len(m.members), 256):
            write_described_group_member_v0_list(out, m.members[start : start + 256])
            yield
        yield


def pieces_of_describe_groups_response_v0(out: list[MessagePart], m: DescribeGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(len(m.groups)))
    yield from pieces_of_described_group_v0_list(out, m.groups)


def pieces_of_describe_groups_response_v1(out: list[MessagePart], m: DescribeGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    yield from pieces_of_described_group_v0_list(out, m.groups)


def pieces_of_described_group_v3_list(out: list[MessagePart], items: list[DescribedGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.error_message is not None:
            raise UnsupportedVersion("DescribedGroup.error_message exists in versions 6+ only")
        text = m.group_id.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        text = m.group_state.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_data.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.members)))
        for start in range(0, len(m.members), 256):
            write_described_group_member_v0_list(out, m.members[start : start + 256])
            yield
        put(pack_i(m.authorized_operations))
        yield


def pieces_of_describe_groups_response_v3(out: list[MessagePart], m: DescribeGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    yield from pieces_of_described_group_v3_list(out, m.groups)


def pieces_of_described_group_v4_list(out: list[MessagePart], items: list[DescribedGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.error_message is not None:
            raise UnsupportedVersion("DescribedGroup.error_message exists in versions 6+ only")
        text = m.group_id.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        text = m.group_state.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_data.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.members)))
        for start in range(0, len(m.members), 256):
            write_described_group_member_v4_list(out, m.members[start : start + 256])
            yield
        put(pack_i(m.authorized_operations))
        yield


def pieces_of_describe_groups_response_v4(out: list[MessagePart], m: DescribeGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    yield from pieces_of_described_group_v4_list(out, m.groups)


def pieces_of_described_group_v5_list(out: list[MessagePart], items: list[DescribedGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.error_message is not None:
            raise UnsupportedVersion("DescribedGroup.error_message exists in versions 6+ only")
        text = m.group_id.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_data.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.members), 256):
            write_described_group_member_v5_list(out, m.members[start : start + 256])
            yield
        put(pack_ix(m.authorized_operations))
        yield


def pieces_of_describe_groups_response_v5(out: list[MessagePart], m: DescribeGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_group_v5_list(out, m.groups)
    put(b"\0")


def pieces_of_described_group_v6_list(out: list[MessagePart], items: list[DescribedGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_data.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.members), 256):
            write_described_group_member_v5_list(out, m.members[start : start + 256])
            yield
        put(pack_ix(m.authorized_operations))
        yield


def pieces_of_describe_groups_response_v6(out: list[MessagePart], m: DescribeGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_group_v6_list(out, m.groups)
    put(b"\0")


DescribeGroupsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_groups_response_v0,
    1: pieces_of_describe_groups_response_v1,
    2: pieces_of_describe_groups_response_v1,
    3: pieces_of_describe_groups_response_v3,
    4: pieces_of_describe_groups_response_v4,
    5: pieces_of_describe_groups_response_v5,
    6: pieces_of_describe_groups_response_v6,
}
