"""Generated from `tenure/protocol/tables/describe_producers.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_producers import (
    DescribeProducersPartitionResponse,
    DescribeProducersRequest,
    DescribeProducersResponse,
    DescribeProducersTopic,
    DescribeProducersTopicResponse,
    ProducerState,
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
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_qiiqiqB: Final = Packer(">qiiqiqB").unpack_from


def read_describe_producers_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeProducersTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeProducersTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeProducersTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeProducersTopic.partition_indexes is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DescribeProducersTopic(name, partition_indexes))
    return found, at


def read_describe_producers_request_v0(data: bytes, at: int) -> tuple[DescribeProducersRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeProducersRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_describe_producers_topic_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeProducersRequest(topics), at


def read_producer_state_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ProducerState], int]:
    if announced * 37 > len(data) - at:
        raise too_many(announced, 37, data, at)
    found: list[ProducerState] = []
    for _ in range(announced):
        producer_id, producer_epoch, last_sequence, last_timestamp, coordinator_epoch, current_txn_start_offset, tags = unpack_qiiqiqB(data, at)
        at += 37
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ProducerState(producer_id, producer_epoch, last_sequence, last_timestamp, coordinator_epoch, current_txn_start_offset))
    return found, at


def read_describe_producers_partition_response_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeProducersPartitionResponse], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[DescribeProducersPartitionResponse] = []
    for _ in range(announced):
        partition_index, error_code, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        else:
            error_message = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeProducersPartitionResponse.active_producers is null")
        active_producers, at = read_producer_state_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeProducersPartitionResponse(partition_index, error_code, error_message, active_producers))
    return found, at


def read_describe_producers_topic_response_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeProducersTopicResponse], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeProducersTopicResponse] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeProducersTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeProducersTopicResponse.partitions is null")
        partitions, at = read_describe_producers_partition_response_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeProducersTopicResponse(name, partitions))
    return found, at


def read_describe_producers_response_v0(data: bytes, at: int) -> tuple[DescribeProducersResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeProducersResponse.topics is null")
    topics, at = read_describe_producers_topic_response_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeProducersResponse(throttle_time_ms, topics), at


DescribeProducersRequest.READERS = {
    0: read_describe_producers_request_v0,
}
DescribeProducersResponse.READERS = {
    0: read_describe_producers_response_v0,
}
