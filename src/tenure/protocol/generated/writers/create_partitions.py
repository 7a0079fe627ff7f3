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
pack_iZ: Final = Packer(">i?").pack
pack_iZx: Final = Packer(">i?x").pack
pack_ii: Final = Packer(">ii").pack


def write_create_partitions_assignment_v0_list(out: list[MessagePart], items: list[CreatePartitionsAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_int32s(m.broker_ids))


def write_create_partitions_topic_v0_list(out: list[MessagePart], items: list[CreatePartitionsTopic]) -> None:
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


def write_create_partitions_request_v0(out: list[MessagePart], m: CreatePartitionsRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_create_partitions_topic_v0_list(out, m.topics)
    put(pack_iZ(m.timeout_ms, m.validate_only))


def write_create_partitions_assignment_v2_list(out: list[MessagePart], items: list[CreatePartitionsAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_compact_int32s(m.broker_ids))
        put(b"\0")


def write_create_partitions_topic_v2_list(out: list[MessagePart], items: list[CreatePartitionsTopic]) -> None:
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


def write_create_partitions_request_v2(out: list[MessagePart], m: CreatePartitionsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_create_partitions_topic_v2_list(out, m.topics)
    put(pack_iZx(m.timeout_ms, m.validate_only))


def write_create_partitions_topic_result_v0_list(out: list[MessagePart], items: list[CreatePartitionsTopicResult]) -> None:
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


def write_create_partitions_response_v0(out: list[MessagePart], m: CreatePartitionsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.results)))
    write_create_partitions_topic_result_v0_list(out, m.results)


def write_create_partitions_topic_result_v2_list(out: list[MessagePart], items: list[CreatePartitionsTopicResult]) -> None:
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


def write_create_partitions_response_v2(out: list[MessagePart], m: CreatePartitionsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_create_partitions_topic_result_v2_list(out, m.results)
    put(b"\0")


CreatePartitionsRequest.WRITERS = {
    0: write_create_partitions_request_v0,
    1: write_create_partitions_request_v0,
    2: write_create_partitions_request_v2,
    3: write_create_partitions_request_v2,
}
CreatePartitionsResponse.WRITERS = {
    0: write_create_partitions_response_v0,
    1: write_create_partitions_response_v0,
    2: write_create_partitions_response_v2,
    3: write_create_partitions_response_v2,
}
