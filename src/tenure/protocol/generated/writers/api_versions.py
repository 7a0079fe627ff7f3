"""Generated from `tenure/protocol/tables/api_versions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.api_versions import (
    ApiVersion,
    ApiVersionsRequest,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
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
pack_hhh: Final = Packer(">hhh").pack
pack_hhhx: Final = Packer(">hhhx").pack
pack_hhx: Final = Packer(">hhx").pack
pack_hi: Final = Packer(">hi").pack
pack_i: Final = Packer(">i").pack
pack_ix: Final = Packer(">ix").pack
pack_q: Final = Packer(">q").pack


def write_api_versions_request_v0(out: list[MessagePart], m: ApiVersionsRequest) -> None:
    put = out.append


def write_api_versions_request_v3(out: list[MessagePart], m: ApiVersionsRequest) -> None:
    put = out.append
    text = m.client_software_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.client_software_version.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(b"\0")


def write_api_versions_request_v5(out: list[MessagePart], m: ApiVersionsRequest) -> None:
    put = out.append
    text = m.client_software_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.client_software_version.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ix(m.node_id))


def write_api_version_v0_list(out: list[MessagePart], items: list[ApiVersion]) -> None:
    put = out.append
    for m in items:
        put(pack_hhh(m.api_key, m.min_version, m.max_version))


def write_api_versions_response_v0(out: list[MessagePart], m: ApiVersionsResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.api_keys)))
    write_api_version_v0_list(out, m.api_keys)


def write_api_versions_response_v1(out: list[MessagePart], m: ApiVersionsResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.api_keys)))
    write_api_version_v0_list(out, m.api_keys)
    put(pack_i(m.throttle_time_ms))


def write_api_version_v3_list(out: list[MessagePart], items: list[ApiVersion]) -> None:
    put = out.append
    for m in items:
        put(pack_hhhx(m.api_key, m.min_version, m.max_version))


def write_supported_feature_key_v3_list(out: list[MessagePart], items: list[SupportedFeatureKey]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.min_version, m.max_version))


def write_finalized_feature_key_v3_list(out: list[MessagePart], items: list[FinalizedFeatureKey]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.max_version_level, m.min_version_level))


def write_api_versions_response_v3(out: list[MessagePart], m: ApiVersionsResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))
    n = len(m.api_keys) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_api_version_v3_list(out, m.api_keys)
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


ApiVersionsRequest.WRITERS = {
    0: write_api_versions_request_v0,
    1: write_api_versions_request_v0,
    2: write_api_versions_request_v0,
    3: write_api_versions_request_v3,
    4: write_api_versions_request_v3,
    5: write_api_versions_request_v5,
}
ApiVersionsResponse.WRITERS = {
    0: write_api_versions_response_v0,
    1: write_api_versions_response_v1,
    2: write_api_versions_response_v1,
    3: write_api_versions_response_v3,
    4: write_api_versions_response_v3,
    5: write_api_versions_response_v3,
}
