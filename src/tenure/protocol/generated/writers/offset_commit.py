"""Generated from `tenure/protocol/tables/offset_commit.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack
pack_ii: Final = Packer(">ii").pack
pack_iqh: Final = Packer(">iqh").pack
pack_iqi: Final = Packer(">iqi").pack
pack_iqih: Final = Packer(">iqih").pack
pack_qi: Final = Packer(">qi").pack


def write_offset_commit_request_partition_v2_list(out: list[MessagePart], items: list[OffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        if m.committed_metadata is None:
            put(pack_iqh(m.partition_index, m.committed_offset, -1))
        else:
            text = m.committed_metadata.encode()
            put(pack_iqh(m.partition_index, m.committed_offset, len(text)))
            put(text)


def write_offset_commit_request_topic_v2_list(out: list[MessagePart], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_commit_request_partition_v2_list(out, m.partitions)


def write_offset_commit_request_v2(out: list[MessagePart], m: OffsetCommitRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("OffsetCommitRequest.group_instance_id exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    put(pack_qi(m.retention_time_ms, len(m.topics)))
    write_offset_commit_request_topic_v2_list(out, m.topics)


def write_offset_commit_request_v5(out: list[MessagePart], m: OffsetCommitRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("OffsetCommitRequest.group_instance_id exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    put(pack_i(len(m.topics)))
    write_offset_commit_request_topic_v2_list(out, m.topics)


def write_offset_commit_request_partition_v6_list(out: list[MessagePart], items: list[OffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        if m.committed_metadata is None:
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, -1))
        else:
            text = m.committed_metadata.encode()
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, len(text)))
            put(text)


def write_offset_commit_request_topic_v6_list(out: list[MessagePart], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_commit_request_partition_v6_list(out, m.partitions)


def write_offset_commit_request_v6(out: list[MessagePart], m: OffsetCommitRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("OffsetCommitRequest.group_instance_id exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    put(pack_i(len(m.topics)))
    write_offset_commit_request_topic_v6_list(out, m.topics)


def write_offset_commit_request_v7(out: list[MessagePart], m: OffsetCommitRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    if m.group_instance_id is None:
        put(pack_h(-1))
    else:
        text = m.group_instance_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_i(len(m.topics)))
    write_offset_commit_request_topic_v6_list(out, m.topics)


def write_offset_commit_request_partition_v8_list(out: list[MessagePart], items: list[OffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch))
        if m.committed_metadata is None:
            put(b"\0")
        else:
            text = m.committed_metadata.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_offset_commit_request_topic_v8_list(out: list[MessagePart], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_request_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_request_v8(out: list[MessagePart], m: OffsetCommitRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id_or_member_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_request_topic_v8_list(out, m.topics)
    put(b"\0")


def write_offset_commit_request_topic_v10_list(out: list[MessagePart], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_request_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_request_v10(out: list[MessagePart], m: OffsetCommitRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id_or_member_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_request_topic_v10_list(out, m.topics)
    put(b"\0")


def write_offset_commit_response_partition_v2_list(out: list[MessagePart], items: list[OffsetCommitResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))


def write_offset_commit_response_topic_v2_list(out: list[MessagePart], items: list[OffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_commit_response_partition_v2_list(out, m.partitions)


def write_offset_commit_response_v2(out: list[MessagePart], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_offset_commit_response_topic_v2_list(out, m.topics)


def write_offset_commit_response_v3(out: list[MessagePart], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_commit_response_topic_v2_list(out, m.topics)


def write_offset_commit_response_partition_v8_list(out: list[MessagePart], items: list[OffsetCommitResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ihx(m.partition_index, m.error_code))


def write_offset_commit_response_topic_v8_list(out: list[MessagePart], items: list[OffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_response_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_response_v8(out: list[MessagePart], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_response_topic_v8_list(out, m.topics)
    put(b"\0")


def write_offset_commit_response_topic_v10_list(out: list[MessagePart], items: list[OffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_response_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_response_v10(out: list[MessagePart], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_response_topic_v10_list(out, m.topics)
    put(b"\0")


OffsetCommitRequest.WRITERS = {
    2: write_offset_commit_request_v2,
    3: write_offset_commit_request_v2,
    4: write_offset_commit_request_v2,
    5: write_offset_commit_request_v5,
    6: write_offset_commit_request_v6,
    7: write_offset_commit_request_v7,
    8: write_offset_commit_request_v8,
    9: write_offset_commit_request_v8,
    10: write_offset_commit_request_v10,
}
OffsetCommitResponse.WRITERS = {
    2: write_offset_commit_response_v2,
    3: write_offset_commit_response_v3,
    4: write_offset_commit_response_v3,
    5: write_offset_commit_response_v3,
    6: write_offset_commit_response_v3,
    7: write_offset_commit_response_v3,
    8: write_offset_commit_response_v8,
    9: write_offset_commit_response_v8,
    10: write_offset_commit_response_v10,
}
