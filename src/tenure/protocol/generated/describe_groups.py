"""Generated from `tenure/protocol/tables/describe_groups.py` by `python -m tenure.protocol.generate`."""

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
    read_compact_strings,
    read_strings,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
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
unpack_Z: Final = Packer(">?").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


class DescribeGroupsRequest(Message):
    __slots__ = ('groups', 'include_authorized_operations')
    KEY = 15

    def __init__(
        self,
        groups: list[GroupId] = EMPTY,
        include_authorized_operations: bool = False,
    ) -> None:
        self.groups: Final = [] if groups is EMPTY else groups
        self.include_authorized_operations: Final = include_authorized_operations


class DescribedGroupMember(Struct):
    __slots__ = ('member_id', 'group_instance_id', 'client_id', 'client_host', 'member_metadata', 'member_assignment')

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        client_id: str = "",
        client_host: str = "",
        member_metadata: bytes = b"",
        member_assignment: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.member_metadata: Final = member_metadata
        self.member_assignment: Final = member_assignment


class DescribedGroup(Struct):
    __slots__ = ('error_code', 'error_message', 'group_id', 'group_state', 'protocol_type', 'protocol_data', 'members', 'authorized_operations')

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: GroupId = GroupId(""),
        group_state: str = "",
        protocol_type: str = "",
        protocol_data: str = "",
        members: list[DescribedGroupMember] = EMPTY,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.protocol_type: Final = protocol_type
        self.protocol_data: Final = protocol_data
        self.members: Final = [] if members is EMPTY else members
        self.authorized_operations: Final = authorized_operations


class DescribeGroupsResponse(Message):
    __slots__ = ('throttle_time_ms', 'groups')
    KEY = 15

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribedGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = [] if groups is EMPTY else groups


def read_describe_groups_request_v0(data: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeGroupsRequest.groups is null")
    groups, at = read_strings(data, at, n)
    return DescribeGroupsRequest(groups), at


def read_describe_groups_request_v3(data: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeGroupsRequest.groups is null")
    groups, at = read_strings(data, at, n)
    (include_authorized_operations,) = unpack_Z(data, at)
    at += 1
    return DescribeGroupsRequest(groups, include_authorized_operations), at


def read_describe_groups_request_v5(data: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeGroupsRequest.groups is null")
    groups, at = read_compact_strings(data, at, n)
    include_authorized_operations, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeGroupsRequest(groups, include_authorized_operations), at


def read_described_group_member_v0_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroupMember], int]:
    if n * 14 > len(data) - at:
        raise too_many(n, 14, data, at)
    found: list[DescribedGroupMember] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_metadata is null")
        end = at + n
        member_metadata = data[at:end]
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_assignment is null")
        end = at + n
        member_assignment = data[at:end]
        at = end
        found.append(DescribedGroupMember(member_id, None, client_id, client_host, member_metadata, member_assignment))
    return found, at


def read_described_group_v0_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroup], int]:
    if n * 14 > len(data) - at:
        raise too_many(n, 14, data, at)
    found: list[DescribedGroup] = []
    for _ in range(n):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_data is null")
        end = at + n
        protocol_data = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroup.members is null")
        members, at = read_described_group_member_v0_list(data, at, n)
        found.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members))
    return found, at


def read_describe_groups_response_v0(data: bytes, at: int) -> tuple[DescribeGroupsResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeGroupsResponse.groups is null")
    groups, at = read_described_group_v0_list(data, at, n)
    return DescribeGroupsResponse(0, groups), at


def read_describe_groups_response_v1(data: bytes, at: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DescribeGroupsResponse.groups is null")
    groups, at = read_described_group_v0_list(data, at, n)
    return DescribeGroupsResponse(throttle_time_ms, groups), at


def read_described_group_v3_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroup], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[DescribedGroup] = []
    for _ in range(n):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_data is null")
        end = at + n
        protocol_data = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroup.members is null")
        members, at = read_described_group_member_v0_list(data, at, n)
        (authorized_operations,) = unpack_i(data, at)
        at += 4
        found.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    return found, at


def read_describe_groups_response_v3(data: bytes, at: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DescribeGroupsResponse.groups is null")
    groups, at = read_described_group_v3_list(data, at, n)
    return DescribeGroupsResponse(throttle_time_ms, groups), at


def read_described_group_member_v4_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroupMember], int]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    found: list[DescribedGroupMember] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_id is null")
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
            raise MalformedMessage("DescribedGroupMember.group_instance_id has a negative length")
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_metadata is null")
        end = at + n
        member_metadata = data[at:end]
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_assignment is null")
        end = at + n
        member_assignment = data[at:end]
        at = end
        found.append(DescribedGroupMember(member_id, group_instance_id, client_id, client_host, member_metadata, member_assignment))
    return found, at


def read_described_group_v4_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroup], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[DescribedGroup] = []
    for _ in range(n):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_data is null")
        end = at + n
        protocol_data = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedGroup.members is null")
        members, at = read_described_group_member_v4_list(data, at, n)
        (authorized_operations,) = unpack_i(data, at)
        at += 4
        found.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    return found, at


