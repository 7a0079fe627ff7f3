"""Generated from `tenure/protocol/tables/delete_groups.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_groups import (
    DeletableGroupResult,
    DeleteGroupsRequest,
    DeleteGroupsResponse,
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

unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_delete_groups_request_v0(data: bytes, at: int) -> tuple[DeleteGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DeleteGroupsRequest.groups_names is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups_names, at = read_strings(data, at, n)
    return DeleteGroupsRequest(groups_names), at


def read_delete_groups_request_v2(data: bytes, at: int) -> tuple[DeleteGroupsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteGroupsRequest.groups_names is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups_names, at = read_compact_strings(data, at, n, read_text_length)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DeleteGroupsRequest(groups_names), at


def read_deletable_group_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableGroupResult], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DeletableGroupResult] = []
    for _ in range(announced):
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


def read_deletable_group_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableGroupResult], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DeletableGroupResult] = []
    for _ in range(announced):
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


def read_deletable_group_result_v3_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableGroupResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DeletableGroupResult] = []
    for _ in range(announced):
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeletableGroupResult(group_id, error_code, error_message))
    return found, at


def read_delete_groups_response_v3(data: bytes, at: int) -> tuple[DeleteGroupsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteGroupsResponse.results is null")
    results, at = read_deletable_group_result_v3_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteGroupsResponse(throttle_time_ms, results), at


DeleteGroupsRequest.READERS = {
    0: read_delete_groups_request_v0,
    1: read_delete_groups_request_v0,
    2: read_delete_groups_request_v2,
    3: read_delete_groups_request_v2,
}
DeleteGroupsResponse.READERS = {
    0: read_delete_groups_response_v0,
    1: read_delete_groups_response_v0,
    2: read_delete_groups_response_v2,
    3: read_delete_groups_response_v3,
}
