"""Generated from `tenure/protocol/tables/list_config_resources.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_config_resources import (
    ListConfigResourcesResponse,
)
from tenure.protocol.generated.writers.list_config_resources import (
    write_config_resource_v0_list,
    write_config_resource_v1_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ih: Final = Packer(">ih").pack


def pieces_of_list_config_resources_response_v0(out: list[MessagePart], m: ListConfigResourcesResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.config_resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.config_resources), 256):
        write_config_resource_v0_list(out, m.config_resources[start : start + 256])
        yield
    put(b"\0")


def pieces_of_list_config_resources_response_v1(out: list[MessagePart], m: ListConfigResourcesResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.config_resources) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.config_resources), 256):
        write_config_resource_v1_list(out, m.config_resources[start : start + 256])
        yield
    put(b"\0")


ListConfigResourcesResponse.PIECEWISE_WRITERS = {
    0: pieces_of_list_config_resources_response_v0,
    1: pieces_of_list_config_resources_response_v1,
}
