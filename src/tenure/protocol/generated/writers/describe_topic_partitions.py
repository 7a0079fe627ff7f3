"""Generated from `tenure/protocol/tables/describe_topic_partitions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_topic_partitions import (
    Cursor,
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
    TopicRequest,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
)

pack_16sZ: Final = Packer(">16s?").pack
pack_h: Final = Packer(">h").pack
pack_hiii: Final = Packer(">hiii").pack
pack_i: Final = Packer(">i").pack
pack_ix: Final = Packer(">ix").pack


def write_topic_request_v0_list(out: list[MessagePart], items: list[TopicRequest]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_cursor_v0(out: list[MessagePart], m: Cursor) -> None:
    put = out.append
    text = m.topic_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_ix(m.partition_index))


def write_describe_topic_partitions_request_v0(out: list[MessagePart], m: DescribeTopicPartitionsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_request_v0_list(out, m.topics)
    put(pack_i(m.response_partition_limit))
    if m.cursor is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_cursor_v0(out, m.cursor)
    put(b"\0")


def write_describe_topic_partitions_response_partition_v0_list(out: list[MessagePart], items: list[DescribeTopicPartitionsResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch))
        put(pack_compact_int32s(m.replica_nodes))
        put(pack_compact_int32s(m.isr_nodes))
        if m.eligible_leader_replicas is None:
            put(b"\0")
        else:
            put(pack_compact_int32s(m.eligible_leader_replicas))
        if m.last_known_elr is None:
            put(b"\0")
        else:
            put(pack_compact_int32s(m.last_known_elr))
        put(pack_compact_int32s(m.offline_replicas))
        put(b"\0")


def write_describe_topic_partitions_response_topic_v0_list(out: list[MessagePart], items: list[DescribeTopicPartitionsResponseTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.name is None:
            put(b"\0")
        else:
            text = m.name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_16sZ(m.topic_id, m.is_internal))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_topic_partitions_response_partition_v0_list(out, m.partitions)
        put(pack_ix(m.topic_authorized_operations))


def write_describe_topic_partitions_response_v0(out: list[MessagePart], m: DescribeTopicPartitionsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_topic_partitions_response_topic_v0_list(out, m.topics)
    if m.next_cursor is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_cursor_v0(out, m.next_cursor)
    put(b"\0")


DescribeTopicPartitionsRequest.WRITERS = {
    0: write_describe_topic_partitions_request_v0,
}
DescribeTopicPartitionsResponse.WRITERS = {
    0: write_describe_topic_partitions_response_v0,
}
