"""Generated from `tenure/protocol/tables/offset_for_leader_epoch.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_for_leader_epoch import (
    OffsetForLeaderEpochResponse,
    OffsetForLeaderTopicResult,
)
from tenure.protocol.generated.writers.offset_for_leader_epoch import (
    write_epoch_end_offset_v2_list,
    write_epoch_end_offset_v4_list,
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


def pieces_of_offset_for_leader_topic_result_v2_list(out: list[MessagePart], items: list[OffsetForLeaderTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_epoch_end_offset_v2_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_offset_for_leader_epoch_response_v2(out: list[MessagePart], m: OffsetForLeaderEpochResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_offset_for_leader_topic_result_v2_list(out, m.topics)


def pieces_of_offset_for_leader_topic_result_v4_list(out: list[MessagePart], items: list[OffsetForLeaderTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_epoch_end_offset_v4_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_offset_for_leader_epoch_response_v4(out: list[MessagePart], m: OffsetForLeaderEpochResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_offset_for_leader_topic_result_v4_list(out, m.topics)
    put(b"\0")


OffsetForLeaderEpochResponse.PIECEWISE_WRITERS = {
    2: pieces_of_offset_for_leader_epoch_response_v2,
    3: pieces_of_offset_for_leader_epoch_response_v2,
    4: pieces_of_offset_for_leader_epoch_response_v4,
}
