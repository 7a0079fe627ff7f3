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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack
pack_ii: Final = Packer(">ii").pack


def write_alter_replica_log_dir_topic_v1_list(out: list[MessagePart], items: list[AlterReplicaLogDirTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partitions))


def write_alter_replica_log_dir_v1_list(out: list[MessagePart], items: list[AlterReplicaLogDir]) -> None:
    put = out.append
    for m in items:
        text = m.path.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.topics)))
        write_alter_replica_log_dir_topic_v1_list(out, m.topics)


def write_alter_replica_log_dirs_request_v1(out: list[MessagePart], m: AlterReplicaLogDirsRequest) -> None:
    put = out.append
    put(pack_i(len(m.dirs)))
    write_alter_replica_log_dir_v1_list(out, m.dirs)


def write_alter_replica_log_dir_topic_v2_list(out: list[MessagePart], items: list[AlterReplicaLogDirTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_alter_replica_log_dir_v2_list(out: list[MessagePart], items: list[AlterReplicaLogDir]) -> None:
    put = out.append
    for m in items:
        text = m.path.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_alter_replica_log_dir_topic_v2_list(out, m.topics)
        put(b"\0")


def write_alter_replica_log_dirs_request_v2(out: list[MessagePart], m: AlterReplicaLogDirsRequest) -> None:
    put = out.append
    n = len(m.dirs) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_replica_log_dir_v2_list(out, m.dirs)
    put(b"\0")


def write_alter_replica_log_dir_partition_result_v1_list(out: list[MessagePart], items: list[AlterReplicaLogDirPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))


def write_alter_replica_log_dir_topic_result_v1_list(out: list[MessagePart], items: list[AlterReplicaLogDirTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_alter_replica_log_dir_partition_result_v1_list(out, m.partitions)


def write_alter_replica_log_dirs_response_v1(out: list[MessagePart], m: AlterReplicaLogDirsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_alter_replica_log_dir_topic_result_v1_list(out, m.results)


def write_alter_replica_log_dir_partition_result_v2_list(out: list[MessagePart], items: list[AlterReplicaLogDirPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_ihx(m.partition_index, m.error_code))


def write_alter_replica_log_dir_topic_result_v2_list(out: list[MessagePart], items: list[AlterReplicaLogDirTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_alter_replica_log_dir_partition_result_v2_list(out, m.partitions)
        put(b"\0")


def write_alter_replica_log_dirs_response_v2(out: list[MessagePart], m: AlterReplicaLogDirsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_replica_log_dir_topic_result_v2_list(out, m.results)
    put(b"\0")


AlterReplicaLogDirsRequest.WRITERS = {
    1: write_alter_replica_log_dirs_request_v1,
    2: write_alter_replica_log_dirs_request_v2,
}
AlterReplicaLogDirsResponse.WRITERS = {
    1: write_alter_replica_log_dirs_response_v1,
    2: write_alter_replica_log_dirs_response_v2,
}
