"""Generated from `tenure/protocol/tables/delete_records.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
    DeleteRecordsTopicResult,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iq: Final = Packer(">iq").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from
unpack_iqh: Final = Packer(">iqh").unpack_from
unpack_iqhB: Final = Packer(">iqhB").unpack_from


def read_delete_records_partition_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteRecordsPartition], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[DeleteRecordsPartition] = []
    for _ in range(announced):
        partition_index, offset = unpack_iq(data, at)
        at += 12
        found.append(DeleteRecordsPartition(partition_index, offset))
    return found, at


def read_delete_records_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteRecordsTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[DeleteRecordsTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_delete_records_partition_v0_list(data, at, n, elements)
        found.append(DeleteRecordsTopic(name, partitions))
    return found, at


def read_delete_records_request_v0(data: bytes, at: int) -> tuple[DeleteRecordsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DeleteRecordsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_delete_records_topic_v0_list(data, at, n, elements)
    (timeout_ms,) = unpack_i(data, at)
    at += 4
    return DeleteRecordsRequest(topics, timeout_ms), at


def read_delete_records_partition_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteRecordsPartition], int]:
    if announced * 13 > len(data) - at:
        raise too_many(announced, 13, data, at)
    found: list[DeleteRecordsPartition] = []
    for _ in range(announced):
        partition_index, offset, tags = unpack_iqB(data, at)
        at += 13
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DeleteRecordsPartition(partition_index, offset))
    return found, at


def read_delete_records_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteRecordsTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DeleteRecordsTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_delete_records_partition_v2_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DeleteRecordsTopic(name, partitions))
    return found, at


def read_delete_records_request_v2(data: bytes, at: int) -> tuple[DeleteRecordsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteRecordsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_delete_records_topic_v2_list(data, at, n, elements)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DeleteRecordsRequest(topics, timeout_ms), at


def read_delete_records_partition_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteRecordsPartitionResult], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[DeleteRecordsPartitionResult] = []
    for _ in range(announced):
        partition_index, low_watermark, error_code = unpack_iqh(data, at)
        at += 14
        found.append(DeleteRecordsPartitionResult(partition_index, low_watermark, error_code))
    return found, at


def read_delete_records_topic_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteRecordsTopicResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[DeleteRecordsTopicResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopicResult.partitions is null")
        partitions, at = read_delete_records_partition_result_v0_list(data, at, n)
        found.append(DeleteRecordsTopicResult(name, partitions))
    return found, at


def read_delete_records_response_v0(data: bytes, at: int) -> tuple[DeleteRecordsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DeleteRecordsResponse.topics is null")
    topics, at = read_delete_records_topic_result_v0_list(data, at, n)
    return DeleteRecordsResponse(throttle_time_ms, topics), at


def read_delete_records_partition_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteRecordsPartitionResult], int]:
    if announced * 15 > len(data) - at:
        raise too_many(announced, 15, data, at)
    found: list[DeleteRecordsPartitionResult] = []
    for _ in range(announced):
        partition_index, low_watermark, error_code, tags = unpack_iqhB(data, at)
        at += 15
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeleteRecordsPartitionResult(partition_index, low_watermark, error_code))
    return found, at


def read_delete_records_topic_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DeleteRecordsTopicResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DeleteRecordsTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeleteRecordsTopicResult.partitions is null")
        partitions, at = read_delete_records_partition_result_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeleteRecordsTopicResult(name, partitions))
    return found, at


def read_delete_records_response_v2(data: bytes, at: int) -> tuple[DeleteRecordsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteRecordsResponse.topics is null")
    topics, at = read_delete_records_topic_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteRecordsResponse(throttle_time_ms, topics), at


DeleteRecordsRequest.READERS = {
    0: read_delete_records_request_v0,
    1: read_delete_records_request_v0,
    2: read_delete_records_request_v2,
}
DeleteRecordsResponse.READERS = {
    0: read_delete_records_response_v0,
    1: read_delete_records_response_v0,
    2: read_delete_records_response_v2,
}
