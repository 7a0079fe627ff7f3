"""Generated from `tenure/protocol/tables/list_groups.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_groups import (
    ListGroupsResponse,
)
from tenure.protocol.generated.writers.list_groups import (
    write_listed_group_v0_list,
    write_listed_group_v3_list,
    write_listed_group_v4_list,
    write_listed_group_v5_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_hi: Final = Packer(">hi").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack


def pieces_of_list_groups_response_v0(out: list[MessagePart], m: ListGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_hi(m.error_code, len(m.groups)))
    for start in range(0, len(m.groups), 256):
        write_listed_group_v0_list(out, m.groups[start : start + 256])
        yield


def pieces_of_list_groups_response_v1(out: list[MessagePart], m: ListGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.groups)))
    for start in range(0, len(m.groups), 256):
        write_listed_group_v0_list(out, m.groups[start : start + 256])
        yield


def pieces_of_list_groups_response_v3(out: list[MessagePart], m: ListGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.groups), 256):
        write_listed_group_v3_list(out, m.groups[start : start + 256])
        yield
    put(b"\0")


def pieces_of_list_groups_response_v4(out: list[MessagePart], m: ListGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.groups), 256):
        write_listed_group_v4_list(out, m.groups[start : start + 256])
        yield
    put(b"\0")


def pieces_of_list_groups_response_v5(out: list[MessagePart], m: ListGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.groups), 256):
        write_listed_group_v5_list(out, m.groups[start : start + 256])
        yield
    put(b"\0")


ListGroupsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_list_groups_response_v0,
    1: pieces_of_list_groups_response_v1,
    2: pieces_of_list_groups_response_v1,
    3: pieces_of_list_groups_response_v3,
    4: pieces_of_list_groups_response_v4,
    5: pieces_of_list_groups_response_v5,
}
