"""Generated from `tenure/protocol/tables/describe_acls.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_acls import (
    AclDescription,
    DescribeAclsRequest,
    DescribeAclsResource,
    DescribeAclsResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
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
unpack_bi: Final = Packer(">bi").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihh: Final = Packer(">ihh").unpack_from


def read_describe_acls_request_v1(data: bytes, at: int) -> tuple[DescribeAclsRequest, int]:
    resource_type_filter, n = unpack_bh(data, at)
    at += 3
    if n >= 0:
        end = at + n
        resource_name_filter = utf8(data[at:end])
        at = end
    elif n == -1:
        resource_name_filter = None
    else:
        raise MalformedMessage("DescribeAclsRequest.resource_name_filter has a negative length")
    pattern_type_filter, n = unpack_bh(data, at)
    at += 3
    if n >= 0:
        end = at + n
        principal_filter = utf8(data[at:end])
        at = end
    elif n == -1:
        principal_filter = None
    else:
        raise MalformedMessage("DescribeAclsRequest.principal_filter has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        host_filter = utf8(data[at:end])
        at = end
    elif n == -1:
        host_filter = None
    else:
        raise MalformedMessage("DescribeAclsRequest.host_filter has a negative length")
    operation, permission_type = unpack_bb(data, at)
    at += 2
    return DescribeAclsRequest(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type), at


def read_describe_acls_request_v2(data: bytes, at: int) -> tuple[DescribeAclsRequest, int]:
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
        at = skip_tags(data, at - 1, Elements())
    return DescribeAclsRequest(resource_type_filter, resource_name_filter, pattern_type_filter, principal_filter, host_filter, operation, permission_type), at


def read_acl_description_v1_list(data: bytes, at: int, announced: int) -> tuple[list[AclDescription], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AclDescription] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AclDescription.principal is null")
        end = at + n
        principal = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AclDescription.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        operation, permission_type = unpack_bb(data, at)
        at += 2
        found.append(AclDescription(principal, host, operation, permission_type))
    return found, at


def read_describe_acls_resource_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeAclsResource], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[DescribeAclsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("DescribeAclsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        pattern_type, n = unpack_bi(data, at)
        at += 5
        if n < 0:
            raise MalformedMessage("DescribeAclsResource.acls is null")
        acls, at = read_acl_description_v1_list(data, at, n)
        found.append(DescribeAclsResource(resource_type, resource_name, pattern_type, acls))
    return found, at


def read_describe_acls_response_v1(data: bytes, at: int) -> tuple[DescribeAclsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihh(data, at)
    at += 8
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    elif n == -1:
        error_message = None
    else:
        raise MalformedMessage("DescribeAclsResponse.error_message has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeAclsResponse.resources is null")
    resources, at = read_describe_acls_resource_v1_list(data, at, n)
    return DescribeAclsResponse(throttle_time_ms, error_code, error_message, resources), at


def read_acl_description_v2_list(data: bytes, at: int, announced: int) -> tuple[list[AclDescription], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[AclDescription] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AclDescription.principal is null")
        end = at + n
        principal = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AclDescription.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        operation, permission_type, tags = unpack_bbB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AclDescription(principal, host, operation, permission_type))
    return found, at


def read_describe_acls_resource_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeAclsResource], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DescribeAclsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeAclsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        pattern_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeAclsResource.acls is null")
        acls, at = read_acl_description_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeAclsResource(resource_type, resource_name, pattern_type, acls))
    return found, at


def read_describe_acls_response_v2(data: bytes, at: int) -> tuple[DescribeAclsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
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
        raise MalformedMessage("DescribeAclsResponse.resources is null")
    resources, at = read_describe_acls_resource_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeAclsResponse(throttle_time_ms, error_code, error_message, resources), at


DescribeAclsRequest.READERS = {
    1: read_describe_acls_request_v1,
    2: read_describe_acls_request_v2,
    3: read_describe_acls_request_v2,
}
DescribeAclsResponse.READERS = {
    1: read_describe_acls_response_v1,
    2: read_describe_acls_response_v2,
    3: read_describe_acls_response_v2,
}
