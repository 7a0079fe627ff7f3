"""Generated from `tenure/protocol/tables/txn_offset_commit.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
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
pack_qhi: Final = Packer(">qhi").pack


def write_txn_offset_commit_request_partition_v0_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        if m.committed_metadata is None:
            put(pack_iqh(m.partition_index, m.committed_offset, -1))
        else:
            text = m.committed_metadata.encode()
            put(pack_iqh(m.partition_index, m.committed_offset, len(text)))
            put(text)


def write_txn_offset_commit_request_topic_v0_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_txn_offset_commit_request_partition_v0_list(out, m.partitions)


def write_txn_offset_commit_request_v0(out: list[MessagePart], m: TxnOffsetCommitRequest) -> None:
    put = out.append
    if m.generation_id_or_member_epoch != -1:
        raise UnsupportedVersion("TxnOffsetCommitRequest.generation_id_or_member_epoch exists in versions 3+ only")
    if m.member_id:
        raise UnsupportedVersion("TxnOffsetCommitRequest.member_id exists in versions 3+ only")
    if m.group_instance_id is not None:
        raise UnsupportedVersion("TxnOffsetCommitRequest.group_instance_id exists in versions 3+ only")
    text = m.transactional_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_qhi(m.producer_id, m.producer_epoch, len(m.topics)))
    write_txn_offset_commit_request_topic_v0_list(out, m.topics)


def write_txn_offset_commit_request_partition_v2_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        if m.committed_metadata is None:
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, -1))
        else:
            text = m.committed_metadata.encode()
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, len(text)))
            put(text)


def write_txn_offset_commit_request_topic_v2_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_txn_offset_commit_request_partition_v2_list(out, m.partitions)


def write_txn_offset_commit_request_v2(out: list[MessagePart], m: TxnOffsetCommitRequest) -> None:
    put = out.append
    if m.generation_id_or_member_epoch != -1:
        raise UnsupportedVersion("TxnOffsetCommitRequest.generation_id_or_member_epoch exists in versions 3+ only")
    if m.member_id:
        raise UnsupportedVersion("TxnOffsetCommitRequest.member_id exists in versions 3+ only")
    if m.group_instance_id is not None:
        raise UnsupportedVersion("TxnOffsetCommitRequest.group_instance_id exists in versions 3+ only")
    text = m.transactional_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_qhi(m.producer_id, m.producer_epoch, len(m.topics)))
    write_txn_offset_commit_request_topic_v2_list(out, m.topics)


def write_txn_offset_commit_request_partition_v3_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestPartition]) -> None:
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


def write_txn_offset_commit_request_topic_v3_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_txn_offset_commit_request_partition_v3_list(out, m.partitions)
        put(b"\0")


def write_txn_offset_commit_request_v3(out: list[MessagePart], m: TxnOffsetCommitRequest) -> None:
    put = out.append
    text = m.transactional_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_qhi(m.producer_id, m.producer_epoch, m.generation_id_or_member_epoch))
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
    write_txn_offset_commit_request_topic_v3_list(out, m.topics)
    put(b"\0")


def write_txn_offset_commit_request_topic_v6_list(out: list[MessagePart], items: list[TxnOffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_txn_offset_commit_request_partition_v3_list(out, m.partitions)
        put(b"\0")


def write_txn_offset_commit_request_v6(out: list[MessagePart], m: TxnOffsetCommitRequest) -> None:
    put = out.append
    text = m.transactional_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_qhi(m.producer_id, m.producer_epoch, m.generation_id_or_member_epoch))
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
    write_txn_offset_commit_request_topic_v6_list(out, m.topics)
    put(b"\0")


def write_txn_offset_commit_response_partition_v0_list(out: list[MessagePart], items: list[TxnOffsetCommitResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))


def write_txn_offset_commit_response_topic_v0_list(out: list[MessagePart], items: list[TxnOffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_txn_offset_commit_response_partition_v0_list(out, m.partitions)


def write_txn_offset_commit_response_v0(out: list[MessagePart], m: TxnOffsetCommitResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_txn_offset_commit_response_topic_v0_list(out, m.topics)


def write_txn_offset_commit_response_partition_v3_list(out: list[MessagePart], items: list[TxnOffsetCommitResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ihx(m.partition_index, m.error_code))


def write_txn_offset_commit_response_topic_v3_list(out: list[MessagePart], items: list[TxnOffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_txn_offset_commit_response_partition_v3_list(out, m.partitions)
        put(b"\0")


def write_txn_offset_commit_response_v3(out: list[MessagePart], m: TxnOffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_txn_offset_commit_response_topic_v3_list(out, m.topics)
    put(b"\0")


def write_txn_offset_commit_response_topic_v6_list(out: list[MessagePart], items: list[TxnOffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_txn_offset_commit_response_partition_v3_list(out, m.partitions)
        put(b"\0")


def write_txn_offset_commit_response_v6(out: list[MessagePart], m: TxnOffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_txn_offset_commit_response_topic_v6_list(out, m.topics)
    put(b"\0")


TxnOffsetCommitRequest.WRITERS = {
    0: write_txn_offset_commit_request_v0,
    1: write_txn_offset_commit_request_v0,
    2: write_txn_offset_commit_request_v2,
    3: write_txn_offset_commit_request_v3,
    4: write_txn_offset_commit_request_v3,
    5: write_txn_offset_commit_request_v3,
    6: write_txn_offset_commit_request_v6,
}
TxnOffsetCommitResponse.WRITERS = {
    0: write_txn_offset_commit_response_v0,
    1: write_txn_offset_commit_response_v0,
    2: write_txn_offset_commit_response_v0,
    3: write_txn_offset_commit_response_v3,
    4: write_txn_offset_commit_response_v3,
    5: write_txn_offset_commit_response_v3,
    6: write_txn_offset_commit_response_v6,
}
