"""Generated from `tenure/protocol/tables/list_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    ListPartitionReassignmentsTopics,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack


def write_list_partition_reassignments_topics_v0_list(out: list[MessagePart], items: list[ListPartitionReassignmentsTopics]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partition_indexes))
        put(b"\0")


def write_list_partition_reassignments_request_v0(out: list[MessagePart], m: ListPartitionReassignmentsRequest) -> None:
    put = out.append
    put(pack_i(m.timeout_ms))
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_list_partition_reassignments_topics_v0_list(out, m.topics)
    put(b"\0")


def write_ongoing_partition_reassignment_v0_list(out: list[MessagePart], items: list[OngoingPartitionReassignment]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition_index))
        put(pack_compact_int32s(m.replicas))
        put(pack_compact_int32s(m.adding_replicas))
        put(pack_compact_int32s(m.removing_replicas))
        put(b"\0")


def write_ongoing_topic_reassignment_v0_list(out: list[MessagePart], items: list[OngoingTopicReassignment]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_ongoing_partition_reassignment_v0_list(out, m.partitions)
        put(b"\0")


def write_list_partition_reassignments_response_v0(out: list[MessagePart], m: ListPartitionReassignmentsResponse) -> None:
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
    write_ongoing_topic_reassignment_v0_list(out, m.topics)
    put(b"\0")


ListPartitionReassignmentsRequest.WRITERS = {
    0: write_list_partition_reassignments_request_v0,
}
ListPartitionReassignmentsResponse.WRITERS = {
    0: write_list_partition_reassignments_response_v0,
}
