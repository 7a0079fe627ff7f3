"""Generated from `tenure/protocol/tables/delete_acls.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_acls import (
    DeleteAclsFilter,
    DeleteAclsFilterResult,
    DeleteAclsMatchingAcl,
    DeleteAclsRequest,
    DeleteAclsResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_bB: Final = Packer(">bB").unpack_from
unpack_bb: Final = Packer(">bb").unpack_from
unpack_bbB: Final = Packer(">bbB").unpack_from
unpack_bh: Final = Packer(">bh").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_delete_acls_filter_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteAclsFilter], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[DeleteAclsFilter] = []
    for _ in range(announced):
        resource_type_filter, n = unpack_bh(data, at)
        at += 3
        if n >= 0:
            end = at + n
            resource_name_filter = utf8(data[at:end])
            at = end
        elif n == -1:
            resource_name_filter = None
        else:
            raise MalformedMessage("DeleteAclsFilter.resource_name_filter has a negative length")
        pattern_type_filter, n = unpack_bh(data, at)
        at += 3
        if n >= 0:
            end = at + n
            principal_filter = utf8(data[at:end])
            at = end
        elif n == -1:
            principal_filter = None
        else:
            raise MalformedMessage("DeleteAclsFilter.principal_filter has a negative length")
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            host_filter = utf8(data[at:end])
            at = end
        elif n == -1:
            host_filter = None
        else:
            raise MalformedMessage("DeleteAclsFilter.host_filter has a negative length")
        operation, permission_type = unpack_bb(data, at)
        at += 2
        found.append(DeleteAclsFilter(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type))
    return found, at


def read_delete_acls_request_v1(data: bytes, at: int) -> tuple[DeleteAclsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DeleteAclsRequest.filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    filters, at = read_delete_acls_filter_v1_list(data, at, n, elements)
    return DeleteAclsRequest(filters), at


def read_delete_acls_filter_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteAclsFilter], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[DeleteAclsFilter] = []
    for _ in range(announced):
        resource_type_filter, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            resource_name_filter = utf8(data[at:end])
            at = end
        else:
            resource_name_filter = None
        pattern_type_filter, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            principal_filter = utf8(data[at:end])
            at = end
        else:
            principal_filter = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            host_filter = utf8(data[at:end])
            at = end
        else:
            host_filter = None
        operation, permission_type, tags = unpack_bbB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DeleteAclsFilter(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type))
    return found, at


def read_delete_acls_request_v2(data: bytes, at: int) -> tuple[DeleteAclsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteAclsRequest.filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    filters, at = read_delete_acls_filter_v2_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DeleteAclsRequest(filters), at


def read_delete_acls_matching_acl_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteAclsMatchingAcl], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[DeleteAclsMatchingAcl] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("DeleteAclsMatchingAcl.error_message has a negative length")
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("DeleteAclsMatchingAcl.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        pattern_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("DeleteAclsMatchingAcl.principal is null")
        end = at + n
        principal = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DeleteAclsMatchingAcl.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        operation, permission_type = unpack_bb(data, at)
        at += 2
        found.append(DeleteAclsMatchingAcl(error_code, error_message, resource_type, resource_name, pattern_type, principal, host, operation, permission_type))
    return found, at


def read_delete_acls_filter_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteAclsFilterResult], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[DeleteAclsFilterResult] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("DeleteAclsFilterResult.error_message has a negative length")
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DeleteAclsFilterResult.matching_acls is null")
        matching_acls, at = read_delete_acls_matching_acl_v1_list(data, at, n)
        found.append(DeleteAclsFilterResult(error_code, error_message, matching_acls))
    return found, at


def read_delete_acls_response_v1(data: bytes, at: int) -> tuple[DeleteAclsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DeleteAclsResponse.filter_results is null")
    filter_results, at = read_delete_acls_filter_result_v1_list(data, at, n)
    return DeleteAclsResponse(throttle_time_ms, filter_results), at


def read_delete_acls_matching_acl_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteAclsMatchingAcl], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[DeleteAclsMatchingAcl] = []
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
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteAclsMatchingAcl.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        pattern_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteAclsMatchingAcl.principal is null")
        end = at + n
        principal = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteAclsMatchingAcl.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        operation, permission_type, tags = unpack_bbB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeleteAclsMatchingAcl(error_code, error_message, resource_type, resource_name, pattern_type, principal, host, operation, permission_type))
    return found, at


def read_delete_acls_filter_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteAclsFilterResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DeleteAclsFilterResult] = []
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
            raise MalformedMessage("DeleteAclsFilterResult.matching_acls is null")
        matching_acls, at = read_delete_acls_matching_acl_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeleteAclsFilterResult(error_code, error_message, matching_acls))
    return found, at


def read_delete_acls_response_v2(data: bytes, at: int) -> tuple[DeleteAclsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteAclsResponse.filter_results is null")
    filter_results, at = read_delete_acls_filter_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteAclsResponse(throttle_time_ms, filter_results), at


DeleteAclsRequest.READERS = {
    1: read_delete_acls_request_v1,
    2: read_delete_acls_request_v2,
    3: read_delete_acls_request_v2,
}
DeleteAclsResponse.READERS = {
    1: read_delete_acls_response_v1,
    2: read_delete_acls_response_v2,
    3: read_delete_acls_response_v2,
}
