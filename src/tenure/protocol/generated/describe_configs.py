"""Generated from `tenure/protocol/tables/describe_configs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    read_compact_strings,
    read_strings,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
    write_compact_strings,
    write_strings,
)

pack_Z: Final = Packer(">?").pack
pack_ZZ: Final = Packer(">??").pack
pack_ZZx: Final = Packer(">??x").pack
pack_ZbZ: Final = Packer(">?b?").pack
pack_ZbZi: Final = Packer(">?b?i").pack
pack_b: Final = Packer(">b").pack
pack_bh: Final = Packer(">bh").pack
pack_bx: Final = Packer(">bx").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
unpack_Z: Final = Packer(">?").unpack_from
unpack_ZZ: Final = Packer(">??").unpack_from
unpack_ZZB: Final = Packer(">??B").unpack_from
unpack_ZbZB: Final = Packer(">?b?B").unpack_from
unpack_ZbZi: Final = Packer(">?b?i").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_bh: Final = Packer(">bh").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


class DescribeConfigsResource(Struct):
    __slots__ = ('resource_type', 'resource_name', 'configuration_keys')

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configuration_keys: list[str] | None = EMPTY,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configuration_keys: Final = [] if configuration_keys is EMPTY else configuration_keys


class DescribeConfigsRequest(Message):
    __slots__ = ('resources', 'include_synonyms', 'include_documentation')
    KEY = 32

    def __init__(
        self,
        resources: list[DescribeConfigsResource] = EMPTY,
        include_synonyms: bool = False,
        include_documentation: bool = False,
    ) -> None:
        self.resources: Final = [] if resources is EMPTY else resources
        self.include_synonyms: Final = include_synonyms
        self.include_documentation: Final = include_documentation


class DescribeConfigsSynonym(Struct):
    __slots__ = ('name', 'value', 'source')

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        source: int = 0,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.source: Final = source


class DescribeConfigsResourceResult(Struct):
    __slots__ = ('name', 'value', 'read_only', 'config_source', 'is_sensitive', 'synonyms', 'config_type', 'documentation')

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        synonyms: list[DescribeConfigsSynonym] = EMPTY,
        config_type: int = 0,
        documentation: str | None = "",
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.read_only: Final = read_only
        self.config_source: Final = config_source
        self.is_sensitive: Final = is_sensitive
        self.synonyms: Final = [] if synonyms is EMPTY else synonyms
        self.config_type: Final = config_type
        self.documentation: Final = documentation


class DescribeConfigsResult(Struct):
    __slots__ = ('error_code', 'error_message', 'resource_type', 'resource_name', 'configs')

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[DescribeConfigsResourceResult] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configs: Final = [] if configs is EMPTY else configs


class DescribeConfigsResponse(Message):
    __slots__ = ('throttle_time_ms', 'results')
    KEY = 32

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[DescribeConfigsResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results


def read_describe_configs_resource_v1_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResource], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[DescribeConfigsResource] = []
    for _ in range(n):
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("DescribeConfigsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n >= 0:
            configuration_keys, at = read_strings(data, at, n)
        elif n == -1:
            configuration_keys = None
        else:
            raise MalformedMessage("DescribeConfigsResource.configuration_keys has a negative length")
        found.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    return found, at


def read_describe_configs_request_v1(data: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeConfigsRequest.resources is null")
    resources, at = read_describe_configs_resource_v1_list(data, at, n)
    (include_synonyms,) = unpack_Z(data, at)
    at += 1
    return DescribeConfigsRequest(resources, include_synonyms), at


def read_describe_configs_request_v3(data: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeConfigsRequest.resources is null")
    resources, at = read_describe_configs_resource_v1_list(data, at, n)
    include_synonyms, include_documentation = unpack_ZZ(data, at)
    at += 2
    return DescribeConfigsRequest(resources, include_synonyms, include_documentation), at


def read_describe_configs_resource_v4_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResource], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[DescribeConfigsResource] = []
    for _ in range(n):
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeConfigsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            configuration_keys, at = read_compact_strings(data, at, n)
        else:
            configuration_keys = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    return found, at


def read_describe_configs_request_v4(data: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeConfigsRequest.resources is null")
    resources, at = read_describe_configs_resource_v4_list(data, at, n)
    include_synonyms, include_documentation, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeConfigsRequest(resources, include_synonyms, include_documentation), at


def read_describe_configs_synonym_v1_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsSynonym], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[DescribeConfigsSynonym] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeConfigsSynonym.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        elif n == -1:
            value = None
        else:
            raise MalformedMessage("DescribeConfigsSynonym.value has a negative length")
        (source,) = unpack_b(data, at)
        at += 1
        found.append(DescribeConfigsSynonym(name, value, source))
    return found, at


def read_describe_configs_resource_result_v1_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResourceResult], int]:
    if n * 11 > len(data) - at:
        raise too_many(n, 11, data, at)
    found: list[DescribeConfigsResourceResult] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeConfigsResourceResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        elif n == -1:
            value = None
        else:
            raise MalformedMessage("DescribeConfigsResourceResult.value has a negative length")
        read_only, config_source, is_sensitive, n = unpack_ZbZi(data, at)
        at += 7
        if n < 0:
            raise MalformedMessage("DescribeConfigsResourceResult.synonyms is null")
        synonyms, at = read_describe_configs_synonym_v1_list(data, at, n)
        found.append(DescribeConfigsResourceResult(name, value, read_only, config_source, is_sensitive, synonyms))
    return found, at


def read_describe_configs_result_v1_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResult], int]:
    if n * 11 > len(data) - at:
        raise too_many(n, 11, data, at)
    found: list[DescribeConfigsResult] = []
    for _ in range(n):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("DescribeConfigsResult.error_message has a negative length")
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("DescribeConfigsResult.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeConfigsResult.configs is null")
        configs, at = read_describe_configs_resource_result_v1_list(data, at, n)
        found.append(DescribeConfigsResult(error_code, error_message, resource_type, resource_name, configs))
    return found, at


def read_describe_configs_response_v1(data: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DescribeConfigsResponse.results is null")
    results, at = read_describe_configs_result_v1_list(data, at, n)
    return DescribeConfigsResponse(throttle_time_ms, results), at


def read_describe_configs_resource_result_v3_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResourceResult], int]:
    if n * 14 > len(data) - at:
        raise too_many(n, 14, data, at)
    found: list[DescribeConfigsResourceResult] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeConfigsResourceResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        elif n == -1:
            value = None
        else:
            raise MalformedMessage("DescribeConfigsResourceResult.value has a negative length")
        read_only, config_source, is_sensitive, n = unpack_ZbZi(data, at)
        at += 7
        if n < 0:
            raise MalformedMessage("DescribeConfigsResourceResult.synonyms is null")
        synonyms, at = read_describe_configs_synonym_v1_list(data, at, n)
        config_type, n = unpack_bh(data, at)
        at += 3
        if n >= 0:
            end = at + n
            documentation = utf8(data[at:end])
            at = end
        elif n == -1:
            documentation = None
        else:
            raise MalformedMessage("DescribeConfigsResourceResult.documentation has a negative length")
        found.append(DescribeConfigsResourceResult(name, value, read_only, config_source, is_sensitive, synonyms, config_type, documentation))
    return found, at


def read_describe_configs_result_v3_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResult], int]:
    if n * 11 > len(data) - at:
        raise too_many(n, 11, data, at)
    found: list[DescribeConfigsResult] = []
    for _ in range(n):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("DescribeConfigsResult.error_message has a negative length")
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("DescribeConfigsResult.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeConfigsResult.configs is null")
        configs, at = read_describe_configs_resource_result_v3_list(data, at, n)
        found.append(DescribeConfigsResult(error_code, error_message, resource_type, resource_name, configs))
    return found, at


def read_describe_configs_response_v3(data: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DescribeConfigsResponse.results is null")
    results, at = read_describe_configs_result_v3_list(data, at, n)
    return DescribeConfigsResponse(throttle_time_ms, results), at


def read_describe_configs_synonym_v4_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsSynonym], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[DescribeConfigsSynonym] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeConfigsSynonym.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        else:
            value = None
        source, tags = unpack_bB(data, at)
        at += 2
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeConfigsSynonym(name, value, source))
    return found, at


def read_describe_configs_resource_result_v4_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResourceResult], int]:
    if n * 9 > len(data) - at:
        raise too_many(n, 9, data, at)
    found: list[DescribeConfigsResourceResult] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeConfigsResourceResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        else:
            value = None
        read_only, config_source, is_sensitive, n = unpack_ZbZB(data, at)
        at += 4
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeConfigsResourceResult.synonyms is null")
        synonyms, at = read_describe_configs_synonym_v4_list(data, at, n)
        config_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            documentation = utf8(data[at:end])
            at = end
        else:
            documentation = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeConfigsResourceResult(name, value, read_only, config_source, is_sensitive, synonyms, config_type, documentation))
    return found, at


def read_describe_configs_result_v4_list(data: bytes, at: int, n: int) -> tuple[list[DescribeConfigsResult], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[DescribeConfigsResult] = []
    for _ in range(n):
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
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeConfigsResult.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeConfigsResult.configs is null")
        configs, at = read_describe_configs_resource_result_v4_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeConfigsResult(error_code, error_message, resource_type, resource_name, configs))
    return found, at


def read_describe_configs_response_v4(data: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeConfigsResponse.results is null")
    results, at = read_describe_configs_result_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeConfigsResponse(throttle_time_ms, results), at


def write_describe_configs_resource_v1_list(out: list[bytes], items: list[DescribeConfigsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_bh(m.resource_type, len(text)))
        put(text)
        if m.configuration_keys is None:
            put(pack_i(-1))
        else:
            put(pack_i(len(m.configuration_keys)))
            write_strings(out, m.configuration_keys)


def write_describe_configs_request_v1(out: list[bytes], m: DescribeConfigsRequest) -> None:
    put = out.append
    if m.include_documentation:
        raise UnsupportedVersion("DescribeConfigsRequest.include_documentation exists in versions 3+ only")
    put(pack_i(len(m.resources)))
    write_describe_configs_resource_v1_list(out, m.resources)
    put(pack_Z(m.include_synonyms))


def write_describe_configs_request_v3(out: list[bytes], m: DescribeConfigsRequest) -> None:
    put = out.append
    put(pack_i(len(m.resources)))
    write_describe_configs_resource_v1_list(out, m.resources)
    put(pack_ZZ(m.include_synonyms, m.include_documentation))


def write_describe_configs_resource_v4_list(out: list[bytes], items: list[DescribeConfigsResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        put(pack_b(m.resource_type))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.configuration_keys is None:
            put(b"\0")
        else:
            n = len(m.configuration_keys) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_compact_strings(out, m.configuration_keys)
        put(b"\0")


def write_describe_configs_request_v4(out: list[bytes], m: DescribeConfigsRequest) -> None:
    put = out.append
    n = len(m.resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_configs_resource_v4_list(out, m.resources)
    put(pack_ZZx(m.include_synonyms, m.include_documentation))


def write_describe_configs_synonym_v1_list(out: list[bytes], items: list[DescribeConfigsSynonym]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.value is None:
            put(pack_h(-1))
        else:
            text = m.value.encode()
            put(pack_h(len(text)))
            put(text)
        put(pack_b(m.source))


def write_describe_configs_resource_result_v1_list(out: list[bytes], items: list[DescribeConfigsResourceResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.value is None:
            put(pack_h(-1))
        else:
            text = m.value.encode()
            put(pack_h(len(text)))
            put(text)
        put(pack_ZbZi(m.read_only, m.config_source, m.is_sensitive, len(m.synonyms)))
        write_describe_configs_synonym_v1_list(out, m.synonyms)


def write_describe_configs_result_v1_list(out: list[bytes], items: list[DescribeConfigsResult]) -> None:
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
        put(pack_i(len(m.configs)))
        write_describe_configs_resource_result_v1_list(out, m.configs)


def write_describe_configs_response_v1(out: list[bytes], m: DescribeConfigsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_describe_configs_result_v1_list(out, m.results)


def write_describe_configs_resource_result_v3_list(out: list[bytes], items: list[DescribeConfigsResourceResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.value is None:
            put(pack_h(-1))
        else:
            text = m.value.encode()
            put(pack_h(len(text)))
            put(text)
        put(pack_ZbZi(m.read_only, m.config_source, m.is_sensitive, len(m.synonyms)))
        write_describe_configs_synonym_v1_list(out, m.synonyms)
        if m.documentation is None:
            put(pack_bh(m.config_type, -1))
        else:
            text = m.documentation.encode()
            put(pack_bh(m.config_type, len(text)))
            put(text)


def write_describe_configs_result_v3_list(out: list[bytes], items: list[DescribeConfigsResult]) -> None:
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
        put(pack_i(len(m.configs)))
        write_describe_configs_resource_result_v3_list(out, m.configs)


def write_describe_configs_response_v3(out: list[bytes], m: DescribeConfigsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_describe_configs_result_v3_list(out, m.results)


def write_describe_configs_synonym_v4_list(out: list[bytes], items: list[DescribeConfigsSynonym]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.value is None:
            put(b"\0")
        else:
            text = m.value.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_bx(m.source))


def write_describe_configs_resource_result_v4_list(out: list[bytes], items: list[DescribeConfigsResourceResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.value is None:
            put(b"\0")
        else:
            text = m.value.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_ZbZ(m.read_only, m.config_source, m.is_sensitive))
        n = len(m.synonyms) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_configs_synonym_v4_list(out, m.synonyms)
        put(pack_b(m.config_type))
        if m.documentation is None:
            put(b"\0")
        else:
            text = m.documentation.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_describe_configs_result_v4_list(out: list[bytes], items: list[DescribeConfigsResult]) -> None:
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
        n = len(m.configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_configs_resource_result_v4_list(out, m.configs)
        put(b"\0")


def write_describe_configs_response_v4(out: list[bytes], m: DescribeConfigsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_configs_result_v4_list(out, m.results)
    put(b"\0")


DescribeConfigsRequest.READERS = {
    1: read_describe_configs_request_v1,
    2: read_describe_configs_request_v1,
    3: read_describe_configs_request_v3,
    4: read_describe_configs_request_v4,
}
DescribeConfigsRequest.WRITERS = {
    1: write_describe_configs_request_v1,
    2: write_describe_configs_request_v1,
    3: write_describe_configs_request_v3,
    4: write_describe_configs_request_v4,
}
DescribeConfigsResponse.READERS = {
    1: read_describe_configs_response_v1,
    2: read_describe_configs_response_v1,
    3: read_describe_configs_response_v3,
    4: read_describe_configs_response_v4,
}
DescribeConfigsResponse.WRITERS = {
    1: write_describe_configs_response_v1,
    2: write_describe_configs_response_v1,
    3: write_describe_configs_response_v3,
    4: write_describe_configs_response_v4,
}
