"""Generated from `tenure/protocol/tables/list_offsets.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_offsets import (
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from tenure.protocol.generated.writers.list_offsets import (
    write_list_offsets_partition_response_v1_list,
    write_list_offsets_partition_response_v4_list,
    write_list_offsets_partition_response_v6_list,
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


def pieces_of_list_offsets_topic_response_v1_list(out: list[MessagePart], items: list[ListOffsetsTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_list_offsets_partition_response_v1_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_list_offsets_response_v1(out: list[MessagePart], m: ListOffsetsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(len(m.topics)))
    yield from pieces_of_list_offsets_topic_response_v1_list(out, m.topics)


def pieces_of_list_offsets_response_v2(out: list[MessagePart], m: ListOffsetsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_list_offsets_topic_response_v1_list(out, m.topics)


def pieces_of_list_offsets_topic_response_v4_list(out: list[MessagePart], items: list[ListOffsetsTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_list_offsets_partition_response_v4_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_list_offsets_response_v4(out: list[MessagePart], m: ListOffsetsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_list_offsets_topic_response_v4_list(out, m.topics)


def pieces_of_list_offsets_topic_response_v6_list(out: list[MessagePart], items: list[ListOffsetsTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_list_offsets_partition_response_v6_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_list_offsets_response_v6(out: list[MessagePart], m: ListOffsetsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_list_offsets_topic_response_v6_list(out, m.topics)
    put(b"\0")


ListOffsetsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_list_offsets_response_v1,
    2: pieces_of_list_offsets_response_v2,
    3: pieces_of_list_offsets_response_v2,
    4: pieces_of_list_offsets_response_v4,
    5: pieces_of_list_offsets_response_v4,
    6: pieces_of_list_offsets_response_v6,
    7: pieces_of_list_offsets_response_v6,
    8: pieces_of_list_offsets_response_v6,
    9: pieces_of_list_offsets_response_v6,
    10: pieces_of_list_offsets_response_v6,
    11: pieces_of_list_offsets_response_v6,
}
