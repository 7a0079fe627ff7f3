"""Generated from `tenure/protocol/tables/api_versions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.wire import (
    UVARINT,
    read_tag,
    read_uvarint,
    skip_tags,
    tagged,
    too_many,
    utf8,
    uvarint,
)

pack_Z: Final = Packer(">?").pack
pack_h: Final = Packer(">h").pack
pack_hhh: Final = Packer(">hhh").pack
pack_hhhx: Final = Packer(">hhhx").pack
pack_hhx: Final = Packer(">hhx").pack
pack_hi: Final = Packer(">hi").pack
pack_i: Final = Packer(">i").pack
pack_q: Final = Packer(">q").pack
unpack_Z: Final = Packer(">?").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hhB: Final = Packer(">hhB").unpack_from
unpack_hhh: Final = Packer(">hhh").unpack_from
unpack_hhhB: Final = Packer(">hhhB").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_q: Final = Packer(">q").unpack_from


class ApiVersionsRequest(Message):
    __slots__ = ('client_software_name', 'client_software_version')
    KEY = 18

    def __init__(
        self,
        client_software_name: str = "",
        client_software_version: str = "",
    ) -> None:
        self.client_software_name: Final = client_software_name
        self.client_software_version: Final = client_software_version


class ApiVersion(Struct):
    __slots__ = ('api_key', 'min_version', 'max_version')

    def __init__(
        self,
        api_key: int = 0,
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.api_key: Final = api_key
        self.min_version: Final = min_version
        self.max_version: Final = max_version


class SupportedFeatureKey(Struct):
    __slots__ = ('name', 'min_version', 'max_version')

    def __init__(
        self,
        name: str = "",
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.name: Final = name
        self.min_version: Final = min_version
        self.max_version: Final = max_version


class FinalizedFeatureKey(Struct):
    __slots__ = ('name', 'max_version_level', 'min_version_level')

    def __init__(
        self,
        name: str = "",
        max_version_level: int = 0,
        min_version_level: int = 0,
    ) -> None:
        self.name: Final = name
        self.max_version_level: Final = max_version_level
        self.min_version_level: Final = min_version_level


class ApiVersionsResponse(Message):
    __slots__ = ('error_code', 'api_keys', 'throttle_time_ms', 'supported_features', 'finalized_features_epoch', 'finalized_features', 'zk_migration_ready')
    KEY = 18

    def __init__(
        self,
        error_code: int = 0,
        api_keys: list[ApiVersion] = EMPTY,
        throttle_time_ms: int = 0,
        supported_features: list[SupportedFeatureKey] = EMPTY,
        finalized_features_epoch: int = -1,
        finalized_features: list[FinalizedFeatureKey] = EMPTY,
        zk_migration_ready: bool = False,
    ) -> None:
        self.error_code: Final = error_code
        self.api_keys: Final = [] if api_keys is EMPTY else api_keys
        self.throttle_time_ms: Final = throttle_time_ms
        self.supported_features: Final = [] if supported_features is EMPTY else supported_features
        self.finalized_features_epoch: Final = finalized_features_epoch
        self.finalized_features: Final = [] if finalized_features is EMPTY else finalized_features
        self.zk_migration_ready: Final = zk_migration_ready


def read_api_versions_request_v0(data: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    return ApiVersionsRequest(), at


def read_api_versions_request_v3(data: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsRequest.client_software_name is null")
    end = at + n
    client_software_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ApiVersionsRequest.client_software_version is null")
    end = at + n
    client_software_version = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ApiVersionsRequest(client_software_name, client_software_version), at


def read_api_version_v0_list(data: bytes, at: int, n: int) -> tuple[list[ApiVersion], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ApiVersion] = []
    for _ in range(n):
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


def read_api_version_v3_list(data: bytes, at: int, n: int) -> tuple[list[ApiVersion], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[ApiVersion] = []
    for _ in range(n):
        api_key, min_version, max_version, tags = unpack_hhhB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ApiVersion(api_key, min_version, max_version))
    return found, at


def read_supported_feature_key_v3_list(data: bytes, at: int, n: int) -> tuple[list[SupportedFeatureKey], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[SupportedFeatureKey] = []
    for _ in range(n):
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


def read_finalized_feature_key_v3_list(data: bytes, at: int, n: int) -> tuple[list[FinalizedFeatureKey], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FinalizedFeatureKey] = []
    for _ in range(n):
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


def write_api_versions_request_v0(out: list[bytes], m: ApiVersionsRequest) -> None:
    put = out.append


def write_api_versions_request_v3(out: list[bytes], m: ApiVersionsRequest) -> None:
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


def write_api_version_v0_list(out: list[bytes], items: list[ApiVersion]) -> None:
    put = out.append
    for m in items:
        put(pack_hhh(m.api_key, m.min_version, m.max_version))


def write_api_versions_response_v0(out: list[bytes], m: ApiVersionsResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.api_keys)))
    write_api_version_v0_list(out, m.api_keys)


def write_api_versions_response_v1(out: list[bytes], m: ApiVersionsResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.api_keys)))
    write_api_version_v0_list(out, m.api_keys)
    put(pack_i(m.throttle_time_ms))


def write_api_version_v3_list(out: list[bytes], items: list[ApiVersion]) -> None:
    put = out.append
    for m in items:
        put(pack_hhhx(m.api_key, m.min_version, m.max_version))


def write_supported_feature_key_v3_list(out: list[bytes], items: list[SupportedFeatureKey]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.min_version, m.max_version))


def write_finalized_feature_key_v3_list(out: list[bytes], items: list[FinalizedFeatureKey]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.max_version_level, m.min_version_level))


def write_api_versions_response_v3(out: list[bytes], m: ApiVersionsResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))
    n = len(m.api_keys) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_api_version_v3_list(out, m.api_keys)
    put(pack_i(m.throttle_time_ms))
    tags: list[bytes] = []
    part: list[bytes]
    if m.supported_features:
        part = []
        n = len(m.supported_features) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_supported_feature_key_v3_list(part, m.supported_features)
        tags.append(tagged(0, b"".join(part)))
    if m.finalized_features_epoch != -1:
        part = []
        part.append(pack_q(m.finalized_features_epoch))
        tags.append(tagged(1, b"".join(part)))
    if m.finalized_features:
        part = []
        n = len(m.finalized_features) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_finalized_feature_key_v3_list(part, m.finalized_features)
        tags.append(tagged(2, b"".join(part)))
    if m.zk_migration_ready:
        part = []
        part.append(pack_Z(m.zk_migration_ready))
        tags.append(tagged(3, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


ApiVersionsRequest.READERS = {
    0: read_api_versions_request_v0,
    1: read_api_versions_request_v0,
    2: read_api_versions_request_v0,
    3: read_api_versions_request_v3,
    4: read_api_versions_request_v3,
}
ApiVersionsRequest.WRITERS = {
    0: write_api_versions_request_v0,
    1: write_api_versions_request_v0,
    2: write_api_versions_request_v0,
    3: write_api_versions_request_v3,
    4: write_api_versions_request_v3,
}
ApiVersionsResponse.READERS = {
    0: read_api_versions_response_v0,
    1: read_api_versions_response_v1,
    2: read_api_versions_response_v1,
    3: read_api_versions_response_v3,
    4: read_api_versions_response_v3,
}
ApiVersionsResponse.WRITERS = {
    0: write_api_versions_response_v0,
    1: write_api_versions_response_v1,
    2: write_api_versions_response_v1,
    3: write_api_versions_response_v3,
    4: write_api_versions_response_v3,
}
