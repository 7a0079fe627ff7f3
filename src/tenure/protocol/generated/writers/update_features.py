"""Generated from `tenure/protocol/tables/update_features.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.update_features import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Zx: Final = Packer(">?x").pack
pack_h: Final = Packer(">h").pack
pack_hZx: Final = Packer(">h?x").pack
pack_hbx: Final = Packer(">hbx").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack


def write_feature_update_key_v0_list(out: list[MessagePart], items: list[FeatureUpdateKey]) -> None:
    put = out.append
    for m in items:
        if m.upgrade_type != 1:
            raise UnsupportedVersion("FeatureUpdateKey.upgrade_type exists in versions 1+ only")
        text = m.feature.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hZx(m.max_version_level, m.allow_downgrade))


def write_update_features_request_v0(out: list[MessagePart], m: UpdateFeaturesRequest) -> None:
    put = out.append
    if m.validate_only:
        raise UnsupportedVersion("UpdateFeaturesRequest.validate_only exists in versions 1+ only")
    put(pack_i(m.timeout_ms))
    n = len(m.feature_updates) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_feature_update_key_v0_list(out, m.feature_updates)
    put(b"\0")


def write_feature_update_key_v1_list(out: list[MessagePart], items: list[FeatureUpdateKey]) -> None:
    put = out.append
    for m in items:
        if m.allow_downgrade:
            raise UnsupportedVersion("FeatureUpdateKey.allow_downgrade exists in versions 0 only")
        text = m.feature.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hbx(m.max_version_level, m.upgrade_type))


def write_update_features_request_v1(out: list[MessagePart], m: UpdateFeaturesRequest) -> None:
    put = out.append
    put(pack_i(m.timeout_ms))
    n = len(m.feature_updates) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_feature_update_key_v1_list(out, m.feature_updates)
    put(pack_Zx(m.validate_only))


def write_updatable_feature_result_v0_list(out: list[MessagePart], items: list[UpdatableFeatureResult]) -> None:
    put = out.append
    for m in items:
        text = m.feature.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_update_features_response_v0(out: list[MessagePart], m: UpdateFeaturesResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_updatable_feature_result_v0_list(out, m.results)
    put(b"\0")


def write_update_features_response_v2(out: list[MessagePart], m: UpdateFeaturesResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


UpdateFeaturesRequest.WRITERS = {
    0: write_update_features_request_v0,
    1: write_update_features_request_v1,
    2: write_update_features_request_v1,
}
UpdateFeaturesResponse.WRITERS = {
    0: write_update_features_response_v0,
    1: write_update_features_response_v0,
    2: write_update_features_response_v2,
}
