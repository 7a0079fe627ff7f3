"""Generated from `tenure/protocol/tables/write_txn_markers.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.write_txn_markers import (
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersResponse,
)
from tenure.protocol.generated.writers.write_txn_markers import (
    write_writable_txn_marker_partition_result_v1_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_q: Final = Packer(">q").pack


def pieces_of_writable_txn_marker_topic_result_v1_list(out: list[MessagePart], items: list[WritableTxnMarkerTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_writable_txn_marker_partition_result_v1_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_writable_txn_marker_result_v1_list(out: list[MessagePart], items: list[WritableTxnMarkerResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_q(m.producer_id))
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_writable_txn_marker_topic_result_v1_list(out, m.topics)
        put(b"\0")
        yield


def pieces_of_write_txn_markers_response_v1(out: list[MessagePart], m: WriteTxnMarkersResponse) -> Iterator[None]:
    put = out.append
    n = len(m.markers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_writable_txn_marker_result_v1_list(out, m.markers)
    put(b"\0")


WriteTxnMarkersResponse.PIECEWISE_WRITERS = {
    1: pieces_of_write_txn_markers_response_v1,
    2: pieces_of_write_txn_markers_response_v1,
}
