"""Generated from `tenure/protocol/tables/describe_groups.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_groups import (
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    DescribedGroup,
    DescribedGroupMember,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
    write_strings,
)

pack_Z: Final = Packer(">?").pack
pack_Zx: Final = Packer(">?x").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def write_describe_groups_request_v0(out: list[MessagePart], m: DescribeGroupsRequest) -> None:
    put = out.append
    if m.include_authorized_operations:
        raise UnsupportedVersion("DescribeGroupsRequest.include_authorized_operations exists in versions 3+ only")
    put(pack_i(len(m.groups)))
    write_strings(out, m.groups)


def write_describe_groups_request_v3(out: list[MessagePart], m: DescribeGroupsRequest) -> None:
    put = out.append
    put(pack_i(len(m.groups)))
    write_strings(out, m.groups)
    put(pack_Z(m.include_authorized_operations))


def write_describe_groups_request_v5(out: list[MessagePart], m: DescribeGroupsRequest) -> None:
    put = out.append
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.groups)
    put(pack_Zx(m.include_authorized_operations))


def write_described_group_member_v0_list(out: list[MessagePart], items: list[DescribedGroupMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.member_metadata)))
        put(m.member_metadata)
        put(pack_i(len(m.member_assignment)))
        put(m.member_assignment)


def write_described_group_v0_list(out: list[MessagePart], items: list[DescribedGroup]) -> None:
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
        write_described_group_member_v0_list(out, m.members)


def write_describe_groups_response_v0(out: list[MessagePart], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_i(len(m.groups)))
    write_described_group_v0_list(out, m.groups)


def write_describe_groups_response_v1(out: list[MessagePart], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    write_described_group_v0_list(out, m.groups)


def write_described_group_v3_list(out: list[MessagePart], items: list[DescribedGroup]) -> None:
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
        write_described_group_member_v0_list(out, m.members)
        put(pack_i(m.authorized_operations))


def write_describe_groups_response_v3(out: list[MessagePart], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    write_described_group_v3_list(out, m.groups)


def write_described_group_member_v4_list(out: list[MessagePart], items: list[DescribedGroupMember]) -> None:
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
        text = m.client_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.member_metadata)))
        put(m.member_metadata)
        put(pack_i(len(m.member_assignment)))
        put(m.member_assignment)


def write_described_group_v4_list(out: list[MessagePart], items: list[DescribedGroup]) -> None:
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
        write_described_group_member_v4_list(out, m.members)
        put(pack_i(m.authorized_operations))


def write_describe_groups_response_v4(out: list[MessagePart], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    write_described_group_v4_list(out, m.groups)


def write_described_group_member_v5_list(out: list[MessagePart], items: list[DescribedGroupMember]) -> None:
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
        text = m.client_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.client_host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.member_metadata) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.member_metadata)
        n = len(m.member_assignment) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.member_assignment)
        put(b"\0")


def write_described_group_v5_list(out: list[MessagePart], items: list[DescribedGroup]) -> None:
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
        write_described_group_member_v5_list(out, m.members)
        put(pack_ix(m.authorized_operations))


def write_describe_groups_response_v5(out: list[MessagePart], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_group_v5_list(out, m.groups)
    put(b"\0")


def write_described_group_v6_list(out: list[MessagePart], items: list[DescribedGroup]) -> None:
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
        write_described_group_member_v5_list(out, m.members)
        put(pack_ix(m.authorized_operations))


def write_describe_groups_response_v6(out: list[MessagePart], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_group_v6_list(out, m.groups)
    put(b"\0")


DescribeGroupsRequest.WRITERS = {
    0: write_describe_groups_request_v0,
    1: write_describe_groups_request_v0,
    2: write_describe_groups_request_v0,
    3: write_describe_groups_request_v3,
    4: write_describe_groups_request_v3,
    5: write_describe_groups_request_v5,
    6: write_describe_groups_request_v5,
}
DescribeGroupsResponse.WRITERS = {
    0: write_describe_groups_response_v0,
    1: write_describe_groups_response_v1,
    2: write_describe_groups_response_v1,
    3: write_describe_groups_response_v3,
    4: write_describe_groups_response_v4,
    5: write_describe_groups_response_v5,
    6: write_describe_groups_response_v6,
}
