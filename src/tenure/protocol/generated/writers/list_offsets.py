"""Generated from `tenure/protocol/tables/list_offsets.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
    ListOffsetsTopicResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ib: Final = Packer(">ib").pack
pack_ibi: Final = Packer(">ibi").pack
pack_ihqq: Final = Packer(">ihqq").pack
pack_ihqqi: Final = Packer(">ihqqi").pack
pack_ihqqix: Final = Packer(">ihqqix").pack
pack_ii: Final = Packer(">ii").pack
pack_iiq: Final = Packer(">iiq").pack
pack_iiqx: Final = Packer(">iiqx").pack
pack_iq: Final = Packer(">iq").pack
pack_ix: Final = Packer(">ix").pack


def write_list_offsets_partition_v1_list(out: list[MessagePart], items: list[ListOffsetsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iq(m.partition_index, m.timestamp))


def write_list_offsets_topic_v1_list(out: list[MessagePart], items: list[ListOffsetsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_v1_list(out, m.partitions)


def write_list_offsets_request_v1(out: list[MessagePart], m: ListOffsetsRequest) -> None:
    put = out.append
    if m.isolation_level != 0:
        raise UnsupportedVersion("ListOffsetsRequest.isolation_level exists in versions 2+ only")
    put(pack_ii(m.replica_id, len(m.topics)))
    write_list_offsets_topic_v1_list(out, m.topics)


def write_list_offsets_request_v2(out: list[MessagePart], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ibi(m.replica_id, m.isolation_level, len(m.topics)))
    write_list_offsets_topic_v1_list(out, m.topics)


def write_list_offsets_partition_v4_list(out: list[MessagePart], items: list[ListOffsetsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiq(m.partition_index, m.current_leader_epoch, m.timestamp))


def write_list_offsets_topic_v4_list(out: list[MessagePart], items: list[ListOffsetsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_v4_list(out, m.partitions)


def write_list_offsets_request_v4(out: list[MessagePart], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ibi(m.replica_id, m.isolation_level, len(m.topics)))
    write_list_offsets_topic_v4_list(out, m.topics)


def write_list_offsets_partition_v6_list(out: list[MessagePart], items: list[ListOffsetsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqx(m.partition_index, m.current_leader_epoch, m.timestamp))


def write_list_offsets_topic_v6_list(out: list[MessagePart], items: list[ListOffsetsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_list_offsets_partition_v6_list(out, m.partitions)
        put(b"\0")


def write_list_offsets_request_v6(out: list[MessagePart], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ib(m.replica_id, m.isolation_level))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_list_offsets_topic_v6_list(out, m.topics)
    put(b"\0")


def write_list_offsets_request_v10(out: list[MessagePart], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ib(m.replica_id, m.isolation_level))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_list_offsets_topic_v6_list(out, m.topics)
    put(pack_ix(m.timeout_ms))


def write_list_offsets_partition_response_v1_list(out: list[MessagePart], items: list[ListOffsetsPartitionResponse]) -> None:
    put = out.append
    for m in items:
        if m.leader_epoch != -1:
            raise UnsupportedVersion("ListOffsetsPartitionResponse.leader_epoch exists in versions 4+ only")
        put(pack_ihqq(m.partition_index, m.error_code, m.timestamp, m.offset))


def write_list_offsets_topic_response_v1_list(out: list[MessagePart], items: list[ListOffsetsTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_response_v1_list(out, m.partitions)


def write_list_offsets_response_v1(out: list[MessagePart], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_list_offsets_topic_response_v1_list(out, m.topics)


def write_list_offsets_response_v2(out: list[MessagePart], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_list_offsets_topic_response_v1_list(out, m.topics)


def write_list_offsets_partition_response_v4_list(out: list[MessagePart], items: list[ListOffsetsPartitionResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ihqqi(m.partition_index, m.error_code, m.timestamp, m.offset, m.leader_epoch))


def write_list_offsets_topic_response_v4_list(out: list[MessagePart], items: list[ListOffsetsTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_response_v4_list(out, m.partitions)


def write_list_offsets_response_v4(out: list[MessagePart], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_list_offsets_topic_response_v4_list(out, m.topics)


def write_list_offsets_partition_response_v6_list(out: list[MessagePart], items: list[ListOffsetsPartitionResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ihqqix(m.partition_index, m.error_code, m.timestamp, m.offset, m.leader_epoch))


def write_list_offsets_topic_response_v6_list(out: list[MessagePart], items: list[ListOffsetsTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_list_offsets_partition_response_v6_list(out, m.partitions)
        put(b"\0")


def write_list_offsets_response_v6(out: list[MessagePart], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_list_offsets_topic_response_v6_list(out, m.topics)
    put(b"\0")


ListOffsetsRequest.WRITERS = {
    1: write_list_offsets_request_v1,
    2: write_list_offsets_request_v2,
    3: write_list_offsets_request_v2,
    4: write_list_offsets_request_v4,
    5: write_list_offsets_request_v4,
    6: write_list_offsets_request_v6,
    7: write_list_offsets_request_v6,
    8: write_list_offsets_request_v6,
    9: write_list_offsets_request_v6,
    10: write_list_offsets_request_v10,
    11: write_list_offsets_request_v10,
}
ListOffsetsResponse.WRITERS = {
    1: write_list_offsets_response_v1,
    2: write_list_offsets_response_v2,
    3: write_list_offsets_response_v2,
    4: write_list_offsets_response_v4,
    5: write_list_offsets_response_v4,
    6: write_list_offsets_response_v6,
    7: write_list_offsets_response_v6,
    8: write_list_offsets_response_v6,
    9: write_list_offsets_response_v6,
    10: write_list_offsets_response_v6,
    11: write_list_offsets_response_v6,
}
