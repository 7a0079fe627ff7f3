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
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    read_tag,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_Z: Final = Packer(">?").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hhB: Final = Packer(">hhB").unpack_from
unpack_hhh: Final = Packer(">hhh").unpack_from
unpack_hhhB: Final = Packer(">hhhB").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_q: Final = Packer(">q").unpack_from


def read_api_versions_request_v0(data: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    return ApiVersionsRequest(), at


def read_api_versions_request_v3(data: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsRequest.client_software_name is null")
    end = at + n
    client_software_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsRequest.client_software_version is null")
    end = at + n
    client_software_version = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return ApiVersionsRequest(client_software_name, client_software_version), at


def read_api_versions_request_v5(data: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsRequest.client_software_name is null")
    end = at + n
    client_software_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsRequest.client_software_version is null")
    end = at + n
    client_software_version = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    node_id, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return ApiVersionsRequest(client_software_name, client_software_version, cluster_id, node_id), at


def read_api_version_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ApiVersion], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ApiVersion] = []
    for _ in range(announced):
        api_key, min_version, max_version = unpack_hhh(data, at)
        at += 6
        found.append(ApiVersion(api_key, min_version, max_version))
    return found, at


def read_api_versions_response_v0(data: bytes, at: int) -> tuple[ApiVersionsResponse, int]:
    error_code, n = unpack_hi(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("ApiVersionsResponse.api_keys is null")
    api_keys, at = read_api_version_v0_list(data, at, n)
    return ApiVersionsResponse(error_code, api_keys), at


def read_api_versions_response_v1(data: bytes, at: int) -> tuple[ApiVersionsResponse, int]:
    error_code, n = unpack_hi(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("ApiVersionsResponse.api_keys is null")
    api_keys, at = read_api_version_v0_list(data, at, n)
    (throttle_time_ms,) = unpack_i(data, at)
    at += 4
    return ApiVersionsResponse(error_code, api_keys, throttle_time_ms), at


def read_api_version_v3_list(data: bytes, at: int, announced: int) -> tuple[list[ApiVersion], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[ApiVersion] = []
    for _ in range(announced):
        api_key, min_version, max_version, tags = unpack_hhhB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ApiVersion(api_key, min_version, max_version))
    return found, at


def read_supported_feature_key_v3_list(data: bytes, at: int, announced: int) -> tuple[list[SupportedFeatureKey], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[SupportedFeatureKey] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("SupportedFeatureKey.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        min_version, max_version, tags = unpack_hhB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(SupportedFeatureKey(name, min_version, max_version))
    return found, at


def read_finalized_feature_key_v3_list(data: bytes, at: int, announced: int) -> tuple[list[FinalizedFeatureKey], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FinalizedFeatureKey] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FinalizedFeatureKey.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        max_version_level, min_version_level, tags = unpack_hhB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FinalizedFeatureKey(name, max_version_level, min_version_level))
    return found, at


def read_api_versions_response_v3(data: bytes, at: int) -> tuple[ApiVersionsResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsResponse.api_keys is null")
    api_keys, at = read_api_version_v3_list(data, at, n)
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    supported_features: list[SupportedFeatureKey] = []
    finalized_features_epoch: int = -1
    finalized_features: list[FinalizedFeatureKey] = []
    zk_migration_ready: bool = False
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("ApiVersionsResponse.supported_features is null")
                supported_features, at = read_supported_feature_key_v3_list(data, at, n)
            elif tag == 1:
                (finalized_features_epoch,) = unpack_q(data, at)
                at += 8
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("ApiVersionsResponse.finalized_features is null")
                finalized_features, at = read_finalized_feature_key_v3_list(data, at, n)
            elif tag == 3:
                (zk_migration_ready,) = unpack_Z(data, at)
                at += 1
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of ApiVersionsResponse has a wrong size")
    return ApiVersionsResponse(error_code, api_keys, throttle_time_ms, supported_features, finalized_features_epoch, finalized_features, zk_migration_ready), at


ApiVersionsRequest.READERS = {
    0: read_api_versions_request_v0,
    1: read_api_versions_request_v0,
    2: read_api_versions_request_v0,
    3: read_api_versions_request_v3,
    4: read_api_versions_request_v3,
    5: read_api_versions_request_v5,
}
ApiVersionsResponse.READERS = {
    0: read_api_versions_response_v0,
    1: read_api_versions_response_v1,
    2: read_api_versions_response_v1,
    3: read_api_versions_response_v3,
    4: read_api_versions_response_v3,
    5: read_api_versions_response_v3,
}
