"""Generated from `tenure/protocol/tables/list_config_resources.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_config_resources import (
    ConfigResource,
    ListConfigResourcesRequest,
    ListConfigResourcesResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_int8s,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_bB: Final = Packer(">bB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_list_config_resources_request_v0(data: bytes, at: int) -> tuple[ListConfigResourcesRequest, int]:
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return ListConfigResourcesRequest(), at


def read_list_config_resources_request_v1(data: bytes, at: int) -> tuple[ListConfigResourcesRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListConfigResourcesRequest.resource_types is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    resource_types = read_int8s(data, at, n)
    at += n
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListConfigResourcesRequest(resource_types), at


def read_config_resource_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ConfigResource], int]:
    if announced * 2 > len(data) - at:
        raise too_many(announced, 2, data, at)
    found: list[ConfigResource] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ConfigResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ConfigResource(resource_name))
    return found, at


def read_list_config_resources_response_v0(data: bytes, at: int) -> tuple[ListConfigResourcesResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListConfigResourcesResponse.config_resources is null")
    config_resources, at = read_config_resource_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListConfigResourcesResponse(throttle_time_ms, error_code, config_resources), at


def read_config_resource_v1_list(data: bytes, at: int, announced: int) -> tuple[list[ConfigResource], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ConfigResource] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ConfigResource.resource_name is null")
        end = at + n
        resource_name = utf8(data[at:end])
        at = end
        resource_type, tags = unpack_bB(data, at)
        at += 2
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ConfigResource(resource_name, resource_type))
    return found, at


def read_list_config_resources_response_v1(data: bytes, at: int) -> tuple[ListConfigResourcesResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListConfigResourcesResponse.config_resources is null")
    config_resources, at = read_config_resource_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListConfigResourcesResponse(throttle_time_ms, error_code, config_resources), at


ListConfigResourcesRequest.READERS = {
    0: read_list_config_resources_request_v0,
    1: read_list_config_resources_request_v1,
}
ListConfigResourcesResponse.READERS = {
    0: read_list_config_resources_response_v0,
    1: read_list_config_resources_response_v1,
}
