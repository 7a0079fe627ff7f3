"""Generated from `tenure/protocol/tables/alter_replica_log_dirs.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_replica_log_dirs import (
    AlterReplicaLogDir,
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirTopic,
    AlterReplicaLogDirTopicResult,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
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
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_alter_replica_log_dir_topic_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterReplicaLogDirTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AlterReplicaLogDirTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        found.append(AlterReplicaLogDirTopic(name, partitions))
    return found, at


def read_alter_replica_log_dir_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterReplicaLogDir], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AlterReplicaLogDir] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDir.path is null")
        end = at + n
        path = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDir.topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_alter_replica_log_dir_topic_v1_list(data, at, n, elements)
        found.append(AlterReplicaLogDir(path, topics))
    return found, at


def read_alter_replica_log_dirs_request_v1(data: bytes, at: int) -> tuple[AlterReplicaLogDirsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("AlterReplicaLogDirsRequest.dirs is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    dirs, at = read_alter_replica_log_dir_v1_list(data, at, n, elements)
    return AlterReplicaLogDirsRequest(dirs), at


def read_alter_replica_log_dir_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterReplicaLogDirTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AlterReplicaLogDirTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AlterReplicaLogDirTopic(name, partitions))
    return found, at


def read_alter_replica_log_dir_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterReplicaLogDir], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AlterReplicaLogDir] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDir.path is null")
        end = at + n
        path = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDir.topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_alter_replica_log_dir_topic_v2_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AlterReplicaLogDir(path, topics))
    return found, at


def read_alter_replica_log_dirs_request_v2(data: bytes, at: int) -> tuple[AlterReplicaLogDirsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterReplicaLogDirsRequest.dirs is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    dirs, at = read_alter_replica_log_dir_v2_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AlterReplicaLogDirsRequest(dirs), at


def read_alter_replica_log_dir_partition_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[AlterReplicaLogDirPartitionResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AlterReplicaLogDirPartitionResult] = []
    for _ in range(announced):
        partition_index, error_code = unpack_ih(data, at)
        at += 6
        found.append(AlterReplicaLogDirPartitionResult(partition_index, error_code))
    return found, at


def read_alter_replica_log_dir_topic_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[AlterReplicaLogDirTopicResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AlterReplicaLogDirTopicResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopicResult.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopicResult.partitions is null")
        partitions, at = read_alter_replica_log_dir_partition_result_v1_list(data, at, n)
        found.append(AlterReplicaLogDirTopicResult(topic_name, partitions))
    return found, at


def read_alter_replica_log_dirs_response_v1(data: bytes, at: int) -> tuple[AlterReplicaLogDirsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("AlterReplicaLogDirsResponse.results is null")
    results, at = read_alter_replica_log_dir_topic_result_v1_list(data, at, n)
    return AlterReplicaLogDirsResponse(throttle_time_ms, results), at


def read_alter_replica_log_dir_partition_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[AlterReplicaLogDirPartitionResult], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[AlterReplicaLogDirPartitionResult] = []
    for _ in range(announced):
        partition_index, error_code, tags = unpack_ihB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AlterReplicaLogDirPartitionResult(partition_index, error_code))
    return found, at


def read_alter_replica_log_dir_topic_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[AlterReplicaLogDirTopicResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AlterReplicaLogDirTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopicResult.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterReplicaLogDirTopicResult.partitions is null")
        partitions, at = read_alter_replica_log_dir_partition_result_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AlterReplicaLogDirTopicResult(topic_name, partitions))
    return found, at


def read_alter_replica_log_dirs_response_v2(data: bytes, at: int) -> tuple[AlterReplicaLogDirsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterReplicaLogDirsResponse.results is null")
    results, at = read_alter_replica_log_dir_topic_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AlterReplicaLogDirsResponse(throttle_time_ms, results), at


AlterReplicaLogDirsRequest.READERS = {
    1: read_alter_replica_log_dirs_request_v1,
    2: read_alter_replica_log_dirs_request_v2,
}
AlterReplicaLogDirsResponse.READERS = {
    1: read_alter_replica_log_dirs_response_v1,
    2: read_alter_replica_log_dirs_response_v2,
}
