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
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_ZB: Final = Packer(">?B").unpack_from
unpack_hZB: Final = Packer(">h?B").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hbB: Final = Packer(">hbB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_feature_update_key_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FeatureUpdateKey], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[FeatureUpdateKey] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FeatureUpdateKey.feature is null")
        end = at + n
        feature = utf8(data[at:end])
        at = end
        max_version_level, allow_downgrade, tags = unpack_hZB(data, at)
        at += 4
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FeatureUpdateKey(feature, max_version_level, allow_downgrade))
    return found, at


def read_update_features_request_v0(data: bytes, at: int) -> tuple[UpdateFeaturesRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("UpdateFeaturesRequest.feature_updates is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    feature_updates, at = read_feature_update_key_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return UpdateFeaturesRequest(timeout_ms, feature_updates), at


def read_feature_update_key_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FeatureUpdateKey], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[FeatureUpdateKey] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FeatureUpdateKey.feature is null")
        end = at + n
        feature = utf8(data[at:end])
        at = end
        max_version_level, upgrade_type, tags = unpack_hbB(data, at)
        at += 4
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FeatureUpdateKey(feature, max_version_level, False, upgrade_type))
    return found, at


def read_update_features_request_v1(data: bytes, at: int) -> tuple[UpdateFeaturesRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("UpdateFeaturesRequest.feature_updates is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    feature_updates, at = read_feature_update_key_v1_list(data, at, n, elements)
    validate_only, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return UpdateFeaturesRequest(timeout_ms, feature_updates, validate_only), at


def read_updatable_feature_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[UpdatableFeatureResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[UpdatableFeatureResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("UpdatableFeatureResult.feature is null")
        end = at + n
        feature = utf8(data[at:end])
        at = end
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        else:
            error_message = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(UpdatableFeatureResult(feature, error_code, error_message))
    return found, at


def read_update_features_response_v0(data: bytes, at: int) -> tuple[UpdateFeaturesResponse, int]:
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
        raise MalformedMessage("UpdateFeaturesResponse.results is null")
    results, at = read_updatable_feature_result_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return UpdateFeaturesResponse(throttle_time_ms, error_code, error_message, results), at


def read_update_features_response_v2(data: bytes, at: int) -> tuple[UpdateFeaturesResponse, int]:
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
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return UpdateFeaturesResponse(throttle_time_ms, error_code, error_message), at


UpdateFeaturesRequest.READERS = {
    0: read_update_features_request_v0,
    1: read_update_features_request_v1,
    2: read_update_features_request_v1,
}
UpdateFeaturesResponse.READERS = {
    0: read_update_features_response_v0,
    1: read_update_features_response_v0,
    2: read_update_features_response_v2,
}
