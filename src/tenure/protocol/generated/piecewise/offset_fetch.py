"""Generated from `tenure/protocol/tables/offset_fetch.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_fetch import (
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from tenure.protocol.generated.writers.offset_fetch import (
    write_offset_fetch_response_partition_v1_list,
    write_offset_fetch_response_partition_v5_list,
    write_offset_fetch_response_partition_v6_list,
    write_offset_fetch_response_partitions_v8_list,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_offset_fetch_response_topic_v1_list(out: list[MessagePart], items: list[OffsetFetchResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_offset_fetch_response_partition_v1_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_offset_fetch_response_v1(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(len(m.topics)))
    yield from pieces_of_offset_fetch_response_topic_v1_list(out, m.topics)


def pieces_of_offset_fetch_response_v2(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(len(m.topics)))
    yield from pieces_of_offset_fetch_response_topic_v1_list(out, m.topics)
    put(pack_h(m.error_code))


def pieces_of_offset_fetch_response_v3(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_offset_fetch_response_topic_v1_list(out, m.topics)
    put(pack_h(m.error_code))


def pieces_of_offset_fetch_response_topic_v5_list(out: list[MessagePart], items: list[OffsetFetchResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_offset_fetch_response_partition_v5_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_offset_fetch_response_v5(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_offset_fetch_response_topic_v5_list(out, m.topics)
    put(pack_h(m.error_code))


def pieces_of_offset_fetch_response_topic_v6_list(out: list[MessagePart], items: list[OffsetFetchResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_offset_fetch_response_partition_v6_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_offset_fetch_response_v6(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_offset_fetch_response_topic_v6_list(out, m.topics)
    put(pack_hx(m.error_code))


def pieces_of_offset_fetch_response_topics_v8_list(out: list[MessagePart], items: list[OffsetFetchResponseTopics]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_offset_fetch_response_partitions_v8_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_offset_fetch_response_group_v8_list(out: list[MessagePart], items: list[OffsetFetchResponseGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_offset_fetch_response_topics_v8_list(out, m.topics)
        put(pack_hx(m.error_code))
        yield


def pieces_of_offset_fetch_response_v8(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("OffsetFetchResponse.topics exists in versions 0-7 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_offset_fetch_response_group_v8_list(out, m.groups)
    put(b"\0")


def pieces_of_offset_fetch_response_topics_v10_list(out: list[MessagePart], items: list[OffsetFetchResponseTopics]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_offset_fetch_response_partitions_v8_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_offset_fetch_response_group_v10_list(out: list[MessagePart], items: list[OffsetFetchResponseGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_offset_fetch_response_topics_v10_list(out, m.topics)
        put(pack_hx(m.error_code))
        yield


def pieces_of_offset_fetch_response_v10(out: list[MessagePart], m: OffsetFetchResponse) -> Iterator[None]:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("OffsetFetchResponse.topics exists in versions 0-7 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_offset_fetch_response_group_v10_list(out, m.groups)
    put(b"\0")


OffsetFetchResponse.PIECEWISE_WRITERS = {
    1: pieces_of_offset_fetch_response_v1,
    2: pieces_of_offset_fetch_response_v2,
    3: pieces_of_offset_fetch_response_v3,
    4: pieces_of_offset_fetch_response_v3,
    5: pieces_of_offset_fetch_response_v5,
    6: pieces_of_offset_fetch_response_v6,
    7: pieces_of_offset_fetch_response_v6,
    8: pieces_of_offset_fetch_response_v8,
    9: pieces_of_offset_fetch_response_v8,
    10: pieces_of_offset_fetch_response_v10,
}
