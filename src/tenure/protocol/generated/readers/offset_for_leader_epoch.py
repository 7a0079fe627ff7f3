"""Generated from `tenure/protocol/tables/offset_for_leader_epoch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_for_leader_epoch import (
    EpochEndOffset,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
    OffsetForLeaderTopicResult,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    BrokerId,
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
unpack_hiiq: Final = Packer(">hiiq").unpack_from
unpack_hiiqB: Final = Packer(">hiiqB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iii: Final = Packer(">iii").unpack_from
unpack_iiiB: Final = Packer(">iiiB").unpack_from


def read_offset_for_leader_partition_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetForLeaderPartition], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[OffsetForLeaderPartition] = []
    for _ in range(announced):
        partition, current_leader_epoch, leader_epoch = unpack_iii(data, at)
        at += 12
        found.append(OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch))
    return found, at


def read_offset_for_leader_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetForLeaderTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetForLeaderTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_offset_for_leader_partition_v2_list(data, at, n, elements)
        found.append(OffsetForLeaderTopic(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_request_v2(data: bytes, at: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_offset_for_leader_topic_v2_list(data, at, n, elements)
    return OffsetForLeaderEpochRequest(BrokerId(-2), topics), at


def read_offset_for_leader_epoch_request_v3(data: bytes, at: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_offset_for_leader_topic_v2_list(data, at, n, elements)
    return OffsetForLeaderEpochRequest(replica_id, topics), at


def read_offset_for_leader_partition_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetForLeaderPartition], int]:
    if announced * 13 > len(data) - at:
        raise too_many(announced, 13, data, at)
    found: list[OffsetForLeaderPartition] = []
    for _ in range(announced):
        partition, current_leader_epoch, leader_epoch, tags = unpack_iiiB(data, at)
        at += 13
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch))
    return found, at


def read_offset_for_leader_topic_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetForLeaderTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetForLeaderTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_offset_for_leader_partition_v4_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetForLeaderTopic(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_request_v4(data: bytes, at: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_offset_for_leader_topic_v4_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return OffsetForLeaderEpochRequest(replica_id, topics), at


def read_epoch_end_offset_v2_list(data: bytes, at: int, announced: int) -> tuple[list[EpochEndOffset], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[EpochEndOffset] = []
    for _ in range(announced):
        error_code, partition, leader_epoch, end_offset = unpack_hiiq(data, at)
        at += 18
        found.append(EpochEndOffset(error_code, partition, leader_epoch, end_offset))
    return found, at


def read_offset_for_leader_topic_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetForLeaderTopicResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetForLeaderTopicResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.partitions is null")
        partitions, at = read_epoch_end_offset_v2_list(data, at, n)
        found.append(OffsetForLeaderTopicResult(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_response_v2(data: bytes, at: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochResponse.topics is null")
    topics, at = read_offset_for_leader_topic_result_v2_list(data, at, n)
    return OffsetForLeaderEpochResponse(throttle_time_ms, topics), at


def read_epoch_end_offset_v4_list(data: bytes, at: int, announced: int) -> tuple[list[EpochEndOffset], int]:
    if announced * 19 > len(data) - at:
        raise too_many(announced, 19, data, at)
    found: list[EpochEndOffset] = []
    for _ in range(announced):
        error_code, partition, leader_epoch, end_offset, tags = unpack_hiiqB(data, at)
        at += 19
        if tags:
            at = skip_tags(data, at - 1)
        found.append(EpochEndOffset(error_code, partition, leader_epoch, end_offset))
    return found, at


def read_offset_for_leader_topic_result_v4_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetForLeaderTopicResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetForLeaderTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.partitions is null")
        partitions, at = read_epoch_end_offset_v4_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetForLeaderTopicResult(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_response_v4(data: bytes, at: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochResponse.topics is null")
    topics, at = read_offset_for_leader_topic_result_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetForLeaderEpochResponse(throttle_time_ms, topics), at


OffsetForLeaderEpochRequest.READERS = {
    2: read_offset_for_leader_epoch_request_v2,
    3: read_offset_for_leader_epoch_request_v3,
    4: read_offset_for_leader_epoch_request_v4,
}
OffsetForLeaderEpochResponse.READERS = {
    2: read_offset_for_leader_epoch_response_v2,
    3: read_offset_for_leader_epoch_response_v2,
    4: read_offset_for_leader_epoch_response_v4,
}
