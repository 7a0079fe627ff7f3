"""Generated from `tenure/protocol/tables/alter_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignablePartitionResponse,
    ReassignableTopic,
    ReassignableTopicResponse,
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

unpack_iZB: Final = Packer(">i?B").unpack_from
unpack_iZhB: Final = Packer(">i?hB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_reassignable_partition_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ReassignablePartition], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ReassignablePartition] = []
    for _ in range(announced):
        partition_index, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            if elements is not UNBOUNDED:
                elements.add(n)
            replicas = read_int32s(data, at, n)
            at += 4 * n
        else:
            replicas = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ReassignablePartition(partition_index, replicas))
    return found, at


def read_reassignable_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ReassignableTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ReassignableTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ReassignableTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ReassignableTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_reassignable_partition_v0_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ReassignableTopic(name, partitions))
    return found, at


def read_alter_partition_reassignments_request_v0(data: bytes, at: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterPartitionReassignmentsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_reassignable_topic_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AlterPartitionReassignmentsRequest(timeout_ms, True, topics), at


def read_alter_partition_reassignments_request_v1(data: bytes, at: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    timeout_ms, allow_replication_factor_change, n = unpack_iZB(data, at)
    at += 6
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterPartitionReassignmentsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_reassignable_topic_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AlterPartitionReassignmentsRequest(timeout_ms, allow_replication_factor_change, topics), at


def read_reassignable_partition_response_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ReassignablePartitionResponse], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[ReassignablePartitionResponse] = []
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ReassignablePartitionResponse(partition_index, error_code, error_message))
    return found, at


def read_reassignable_topic_response_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ReassignableTopicResponse], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ReassignableTopicResponse] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ReassignableTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ReassignableTopicResponse.partitions is null")
        partitions, at = read_reassignable_partition_response_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ReassignableTopicResponse(name, partitions))
    return found, at


def read_alter_partition_reassignments_response_v0(data: bytes, at: int) -> tuple[AlterPartitionReassignmentsResponse, int]:
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
        raise MalformedMessage("AlterPartitionReassignmentsResponse.responses is null")
    responses, at = read_reassignable_topic_response_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AlterPartitionReassignmentsResponse(throttle_time_ms, True, error_code, error_message, responses), at


def read_alter_partition_reassignments_response_v1(data: bytes, at: int) -> tuple[AlterPartitionReassignmentsResponse, int]:
    throttle_time_ms, allow_replication_factor_change, error_code, n = unpack_iZhB(data, at)
    at += 8
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
        raise MalformedMessage("AlterPartitionReassignmentsResponse.responses is null")
    responses, at = read_reassignable_topic_response_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AlterPartitionReassignmentsResponse(throttle_time_ms, allow_replication_factor_change, error_code, error_message, responses), at


AlterPartitionReassignmentsRequest.READERS = {
    0: read_alter_partition_reassignments_request_v0,
    1: read_alter_partition_reassignments_request_v1,
}
AlterPartitionReassignmentsResponse.READERS = {
    0: read_alter_partition_reassignments_response_v0,
    1: read_alter_partition_reassignments_response_v1,
}
