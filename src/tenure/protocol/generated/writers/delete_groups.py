"""Generated from `tenure/protocol/tables/delete_groups.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_groups import (
    DeletableGroupResult,
    DeleteGroupsRequest,
    DeleteGroupsResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
    write_strings,
)

pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def write_delete_groups_request_v0(out: list[MessagePart], m: DeleteGroupsRequest) -> None:
    put = out.append
    put(pack_i(len(m.groups_names)))
    write_strings(out, m.groups_names)


def write_delete_groups_request_v2(out: list[MessagePart], m: DeleteGroupsRequest) -> None:
    put = out.append
    n = len(m.groups_names) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.groups_names)
    put(b"\0")


def write_deletable_group_result_v0_list(out: list[MessagePart], items: list[DeletableGroupResult]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_h(m.error_code))


def write_delete_groups_response_v0(out: list[MessagePart], m: DeleteGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_deletable_group_result_v0_list(out, m.results)


def write_deletable_group_result_v2_list(out: list[MessagePart], items: list[DeletableGroupResult]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hx(m.error_code))


def write_delete_groups_response_v2(out: list[MessagePart], m: DeleteGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_group_result_v2_list(out, m.results)
    put(b"\0")


def write_deletable_group_result_v3_list(out: list[MessagePart], items: list[DeletableGroupResult]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_delete_groups_response_v3(out: list[MessagePart], m: DeleteGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_group_result_v3_list(out, m.results)
    put(b"\0")


DeleteGroupsRequest.WRITERS = {
    0: write_delete_groups_request_v0,
    1: write_delete_groups_request_v0,
    2: write_delete_groups_request_v2,
    3: write_delete_groups_request_v2,
}
DeleteGroupsResponse.WRITERS = {
    0: write_delete_groups_response_v0,
    1: write_delete_groups_response_v0,
    2: write_delete_groups_response_v2,
    3: write_delete_groups_response_v3,
}
