"""Generated from `tenure/protocol/tables/create_acls.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_acls import (
    AclCreation,
    AclCreationResult,
    CreateAclsRequest,
    CreateAclsResponse,
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


def read_acl_creation_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AclCreation], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[AclCreation] = []
    for _ in range(announced):
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("AclCreation.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        resource_pattern_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("AclCreation.principal is null")
        end = at + n
        principal = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AclCreation.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        operation, permission_type = unpack_bb(data, at)
        at += 2
        found.append(AclCreation(resource_type, resource_name, resource_pattern_type, principal, host, operation, permission_type))
    return found, at


def read_create_acls_request_v1(data: bytes, at: int) -> tuple[CreateAclsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreateAclsRequest.creations is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    creations, at = read_acl_creation_v1_list(data, at, n, elements)
    return CreateAclsRequest(creations), at


def read_acl_creation_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AclCreation], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[AclCreation] = []
    for _ in range(announced):
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AclCreation.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        resource_pattern_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AclCreation.principal is null")
        end = at + n
        principal = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AclCreation.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        operation, permission_type, tags = unpack_bbB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AclCreation(resource_type, resource_name, resource_pattern_type, principal, host, operation, permission_type))
    return found, at


def read_create_acls_request_v2(data: bytes, at: int) -> tuple[CreateAclsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateAclsRequest.creations is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    creations, at = read_acl_creation_v2_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return CreateAclsRequest(creations), at


def read_acl_creation_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[AclCreationResult], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[AclCreationResult] = []
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
            raise MalformedMessage("AclCreationResult.error_message has a negative length")
        found.append(AclCreationResult(error_code, error_message))
    return found, at


def read_create_acls_response_v1(data: bytes, at: int) -> tuple[CreateAclsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("CreateAclsResponse.results is null")
    results, at = read_acl_creation_result_v1_list(data, at, n)
    return CreateAclsResponse(throttle_time_ms, results), at


def read_acl_creation_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[AclCreationResult], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[AclCreationResult] = []
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AclCreationResult(error_code, error_message))
    return found, at


def read_create_acls_response_v2(data: bytes, at: int) -> tuple[CreateAclsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateAclsResponse.results is null")
    results, at = read_acl_creation_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return CreateAclsResponse(throttle_time_ms, results), at


CreateAclsRequest.READERS = {
    1: read_create_acls_request_v1,
    2: read_create_acls_request_v2,
    3: read_create_acls_request_v2,
}
CreateAclsResponse.READERS = {
    1: read_create_acls_response_v1,
    2: read_create_acls_response_v2,
    3: read_create_acls_response_v2,
}
