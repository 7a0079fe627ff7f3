"""Generated from `tenure/protocol/tables/api_versions.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.api_versions import (
    ApiVersionsResponse,
)
from tenure.protocol.generated.writers.api_versions import (
    write_api_version_v0_list,
    write_api_version_v3_list,
    write_finalized_feature_key_v3_list,
    write_supported_feature_key_v3_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    tagged,
    uvarint,
)

pack_Z: Final = Packer(">?").pack
pack_h: Final = Packer(">h").pack
pack_hi: Final = Packer(">hi").pack
pack_i: Final = Packer(">i").pack
pack_q: Final = Packer(">q").pack


def pieces_of_api_versions_response_v0(out: list[MessagePart], m: ApiVersionsResponse) -> Iterator[None]:
    put = out.append
    put(pack_hi(m.error_code, len(m.api_keys)))
    for start in range(0, len(m.api_keys), 256):
        write_api_version_v0_list(out, m.api_keys[start : start + 256])
        yield


def pieces_of_api_versions_response_v1(out: list[MessagePart], m: ApiVersionsResponse) -> Iterator[None]:
    put = out.append
    put(pack_hi(m.error_code, len(m.api_keys)))
    for start in range(0, len(m.api_keys), 256):
        write_api_version_v0_list(out, m.api_keys[start : start + 256])
        yield
    put(pack_i(m.throttle_time_ms))


def pieces_of_api_versions_response_v3(out: list[MessagePart], m: ApiVersionsResponse) -> Iterator[None]:
    put = out.append
    put(pack_h(m.error_code))
    n = len(m.api_keys) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.api_keys), 256):
        write_api_version_v3_list(out, m.api_keys[start : start + 256])
        yield
    put(pack_i(m.throttle_time_ms))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.supported_features:
        part = []
        n = len(m.supported_features) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_supported_feature_key_v3_list(part, m.supported_features)
        tags.append(tagged(0, joined(part)))
    if m.finalized_features_epoch != -1:
        tags.append(b'\x01\x08' + pack_q(m.finalized_features_epoch))
    if m.finalized_features:
        part = []
        n = len(m.finalized_features) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_finalized_feature_key_v3_list(part, m.finalized_features)
        tags.append(tagged(2, joined(part)))
    if m.zk_migration_ready:
        tags.append(b'\x03\x01' + pack_Z(m.zk_migration_ready))
    put(UVARINT[len(tags)])
    out.extend(tags)


ApiVersionsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_api_versions_response_v0,
    1: pieces_of_api_versions_response_v1,
    2: pieces_of_api_versions_response_v1,
    3: pieces_of_api_versions_response_v3,
    4: pieces_of_api_versions_response_v3,
    5: pieces_of_api_versions_response_v3,
}
