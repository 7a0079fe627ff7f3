"""Generated from `tenure/protocol/tables/create_partitions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_partitions import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    CreatePartitionsTopicResult,
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

unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iZ: Final = Packer(">i?").unpack_from
unpack_iZB: Final = Packer(">i?B").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_create_partitions_assignment_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatePartitionsAssignment], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[CreatePartitionsAssignment] = []
    for _ in range(announced):
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("CreatePartitionsAssignment.broker_ids is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        broker_ids = read_int32s(data, at, n)
        at += 4 * n
        found.append(CreatePartitionsAssignment(broker_ids))
    return found, at


def read_create_partitions_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatePartitionsTopic], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[CreatePartitionsTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatePartitionsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        count, n = unpack_ii(data, at)
        at += 8
        if n >= 0:
            if elements is not UNBOUNDED:
                elements.add(n)
            assignments, at = read_create_partitions_assignment_v0_list(data, at, n, elements)
        elif n == -1:
            assignments = None
        else:
            raise MalformedMessage("CreatePartitionsTopic.assignments has a negative length")
        found.append(CreatePartitionsTopic(name, count, assignments))
    return found, at


def read_create_partitions_request_v0(data: bytes, at: int) -> tuple[CreatePartitionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreatePartitionsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_create_partitions_topic_v0_list(data, at, n, elements)
    timeout_ms, validate_only = unpack_iZ(data, at)
    at += 5
    return CreatePartitionsRequest(topics, timeout_ms, validate_only), at


def read_create_partitions_assignment_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatePartitionsAssignment], int]:
    if announced * 2 > len(data) - at:
        raise too_many(announced, 2, data, at)
    found: list[CreatePartitionsAssignment] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatePartitionsAssignment.broker_ids is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        broker_ids = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(CreatePartitionsAssignment(broker_ids))
    return found, at


def read_create_partitions_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatePartitionsTopic], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[CreatePartitionsTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatePartitionsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        count, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            if elements is not UNBOUNDED:
                elements.add(n)
            assignments, at = read_create_partitions_assignment_v2_list(data, at, n, elements)
        else:
            assignments = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(CreatePartitionsTopic(name, count, assignments))
    return found, at


def read_create_partitions_request_v2(data: bytes, at: int) -> tuple[CreatePartitionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreatePartitionsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_create_partitions_topic_v2_list(data, at, n, elements)
    timeout_ms, validate_only, tags = unpack_iZB(data, at)
    at += 6
    if tags:
        at = skip_tags(data, at - 1, elements)
    return CreatePartitionsRequest(topics, timeout_ms, validate_only), at


def read_create_partitions_topic_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[CreatePartitionsTopicResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[CreatePartitionsTopicResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatePartitionsTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("CreatePartitionsTopicResult.error_message has a negative length")
        found.append(CreatePartitionsTopicResult(name, error_code, error_message))
    return found, at


def read_create_partitions_response_v0(data: bytes, at: int) -> tuple[CreatePartitionsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("CreatePartitionsResponse.results is null")
    results, at = read_create_partitions_topic_result_v0_list(data, at, n)
    return CreatePartitionsResponse(throttle_time_ms, results), at


def read_create_partitions_topic_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[CreatePartitionsTopicResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[CreatePartitionsTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatePartitionsTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        error_code, n = unpack_hB(data, at)
        at += 3
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
        found.append(CreatePartitionsTopicResult(name, error_code, error_message))
    return found, at


def read_create_partitions_response_v2(data: bytes, at: int) -> tuple[CreatePartitionsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreatePartitionsResponse.results is null")
    results, at = read_create_partitions_topic_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return CreatePartitionsResponse(throttle_time_ms, results), at


CreatePartitionsRequest.READERS = {
    0: read_create_partitions_request_v0,
    1: read_create_partitions_request_v0,
    2: read_create_partitions_request_v2,
    3: read_create_partitions_request_v2,
}
CreatePartitionsResponse.READERS = {
    0: read_create_partitions_response_v0,
    1: read_create_partitions_response_v0,
    2: read_create_partitions_response_v2,
    3: read_create_partitions_response_v2,
}
