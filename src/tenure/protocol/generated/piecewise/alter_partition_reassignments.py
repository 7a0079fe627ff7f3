"""Generated from `tenure/protocol/tables/alter_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_partition_reassignments import (
    AlterPartitionReassignmentsResponse,
    ReassignableTopicResponse,
)
from tenure.protocol.generated.writers.alter_partition_reassignments import (
    write_reassignable_partition_response_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_iZh: Final = Packer(">i?h").pack
pack_ih: Final = Packer(">ih").pack


def pieces_of_reassignable_topic_response_v0_list(out: list[MessagePart], items: list[ReassignableTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_reassignable_partition_response_v0_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_alter_partition_reassignments_response_v0(out: list[MessagePart], m: AlterPartitionReassignmentsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_reassignable_topic_response_v0_list(out, m.responses)
    put(b"\0")


def pieces_of_alter_partition_reassignments_response_v1(out: list[MessagePart], m: AlterPartitionReassignmentsResponse) -> Iterator[None]:
    put = out.append
    put(pack_iZh(m.throttle_time_ms, m.allow_replication_factor_change, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_reassignable_topic_response_v0_list(out, m.responses)
    put(b"\0")


AlterPartitionReassignmentsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_alter_partition_reassignments_response_v0,
    1: pieces_of_alter_partition_reassignments_response_v1,
}
