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


def write_delete_acls_filter_v1_list(out: list[MessagePart], items: list[DeleteAclsFilter]) -> None:
    put = out.append
    for m in items:
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


def write_delete_acls_request_v1(out: list[MessagePart], m: DeleteAclsRequest) -> None:
    put = out.append
    put(pack_i(len(m.filters)))
    write_delete_acls_filter_v1_list(out, m.filters)


def write_delete_acls_filter_v2_list(out: list[MessagePart], items: list[DeleteAclsFilter]) -> None:
    put = out.append
    for m in items:
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


def write_delete_acls_request_v2(out: list[MessagePart], m: DeleteAclsRequest) -> None:
    put = out.append
    n = len(m.filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_delete_acls_filter_v2_list(out, m.filters)
    put(b"\0")


def write_delete_acls_matching_acl_v1_list(out: list[MessagePart], items: list[DeleteAclsMatchingAcl]) -> None:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        text = m.principal.encode()
        put(pack_bh(m.pattern_type, len(text)))
        put(text)
        text = m.host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_bb(m.operation, m.permission_type))


def write_delete_acls_filter_result_v1_list(out: list[MessagePart], items: list[DeleteAclsFilterResult]) -> None:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)
        put(pack_i(len(m.matching_acls)))
        write_delete_acls_matching_acl_v1_list(out, m.matching_acls)


def write_delete_acls_response_v1(out: list[MessagePart], m: DeleteAclsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.filter_results)))
    write_delete_acls_filter_result_v1_list(out, m.filter_results)


def write_delete_acls_matching_acl_v2_list(out: list[MessagePart], items: list[DeleteAclsMatchingAcl]) -> None:
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
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.principal.encode()
        put(pack_b(m.pattern_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_bbx(m.operation, m.permission_type))


def write_delete_acls_filter_result_v2_list(out: list[MessagePart], items: list[DeleteAclsFilterResult]) -> None:
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
        n = len(m.matching_acls) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_delete_acls_matching_acl_v2_list(out, m.matching_acls)
        put(b"\0")


def write_delete_acls_response_v2(out: list[MessagePart], m: DeleteAclsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.filter_results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_delete_acls_filter_result_v2_list(out, m.filter_results)
    put(b"\0")


DeleteAclsRequest.WRITERS = {
    1: write_delete_acls_request_v1,
    2: write_delete_acls_request_v2,
    3: write_delete_acls_request_v2,
}
DeleteAclsResponse.WRITERS = {
    1: write_delete_acls_response_v1,
    2: write_delete_acls_response_v2,
    3: write_delete_acls_response_v2,
}
