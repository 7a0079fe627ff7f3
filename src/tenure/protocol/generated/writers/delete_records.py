"""Generated from `tenure/protocol/tables/delete_records.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
    DeleteRecordsTopicResult,
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
pack_iq: Final = Packer(">iq").pack
pack_iqh: Final = Packer(">iqh").pack
pack_iqhx: Final = Packer(">iqhx").pack
pack_iqx: Final = Packer(">iqx").pack
pack_ix: Final = Packer(">ix").pack


def write_delete_records_partition_v0_list(out: list[MessagePart], items: list[DeleteRecordsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iq(m.partition_index, m.offset))


def write_delete_records_topic_v0_list(out: list[MessagePart], items: list[DeleteRecordsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_delete_records_partition_v0_list(out, m.partitions)


def write_delete_records_request_v0(out: list[MessagePart], m: DeleteRecordsRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_delete_records_topic_v0_list(out, m.topics)
    put(pack_i(m.timeout_ms))


def write_delete_records_partition_v2_list(out: list[MessagePart], items: list[DeleteRecordsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqx(m.partition_index, m.offset))


def write_delete_records_topic_v2_list(out: list[MessagePart], items: list[DeleteRecordsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_delete_records_partition_v2_list(out, m.partitions)
        put(b"\0")


def write_delete_records_request_v2(out: list[MessagePart], m: DeleteRecordsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_delete_records_topic_v2_list(out, m.topics)
    put(pack_ix(m.timeout_ms))


def write_delete_records_partition_result_v0_list(out: list[MessagePart], items: list[DeleteRecordsPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_iqh(m.partition_index, m.low_watermark, m.error_code))


def write_delete_records_topic_result_v0_list(out: list[MessagePart], items: list[DeleteRecordsTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_delete_records_partition_result_v0_list(out, m.partitions)


def write_delete_records_response_v0(out: list[MessagePart], m: DeleteRecordsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_delete_records_topic_result_v0_list(out, m.topics)


def write_delete_records_partition_result_v2_list(out: list[MessagePart], items: list[DeleteRecordsPartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_iqhx(m.partition_index, m.low_watermark, m.error_code))


def write_delete_records_topic_result_v2_list(out: list[MessagePart], items: list[DeleteRecordsTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_delete_records_partition_result_v2_list(out, m.partitions)
        put(b"\0")


def write_delete_records_response_v2(out: list[MessagePart], m: DeleteRecordsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_delete_records_topic_result_v2_list(out, m.topics)
    put(b"\0")


DeleteRecordsRequest.WRITERS = {
    0: write_delete_records_request_v0,
    1: write_delete_records_request_v0,
    2: write_delete_records_request_v2,
}
DeleteRecordsResponse.WRITERS = {
    0: write_delete_records_response_v0,
    1: write_delete_records_response_v0,
    2: write_delete_records_response_v2,
}
