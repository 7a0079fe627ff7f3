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
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def write_acl_creation_v1_list(out: list[MessagePart], items: list[AclCreation]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        text = m.principal.encode()
        put(pack_bh(m.resource_pattern_type, len(text)))
        put(text)
        text = m.host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_bb(m.operation, m.permission_type))


def write_create_acls_request_v1(out: list[MessagePart], m: CreateAclsRequest) -> None:
    put = out.append
    put(pack_i(len(m.creations)))
    write_acl_creation_v1_list(out, m.creations)


def write_acl_creation_v2_list(out: list[MessagePart], items: list[AclCreation]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.principal.encode()
        put(pack_b(m.resource_pattern_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_bbx(m.operation, m.permission_type))


def write_create_acls_request_v2(out: list[MessagePart], m: CreateAclsRequest) -> None:
    put = out.append
    n = len(m.creations) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_acl_creation_v2_list(out, m.creations)
    put(b"\0")


def write_acl_creation_result_v1_list(out: list[MessagePart], items: list[AclCreationResult]) -> None:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)


def write_create_acls_response_v1(out: list[MessagePart], m: CreateAclsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_acl_creation_result_v1_list(out, m.results)


def write_acl_creation_result_v2_list(out: list[MessagePart], items: list[AclCreationResult]) -> None:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_create_acls_response_v2(out: list[MessagePart], m: CreateAclsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_acl_creation_result_v2_list(out, m.results)
    put(b"\0")


CreateAclsRequest.WRITERS = {
    1: write_create_acls_request_v1,
    2: write_create_acls_request_v2,
    3: write_create_acls_request_v2,
}
CreateAclsResponse.WRITERS = {
    1: write_create_acls_response_v1,
    2: write_create_acls_response_v2,
    3: write_create_acls_response_v2,
}
