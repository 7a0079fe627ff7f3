"""Generated from `tenure/protocol/tables/create_acls.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_acls import (
    CreateAclsResponse,
)
from tenure.protocol.generated.writers.create_acls import (
    write_acl_creation_result_v1_list,
    write_acl_creation_result_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_create_acls_response_v1(out: list[MessagePart], m: CreateAclsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    for start in range(0, len(m.results), 256):
        write_acl_creation_result_v1_list(out, m.results[start : start + 256])
        yield


def pieces_of_create_acls_response_v2(out: list[MessagePart], m: CreateAclsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.results), 256):
        write_acl_creation_result_v2_list(out, m.results[start : start + 256])
        yield
    put(b"\0")


CreateAclsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_create_acls_response_v1,
    2: pieces_of_create_acls_response_v2,
    3: pieces_of_create_acls_response_v2,
}
