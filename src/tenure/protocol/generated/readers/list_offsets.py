"""Generated from `tenure/protocol/tables/list_offsets.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
    ListOffsetsTopicResponse,
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
unpack_ibB: Final = Packer(">ibB").unpack_from
unpack_ibi: Final = Packer(">ibi").unpack_from
unpack_ihqq: Final = Packer(">ihqq").unpack_from
unpack_ihqqi: Final = Packer(">ihqqi").unpack_from
unpack_ihqqiB: Final = Packer(">ihqqiB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iiq: Final = Packer(">iiq").unpack_from
unpack_iiqB: Final = Packer(">iiqB").unpack_from
unpack_iq: Final = Packer(">iq").unpack_from


def read_list_offsets_partition_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListOffsetsPartition], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[ListOffsetsPartition] = []
    for _ in range(announced):
        partition_index, timestamp = unpack_iq(data, at)
        at += 12
        found.append(ListOffsetsPartition(partition_index, -1, timestamp))
    return found, at


def read_list_offsets_topic_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListOffsetsTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ListOffsetsTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_list_offsets_partition_v1_list(data, at, n, elements)
        found.append(ListOffsetsTopic(name, partitions))
    return found, at


def read_list_offsets_request_v1(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_list_offsets_topic_v1_list(data, at, n, elements)
    return ListOffsetsRequest(replica_id, 0, topics), at


def read_list_offsets_request_v2(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, isolation_level, n = unpack_ibi(data, at)
    at += 9
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_list_offsets_topic_v1_list(data, at, n, elements)
    return ListOffsetsRequest(replica_id, isolation_level, topics), at


def read_list_offsets_partition_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListOffsetsPartition], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[ListOffsetsPartition] = []
    for _ in range(announced):
        partition_index, current_leader_epoch, timestamp = unpack_iiq(data, at)
        at += 16
        found.append(ListOffsetsPartition(partition_index, current_leader_epoch, timestamp))
    return found, at


def read_list_offsets_topic_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListOffsetsTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ListOffsetsTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_list_offsets_partition_v4_list(data, at, n, elements)
        found.append(ListOffsetsTopic(name, partitions))
    return found, at


def read_list_offsets_request_v4(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, isolation_level, n = unpack_ibi(data, at)
    at += 9
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_list_offsets_topic_v4_list(data, at, n, elements)
    return ListOffsetsRequest(replica_id, isolation_level, topics), at


def read_list_offsets_partition_v6_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListOffsetsPartition], int]:
    if announced * 17 > len(data) - at:
        raise too_many(announced, 17, data, at)
    found: list[ListOffsetsPartition] = []
    for _ in range(announced):
        partition_index, current_leader_epoch, timestamp, tags = unpack_iiqB(data, at)
        at += 17
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ListOffsetsPartition(partition_index, current_leader_epoch, timestamp))
    return found, at


def read_list_offsets_topic_v6_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListOffsetsTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ListOffsetsTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_list_offsets_partition_v6_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ListOffsetsTopic(name, partitions))
    return found, at


def read_list_offsets_request_v6(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, isolation_level, n = unpack_ibB(data, at)
    at += 6
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_list_offsets_topic_v6_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListOffsetsRequest(replica_id, isolation_level, topics), at


def read_list_offsets_request_v10(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, isolation_level, n = unpack_ibB(data, at)
    at += 6
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_list_offsets_topic_v6_list(data, at, n, elements)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListOffsetsRequest(replica_id, isolation_level, topics, timeout_ms), at


def read_list_offsets_partition_response_v1_list(data: bytes, at: int, announced: int) -> tuple[list[ListOffsetsPartitionResponse], int]:
    if announced * 22 > len(data) - at:
        raise too_many(announced, 22, data, at)
    found: list[ListOffsetsPartitionResponse] = []
    for _ in range(announced):
        partition_index, error_code, timestamp, offset = unpack_ihqq(data, at)
        at += 22
        found.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset))
    return found, at


def read_list_offsets_topic_response_v1_list(data: bytes, at: int, announced: int) -> tuple[list[ListOffsetsTopicResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ListOffsetsTopicResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.partitions is null")
        partitions, at = read_list_offsets_partition_response_v1_list(data, at, n)
        found.append(ListOffsetsTopicResponse(name, partitions))
    return found, at


def read_list_offsets_response_v1(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v1_list(data, at, n)
    return ListOffsetsResponse(0, topics), at


def read_list_offsets_response_v2(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v1_list(data, at, n)
    return ListOffsetsResponse(throttle_time_ms, topics), at


def read_list_offsets_partition_response_v4_list(data: bytes, at: int, announced: int) -> tuple[list[ListOffsetsPartitionResponse], int]:
    if announced * 26 > len(data) - at:
        raise too_many(announced, 26, data, at)
    found: list[ListOffsetsPartitionResponse] = []
    for _ in range(announced):
        partition_index, error_code, timestamp, offset, leader_epoch = unpack_ihqqi(data, at)
        at += 26
        found.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, leader_epoch))
    return found, at


def read_list_offsets_topic_response_v4_list(data: bytes, at: int, announced: int) -> tuple[list[ListOffsetsTopicResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ListOffsetsTopicResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.partitions is null")
        partitions, at = read_list_offsets_partition_response_v4_list(data, at, n)
        found.append(ListOffsetsTopicResponse(name, partitions))
    return found, at


def read_list_offsets_response_v4(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v4_list(data, at, n)
    return ListOffsetsResponse(throttle_time_ms, topics), at


def read_list_offsets_partition_response_v6_list(data: bytes, at: int, announced: int) -> tuple[list[ListOffsetsPartitionResponse], int]:
    if announced * 27 > len(data) - at:
        raise too_many(announced, 27, data, at)
    found: list[ListOffsetsPartitionResponse] = []
    for _ in range(announced):
        partition_index, error_code, timestamp, offset, leader_epoch, tags = unpack_ihqqiB(data, at)
        at += 27
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, leader_epoch))
    return found, at


def read_list_offsets_topic_response_v6_list(data: bytes, at: int, announced: int) -> tuple[list[ListOffsetsTopicResponse], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ListOffsetsTopicResponse] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.partitions is null")
        partitions, at = read_list_offsets_partition_response_v6_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListOffsetsTopicResponse(name, partitions))
    return found, at


def read_list_offsets_response_v6(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListOffsetsResponse(throttle_time_ms, topics), at


ListOffsetsRequest.READERS = {
    1: read_list_offsets_request_v1,
    2: read_list_offsets_request_v2,
    3: read_list_offsets_request_v2,
    4: read_list_offsets_request_v4,
    5: read_list_offsets_request_v4,
    6: read_list_offsets_request_v6,
    7: read_list_offsets_request_v6,
    8: read_list_offsets_request_v6,
    9: read_list_offsets_request_v6,
    10: read_list_offsets_request_v10,
    11: read_list_offsets_request_v10,
}
ListOffsetsResponse.READERS = {
    1: read_list_offsets_response_v1,
    2: read_list_offsets_response_v2,
    3: read_list_offsets_response_v2,
    4: read_list_offsets_response_v4,
    5: read_list_offsets_response_v4,
    6: read_list_offsets_response_v6,
    7: read_list_offsets_response_v6,
    8: read_list_offsets_response_v6,
    9: read_list_offsets_response_v6,
    10: read_list_offsets_response_v6,
    11: read_list_offsets_response_v6,
}
