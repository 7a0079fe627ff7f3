"""Generated from `tenure/protocol/tables/offset_commit.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_commit import (
    OffsetCommitResponse,
    OffsetCommitResponseTopic,
)
from tenure.protocol.generated.writers.offset_commit import (
    write_offset_commit_response_partition_v2_list,
    write_offset_commit_response_partition_v8_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_offset_commit_response_topic_v2_list(out: list[MessagePart], items: list[OffsetCommitResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_offset_commit_response_partition_v2_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_offset_commit_response_v2(out: list[MessagePart], m: OffsetCommitResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(len(m.topics)))
    yield from pieces_of_offset_commit_response_topic_v2_list(out, m.topics)


def pieces_of_offset_commit_response_v3(out: list[MessagePart], m: OffsetCommitResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_offset_commit_response_topic_v2_list(out, m.topics)


def pieces_of_offset_commit_response_topic_v8_list(out: list[MessagePart], items: list[OffsetCommitResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_offset_commit_response_partition_v8_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_offset_commit_response_v8(out: list[MessagePart], m: OffsetCommitResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_offset_commit_response_topic_v8_list(out, m.topics)
    put(b"\0")


def pieces_of_offset_commit_response_topic_v10_list(out: list[MessagePart], items: list[OffsetCommitResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_offset_commit_response_partition_v8_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_offset_commit_response_v10(out: list[MessagePart], m: OffsetCommitResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_offset_commit_response_topic_v10_list(out, m.topics)
    put(b"\0")


OffsetCommitResponse.PIECEWISE_WRITERS = {
    2: pieces_of_offset_commit_response_v2,
    3: pieces_of_offset_commit_response_v3,
    4: pieces_of_offset_commit_response_v3,
    5: pieces_of_offset_commit_response_v3,
    6: pieces_of_offset_commit_response_v3,
    7: pieces_of_offset_commit_response_v3,
    8: pieces_of_offset_commit_response_v8,
    9: pieces_of_offset_commit_response_v8,
    10: pieces_of_offset_commit_response_v10,
}
