"""Generated from `tenure/protocol/tables/add_partitions_to_txn.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_partitions_to_txn import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTopicResult,
    AddPartitionsToTxnTransaction,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack
pack_ii: Final = Packer(">ii").pack
pack_qh: Final = Packer(">qh").pack
pack_qhZ: Final = Packer(">qh?").pack
pack_qhi: Final = Packer(">qhi").pack


def write_add_partitions_to_txn_topic_v0_list(out: list[MessagePart], items: list[AddPartitionsToTxnTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partitions))


def write_add_partitions_to_txn_request_v0(out: list[MessagePart], m: AddPartitionsToTxnRequest) -> None:
    put = out.append
    if m.transactions:
        raise UnsupportedVersion("AddPartitionsToTxnRequest.transactions exists in versions 4+ only")
    text = m.v3_and_below_transactional_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_qhi(m.v3_and_below_producer_id, m.v3_and_below_producer_epoch, len(m.v3_and_below_topics)))
    write_add_partitions_to_txn_topic_v0_list(out, m.v3_and_below_topics)


def write_add_partitions_to_txn_topic_v3_list(out: list[MessagePart], items: list[AddPartitionsToTxnTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_add_partitions_to_txn_request_v3(out: list[MessagePart], m: AddPartitionsToTxnRequest) -> None:
    put = out.append
    if m.transactions:
        raise UnsupportedVersion("AddPartitionsToTxnRequest.transactions exists in versions 4+ only")
    text = m.v3_and_below_transactional_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_qh(m.v3_and_below_producer_id, m.v3_and_below_producer_epoch))
    n = len(m.v3_and_below_topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_add_partitions_to_txn_topic_v3_list(out, m.v3_and_below_topics)
    put(b"\0")


def write_add_partitions_to_txn_transaction_v4_list(out: list[MessagePart], items: list[AddPartitionsToTxnTransaction]) -> None:
    put = out.append
    for m in items:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_qhZ(m.producer_id, m.producer_epoch, m.verify_only))
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_add_partitions_to_txn_topic_v3_list(out, m.topics)
        put(b"\0")


def write_add_partitions_to_txn_request_v4(out: list[MessagePart], m: AddPartitionsToTxnRequest) -> None:
    put = out.append
    if m.v3_and_below_transactional_id:
        raise UnsupportedVersion("AddPartitionsToTxnRequest.v3_and_below_transactional_id exists in versions 0-3 only")
    if m.v3_and_below_producer_id != 0:
        raise UnsupportedVersion("AddPartitionsToTxnRequest.v3_and_below_producer_id exists in versions 0-3 only")
    if m.v3_and_below_producer_epoch != 0:
        raise UnsupportedVersion("AddPartitionsToTxnRequest.v3_and_below_producer_epoch exists in versions 0-3 only")
    if m.v3_and_below_topics:
        raise UnsupportedVersion("AddPartitionsToTxnRequest.v3_and_below_topics exists in versions 0-3 only")
    n = len(m.transactions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_add_partitions_to_txn_transaction_v4_list(out, m.transactions)
    put(b"\0")


def write_add_partitions_to_txn_partition_result_v0_list(out: list[MessagePart], items: list[AddPartitionsToTxnPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.partition_error_code))


def write_add_partitions_to_txn_topic_result_v0_list(out: list[MessagePart], items: list[AddPartitionsToTxnTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.results_by_partition)))
        write_add_partitions_to_txn_partition_result_v0_list(out, m.results_by_partition)


def write_add_partitions_to_txn_response_v0(out: list[MessagePart], m: AddPartitionsToTxnResponse) -> None:
    put = out.append
    if m.results_by_transaction:
        raise UnsupportedVersion("AddPartitionsToTxnResponse.results_by_transaction exists in versions 4+ only")
    put(pack_ii(m.throttle_time_ms, len(m.results_by_topic_v3_and_below)))
    write_add_partitions_to_txn_topic_result_v0_list(out, m.results_by_topic_v3_and_below)


def write_add_partitions_to_txn_partition_result_v3_list(out: list[MessagePart], items: list[AddPartitionsToTxnPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_ihx(m.partition_index, m.partition_error_code))


def write_add_partitions_to_txn_topic_result_v3_list(out: list[MessagePart], items: list[AddPartitionsToTxnTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.results_by_partition) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_add_partitions_to_txn_partition_result_v3_list(out, m.results_by_partition)
        put(b"\0")


def write_add_partitions_to_txn_response_v3(out: list[MessagePart], m: AddPartitionsToTxnResponse) -> None:
    put = out.append
    if m.results_by_transaction:
        raise UnsupportedVersion("AddPartitionsToTxnResponse.results_by_transaction exists in versions 4+ only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.results_by_topic_v3_and_below) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_add_partitions_to_txn_topic_result_v3_list(out, m.results_by_topic_v3_and_below)
    put(b"\0")


def write_add_partitions_to_txn_result_v4_list(out: list[MessagePart], items: list[AddPartitionsToTxnResult]) -> None:
    put = out.append
    for m in items:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topic_results) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_add_partitions_to_txn_topic_result_v3_list(out, m.topic_results)
        put(b"\0")


def write_add_partitions_to_txn_response_v4(out: list[MessagePart], m: AddPartitionsToTxnResponse) -> None:
    put = out.append
    if m.results_by_topic_v3_and_below:
        raise UnsupportedVersion("AddPartitionsToTxnResponse.results_by_topic_v3_and_below exists in versions 0-3 only")
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results_by_transaction) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_add_partitions_to_txn_result_v4_list(out, m.results_by_transaction)
    put(b"\0")


AddPartitionsToTxnRequest.WRITERS = {
    0: write_add_partitions_to_txn_request_v0,
    1: write_add_partitions_to_txn_request_v0,
    2: write_add_partitions_to_txn_request_v0,
    3: write_add_partitions_to_txn_request_v3,
    4: write_add_partitions_to_txn_request_v4,
    5: write_add_partitions_to_txn_request_v4,
}
AddPartitionsToTxnResponse.WRITERS = {
    0: write_add_partitions_to_txn_response_v0,
    1: write_add_partitions_to_txn_response_v0,
    2: write_add_partitions_to_txn_response_v0,
    3: write_add_partitions_to_txn_response_v3,
    4: write_add_partitions_to_txn_response_v4,
    5: write_add_partitions_to_txn_response_v4,
}
