"""Generated from `tenure/protocol/tables/incremental_alter_configs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    IncrementalAlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
    IncrementalAlterableConfig,
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

unpack_Z: Final = Packer(">?").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_bh: Final = Packer(">bh").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_incremental_alterable_config_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[IncrementalAlterableConfig], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[IncrementalAlterableConfig] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("IncrementalAlterableConfig.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        config_operation, n = unpack_bh(data, at)
        at += 3
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        elif n == -1:
            value = None
        else:
            raise MalformedMessage("IncrementalAlterableConfig.value has a negative length")
        found.append(IncrementalAlterableConfig(name, config_operation, value))
    return found, at


def read_incremental_alter_configs_resource_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[IncrementalAlterConfigsResource], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[IncrementalAlterConfigsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("IncrementalAlterConfigsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("IncrementalAlterConfigsResource.configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        configs, at = read_incremental_alterable_config_v0_list(data, at, n, elements)
        found.append(IncrementalAlterConfigsResource(resource_type, resource_name, configs))
    return found, at


def read_incremental_alter_configs_request_v0(data: bytes, at: int) -> tuple[IncrementalAlterConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("IncrementalAlterConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_incremental_alter_configs_resource_v0_list(data, at, n, elements)
    (validate_only,) = unpack_Z(data, at)
    at += 1
    return IncrementalAlterConfigsRequest(resources, validate_only), at


def read_incremental_alterable_config_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[IncrementalAlterableConfig], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[IncrementalAlterableConfig] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("IncrementalAlterableConfig.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        config_operation, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        else:
            value = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(IncrementalAlterableConfig(name, config_operation, value))
    return found, at


def read_incremental_alter_configs_resource_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[IncrementalAlterConfigsResource], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[IncrementalAlterConfigsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("IncrementalAlterConfigsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("IncrementalAlterConfigsResource.configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        configs, at = read_incremental_alterable_config_v1_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(IncrementalAlterConfigsResource(resource_type, resource_name, configs))
    return found, at


def read_incremental_alter_configs_request_v1(data: bytes, at: int) -> tuple[IncrementalAlterConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("IncrementalAlterConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_incremental_alter_configs_resource_v1_list(data, at, n, elements)
    validate_only, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return IncrementalAlterConfigsRequest(resources, validate_only), at


def read_incremental_alter_configs_resource_response_v0_list(data: bytes, at: int, announced: int) -> tuple[list[IncrementalAlterConfigsResourceResponse], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[IncrementalAlterConfigsResourceResponse] = []
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
            raise MalformedMessage("IncrementalAlterConfigsResourceResponse.error_message has a negative length")
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("IncrementalAlterConfigsResourceResponse.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        found.append(IncrementalAlterConfigsResourceResponse(error_code, error_message, resource_type, resource_name))
    return found, at


def read_incremental_alter_configs_response_v0(data: bytes, at: int) -> tuple[IncrementalAlterConfigsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("IncrementalAlterConfigsResponse.responses is null")
    responses, at = read_incremental_alter_configs_resource_response_v0_list(data, at, n)
    return IncrementalAlterConfigsResponse(throttle_time_ms, responses), at


def read_incremental_alter_configs_resource_response_v1_list(data: bytes, at: int, announced: int) -> tuple[list[IncrementalAlterConfigsResourceResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[IncrementalAlterConfigsResourceResponse] = []
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
            raise MalformedMessage("IncrementalAlterConfigsResourceResponse.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(IncrementalAlterConfigsResourceResponse(error_code, error_message, resource_type, resource_name))
    return found, at


def read_incremental_alter_configs_response_v1(data: bytes, at: int) -> tuple[IncrementalAlterConfigsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("IncrementalAlterConfigsResponse.responses is null")
    responses, at = read_incremental_alter_configs_resource_response_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return IncrementalAlterConfigsResponse(throttle_time_ms, responses), at


IncrementalAlterConfigsRequest.READERS = {
    0: read_incremental_alter_configs_request_v0,
    1: read_incremental_alter_configs_request_v1,
}
IncrementalAlterConfigsResponse.READERS = {
    0: read_incremental_alter_configs_response_v0,
    1: read_incremental_alter_configs_response_v1,
}
