"""Generated from `tenure/protocol/tables/list_config_resources.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_config_resources import (
    ConfigResource,
    ListConfigResourcesRequest,
    ListConfigResourcesResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int8s,
    uvarint,
)

pack_bx: Final = Packer(">bx").pack
pack_ih: Final = Packer(">ih").pack


def write_list_config_resources_request_v0(out: list[MessagePart], m: ListConfigResourcesRequest) -> None:
    put = out.append
    if m.resource_types:
        raise UnsupportedVersion("ListConfigResourcesRequest.resource_types exists in versions 1+ only")
    put(b"\0")


def write_list_config_resources_request_v1(out: list[MessagePart], m: ListConfigResourcesRequest) -> None:
    put = out.append
    n = len(m.resource_types) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int8s(m.resource_types))
    put(b"\0")


def write_config_resource_v0_list(out: list[MessagePart], items: list[ConfigResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_list_config_resources_response_v0(out: list[MessagePart], m: ListConfigResourcesResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.config_resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_config_resource_v0_list(out, m.config_resources)
    put(b"\0")


def write_config_resource_v1_list(out: list[MessagePart], items: list[ConfigResource]) -> None:
    put = out.append
    for m in items:
        text = m.resource_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_bx(m.resource_type))


def write_list_config_resources_response_v1(out: list[MessagePart], m: ListConfigResourcesResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.config_resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_config_resource_v1_list(out, m.config_resources)
    put(b"\0")


ListConfigResourcesRequest.WRITERS = {
    0: write_list_config_resources_request_v0,
    1: write_list_config_resources_request_v1,
}
ListConfigResourcesResponse.WRITERS = {
    0: write_list_config_resources_response_v0,
    1: write_list_config_resources_response_v1,
}
