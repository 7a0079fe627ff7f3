"""Generated from `tenure/protocol/tables/alter_configs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_configs import (
    AlterConfigsRequest,
    AlterConfigsResource,
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
    AlterableConfig,
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


def read_alterable_config_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterableConfig], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[AlterableConfig] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AlterableConfig.name is null")
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
            raise MalformedMessage("AlterableConfig.value has a negative length")
        found.append(AlterableConfig(name, value))
    return found, at


def read_alter_configs_resource_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterConfigsResource], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[AlterConfigsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("AlterConfigsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterConfigsResource.configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        configs, at = read_alterable_config_v0_list(data, at, n, elements)
        found.append(AlterConfigsResource(resource_type, resource_name, configs))
    return found, at


def read_alter_configs_request_v0(data: bytes, at: int) -> tuple[AlterConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("AlterConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_alter_configs_resource_v0_list(data, at, n, elements)
    (validate_only,) = unpack_Z(data, at)
    at += 1
    return AlterConfigsRequest(resources, validate_only), at


def read_alterable_config_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterableConfig], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AlterableConfig] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterableConfig.name is null")
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AlterableConfig(name, value))
    return found, at


def read_alter_configs_resource_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterConfigsResource], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[AlterConfigsResource] = []
    for _ in range(announced):
        resource_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterConfigsResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterConfigsResource.configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        configs, at = read_alterable_config_v2_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AlterConfigsResource(resource_type, resource_name, configs))
    return found, at


def read_alter_configs_request_v2(data: bytes, at: int) -> tuple[AlterConfigsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterConfigsRequest.resources is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resources, at = read_alter_configs_resource_v2_list(data, at, n, elements)
    validate_only, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AlterConfigsRequest(resources, validate_only), at


def read_alter_configs_resource_response_v0_list(data: bytes, at: int, announced: int) -> tuple[list[AlterConfigsResourceResponse], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[AlterConfigsResourceResponse] = []
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
            raise MalformedMessage("AlterConfigsResourceResponse.error_message has a negative length")
        resource_type, n = unpack_bh(data, at)
        at += 3
        if n < 0:
            raise MalformedMessage("AlterConfigsResourceResponse.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        found.append(AlterConfigsResourceResponse(error_code, error_message, resource_type, resource_name))
    return found, at


def read_alter_configs_response_v0(data: bytes, at: int) -> tuple[AlterConfigsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("AlterConfigsResponse.responses is null")
    responses, at = read_alter_configs_resource_response_v0_list(data, at, n)
    return AlterConfigsResponse(throttle_time_ms, responses), at


def read_alter_configs_resource_response_v2_list(data: bytes, at: int, announced: int) -> tuple[list[AlterConfigsResourceResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AlterConfigsResourceResponse] = []
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
            raise MalformedMessage("AlterConfigsResourceResponse.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AlterConfigsResourceResponse(error_code, error_message, resource_type, resource_name))
    return found, at


def read_alter_configs_response_v2(data: bytes, at: int) -> tuple[AlterConfigsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterConfigsResponse.responses is null")
    responses, at = read_alter_configs_resource_response_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AlterConfigsResponse(throttle_time_ms, responses), at


AlterConfigsRequest.READERS = {
    0: read_alter_configs_request_v0,
    1: read_alter_configs_request_v0,
    2: read_alter_configs_request_v2,
}
AlterConfigsResponse.READERS = {
    0: read_alter_configs_response_v0,
    1: read_alter_configs_response_v0,
    2: read_alter_configs_response_v2,
}
