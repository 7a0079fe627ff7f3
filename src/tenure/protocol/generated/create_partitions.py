"""Generated from `tenure/protocol/tables/create_partitions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    TopicName,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int32s,
    read_fixed,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_iZ: Final = Packer(">i?").pack
pack_iZx: Final = Packer(">i?x").pack
pack_ii: Final = Packer(">ii").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iZ: Final = Packer(">i?").unpack_from
unpack_iZB: Final = Packer(">i?B").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


class CreatePartitionsAssignment(Struct):
    __slots__ = ('broker_ids',)

    def __init__(
        self,
        broker_ids: list[BrokerId] = EMPTY,
    ) -> None:
        self.broker_ids: Final = [] if broker_ids is EMPTY else broker_ids


class CreatePartitionsTopic(Struct):
    __slots__ = ('name', 'count', 'assignments')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        count: int = 0,
        assignments: list[CreatePartitionsAssignment] | None = EMPTY,
    ) -> None:
        self.name: Final = name
        self.count: Final = count
        self.assignments: Final = [] if assignments is EMPTY else assignments


class CreatePartitionsRequest(Message):
    __slots__ = ('topics', 'timeout_ms', 'validate_only')
    KEY = 37

    def __init__(
        self,
        topics: list[CreatePartitionsTopic] = EMPTY,
        timeout_ms: int = 0,
        validate_only: bool = False,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.timeout_ms: Final = timeout_ms
        self.validate_only: Final = validate_only


class CreatePartitionsTopicResult(Struct):
    __slots__ = ('name', 'error_code', 'error_message')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name: Final = name
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class CreatePartitionsResponse(Message):
    __slots__ = ('throttle_time_ms', 'results')
    KEY = 37

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[CreatePartitionsTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results


def read_create_partitions_assignment_v0_list(data: bytes, at: int, n: int) -> tuple[list[CreatePartitionsAssignment], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[CreatePartitionsAssignment] = []
    for _ in range(n):
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("CreatePartitionsAssignment.broker_ids is null")
        broker_ids = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(CreatePartitionsAssignment(broker_ids))
    return found, at


def read_create_partitions_topic_v0_list(data: bytes, at: int, n: int) -> tuple[list[CreatePartitionsTopic], int]:
    if n * 10 > len(data) - at:
        raise too_many(n, 10, data, at)
    found: list[CreatePartitionsTopic] = []
    for _ in range(n):
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
            assignments, at = read_create_partitions_assignment_v0_list(data, at, n)
        elif n == -1:
            assignments = None
        else:
            raise MalformedMessage("CreatePartitionsTopic.assignments has a negative length")
        found.append(CreatePartitionsTopic(name, count, assignments))
    return found, at


def read_create_partitions_request_v0(data: bytes, at: int) -> tuple[CreatePartitionsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreatePartitionsRequest.topics is null")
    topics, at = read_create_partitions_topic_v0_list(data, at, n)
    timeout_ms, validate_only = unpack_iZ(data, at)
    at += 5
    return CreatePartitionsRequest(topics, timeout_ms, validate_only), at


def read_create_partitions_assignment_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatePartitionsAssignment], int]:
    if n * 2 > len(data) - at:
        raise too_many(n, 2, data, at)
    found: list[CreatePartitionsAssignment] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatePartitionsAssignment.broker_ids is null")
        broker_ids = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(CreatePartitionsAssignment(broker_ids))
    return found, at


def read_create_partitions_topic_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatePartitionsTopic], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[CreatePartitionsTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
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
            assignments, at = read_create_partitions_assignment_v2_list(data, at, n)
        else:
            assignments = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(CreatePartitionsTopic(name, count, assignments))
    return found, at


def read_create_partitions_request_v2(data: bytes, at: int) -> tuple[CreatePartitionsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreatePartitionsRequest.topics is null")
    topics, at = read_create_partitions_topic_v2_list(data, at, n)
    timeout_ms, validate_only, tags = unpack_iZB(data, at)
    at += 6
    if tags:
        at = skip_tags(data, at - 1)
    return CreatePartitionsRequest(topics, timeout_ms, validate_only), at


def read_create_partitions_topic_result_v0_list(data: bytes, at: int, n: int) -> tuple[list[CreatePartitionsTopicResult], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[CreatePartitionsTopicResult] = []
    for _ in range(n):
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


def read_create_partitions_topic_result_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatePartitionsTopicResult], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[CreatePartitionsTopicResult] = []
    for _ in range(n):
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


def write_create_partitions_assignment_v0_list(out: list[bytes], items: list[CreatePartitionsAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_i(len(m.broker_ids)))
        put(pack_int32s(m.broker_ids))


def write_create_partitions_topic_v0_list(out: list[bytes], items: list[CreatePartitionsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.assignments is None:
            put(pack_ii(m.count, -1))
        else:
            put(pack_ii(m.count, len(m.assignments)))
            write_create_partitions_assignment_v0_list(out, m.assignments)


def write_create_partitions_request_v0(out: list[bytes], m: CreatePartitionsRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_create_partitions_topic_v0_list(out, m.topics)
    put(pack_iZ(m.timeout_ms, m.validate_only))


def write_create_partitions_assignment_v2_list(out: list[bytes], items: list[CreatePartitionsAssignment]) -> None:
    put = out.append
    for m in items:
        n = len(m.broker_ids) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.broker_ids))
        put(b"\0")


def write_create_partitions_topic_v2_list(out: list[bytes], items: list[CreatePartitionsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.count))
        if m.assignments is None:
            put(b"\0")
        else:
            n = len(m.assignments) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_create_partitions_assignment_v2_list(out, m.assignments)
        put(b"\0")


def write_create_partitions_request_v2(out: list[bytes], m: CreatePartitionsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_create_partitions_topic_v2_list(out, m.topics)
    put(pack_iZx(m.timeout_ms, m.validate_only))


def write_create_partitions_topic_result_v0_list(out: list[bytes], items: list[CreatePartitionsTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)


def write_create_partitions_response_v0(out: list[bytes], m: CreatePartitionsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_create_partitions_topic_result_v0_list(out, m.results)


def write_create_partitions_topic_result_v2_list(out: list[bytes], items: list[CreatePartitionsTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_create_partitions_response_v2(out: list[bytes], m: CreatePartitionsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_create_partitions_topic_result_v2_list(out, m.results)
    put(b"\0")


CreatePartitionsRequest.READERS = {
    0: read_create_partitions_request_v0,
    1: read_create_partitions_request_v0,
    2: read_create_partitions_request_v2,
    3: read_create_partitions_request_v2,
}
CreatePartitionsRequest.WRITERS = {
    0: write_create_partitions_request_v0,
    1: write_create_partitions_request_v0,
    2: write_create_partitions_request_v2,
    3: write_create_partitions_request_v2,
}
CreatePartitionsResponse.READERS = {
    0: read_create_partitions_response_v0,
    1: read_create_partitions_response_v0,
    2: read_create_partitions_response_v2,
    3: read_create_partitions_response_v2,
}
CreatePartitionsResponse.WRITERS = {
    0: write_create_partitions_response_v0,
    1: write_create_partitions_response_v0,
    2: write_create_partitions_response_v2,
    3: write_create_partitions_response_v2,
}
