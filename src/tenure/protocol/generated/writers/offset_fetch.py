"""Generated from `tenure/protocol/tables/offset_fetch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from tenure.protocol.message import (
    InvalidMessage,
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_Zx: Final = Packer(">?x").pack
pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_iqh: Final = Packer(">iqh").pack
pack_iqi: Final = Packer(">iqi").pack
pack_iqih: Final = Packer(">iqih").pack


def write_offset_fetch_request_topic_v1_list(out: list[MessagePart], items: list[OffsetFetchRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partition_indexes))


def write_offset_fetch_request_v1(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    if m.require_stable:
        raise UnsupportedVersion("OffsetFetchRequest.require_stable exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    if m.topics is None:
        raise InvalidMessage("OffsetFetchRequest.topics may be null in versions 2-7 only")
    put(pack_i(len(m.topics)))
    write_offset_fetch_request_topic_v1_list(out, m.topics)


def write_offset_fetch_request_v2(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    if m.require_stable:
        raise UnsupportedVersion("OffsetFetchRequest.require_stable exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_offset_fetch_request_topic_v1_list(out, m.topics)


def write_offset_fetch_request_topic_v6_list(out: list[MessagePart], items: list[OffsetFetchRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partition_indexes))
        put(b"\0")


def write_offset_fetch_request_v6(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    if m.require_stable:
        raise UnsupportedVersion("OffsetFetchRequest.require_stable exists in versions 7+ only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_request_topic_v6_list(out, m.topics)
    put(b"\0")


def write_offset_fetch_request_v7(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_request_topic_v6_list(out, m.topics)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_request_topics_v8_list(out: list[MessagePart], items: list[OffsetFetchRequestTopics]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partition_indexes))
        put(b"\0")


def write_offset_fetch_request_group_v8_list(out: list[MessagePart], items: list[OffsetFetchRequestGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.topics is None:
            put(b"\0")
        else:
            n = len(m.topics) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_offset_fetch_request_topics_v8_list(out, m.topics)
        put(b"\0")


def write_offset_fetch_request_v8(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.group_id:
        raise UnsupportedVersion("OffsetFetchRequest.group_id exists in versions 0-7 only")
    if (m.topics is None or m.topics):
        raise UnsupportedVersion("OffsetFetchRequest.topics exists in versions 0-7 only")
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_request_group_v8_list(out, m.groups)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_request_group_v9_list(out: list[MessagePart], items: list[OffsetFetchRequestGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.member_id is None:
            put(b"\0")
        else:
            text = m.member_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_i(m.member_epoch))
        if m.topics is None:
            put(b"\0")
        else:
            n = len(m.topics) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_offset_fetch_request_topics_v8_list(out, m.topics)
        put(b"\0")


def write_offset_fetch_request_v9(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.group_id:
        raise UnsupportedVersion("OffsetFetchRequest.group_id exists in versions 0-7 only")
    if (m.topics is None or m.topics):
        raise UnsupportedVersion("OffsetFetchRequest.topics exists in versions 0-7 only")
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_request_group_v9_list(out, m.groups)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_request_topics_v10_list(out: list[MessagePart], items: list[OffsetFetchRequestTopics]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        put(pack_compact_int32s(m.partition_indexes))
        put(b"\0")


def write_offset_fetch_request_group_v10_list(out: list[MessagePart], items: list[OffsetFetchRequestGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.member_id is None:
            put(b"\0")
        else:
            text = m.member_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_i(m.member_epoch))
        if m.topics is None:
            put(b"\0")
        else:
            n = len(m.topics) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_offset_fetch_request_topics_v10_list(out, m.topics)
        put(b"\0")


def write_offset_fetch_request_v10(out: list[MessagePart], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.group_id:
        raise UnsupportedVersion("OffsetFetchRequest.group_id exists in versions 0-7 only")
    if (m.topics is None or m.topics):
        raise UnsupportedVersion("OffsetFetchRequest.topics exists in versions 0-7 only")
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_request_group_v10_list(out, m.groups)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_response_partition_v1_list(out: list[MessagePart], items: list[OffsetFetchResponsePartition]) -> None:
    put = out.append
    for m in items:
        if m.metadata is None:
            put(pack_iqh(m.partition_index, m.committed_offset, -1))
        else:
            text = m.metadata.encode()
            put(pack_iqh(m.partition_index, m.committed_offset, len(text)))
            put(text)
        put(pack_h(m.error_code))


def write_offset_fetch_response_topic_v1_list(out: list[MessagePart], items: list[OffsetFetchResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_fetch_response_partition_v1_list(out, m.partitions)


def write_offset_fetch_response_v1(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(len(m.topics)))
    write_offset_fetch_response_topic_v1_list(out, m.topics)


def write_offset_fetch_response_v2(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(len(m.topics)))
    write_offset_fetch_response_topic_v1_list(out, m.topics)
    put(pack_h(m.error_code))


def write_offset_fetch_response_v3(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_fetch_response_topic_v1_list(out, m.topics)
    put(pack_h(m.error_code))


def write_offset_fetch_response_partition_v5_list(out: list[MessagePart], items: list[OffsetFetchResponsePartition]) -> None:
    put = out.append
    for m in items:
        if m.metadata is None:
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, -1))
        else:
            text = m.metadata.encode()
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, len(text)))
            put(text)
        put(pack_h(m.error_code))


def write_offset_fetch_response_topic_v5_list(out: list[MessagePart], items: list[OffsetFetchResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_fetch_response_partition_v5_list(out, m.partitions)


def write_offset_fetch_response_v5(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_fetch_response_topic_v5_list(out, m.topics)
    put(pack_h(m.error_code))


def write_offset_fetch_response_partition_v6_list(out: list[MessagePart], items: list[OffsetFetchResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch))
        if m.metadata is None:
            put(b"\0")
        else:
            text = m.metadata.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_topic_v6_list(out: list[MessagePart], items: list[OffsetFetchResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_partition_v6_list(out, m.partitions)
        put(b"\0")


def write_offset_fetch_response_v6(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_response_topic_v6_list(out, m.topics)
    put(pack_hx(m.error_code))


def write_offset_fetch_response_partitions_v8_list(out: list[MessagePart], items: list[OffsetFetchResponsePartitions]) -> None:
    put = out.append
    for m in items:
        put(pack_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch))
        if m.metadata is None:
            put(b"\0")
        else:
            text = m.metadata.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_topics_v8_list(out: list[MessagePart], items: list[OffsetFetchResponseTopics]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_partitions_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_fetch_response_group_v8_list(out: list[MessagePart], items: list[OffsetFetchResponseGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_topics_v8_list(out, m.topics)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_v8(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("OffsetFetchResponse.topics exists in versions 0-7 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_response_group_v8_list(out, m.groups)
    put(b"\0")


def write_offset_fetch_response_topics_v10_list(out: list[MessagePart], items: list[OffsetFetchResponseTopics]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_partitions_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_fetch_response_group_v10_list(out: list[MessagePart], items: list[OffsetFetchResponseGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_topics_v10_list(out, m.topics)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_v10(out: list[MessagePart], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("OffsetFetchResponse.topics exists in versions 0-7 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_response_group_v10_list(out, m.groups)
    put(b"\0")


OffsetFetchRequest.WRITERS = {
    1: write_offset_fetch_request_v1,
    2: write_offset_fetch_request_v2,
    3: write_offset_fetch_request_v2,
    4: write_offset_fetch_request_v2,
    5: write_offset_fetch_request_v2,
    6: write_offset_fetch_request_v6,
    7: write_offset_fetch_request_v7,
    8: write_offset_fetch_request_v8,
    9: write_offset_fetch_request_v9,
    10: write_offset_fetch_request_v10,
}
OffsetFetchResponse.WRITERS = {
    1: write_offset_fetch_response_v1,
    2: write_offset_fetch_response_v2,
    3: write_offset_fetch_response_v3,
    4: write_offset_fetch_response_v3,
    5: write_offset_fetch_response_v5,
    6: write_offset_fetch_response_v6,
    7: write_offset_fetch_response_v6,
    8: write_offset_fetch_response_v8,
    9: write_offset_fetch_response_v8,
    10: write_offset_fetch_response_v10,
}
