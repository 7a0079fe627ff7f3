"""Generated from `tenure/protocol/tables/describe_log_dirs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_log_dirs import (
    DescribableLogDirTopic,
    DescribeLogDirsPartition,
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
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
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iqqZ: Final = Packer(">iqq?").unpack_from
unpack_iqqZB: Final = Packer(">iqq?B").unpack_from
unpack_qqZB: Final = Packer(">qq?B").unpack_from
unpack_qqB: Final = Packer(">qqB").unpack_from


def read_describable_log_dir_topic_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribableLogDirTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[DescribableLogDirTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribableLogDirTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribableLogDirTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        found.append(DescribableLogDirTopic(topic, partitions))
    return found, at


def read_describe_log_dirs_request_v1(data: bytes, at: int) -> tuple[DescribeLogDirsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_describable_log_dir_topic_v1_list(data, at, n, elements)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("DescribeLogDirsRequest.topics has a negative length")
    return DescribeLogDirsRequest(topics), at


def read_describable_log_dir_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribableLogDirTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribableLogDirTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribableLogDirTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribableLogDirTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DescribableLogDirTopic(topic, partitions))
    return found, at


def read_describe_log_dirs_request_v2(data: bytes, at: int) -> tuple[DescribeLogDirsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_describable_log_dir_topic_v2_list(data, at, n, elements)
    else:
        topics = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeLogDirsRequest(topics), at


def read_describe_log_dirs_partition_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsPartition], int]:
    if announced * 21 > len(data) - at:
        raise too_many(announced, 21, data, at)
    found: list[DescribeLogDirsPartition] = []
    for _ in range(announced):
        partition_index, partition_size, offset_lag, is_future_key = unpack_iqqZ(data, at)
        at += 21
        found.append(DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key))
    return found, at


def read_describe_log_dirs_topic_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[DescribeLogDirsTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeLogDirsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeLogDirsTopic.partitions is null")
        partitions, at = read_describe_log_dirs_partition_v1_list(data, at, n)
        found.append(DescribeLogDirsTopic(name, partitions))
    return found, at


def read_describe_log_dirs_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsResult], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[DescribeLogDirsResult] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.log_dir is null")
        end = at + n
        log_dir = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.topics is null")
        topics, at = read_describe_log_dirs_topic_v1_list(data, at, n)
        found.append(DescribeLogDirsResult(error_code, log_dir, topics))
    return found, at


def read_describe_log_dirs_response_v1(data: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DescribeLogDirsResponse.results is null")
    results, at = read_describe_log_dirs_result_v1_list(data, at, n)
    return DescribeLogDirsResponse(throttle_time_ms, 0, results), at


def read_describe_log_dirs_partition_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsPartition], int]:
    if announced * 22 > len(data) - at:
        raise too_many(announced, 22, data, at)
    found: list[DescribeLogDirsPartition] = []
    for _ in range(announced):
        partition_index, partition_size, offset_lag, is_future_key, tags = unpack_iqqZB(data, at)
        at += 22
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeLogDirsPartition(partition_index, partition_size, offset_lag, is_future_key))
    return found, at


def read_describe_log_dirs_topic_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeLogDirsTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsTopic.partitions is null")
        partitions, at = read_describe_log_dirs_partition_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeLogDirsTopic(name, partitions))
    return found, at


def read_describe_log_dirs_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DescribeLogDirsResult] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.log_dir is null")
        end = at + n
        log_dir = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.topics is null")
        topics, at = read_describe_log_dirs_topic_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeLogDirsResult(error_code, log_dir, topics))
    return found, at


def read_describe_log_dirs_response_v2(data: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeLogDirsResponse.results is null")
    results, at = read_describe_log_dirs_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeLogDirsResponse(throttle_time_ms, 0, results), at


def read_describe_log_dirs_response_v3(data: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeLogDirsResponse.results is null")
    results, at = read_describe_log_dirs_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeLogDirsResponse(throttle_time_ms, error_code, results), at


def read_describe_log_dirs_result_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsResult], int]:
    if announced * 21 > len(data) - at:
        raise too_many(announced, 21, data, at)
    found: list[DescribeLogDirsResult] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.log_dir is null")
        end = at + n
        log_dir = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.topics is null")
        topics, at = read_describe_log_dirs_topic_v2_list(data, at, n)
        total_bytes, usable_bytes, tags = unpack_qqB(data, at)
        at += 17
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeLogDirsResult(error_code, log_dir, topics, total_bytes, usable_bytes))
    return found, at


def read_describe_log_dirs_response_v4(data: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeLogDirsResponse.results is null")
    results, at = read_describe_log_dirs_result_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeLogDirsResponse(throttle_time_ms, error_code, results), at


def read_describe_log_dirs_result_v5_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeLogDirsResult], int]:
    if announced * 22 > len(data) - at:
        raise too_many(announced, 22, data, at)
    found: list[DescribeLogDirsResult] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.log_dir is null")
        end = at + n
        log_dir = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeLogDirsResult.topics is null")
        topics, at = read_describe_log_dirs_topic_v2_list(data, at, n)
        total_bytes, usable_bytes, is_cordoned, tags = unpack_qqZB(data, at)
        at += 18
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeLogDirsResult(error_code, log_dir, topics, total_bytes, usable_bytes, is_cordoned))
    return found, at


def read_describe_log_dirs_response_v5(data: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeLogDirsResponse.results is null")
    results, at = read_describe_log_dirs_result_v5_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeLogDirsResponse(throttle_time_ms, error_code, results), at


DescribeLogDirsRequest.READERS = {
    1: read_describe_log_dirs_request_v1,
    2: read_describe_log_dirs_request_v2,
    3: read_describe_log_dirs_request_v2,
    4: read_describe_log_dirs_request_v2,
    5: read_describe_log_dirs_request_v2,
}
DescribeLogDirsResponse.READERS = {
    1: read_describe_log_dirs_response_v1,
    2: read_describe_log_dirs_response_v2,
    3: read_describe_log_dirs_response_v3,
    4: read_describe_log_dirs_response_v4,
    5: read_describe_log_dirs_response_v5,
}
