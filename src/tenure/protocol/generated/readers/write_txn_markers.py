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
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_int32s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_iB: Final = Packer(">iB").unpack_from
unpack_ibB: Final = Packer(">ibB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_qB: Final = Packer(">qB").unpack_from
unpack_qhZB: Final = Packer(">qh?B").unpack_from


def read_writable_txn_marker_topic_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[WritableTxnMarkerTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[WritableTxnMarkerTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarkerTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarkerTopic.partition_indexes is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(WritableTxnMarkerTopic(name, partition_indexes))
    return found, at


def read_writable_txn_marker_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[WritableTxnMarker], int]:
    if announced * 17 > len(data) - at:
        raise too_many(announced, 17, data, at)
    found: list[WritableTxnMarker] = []
    for _ in range(announced):
        producer_id, producer_epoch, transaction_result, n = unpack_qhZB(data, at)
        at += 12
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarker.topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_writable_txn_marker_topic_v1_list(data, at, n, elements)
        coordinator_epoch, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(WritableTxnMarker(producer_id, producer_epoch, transaction_result, topics, coordinator_epoch))
    return found, at


def read_write_txn_markers_request_v1(data: bytes, at: int) -> tuple[WriteTxnMarkersRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("WriteTxnMarkersRequest.markers is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    markers, at = read_writable_txn_marker_v1_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return WriteTxnMarkersRequest(markers), at


def read_writable_txn_marker_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[WritableTxnMarker], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[WritableTxnMarker] = []
    for _ in range(announced):
        producer_id, producer_epoch, transaction_result, n = unpack_qhZB(data, at)
        at += 12
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarker.topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_writable_txn_marker_topic_v1_list(data, at, n, elements)
        coordinator_epoch, transaction_version, tags = unpack_ibB(data, at)
        at += 6
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(WritableTxnMarker(producer_id, producer_epoch, transaction_result, topics, coordinator_epoch, transaction_version))
    return found, at


def read_write_txn_markers_request_v2(data: bytes, at: int) -> tuple[WriteTxnMarkersRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("WriteTxnMarkersRequest.markers is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    markers, at = read_writable_txn_marker_v2_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return WriteTxnMarkersRequest(markers), at


def read_writable_txn_marker_partition_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[WritableTxnMarkerPartitionResult], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[WritableTxnMarkerPartitionResult] = []
    for _ in range(announced):
        partition_index, error_code, tags = unpack_ihB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(WritableTxnMarkerPartitionResult(partition_index, error_code))
    return found, at


def read_writable_txn_marker_topic_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[WritableTxnMarkerTopicResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[WritableTxnMarkerTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarkerTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarkerTopicResult.partitions is null")
        partitions, at = read_writable_txn_marker_partition_result_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(WritableTxnMarkerTopicResult(name, partitions))
    return found, at


def read_writable_txn_marker_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[WritableTxnMarkerResult], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[WritableTxnMarkerResult] = []
    for _ in range(announced):
        producer_id, n = unpack_qB(data, at)
        at += 9
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("WritableTxnMarkerResult.topics is null")
        topics, at = read_writable_txn_marker_topic_result_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(WritableTxnMarkerResult(producer_id, topics))
    return found, at


def read_write_txn_markers_response_v1(data: bytes, at: int) -> tuple[WriteTxnMarkersResponse, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("WriteTxnMarkersResponse.markers is null")
    markers, at = read_writable_txn_marker_result_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return WriteTxnMarkersResponse(markers), at


WriteTxnMarkersRequest.READERS = {
    1: read_write_txn_markers_request_v1,
    2: read_write_txn_markers_request_v2,
}
WriteTxnMarkersResponse.READERS = {
    1: read_write_txn_markers_response_v1,
    2: read_write_txn_markers_response_v1,
}
