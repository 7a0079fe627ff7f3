"""Generated from `tenure/protocol/tables/list_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    ListPartitionReassignmentsTopics,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
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


def read_list_partition_reassignments_topics_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ListPartitionReassignmentsTopics], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ListPartitionReassignmentsTopics] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListPartitionReassignmentsTopics.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListPartitionReassignmentsTopics.partition_indexes is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ListPartitionReassignmentsTopics(name, partition_indexes))
    return found, at


def read_list_partition_reassignments_request_v0(data: bytes, at: int) -> tuple[ListPartitionReassignmentsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_list_partition_reassignments_topics_v0_list(data, at, n, elements)
    else:
        topics = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListPartitionReassignmentsRequest(timeout_ms, topics), at


def read_ongoing_partition_reassignment_v0_list(data: bytes, at: int, announced: int) -> tuple[list[OngoingPartitionReassignment], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[OngoingPartitionReassignment] = []
    for _ in range(announced):
        partition_index, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OngoingPartitionReassignment.replicas is null")
        replicas = read_int32s(data, at, n)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OngoingPartitionReassignment.adding_replicas is null")
        adding_replicas = read_int32s(data, at, n)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OngoingPartitionReassignment.removing_replicas is null")
        removing_replicas = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OngoingPartitionReassignment(partition_index, replicas, adding_replicas, removing_replicas))
    return found, at


def read_ongoing_topic_reassignment_v0_list(data: bytes, at: int, announced: int) -> tuple[list[OngoingTopicReassignment], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OngoingTopicReassignment] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OngoingTopicReassignment.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OngoingTopicReassignment.partitions is null")
        partitions, at = read_ongoing_partition_reassignment_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OngoingTopicReassignment(name, partitions))
    return found, at


def read_list_partition_reassignments_response_v0(data: bytes, at: int) -> tuple[ListPartitionReassignmentsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
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
        raise MalformedMessage("ListPartitionReassignmentsResponse.topics is null")
    topics, at = read_ongoing_topic_reassignment_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListPartitionReassignmentsResponse(throttle_time_ms, error_code, error_message, topics), at


ListPartitionReassignmentsRequest.READERS = {
    0: read_list_partition_reassignments_request_v0,
}
ListPartitionReassignmentsResponse.READERS = {
    0: read_list_partition_reassignments_response_v0,
}
