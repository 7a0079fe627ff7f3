"""Generated from `tenure/protocol/tables/list_groups.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_groups import (
    ListGroupsRequest,
    ListGroupsResponse,
    ListedGroup,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from


def read_list_groups_request_v0(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    return ListGroupsRequest(), at


def read_list_groups_request_v3(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return ListGroupsRequest(), at


def read_list_groups_request_v4(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsRequest.states_filter is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    states_filter, at = read_compact_strings(data, at, n, read_text_length)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListGroupsRequest(states_filter), at


def read_list_groups_request_v5(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsRequest.states_filter is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    states_filter, at = read_compact_strings(data, at, n, read_text_length)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsRequest.types_filter is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    types_filter, at = read_compact_strings(data, at, n, read_text_length)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListGroupsRequest(states_filter, types_filter), at


def read_listed_group_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ListedGroup], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[ListedGroup] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        found.append(ListedGroup(group_id, protocol_type))
    return found, at


def read_list_groups_response_v0(data: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    error_code, n = unpack_hi(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("ListGroupsResponse.groups is null")
    groups, at = read_listed_group_v0_list(data, at, n)
    return ListGroupsResponse(0, error_code, groups), at


def read_list_groups_response_v1(data: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihi(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("ListGroupsResponse.groups is null")
    groups, at = read_listed_group_v0_list(data, at, n)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), at


def read_listed_group_v3_list(data: bytes, at: int, announced: int) -> tuple[list[ListedGroup], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ListedGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListedGroup(group_id, protocol_type))
    return found, at


def read_list_groups_response_v3(data: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsResponse.groups is null")
    groups, at = read_listed_group_v3_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), at


def read_listed_group_v4_list(data: bytes, at: int, announced: int) -> tuple[list[ListedGroup], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[ListedGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListedGroup(group_id, protocol_type, group_state))
    return found, at


def read_list_groups_response_v4(data: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsResponse.groups is null")
    groups, at = read_listed_group_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), at


def read_listed_group_v5_list(data: bytes, at: int, announced: int) -> tuple[list[ListedGroup], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[ListedGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.protocol_type is null")
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedGroup.group_type is null")
        end = at + n
        group_type = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListedGroup(group_id, protocol_type, group_state, group_type))
    return found, at


def read_list_groups_response_v5(data: bytes, at: int) -> tuple[ListGroupsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsResponse.groups is null")
    groups, at = read_listed_group_v5_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListGroupsResponse(throttle_time_ms, error_code, groups), at


ListGroupsRequest.READERS = {
    0: read_list_groups_request_v0,
    1: read_list_groups_request_v0,
    2: read_list_groups_request_v0,
    3: read_list_groups_request_v3,
    4: read_list_groups_request_v4,
    5: read_list_groups_request_v5,
}
ListGroupsResponse.READERS = {
    0: read_list_groups_response_v0,
    1: read_list_groups_response_v1,
    2: read_list_groups_response_v1,
    3: read_list_groups_response_v3,
    4: read_list_groups_response_v4,
    5: read_list_groups_response_v5,
}