def read_describe_groups_response_v4(data: bytes, at: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DescribeGroupsResponse.groups is null")
    groups, at = read_described_group_v4_list(data, at, n)
    return DescribeGroupsResponse(throttle_time_ms, groups), at


def read_described_group_member_v5_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroupMember], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[DescribedGroupMember] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_id is null")
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
            raise MalformedMessage("DescribedGroupMember.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_metadata is null")
        end = at + n
        member_metadata = data[at:end]
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroupMember.member_assignment is null")
        end = at + n
        member_assignment = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedGroupMember(member_id, group_instance_id, client_id, client_host, member_metadata, member_assignment))
    return found, at


def read_described_group_v5_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroup], int]:
    if n * 12 > len(data) - at:
        raise too_many(n, 12, data, at)
    found: list[DescribedGroup] = []
    for _ in range(n):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_data is null")
        end = at + n
        protocol_data = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.members is null")
        members, at = read_described_group_member_v5_list(data, at, n)
        authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedGroup(error_code, None, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    return found, at


def read_describe_groups_response_v5(data: bytes, at: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeGroupsResponse.groups is null")
    groups, at = read_described_group_v5_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeGroupsResponse(throttle_time_ms, groups), at


def read_described_group_v6_list(data: bytes, at: int, n: int) -> tuple[list[DescribedGroup], int]:
    if n * 13 > len(data) - at:
        raise too_many(n, 13, data, at)
    found: list[DescribedGroup] = []
    for _ in range(n):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        else:
            error_message = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.protocol_data is null")
        end = at + n
        protocol_data = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedGroup.members is null")
        members, at = read_described_group_member_v5_list(data, at, n)
        authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedGroup(error_code, error_message, group_id, group_state, protocol_type, protocol_data, members, authorized_operations))
    return found, at


def read_describe_groups_response_v6(data: bytes, at: int) -> tuple[DescribeGroupsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeGroupsResponse.groups is null")
    groups, at = read_described_group_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeGroupsResponse(throttle_time_ms, groups), at


def write_describe_groups_request_v0(out: list[bytes], m: DescribeGroupsRequest) -> None:
    put = out.append
    if m.include_authorized_operations:
        raise UnsupportedVersion("DescribeGroupsRequest.include_authorized_operations exists in versions 3+ only")
    put(pack_i(len(m.groups)))
    write_strings(out, m.groups)


def write_describe_groups_request_v3(out: list[bytes], m: DescribeGroupsRequest) -> None:
    put = out.append
    put(pack_i(len(m.groups)))
    write_strings(out, m.groups)
    put(pack_Z(m.include_authorized_operations))


def write_describe_groups_request_v5(out: list[bytes], m: DescribeGroupsRequest) -> None:
    put = out.append
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.groups)
    put(pack_Zx(m.include_authorized_operations))


def write_described_group_member_v0_list(out: list[bytes], items: list[DescribedGroupMember]) -> None:
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


def write_described_group_v0_list(out: list[bytes], items: list[DescribedGroup]) -> None:
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


def write_describe_groups_response_v0(out: list[bytes], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_i(len(m.groups)))
    write_described_group_v0_list(out, m.groups)


def write_describe_groups_response_v1(out: list[bytes], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    write_described_group_v0_list(out, m.groups)


def write_described_group_v3_list(out: list[bytes], items: list[DescribedGroup]) -> None:
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


def write_describe_groups_response_v3(out: list[bytes], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    write_described_group_v3_list(out, m.groups)


def write_described_group_member_v4_list(out: list[bytes], items: list[DescribedGroupMember]) -> None:
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


def write_described_group_v4_list(out: list[bytes], items: list[DescribedGroup]) -> None:
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


def write_describe_groups_response_v4(out: list[bytes], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.groups)))
    write_described_group_v4_list(out, m.groups)


def write_described_group_member_v5_list(out: list[bytes], items: list[DescribedGroupMember]) -> None:
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


def write_described_group_v5_list(out: list[bytes], items: list[DescribedGroup]) -> None:
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


def write_describe_groups_response_v5(out: list[bytes], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_group_v5_list(out, m.groups)
    put(b"\0")


def write_described_group_v6_list(out: list[bytes], items: list[DescribedGroup]) -> None:
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


def write_describe_groups_response_v6(out: list[bytes], m: DescribeGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_group_v6_list(out, m.groups)
    put(b"\0")


DescribeGroupsRequest.READERS = {
    0: read_describe_groups_request_v0,
    1: read_describe_groups_request_v0,
    2: read_describe_groups_request_v0,
    3: read_describe_groups_request_v3,
    4: read_describe_groups_request_v3,
    5: read_describe_groups_request_v5,
    6: read_describe_groups_request_v5,
}
DescribeGroupsRequest.WRITERS = {
    0: write_describe_groups_request_v0,
    1: write_describe_groups_request_v0,
    2: write_describe_groups_request_v0,
    3: write_describe_groups_request_v3,
    4: write_describe_groups_request_v3,
    5: write_describe_groups_request_v5,
    6: write_describe_groups_request_v5,
}
DescribeGroupsResponse.READERS = {
    0: read_describe_groups_response_v0,
    1: read_describe_groups_response_v1,
    2: read_describe_groups_response_v1,
    3: read_describe_groups_response_v3,
    4: read_describe_groups_response_v4,
    5: read_describe_groups_response_v5,
    6: read_describe_groups_response_v6,
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
