"""Generated from `tenure/protocol/tables/offset_delete.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_hii: Final = Packer(">hii").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from


def read_offset_delete_request_partition_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetDeleteRequestPartition], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[OffsetDeleteRequestPartition] = []
    for _ in range(announced):
        (partition_index,) = unpack_i(data, at)
        at += 4
        found.append(OffsetDeleteRequestPartition(partition_index))
    return found, at


def read_offset_delete_request_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetDeleteRequestTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetDeleteRequestTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetDeleteRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetDeleteRequestTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_offset_delete_request_partition_v0_list(data, at, n, elements)
        found.append(OffsetDeleteRequestTopic(name, partitions))
    return found, at


def read_offset_delete_request_v0(data: bytes, at: int) -> tuple[OffsetDeleteRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetDeleteRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetDeleteRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_offset_delete_request_topic_v0_list(data, at, n, elements)
    return OffsetDeleteRequest(group_id, topics), at


def read_offset_delete_response_partition_v0_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetDeleteResponsePartition], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetDeleteResponsePartition] = []
    for _ in range(announced):
        partition_index, error_code = unpack_ih(data, at)
        at += 6
        found.append(OffsetDeleteResponsePartition(partition_index, error_code))
    return found, at


def read_offset_delete_response_topic_v0_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetDeleteResponseTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetDeleteResponseTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetDeleteResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetDeleteResponseTopic.partitions is null")
        partitions, at = read_offset_delete_response_partition_v0_list(data, at, n)
        found.append(OffsetDeleteResponseTopic(name, partitions))
    return found, at


def read_offset_delete_response_v0(data: bytes, at: int) -> tuple[OffsetDeleteResponse, int]:
    error_code, throttle_time_ms, n = unpack_hii(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("OffsetDeleteResponse.topics is null")
    topics, at = read_offset_delete_response_topic_v0_list(data, at, n)
    return OffsetDeleteResponse(error_code, throttle_time_ms, topics), at


OffsetDeleteRequest.READERS = {
    0: read_offset_delete_request_v0,
}
OffsetDeleteResponse.READERS = {
    0: read_offset_delete_response_v0,
}
