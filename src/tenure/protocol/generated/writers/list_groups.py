"""Generated from `tenure/protocol/tables/list_groups.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_groups import (
    ListGroupsRequest,
    ListGroupsResponse,
    ListedGroup,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
)

pack_h: Final = Packer(">h").pack
pack_hi: Final = Packer(">hi").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack


def write_list_groups_request_v0(out: list[MessagePart], m: ListGroupsRequest) -> None:
    put = out.append
    if m.states_filter:
        raise UnsupportedVersion("ListGroupsRequest.states_filter exists in versions 4+ only")
    if m.types_filter:
        raise UnsupportedVersion("ListGroupsRequest.types_filter exists in versions 5+ only")


def write_list_groups_request_v3(out: list[MessagePart], m: ListGroupsRequest) -> None:
    put = out.append
    if m.states_filter:
        raise UnsupportedVersion("ListGroupsRequest.states_filter exists in versions 4+ only")
    if m.types_filter:
        raise UnsupportedVersion("ListGroupsRequest.types_filter exists in versions 5+ only")
    put(b"\0")


def write_list_groups_request_v4(out: list[MessagePart], m: ListGroupsRequest) -> None:
    put = out.append
    if m.types_filter:
        raise UnsupportedVersion("ListGroupsRequest.types_filter exists in versions 5+ only")
    n = len(m.states_filter) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.states_filter)
    put(b"\0")


def write_list_groups_request_v5(out: list[MessagePart], m: ListGroupsRequest) -> None:
    put = out.append
    n = len(m.states_filter) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.states_filter)
    n = len(m.types_filter) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.types_filter)
    put(b"\0")


def write_listed_group_v0_list(out: list[MessagePart], items: list[ListedGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.protocol_type.encode()
        put(pack_h(len(text)))
        put(text)


def write_list_groups_response_v0(out: list[MessagePart], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.groups)))
    write_listed_group_v0_list(out, m.groups)


def write_list_groups_response_v1(out: list[MessagePart], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.groups)))
    write_listed_group_v0_list(out, m.groups)


def write_listed_group_v3_list(out: list[MessagePart], items: list[ListedGroup]) -> None:
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


def write_list_groups_response_v3(out: list[MessagePart], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_group_v3_list(out, m.groups)
    put(b"\0")


def write_listed_group_v4_list(out: list[MessagePart], items: list[ListedGroup]) -> None:
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


def write_list_groups_response_v4(out: list[MessagePart], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_group_v4_list(out, m.groups)
    put(b"\0")


def write_listed_group_v5_list(out: list[MessagePart], items: list[ListedGroup]) -> None:
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


def write_list_groups_response_v5(out: list[MessagePart], m: ListGroupsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_group_v5_list(out, m.groups)
    put(b"\0")


ListGroupsRequest.WRITERS = {
    0: write_list_groups_request_v0,
    1: write_list_groups_request_v0,
    2: write_list_groups_request_v0,
    3: write_list_groups_request_v3,
    4: write_list_groups_request_v4,
    5: write_list_groups_request_v5,
}
ListGroupsResponse.WRITERS = {
    0: write_list_groups_response_v0,
    1: write_list_groups_response_v1,
    2: write_list_groups_response_v1,
    3: write_list_groups_response_v3,
    4: write_list_groups_response_v4,
    5: write_list_groups_response_v5,
}
