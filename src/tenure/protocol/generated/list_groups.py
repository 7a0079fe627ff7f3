"""Generated from `tenure/protocol/tables/list_groups.py` by `python -m tenure.protocol.generate`."""

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
)
from tenure.protocol.wire import (
    UVARINT,
    read_compact_strings,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
    write_compact_strings,
)

pack_h: Final = Packer(">h").pack
pack_hi: Final = Packer(">hi").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from


class ListGroupsRequest(Message):
    __slots__ = ('states_filter', 'types_filter')
    KEY = 16

    def __init__(
        self,
        states_filter: list[str] = EMPTY,
        types_filter: list[str] = EMPTY,
    ) -> None:
        self.states_filter: Final = [] if states_filter is EMPTY else states_filter
        self.types_filter: Final = [] if types_filter is EMPTY else types_filter


class ListedGroup(Struct):
    __slots__ = ('group_id', 'protocol_type', 'group_state', 'group_type')

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        protocol_type: str = "",
        group_state: str = "",
        group_type: str = "",
    ) -> None:
        self.group_id: Final = group_id
        self.protocol_type: Final = protocol_type
        self.group_state: Final = group_state
        self.group_type: Final = group_type


class ListGroupsResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code', 'groups')
    KEY = 16

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: list[ListedGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.groups: Final = [] if groups is EMPTY else groups


def read_list_groups_request_v0(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    return ListGroupsRequest(), at


def read_list_groups_request_v3(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListGroupsRequest(), at


def read_list_groups_request_v4(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsRequest.states_filter is null")
    states_filter, at = read_compact_strings(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListGroupsRequest(states_filter), at


def read_list_groups_request_v5(data: bytes, at: int) -> tuple[ListGroupsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsRequest.states_filter is null")
    states_filter, at = read_compact_strings(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListGroupsRequest.types_filter is null")
    types_filter, at = read_compact_strings(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListGroupsRequest(states_filter, types_filter), at


def read_listed_group_v0_list(data: bytes, at: int, n: int) -> tuple[list[ListedGroup], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[ListedGroup] = []
    for _ in range(n):
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


def read_listed_group_v3_list(data: bytes, at: int, n: int) -> tuple[list[ListedGroup], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[ListedGroup] = []
    for _ in range(n):
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


def read_listed_group_v4_list(data: bytes, at: int, n: int) -> tuple[list[ListedGroup], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[ListedGroup] = []
    for _ in range(n):
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


def read_listed_group_v5_list(data: bytes, at: int, n: int) -> tuple[list[ListedGroup], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[ListedGroup] = []
    for _ in range(n):
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


def write_list_groups_request_v0(out: list[bytes], m: ListGroupsRequest) -> None:
    put = out.append
    if m.states_filter:
        raise UnsupportedVersion("ListGroupsRequest.states_filter exists in versions 4+ only")
    if m.types_filter:
        raise UnsupportedVersion("ListGroupsRequest.types_filter exists in versions 5+ only")


def write_list_groups_request_v3(out: list[bytes], m: ListGroupsRequest) -> None:
    put = out.append
    if m.states_filter:
        raise UnsupportedVersion("ListGroupsRequest.states_filter exists in versions 4+ only")
    if m.types_filter:
        raise UnsupportedVersion("ListGroupsRequest.types_filter exists in versions 5+ only")
    put(b"\0")


def write_list_groups_request_v4(out: list[bytes], m: ListGroupsRequest) -> None:
    put = out.append
    if m.types_filter:
        raise UnsupportedVersion("ListGroupsRequest.types_filter exists in versions 5+ only")
    n = len(m.states_filter) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.states_filter)
    put(b"\0")


def write_list_groups_request_v5(out: list[bytes], m: ListGroupsRequest) -> None:
    put = out.append
    n = len(m.states_filter) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.states_filter)
    n = len(m.types_filter) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.types_filter)
    put(b"\0")


def write_listed_group_v0_list(out: list[bytes], items: list[ListedGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_type.encode()
        put(pack_h(len(text)))
        put(text)


def write_list_groups_response_v0(out: list[bytes], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.groups)))
    write_listed_group_v0_list(out, m.groups)


def write_list_groups_response_v1(out: list[bytes], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.groups)))
    write_listed_group_v0_list(out, m.groups)


def write_listed_group_v3_list(out: list[bytes], items: list[ListedGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_list_groups_response_v3(out: list[bytes], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_group_v3_list(out, m.groups)
    put(b"\0")


def write_listed_group_v4_list(out: list[bytes], items: list[ListedGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_list_groups_response_v4(out: list[bytes], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_group_v4_list(out, m.groups)
    put(b"\0")


def write_listed_group_v5_list(out: list[bytes], items: list[ListedGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.protocol_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_list_groups_response_v5(out: list[bytes], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_group_v5_list(out, m.groups)
    put(b"\0")


ListGroupsRequest.READERS = {
    0: read_list_groups_request_v0,
    1: read_list_groups_request_v0,
    2: read_list_groups_request_v0,
    3: read_list_groups_request_v3,
    4: read_list_groups_request_v4,
    5: read_list_groups_request_v5,
}
ListGroupsRequest.WRITERS = {
    0: write_list_groups_request_v0,
    1: write_list_groups_request_v0,
    2: write_list_groups_request_v0,
    3: write_list_groups_request_v3,
    4: write_list_groups_request_v4,
    5: write_list_groups_request_v5,
}
ListGroupsResponse.READERS = {
    0: read_list_groups_response_v0,
    1: read_list_groups_response_v1,
    2: read_list_groups_response_v1,
    3: read_list_groups_response_v3,
    4: read_list_groups_response_v4,
    5: read_list_groups_response_v5,
}
ListGroupsResponse.WRITERS = {
    0: write_list_groups_response_v0,
    1: write_list_groups_response_v1,
    2: write_list_groups_response_v1,
    3: write_list_groups_response_v3,
    4: write_list_groups_response_v4,
    5: write_list_groups_response_v5,
}
