"""Generated from `tenure/protocol/tables/delete_acls.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_acls import (
    DeleteAclsFilterResult,
    DeleteAclsResponse,
)
from tenure.protocol.generated.writers.delete_acls import (
    write_delete_acls_matching_acl_v1_list,
    write_delete_acls_matching_acl_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_delete_acls_filter_result_v1_list(out: list[MessagePart], items: list[DeleteAclsFilterResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)
        put(pack_i(len(m.matching_acls)))
        for start in range(0, len(m.matching_acls), 256):
            write_delete_acls_matching_acl_v1_list(out, m.matching_acls[start : start + 256])
            yield
        yield


def pieces_of_delete_acls_response_v1(out: list[MessagePart], m: DeleteAclsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.filter_results)))
    yield from pieces_of_delete_acls_filter_result_v1_list(out, m.filter_results)


def pieces_of_delete_acls_filter_result_v2_list(out: list[MessagePart], items: list[DeleteAclsFilterResult]) -> Iterator[None]:
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
        for start in range(0, len(m.matching_acls), 256):
            write_delete_acls_matching_acl_v2_list(out, m.matching_acls[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_delete_acls_response_v2(out: list[MessagePart], m: DeleteAclsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.filter_results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_delete_acls_filter_result_v2_list(out, m.filter_results)
    put(b"\0")


DeleteAclsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_delete_acls_response_v1,
    2: pieces_of_delete_acls_response_v2,
    3: pieces_of_delete_acls_response_v2,
}
