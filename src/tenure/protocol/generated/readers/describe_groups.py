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
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_strings,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_Z: Final = Packer(">?").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_describe_groups_request_v0(data: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeGroupsRequest.groups is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups, at = read_strings(data, at, n)
    return DescribeGroupsRequest(groups), at


def read_describe_groups_request_v3(data: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeGroupsRequest.groups is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups, at = read_strings(data, at, n)
    (include_authorized_operations,) = unpack_Z(data, at)
    at += 1
    return DescribeGroupsRequest(groups, include_authorized_operations), at


def read_describe_groups_request_v5(data: bytes, at: int) -> tuple[DescribeGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeGroupsRequest.groups is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups, at = read_compact_strings(data, at, n, read_text_length)
    include_authorized_operations, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeGroupsRequest(groups, include_authorized_operations), at


def read_described_group_member_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroupMember], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[DescribedGroupMember] = []
    for _ in range(announced):
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


def read_described_group_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroup], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[DescribedGroup] = []
    for _ in range(announced):
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


def read_described_group_v3_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroup], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[DescribedGroup] = []
    for _ in range(announced):
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


def read_described_group_member_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroupMember], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[DescribedGroupMember] = []
    for _ in range(announced):
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


def read_described_group_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroup], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[DescribedGroup] = []
    for _ in range(announced):
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


def read_described_group_member_v5_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroupMember], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[DescribedGroupMember] = []
    for _ in range(announced):
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


def read_described_group_v5_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroup], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[DescribedGroup] = []
    for _ in range(announced):
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


def read_described_group_v6_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedGroup], int]:
    if announced * 13 > len(data) - at:
        raise too_many(announced, 13, data, at)
    found: list[DescribedGroup] = []
    for _ in range(announced):
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


DescribeGroupsRequest.READERS = {
    0: read_describe_groups_request_v0,
    1: read_describe_groups_request_v0,
    2: read_describe_groups_request_v0,
    3: read_describe_groups_request_v3,
    4: read_describe_groups_request_v3,
    5: read_describe_groups_request_v5,
    6: read_describe_groups_request_v5,
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
