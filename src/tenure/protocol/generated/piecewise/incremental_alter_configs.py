"""Generated from `tenure/protocol/tables/incremental_alter_configs.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.incremental_alter_configs import (
    IncrementalAlterConfigsResponse,
)
from tenure.protocol.generated.writers.incremental_alter_configs import (
    write_incremental_alter_configs_resource_response_v0_list,
    write_incremental_alter_configs_resource_response_v1_list,
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


def pieces_of_incremental_alter_configs_response_v0(out: list[MessagePart], m: IncrementalAlterConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    for start in range(0, len(m.responses), 256):
        write_incremental_alter_configs_resource_response_v0_list(out, m.responses[start : start + 256])
        yield


def pieces_of_incremental_alter_configs_response_v1(out: list[MessagePart], m: IncrementalAlterConfigsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.responses), 256):
        write_incremental_alter_configs_resource_response_v1_list(out, m.responses[start : start + 256])
        yield
    put(b"\0")


IncrementalAlterConfigsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_incremental_alter_configs_response_v0,
    1: pieces_of_incremental_alter_configs_response_v1,
}
