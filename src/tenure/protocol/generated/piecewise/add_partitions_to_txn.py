"""Generated from `tenure/protocol/tables/add_partitions_to_txn.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_partitions_to_txn import (
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopicResult,
)
from tenure.protocol.generated.writers.add_partitions_to_txn import (
    write_add_partitions_to_txn_partition_result_v0_list,
    write_add_partitions_to_txn_partition_result_v3_list,
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
pack_ii: Final = Packer(">ii").pack


def pieces_of_add_partitions_to_txn_topic_result_v0_list(out: list[MessagePart], items: list[AddPartitionsToTxnTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.results_by_partition)))
        for start in range(0, len(m.results_by_partition), 256):
            write_add_partitions_to_txn_partition_result_v0_list(out, m.results_by_partition[start : start + 256])
            yield
        yield


def pieces_of_add_partitions_to_txn_response_v0(out: list[MessagePart], m: AddPartitionsToTxnResponse) -> Iterator[None]:
    put = out.append
    if m.results_by_transaction:
        raise UnsupportedVersion("AddPartitionsToTxnResponse.results_by_transaction exists in versions 4+ only")
    put(pack_ii(m.throttle_time_ms, len(m.results_by_topic_v3_and_below)))
    yield from pieces_of_add_partitions_to_txn_topic_result_v0_list(out, m.results_by_topic_v3_and_below)


def pieces_of_add_partitions_to_txn_topic_result_v3_list(out: list[MessagePart], items: list[AddPartitionsToTxnTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.results_by_partition) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.results_by_partition), 256):
            write_add_partitions_to_txn_partition_result_v3_list(out, m.results_by_partition[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_add_partitions_to_txn_response_v3(out: list[MessagePart], m: AddPartitionsToTxnResponse) -> Iterator[None]:
    put = out.append
    if m.results_by_transaction:
        raise UnsupportedVersion("AddPartitionsToTxnResponse.results_by_transaction exists in versions 4+ only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.results_by_topic_v3_and_below) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_add_partitions_to_txn_topic_result_v3_list(out, m.results_by_topic_v3_and_below)
    put(b"\0")


def pieces_of_add_partitions_to_txn_result_v4_list(out: list[MessagePart], items: list[AddPartitionsToTxnResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topic_results) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_add_partitions_to_txn_topic_result_v3_list(out, m.topic_results)
        put(b"\0")
        yield


def pieces_of_add_partitions_to_txn_response_v4(out: list[MessagePart], m: AddPartitionsToTxnResponse) -> Iterator[None]:
    put = out.append
    if m.results_by_topic_v3_and_below:
        raise UnsupportedVersion("AddPartitionsToTxnResponse.results_by_topic_v3_and_below exists in versions 0-3 only")
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results_by_transaction) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_add_partitions_to_txn_result_v4_list(out, m.results_by_transaction)
    put(b"\0")


AddPartitionsToTxnResponse.PIECEWISE_WRITERS = {
    0: pieces_of_add_partitions_to_txn_response_v0,
    1: pieces_of_add_partitions_to_txn_response_v0,
    2: pieces_of_add_partitions_to_txn_response_v0,
    3: pieces_of_add_partitions_to_txn_response_v3,
    4: pieces_of_add_partitions_to_txn_response_v4,
    5: pieces_of_add_partitions_to_txn_response_v4,
}
