"""Generated from `tenure/protocol/tables/alter_replica_log_dirs.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_replica_log_dirs import (
    AlterReplicaLogDirTopicResult,
    AlterReplicaLogDirsResponse,
)
from tenure.protocol.generated.writers.alter_replica_log_dirs import (
    write_alter_replica_log_dir_partition_result_v1_list,
    write_alter_replica_log_dir_partition_result_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_alter_replica_log_dir_topic_result_v1_list(out: list[MessagePart], items: list[AlterReplicaLogDirTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_alter_replica_log_dir_partition_result_v1_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_alter_replica_log_dirs_response_v1(out: list[MessagePart], m: AlterReplicaLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    yield from pieces_of_alter_replica_log_dir_topic_result_v1_list(out, m.results)


def pieces_of_alter_replica_log_dir_topic_result_v2_list(out: list[MessagePart], items: list[AlterReplicaLogDirTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_alter_replica_log_dir_partition_result_v2_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_alter_replica_log_dirs_response_v2(out: list[MessagePart], m: AlterReplicaLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_alter_replica_log_dir_topic_result_v2_list(out, m.results)
    put(b"\0")


AlterReplicaLogDirsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_alter_replica_log_dirs_response_v1,
    2: pieces_of_alter_replica_log_dirs_response_v2,
}
