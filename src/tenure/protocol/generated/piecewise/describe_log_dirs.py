"""Generated from `tenure/protocol/tables/describe_log_dirs.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_log_dirs import (
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)
from tenure.protocol.generated.writers.describe_log_dirs import (
    write_describe_log_dirs_partition_v1_list,
    write_describe_log_dirs_partition_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_qqZx: Final = Packer(">qq?x").pack
pack_qqx: Final = Packer(">qqx").pack


def pieces_of_describe_log_dirs_topic_v1_list(out: list[MessagePart], items: list[DescribeLogDirsTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_describe_log_dirs_partition_v1_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_describe_log_dirs_result_v1_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_i(len(m.topics)))
        yield from pieces_of_describe_log_dirs_topic_v1_list(out, m.topics)
        yield


def pieces_of_describe_log_dirs_response_v1(out: list[MessagePart], m: DescribeLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    yield from pieces_of_describe_log_dirs_result_v1_list(out, m.results)


def pieces_of_describe_log_dirs_topic_v2_list(out: list[MessagePart], items: list[DescribeLogDirsTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_describe_log_dirs_partition_v2_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_log_dirs_result_v2_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_describe_log_dirs_topic_v2_list(out, m.topics)
        put(b"\0")
        yield


def pieces_of_describe_log_dirs_response_v2(out: list[MessagePart], m: DescribeLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_log_dirs_result_v2_list(out, m.results)
    put(b"\0")


def pieces_of_describe_log_dirs_response_v3(out: list[MessagePart], m: DescribeLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_log_dirs_result_v2_list(out, m.results)
    put(b"\0")


def pieces_of_describe_log_dirs_result_v4_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_describe_log_dirs_topic_v2_list(out, m.topics)
        put(pack_qqx(m.total_bytes, m.usable_bytes))
        yield


def pieces_of_describe_log_dirs_response_v4(out: list[MessagePart], m: DescribeLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_log_dirs_result_v4_list(out, m.results)
    put(b"\0")


def pieces_of_describe_log_dirs_result_v5_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_describe_log_dirs_topic_v2_list(out, m.topics)
        put(pack_qqZx(m.total_bytes, m.usable_bytes, m.is_cordoned))
        yield


def pieces_of_describe_log_dirs_response_v5(out: list[MessagePart], m: DescribeLogDirsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_log_dirs_result_v5_list(out, m.results)
    put(b"\0")


DescribeLogDirsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_describe_log_dirs_response_v1,
    2: pieces_of_describe_log_dirs_response_v2,
    3: pieces_of_describe_log_dirs_response_v3,
    4: pieces_of_describe_log_dirs_response_v4,
    5: pieces_of_describe_log_dirs_response_v5,
}
