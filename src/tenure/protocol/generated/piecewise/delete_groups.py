"""Generated from `tenure/protocol/tables/delete_groups.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_groups import (
    DeleteGroupsResponse,
)
from tenure.protocol.generated.writers.delete_groups import (
    write_deletable_group_result_v0_list,
    write_deletable_group_result_v2_list,
    write_deletable_group_result_v3_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_delete_groups_response_v0(out: list[MessagePart], m: DeleteGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    for start in range(0, len(m.results), 256):
        write_deletable_group_result_v0_list(out, m.results[start : start + 256])
        yield


def pieces_of_delete_groups_response_v2(out: list[MessagePart], m: DeleteGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.results), 256):
        write_deletable_group_result_v2_list(out, m.results[start : start + 256])
        yield
    put(b"\0")


def pieces_of_delete_groups_response_v3(out: list[MessagePart], m: DeleteGroupsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.results), 256):
        write_deletable_group_result_v3_list(out, m.results[start : start + 256])
        yield
    put(b"\0")


DeleteGroupsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_delete_groups_response_v0,
    1: pieces_of_delete_groups_response_v0,
    2: pieces_of_delete_groups_response_v2,
    3: pieces_of_delete_groups_response_v3,
}
