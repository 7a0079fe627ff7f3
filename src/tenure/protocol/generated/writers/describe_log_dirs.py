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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_iqqZ: Final = Packer(">iqq?").pack
pack_iqqZx: Final = Packer(">iqq?x").pack
pack_qqZx: Final = Packer(">qq?x").pack
pack_qqx: Final = Packer(">qqx").pack


def write_describable_log_dir_topic_v1_list(out: list[MessagePart], items: list[DescribableLogDirTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partitions))


def write_describe_log_dirs_request_v1(out: list[MessagePart], m: DescribeLogDirsRequest) -> None:
    put = out.append
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_describable_log_dir_topic_v1_list(out, m.topics)


def write_describable_log_dir_topic_v2_list(out: list[MessagePart], items: list[DescribableLogDirTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_describe_log_dirs_request_v2(out: list[MessagePart], m: DescribeLogDirsRequest) -> None:
    put = out.append
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describable_log_dir_topic_v2_list(out, m.topics)
    put(b"\0")


def write_describe_log_dirs_partition_v1_list(out: list[MessagePart], items: list[DescribeLogDirsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqqZ(m.partition_index, m.partition_size, m.offset_lag, m.is_future_key))


def write_describe_log_dirs_topic_v1_list(out: list[MessagePart], items: list[DescribeLogDirsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_describe_log_dirs_partition_v1_list(out, m.partitions)


def write_describe_log_dirs_result_v1_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> None:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_i(len(m.topics)))
        write_describe_log_dirs_topic_v1_list(out, m.topics)


def write_describe_log_dirs_response_v1(out: list[MessagePart], m: DescribeLogDirsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_describe_log_dirs_result_v1_list(out, m.results)


def write_describe_log_dirs_partition_v2_list(out: list[MessagePart], items: list[DescribeLogDirsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqqZx(m.partition_index, m.partition_size, m.offset_lag, m.is_future_key))


def write_describe_log_dirs_topic_v2_list(out: list[MessagePart], items: list[DescribeLogDirsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_log_dirs_partition_v2_list(out, m.partitions)
        put(b"\0")


def write_describe_log_dirs_result_v2_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> None:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_log_dirs_topic_v2_list(out, m.topics)
        put(b"\0")


def write_describe_log_dirs_response_v2(out: list[MessagePart], m: DescribeLogDirsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_log_dirs_result_v2_list(out, m.results)
    put(b"\0")


def write_describe_log_dirs_response_v3(out: list[MessagePart], m: DescribeLogDirsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_log_dirs_result_v2_list(out, m.results)
    put(b"\0")


def write_describe_log_dirs_result_v4_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> None:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_log_dirs_topic_v2_list(out, m.topics)
        put(pack_qqx(m.total_bytes, m.usable_bytes))


def write_describe_log_dirs_response_v4(out: list[MessagePart], m: DescribeLogDirsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_log_dirs_result_v4_list(out, m.results)
    put(b"\0")


def write_describe_log_dirs_result_v5_list(out: list[MessagePart], items: list[DescribeLogDirsResult]) -> None:
    put = out.append
    for m in items:
        text = m.log_dir.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_log_dirs_topic_v2_list(out, m.topics)
        put(pack_qqZx(m.total_bytes, m.usable_bytes, m.is_cordoned))


def write_describe_log_dirs_response_v5(out: list[MessagePart], m: DescribeLogDirsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_log_dirs_result_v5_list(out, m.results)
    put(b"\0")


DescribeLogDirsRequest.WRITERS = {
    1: write_describe_log_dirs_request_v1,
    2: write_describe_log_dirs_request_v2,
    3: write_describe_log_dirs_request_v2,
    4: write_describe_log_dirs_request_v2,
    5: write_describe_log_dirs_request_v2,
}
DescribeLogDirsResponse.WRITERS = {
    1: write_describe_log_dirs_response_v1,
    2: write_describe_log_dirs_response_v2,
    3: write_describe_log_dirs_response_v3,
    4: write_describe_log_dirs_response_v4,
    5: write_describe_log_dirs_response_v5,
}
