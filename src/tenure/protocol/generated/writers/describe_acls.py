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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_b: Final = Packer(">b").pack
pack_bb: Final = Packer(">bb").pack
pack_bbx: Final = Packer(">bbx").pack
pack_bh: Final = Packer(">bh").pack
pack_bi: Final = Packer(">bi").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihh: Final = Packer(">ihh").pack


def write_describe_acls_request_v1(out: list[MessagePart], m: DescribeAclsRequest) -> None:
    put = out.append
    if m.resource_name_filter is None:
        put(pack_bh(m.resource_type_filter, -1))
    else:
        text = m.resource_name_filter.encode()
        put(pack_bh(m.resource_type_filter, len(text)))
        put(text)
    if m.principal_filter is None:
        put(pack_bh(m.pattern_type_filter, -1))
    else:
        text = m.principal_filter.encode()
        put(pack_bh(m.pattern_type_filter, len(text)))
        put(text)
    if m.host_filter is None:
        put(pack_h(-1))
    else:
        text = m.host_filter.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_bb(m.operation, m.permission_type))


def write_describe_acls_request_v2(out: list[MessagePart], m: DescribeAclsRequest) -> None:
    put = out.append
    put(pack_b(m.resource_type_filter))
    if m.resource_name_filter is None:
        put(b"\0")
    else:
        text = m.resource_name_filter.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_b(m.pattern_type_filter))
    if m.principal_filter is None:
        put(b"\0")
    else:
        text = m.principal_filter.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.host_filter is None:
        put(b"\0")
    else:
        text = m.host_filter.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_bbx(m.operation, m.permission_type))


def write_acl_description_v1_list(out: list[MessagePart], items: list[AclDescription]) -> None:
    put = out.append
    for m in items:
        text = m.principal.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_bb(m.operation, m.permission_type))


def write_describe_acls_resource_v1_list(out: list[MessagePart], items: list[DescribeAclsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        put(pack_bi(m.pattern_type, len(m.acls)))
        write_acl_description_v1_list(out, m.acls)


def write_describe_acls_response_v1(out: list[MessagePart], m: DescribeAclsResponse) -> None:
    put = out.append
    if m.error_message is None:
        put(pack_ihh(m.throttle_time_ms, m.error_code, -1))
    else:
        text = m.error_message.encode()
        put(pack_ihh(m.throttle_time_ms, m.error_code, len(text)))
        put(text)
    put(pack_i(len(m.resources)))
    write_describe_acls_resource_v1_list(out, m.resources)


def write_acl_description_v2_list(out: list[MessagePart], items: list[AclDescription]) -> None:
    put = out.append
    for m in items:
        text = m.principal.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_bbx(m.operation, m.permission_type))


def write_describe_acls_resource_v2_list(out: list[MessagePart], items: list[DescribeAclsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_b(m.pattern_type))
        n = len(m.acls) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_acl_description_v2_list(out, m.acls)
        put(b"\0")


def write_describe_acls_response_v2(out: list[MessagePart], m: DescribeAclsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_acls_resource_v2_list(out, m.resources)
    put(b"\0")


DescribeAclsRequest.WRITERS = {
    1: write_describe_acls_request_v1,
    2: write_describe_acls_request_v2,
    3: write_describe_acls_request_v2,
}
DescribeAclsResponse.WRITERS = {
    1: write_describe_acls_response_v1,
    2: write_describe_acls_response_v2,
    3: write_describe_acls_response_v2,
}
