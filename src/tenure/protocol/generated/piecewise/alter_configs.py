"""Generated from `tenure/protocol/tables/alter_configs.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_configs import (
    AlterConfigsResponse,
)
from tenure.protocol.generated.writers.alter_configs import (
    write_alter_configs_resource_response_v0_list,
    write_alter_configs_resource_response_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_alter_configs_response_v0(out: list[MessagePart], m: AlterConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    for start in range(0, len(m.responses), 256):
        write_alter_configs_resource_response_v0_list(out, m.responses[start : start + 256])
        yield


def pieces_of_alter_configs_response_v2(out: list[MessagePart], m: AlterConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.responses), 256):
        write_alter_configs_resource_response_v2_list(out, m.responses[start : start + 256])
        yield
    put(b"\0")


AlterConfigsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_alter_configs_response_v0,
    1: pieces_of_alter_configs_response_v0,
    2: pieces_of_alter_configs_response_v2,
}
