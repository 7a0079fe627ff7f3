"""Generated from `tenure/protocol/tables/alter_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignablePartitionResponse,
    ReassignableTopic,
    ReassignableTopicResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_iZ: Final = Packer(">i?").pack
pack_iZh: Final = Packer(">i?h").pack
pack_ih: Final = Packer(">ih").pack


def write_reassignable_partition_v0_list(out: list[MessagePart], items: list[ReassignablePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition_index))
        if m.replicas is None:
            put(b"\0")
        else:
            put(pack_compact_int32s(m.replicas))
        put(b"\0")


def write_reassignable_topic_v0_list(out: list[MessagePart], items: list[ReassignableTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_reassignable_partition_v0_list(out, m.partitions)
        put(b"\0")


def write_alter_partition_reassignments_request_v0(out: list[MessagePart], m: AlterPartitionReassignmentsRequest) -> None:
    put = out.append
    if not m.allow_replication_factor_change:
        raise UnsupportedVersion("AlterPartitionReassignmentsRequest.allow_replication_factor_change exists in versions 1+ only")
    put(pack_i(m.timeout_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_reassignable_topic_v0_list(out, m.topics)
    put(b"\0")


def write_alter_partition_reassignments_request_v1(out: list[MessagePart], m: AlterPartitionReassignmentsRequest) -> None:
    put = out.append
    put(pack_iZ(m.timeout_ms, m.allow_replication_factor_change))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_reassignable_topic_v0_list(out, m.topics)
    put(b"\0")


def write_reassignable_partition_response_v0_list(out: list[MessagePart], items: list[ReassignablePartitionResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_reassignable_topic_response_v0_list(out: list[MessagePart], items: list[ReassignableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_reassignable_partition_response_v0_list(out, m.partitions)
        put(b"\0")


def write_alter_partition_reassignments_response_v0(out: list[MessagePart], m: AlterPartitionReassignmentsResponse) -> None:
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
    write_reassignable_topic_response_v0_list(out, m.responses)
    put(b"\0")


def write_alter_partition_reassignments_response_v1(out: list[MessagePart], m: AlterPartitionReassignmentsResponse) -> None:
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
    write_reassignable_topic_response_v0_list(out, m.responses)
    put(b"\0")


AlterPartitionReassignmentsRequest.WRITERS = {
    0: write_alter_partition_reassignments_request_v0,
    1: write_alter_partition_reassignments_request_v1,
}
AlterPartitionReassignmentsResponse.WRITERS = {
    0: write_alter_partition_reassignments_response_v0,
    1: write_alter_partition_reassignments_response_v1,
}
