"""Generated from `tenure/protocol/tables/write_txn_markers.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopic,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
)

pack_ibx: Final = Packer(">ibx").pack
pack_ihx: Final = Packer(">ihx").pack
pack_ix: Final = Packer(">ix").pack
pack_q: Final = Packer(">q").pack
pack_qhZ: Final = Packer(">qh?").pack


def write_writable_txn_marker_topic_v1_list(out: list[MessagePart], items: list[WritableTxnMarkerTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partition_indexes))
        put(b"\0")


def write_writable_txn_marker_v1_list(out: list[MessagePart], items: list[WritableTxnMarker]) -> None:
    put = out.append
    for m in items:
        put(pack_qhZ(m.producer_id, m.producer_epoch, m.transaction_result))
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_writable_txn_marker_topic_v1_list(out, m.topics)
        put(pack_ix(m.coordinator_epoch))


def write_write_txn_markers_request_v1(out: list[MessagePart], m: WriteTxnMarkersRequest) -> None:
    put = out.append
    n = len(m.markers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_writable_txn_marker_v1_list(out, m.markers)
    put(b"\0")


def write_writable_txn_marker_v2_list(out: list[MessagePart], items: list[WritableTxnMarker]) -> None:
    put = out.append
    for m in items:
        put(pack_qhZ(m.producer_id, m.producer_epoch, m.transaction_result))
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_writable_txn_marker_topic_v1_list(out, m.topics)
        put(pack_ibx(m.coordinator_epoch, m.transaction_version))


def write_write_txn_markers_request_v2(out: list[MessagePart], m: WriteTxnMarkersRequest) -> None:
    put = out.append
    n = len(m.markers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_writable_txn_marker_v2_list(out, m.markers)
    put(b"\0")


def write_writable_txn_marker_partition_result_v1_list(out: list[MessagePart], items: list[WritableTxnMarkerPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_ihx(m.partition_index, m.error_code))


def write_writable_txn_marker_topic_result_v1_list(out: list[MessagePart], items: list[WritableTxnMarkerTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_writable_txn_marker_partition_result_v1_list(out, m.partitions)
        put(b"\0")


def write_writable_txn_marker_result_v1_list(out: list[MessagePart], items: list[WritableTxnMarkerResult]) -> None:
    put = out.append
    for m in items:
        put(pack_q(m.producer_id))
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_writable_txn_marker_topic_result_v1_list(out, m.topics)
        put(b"\0")


def write_write_txn_markers_response_v1(out: list[MessagePart], m: WriteTxnMarkersResponse) -> None:
    put = out.append
    n = len(m.markers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_writable_txn_marker_result_v1_list(out, m.markers)
    put(b"\0")


WriteTxnMarkersRequest.WRITERS = {
    1: write_write_txn_markers_request_v1,
    2: write_write_txn_markers_request_v2,
}
WriteTxnMarkersResponse.WRITERS = {
    1: write_write_txn_markers_response_v1,
    2: write_write_txn_markers_response_v1,
}
