"""Generated from `tenure/protocol/tables/list_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_partition_reassignments import (
    ListPartitionReassignmentsResponse,
    OngoingTopicReassignment,
)
from tenure.protocol.generated.writers.list_partition_reassignments import (
    write_ongoing_partition_reassignment_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ih: Final = Packer(">ih").pack


def pieces_of_ongoing_topic_reassignment_v0_list(out: list[MessagePart], items: list[OngoingTopicReassignment]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_ongoing_partition_reassignment_v0_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_list_partition_reassignments_response_v0(out: list[MessagePart], m: ListPartitionReassignmentsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_ongoing_topic_reassignment_v0_list(out, m.topics)
    put(b"\0")


ListPartitionReassignmentsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_list_partition_reassignments_response_v0,
}
