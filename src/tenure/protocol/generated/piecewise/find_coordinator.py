"""Generated from `tenure/protocol/tables/find_coordinator.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.find_coordinator import (
    FindCoordinatorResponse,
)
from tenure.protocol.generated.writers.find_coordinator import (
    write_coordinator_v4_list,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack


def pieces_of_find_coordinator_response_v4(out: list[MessagePart], m: FindCoordinatorResponse) -> Iterator[None]:
    put = out.append
    if m.error_code != 0:
        raise UnsupportedVersion("FindCoordinatorResponse.error_code exists in versions 0-3 only")
    if m.node_id != 0:
        raise UnsupportedVersion("FindCoordinatorResponse.node_id exists in versions 0-3 only")
    if m.host:
        raise UnsupportedVersion("FindCoordinatorResponse.host exists in versions 0-3 only")
    if m.port != 0:
        raise UnsupportedVersion("FindCoordinatorResponse.port exists in versions 0-3 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.coordinators) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.coordinators), 256):
        write_coordinator_v4_list(out, m.coordinators[start : start + 256])
        yield
    put(b"\0")


FindCoordinatorResponse.PIECEWISE_WRITERS = {
    4: pieces_of_find_coordinator_response_v4,
    5: pieces_of_find_coordinator_response_v4,
    6: pieces_of_find_coordinator_response_v4,
}
