"""Generated from `tenure/protocol/tables/offset_for_leader_epoch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_for_leader_epoch import (
    EpochEndOffset,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
    OffsetForLeaderTopicResult,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hiiq: Final = Packer(">hiiq").pack
pack_hiiqx: Final = Packer(">hiiqx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_iii: Final = Packer(">iii").pack
pack_iiix: Final = Packer(">iiix").pack


def write_offset_for_leader_partition_v2_list(out: list[MessagePart], items: list[OffsetForLeaderPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iii(m.partition, m.current_leader_epoch, m.leader_epoch))


def write_offset_for_leader_topic_v2_list(out: list[MessagePart], items: list[OffsetForLeaderTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_for_leader_partition_v2_list(out, m.partitions)


def write_offset_for_leader_epoch_request_v2(out: list[MessagePart], m: OffsetForLeaderEpochRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_offset_for_leader_topic_v2_list(out, m.topics)


def write_offset_for_leader_epoch_request_v3(out: list[MessagePart], m: OffsetForLeaderEpochRequest) -> None:
    put = out.append
    put(pack_ii(m.replica_id, len(m.topics)))
    write_offset_for_leader_topic_v2_list(out, m.topics)


def write_offset_for_leader_partition_v4_list(out: list[MessagePart], items: list[OffsetForLeaderPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiix(m.partition, m.current_leader_epoch, m.leader_epoch))


def write_offset_for_leader_topic_v4_list(out: list[MessagePart], items: list[OffsetForLeaderTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_for_leader_partition_v4_list(out, m.partitions)
        put(b"\0")


def write_offset_for_leader_epoch_request_v4(out: list[MessagePart], m: OffsetForLeaderEpochRequest) -> None:
    put = out.append
    put(pack_i(m.replica_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_for_leader_topic_v4_list(out, m.topics)
    put(b"\0")


def write_epoch_end_offset_v2_list(out: list[MessagePart], items: list[EpochEndOffset]) -> None:
    put = out.append
    for m in items:
        put(pack_hiiq(m.error_code, m.partition, m.leader_epoch, m.end_offset))


def write_offset_for_leader_topic_result_v2_list(out: list[MessagePart], items: list[OffsetForLeaderTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_epoch_end_offset_v2_list(out, m.partitions)


def write_offset_for_leader_epoch_response_v2(out: list[MessagePart], m: OffsetForLeaderEpochResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_for_leader_topic_result_v2_list(out, m.topics)


def write_epoch_end_offset_v4_list(out: list[MessagePart], items: list[EpochEndOffset]) -> None:
    put = out.append
    for m in items:
        put(pack_hiiqx(m.error_code, m.partition, m.leader_epoch, m.end_offset))


def write_offset_for_leader_topic_result_v4_list(out: list[MessagePart], items: list[OffsetForLeaderTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_epoch_end_offset_v4_list(out, m.partitions)
        put(b"\0")


def write_offset_for_leader_epoch_response_v4(out: list[MessagePart], m: OffsetForLeaderEpochResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_for_leader_topic_result_v4_list(out, m.topics)
    put(b"\0")


OffsetForLeaderEpochRequest.WRITERS = {
    2: write_offset_for_leader_epoch_request_v2,
    3: write_offset_for_leader_epoch_request_v3,
    4: write_offset_for_leader_epoch_request_v4,
}
OffsetForLeaderEpochResponse.WRITERS = {
    2: write_offset_for_leader_epoch_response_v2,
    3: write_offset_for_leader_epoch_response_v2,
    4: write_offset_for_leader_epoch_response_v4,
}
