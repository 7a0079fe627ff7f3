"""Generated from `tenure/protocol/tables/describe_configs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_strings,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

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


def read_describe_configs_resource_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeConfigsResource], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[DescribeConfigsResource] = []
    for _ in range(announced):
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
            if elements is not UNBOUNDED:
                elements.add(n)
            configuration_keys, at = read_strings(data, at, n)
        elif n == -1:
            configuration_keys = None
        else:
            raise MalformedMessage("DescribeConfigsResource.configuration_keys has a negative length")
        found.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    return found, at


def read_describe_configs_request_v1(data: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_describe_configs_resource_v1_list(data, at, n, elements)
    (include_synonyms,) = unpack_Z(data, at)
    at += 1
    return DescribeConfigsRequest(resources, include_synonyms), at


def read_describe_configs_request_v3(data: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_describe_configs_resource_v1_list(data, at, n, elements)
    include_synonyms, include_documentation = unpack_ZZ(data, at)
    at += 2
    return DescribeConfigsRequest(resources, include_synonyms, include_documentation), at


def read_describe_configs_resource_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeConfigsResource], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DescribeConfigsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            if elements is not UNBOUNDED:
                elements.add(n)
            configuration_keys, at = read_compact_strings(data, at, n, read_text_length)
        else:
            configuration_keys = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DescribeConfigsResource(resource_type, resource_name, configuration_keys))
    return found, at


def read_describe_configs_request_v4(data: bytes, at: int) -> tuple[DescribeConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_describe_configs_resource_v4_list(data, at, n, elements)
    include_synonyms, include_documentation, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeConfigsRequest(resources, include_synonyms, include_documentation), at


def read_describe_configs_synonym_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsSynonym], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DescribeConfigsSynonym] = []
    for _ in range(announced):
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


def read_describe_configs_resource_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsResourceResult], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[DescribeConfigsResourceResult] = []
    for _ in range(announced):
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


def read_describe_configs_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsResult], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[DescribeConfigsResult] = []
    for _ in range(announced):
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


def read_describe_configs_resource_result_v3_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsResourceResult], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[DescribeConfigsResourceResult] = []
    for _ in range(announced):
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


def read_describe_configs_result_v3_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsResult], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[DescribeConfigsResult] = []
    for _ in range(announced):
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


def read_describe_configs_synonym_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsSynonym], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DescribeConfigsSynonym] = []
    for _ in range(announced):
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


def read_describe_configs_resource_result_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsResourceResult], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[DescribeConfigsResourceResult] = []
    for _ in range(announced):
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


def read_describe_configs_result_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeConfigsResult], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[DescribeConfigsResult] = []
    for _ in range(announced):
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


DescribeConfigsRequest.READERS = {
    1: read_describe_configs_request_v1,
    2: read_describe_configs_request_v1,
    3: read_describe_configs_request_v3,
    4: read_describe_configs_request_v4,
}
DescribeConfigsResponse.READERS = {
    1: read_describe_configs_response_v1,
    2: read_describe_configs_response_v1,
    3: read_describe_configs_response_v3,
    4: read_describe_configs_response_v4,
}
