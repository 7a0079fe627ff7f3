"""Generated from `tenure/protocol/tables/delete_groups.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
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

pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


class DeleteGroupsRequest(Message):
    __slots__ = ('groups_names',)
    KEY = 42

    def __init__(
        self,
        groups_names: list[GroupId] = EMPTY,
    ) -> None:
        self.groups_names: Final = [] if groups_names is EMPTY else groups_names


class DeletableGroupResult(Struct):
    __slots__ = ('group_id', 'error_code')

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        error_code: int = 0,
    ) -> None:
        self.group_id: Final = group_id
        self.error_code: Final = error_code


class DeleteGroupsResponse(Message):
    __slots__ = ('throttle_time_ms', 'results')
    KEY = 42

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[DeletableGroupResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results


def read_delete_groups_request_v0(data: bytes, at: int) -> tuple[DeleteGroupsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DeleteGroupsRequest.groups_names is null")
    groups_names, at = read_strings(data, at, n)
    return DeleteGroupsRequest(groups_names), at


def read_delete_groups_request_v2(data: bytes, at: int) -> tuple[DeleteGroupsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteGroupsRequest.groups_names is null")
    groups_names, at = read_compact_strings(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteGroupsRequest(groups_names), at


def read_deletable_group_result_v0_list(data: bytes, at: int, n: int) -> tuple[list[DeletableGroupResult], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[DeletableGroupResult] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DeletableGroupResult.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        (error_code,) = unpack_h(data, at)
        at += 2
        found.append(DeletableGroupResult(group_id, error_code))
    return found, at


def read_delete_groups_response_v0(data: bytes, at: int) -> tuple[DeleteGroupsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DeleteGroupsResponse.results is null")
    results, at = read_deletable_group_result_v0_list(data, at, n)
    return DeleteGroupsResponse(throttle_time_ms, results), at


def read_deletable_group_result_v2_list(data: bytes, at: int, n: int) -> tuple[list[DeletableGroupResult], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[DeletableGroupResult] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeletableGroupResult.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeletableGroupResult(group_id, error_code))
    return found, at


def read_delete_groups_response_v2(data: bytes, at: int) -> tuple[DeleteGroupsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteGroupsResponse.results is null")
    results, at = read_deletable_group_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteGroupsResponse(throttle_time_ms, results), at


def write_delete_groups_request_v0(out: list[bytes], m: DeleteGroupsRequest) -> None:
    put = out.append
    put(pack_i(len(m.groups_names)))
    write_strings(out, m.groups_names)


def write_delete_groups_request_v2(out: list[bytes], m: DeleteGroupsRequest) -> None:
    put = out.append
    n = len(m.groups_names) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.groups_names)
    put(b"\0")


def write_deletable_group_result_v0_list(out: list[bytes], items: list[DeletableGroupResult]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_h(m.error_code))


def write_delete_groups_response_v0(out: list[bytes], m: DeleteGroupsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_deletable_group_result_v0_list(out, m.results)


def write_deletable_group_result_v2_list(out: list[bytes], items: list[DeletableGroupResult]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hx(m.error_code))


def write_delete_groups_response_v2(out: list[bytes], m: DeleteGroupsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_group_result_v2_list(out, m.results)
    put(b"\0")


DeleteGroupsRequest.READERS = {
    0: read_delete_groups_request_v0,
    1: read_delete_groups_request_v0,
    2: read_delete_groups_request_v2,
}
DeleteGroupsRequest.WRITERS = {
    0: write_delete_groups_request_v0,
    1: write_delete_groups_request_v0,
    2: write_delete_groups_request_v2,
}
DeleteGroupsResponse.READERS = {
    0: read_delete_groups_response_v0,
    1: read_delete_groups_response_v0,
    2: read_delete_groups_response_v2,
}
DeleteGroupsResponse.WRITERS = {
    0: write_delete_groups_response_v0,
    1: write_delete_groups_response_v0,
    2: write_delete_groups_response_v2,
}
