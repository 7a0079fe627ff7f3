"""Generated from `tenure/protocol/tables/elect_leaders.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.elect_leaders import (
    ElectLeadersResponse,
    ReplicaElectionResult,
)
from tenure.protocol.generated.writers.elect_leaders import (
    write_partition_result_v0_list,
    write_partition_result_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_replica_election_result_v0_list(out: list[MessagePart], items: list[ReplicaElectionResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_result)))
        for start in range(0, len(m.partition_result), 256):
            write_partition_result_v0_list(out, m.partition_result[start : start + 256])
            yield
        yield


def pieces_of_elect_leaders_response_v0(out: list[MessagePart], m: ElectLeadersResponse) -> Iterator[None]:
    put = out.append
    if m.error_code != 0:
        raise UnsupportedVersion("ElectLeadersResponse.error_code exists in versions 1+ only")
    put(pack_ii(m.throttle_time_ms, len(m.replica_election_results)))
    yield from pieces_of_replica_election_result_v0_list(out, m.replica_election_results)


def pieces_of_elect_leaders_response_v1(out: list[MessagePart], m: ElectLeadersResponse) -> Iterator[None]:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.replica_election_results)))
    yield from pieces_of_replica_election_result_v0_list(out, m.replica_election_results)


def pieces_of_replica_election_result_v2_list(out: list[MessagePart], items: list[ReplicaElectionResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_result) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partition_result), 256):
            write_partition_result_v2_list(out, m.partition_result[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_elect_leaders_response_v2(out: list[MessagePart], m: ElectLeadersResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.replica_election_results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_replica_election_result_v2_list(out, m.replica_election_results)
    put(b"\0")


ElectLeadersResponse.PIECEWISE_WRITERS = {
    0: pieces_of_elect_leaders_response_v0,
    1: pieces_of_elect_leaders_response_v1,
    2: pieces_of_elect_leaders_response_v2,
}
