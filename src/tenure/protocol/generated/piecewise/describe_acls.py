"""Generated from `tenure/protocol/tables/describe_acls.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_acls import (
    DescribeAclsResource,
    DescribeAclsResponse,
)
from tenure.protocol.generated.writers.describe_acls import (
    write_acl_description_v1_list,
    write_acl_description_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_b: Final = Packer(">b").pack
pack_bh: Final = Packer(">bh").pack
pack_bi: Final = Packer(">bi").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihh: Final = Packer(">ihh").pack


def pieces_of_describe_acls_resource_v1_list(out: list[MessagePart], items: list[DescribeAclsResource]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        put(pack_bi(m.pattern_type, len(m.acls)))
        for start in range(0, len(m.acls), 256):
            write_acl_description_v1_list(out, m.acls[start : start + 256])
            yield
        yield


def pieces_of_describe_acls_response_v1(out: list[MessagePart], m: DescribeAclsResponse) -> Iterator[None]:
    put = out.append
    if m.error_message is None:
        put(pack_ihh(m.throttle_time_ms, m.error_code, -1))
    else:
        text = m.error_message.encode()
        put(pack_ihh(m.throttle_time_ms, m.error_code, len(text)))
        put(text)
    put(pack_i(len(m.resources)))
    yield from pieces_of_describe_acls_resource_v1_list(out, m.resources)


def pieces_of_describe_acls_resource_v2_list(out: list[MessagePart], items: list[DescribeAclsResource]) -> Iterator[None]:
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
        for start in range(0, len(m.acls), 256):
            write_acl_description_v2_list(out, m.acls[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_acls_response_v2(out: list[MessagePart], m: DescribeAclsResponse) -> Iterator[None]:
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
    yield from pieces_of_describe_acls_resource_v2_list(out, m.resources)
    put(b"\0")


DescribeAclsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_describe_acls_response_v1,
    2: pieces_of_describe_acls_response_v2,
    3: pieces_of_describe_acls_response_v2,
}
