"""Generated from `tenure/protocol/tables/describe_topic_partitions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_topic_partitions import (
    Cursor,
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
    TopicRequest,
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

unpack_16sZB: Final = Packer(">16s?B").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hiiiB: Final = Packer(">hiiiB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from


def read_topic_request_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TopicRequest], int]:
    if announced * 2 > len(data) - at:
        raise too_many(announced, 2, data, at)
    found: list[TopicRequest] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicRequest.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopicRequest(name))
    return found, at


def read_cursor_v0(data: bytes, at: int, elements: Elements = UNBOUNDED) -> tuple[Cursor, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("Cursor.topic_name is null")
    end = at + n
    topic_name = utf8(data[at:end])
    at = end
    partition_index, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, elements)
    return Cursor(topic_name, partition_index), at


def read_describe_topic_partitions_request_v0(data: bytes, at: int) -> tuple[DescribeTopicPartitionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeTopicPartitionsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_topic_request_v0_list(data, at, n, elements)
    (response_partition_limit,) = unpack_i(data, at)
    at += 4
    (n,) = unpack_b(data, at)
    at += 1
    if n < 0:
        cursor = None
    else:
        cursor, at = read_cursor_v0(data, at, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeTopicPartitionsRequest(topics, response_partition_limit, cursor), at


def read_describe_topic_partitions_response_partition_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeTopicPartitionsResponsePartition], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[DescribeTopicPartitionsResponsePartition] = []
    for _ in range(announced):
        error_code, partition_index, leader_id, leader_epoch, n = unpack_hiiiB(data, at)
        at += 15
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeTopicPartitionsResponsePartition.replica_nodes is null")
        replica_nodes = read_int32s(data, at, n)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeTopicPartitionsResponsePartition.isr_nodes is null")
        isr_nodes = read_int32s(data, at, n)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            eligible_leader_replicas = read_int32s(data, at, n)
            at += 4 * n
        else:
            eligible_leader_replicas = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            last_known_elr = read_int32s(data, at, n)
            at += 4 * n
        else:
            last_known_elr = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeTopicPartitionsResponsePartition.offline_replicas is null")
        offline_replicas = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeTopicPartitionsResponsePartition(error_code, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, eligible_leader_replicas, last_known_elr, offline_replicas))
    return found, at


def read_describe_topic_partitions_response_topic_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeTopicPartitionsResponseTopic], int]:
    if announced * 26 > len(data) - at:
        raise too_many(announced, 26, data, at)
    found: list[DescribeTopicPartitionsResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            name = utf8(data[at:end])
            at = end
        else:
            name = None
        topic_id, is_internal, n = unpack_16sZB(data, at)
        at += 18
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeTopicPartitionsResponseTopic.partitions is null")
        partitions, at = read_describe_topic_partitions_response_partition_v0_list(data, at, n)
        topic_authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeTopicPartitionsResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    return found, at


def read_describe_topic_partitions_response_v0(data: bytes, at: int) -> tuple[DescribeTopicPartitionsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeTopicPartitionsResponse.topics is null")
    topics, at = read_describe_topic_partitions_response_topic_v0_list(data, at, n)
    (n,) = unpack_b(data, at)
    at += 1
    if n < 0:
        next_cursor = None
    else:
        next_cursor, at = read_cursor_v0(data, at)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeTopicPartitionsResponse(throttle_time_ms, topics, next_cursor), at


DescribeTopicPartitionsRequest.READERS = {
    0: read_describe_topic_partitions_request_v0,
}
DescribeTopicPartitionsResponse.READERS = {
    0: read_describe_topic_partitions_response_v0,
}
