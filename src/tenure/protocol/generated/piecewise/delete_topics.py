"""Generated from `tenure/protocol/tables/delete_topics.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_topics import (
    DeleteTopicsResponse,
)
from tenure.protocol.generated.writers.delete_topics import (
    write_deletable_topic_result_v1_list,
    write_deletable_topic_result_v4_list,
    write_deletable_topic_result_v5_list,
    write_deletable_topic_result_v6_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_delete_topics_response_v1(out: list[MessagePart], m: DeleteTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    for start in range(0, len(m.responses), 256):
        write_deletable_topic_result_v1_list(out, m.responses[start : start + 256])
        yield


def pieces_of_delete_topics_response_v4(out: list[MessagePart], m: DeleteTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.responses), 256):
        write_deletable_topic_result_v4_list(out, m.responses[start : start + 256])
        yield
    put(b"\0")


def pieces_of_delete_topics_response_v5(out: list[MessagePart], m: DeleteTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.responses), 256):
        write_deletable_topic_result_v5_list(out, m.responses[start : start + 256])
        yield
    put(b"\0")


def pieces_of_delete_topics_response_v6(out: list[MessagePart], m: DeleteTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.responses), 256):
        write_deletable_topic_result_v6_list(out, m.responses[start : start + 256])
        yield
    put(b"\0")


DeleteTopicsResponse.PIECEWISE_WRITERS = {
    1: pieces_of_delete_topics_response_v1,
    2: pieces_of_delete_topics_response_v1,
    3: pieces_of_delete_topics_response_v1,
    4: pieces_of_delete_topics_response_v4,
    5: pieces_of_delete_topics_response_v5,
    6: pieces_of_delete_topics_response_v6,
}
