"""Generated from `tenure/protocol/tables/describe_producers.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_producers import (
    DescribeProducersPartitionResponse,
    DescribeProducersResponse,
    DescribeProducersTopicResponse,
)
from tenure.protocol.generated.writers.describe_producers import (
    write_producer_state_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack


def pieces_of_describe_producers_partition_response_v0_list(out: list[MessagePart], items: list[DescribeProducersPartitionResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        n = len(m.active_producers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.active_producers), 256):
            write_producer_state_v0_list(out, m.active_producers[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_producers_topic_response_v0_list(out: list[MessagePart], items: list[DescribeProducersTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_describe_producers_partition_response_v0_list(out, m.partitions)
        put(b"\0")
        yield


def pieces_of_describe_producers_response_v0(out: list[MessagePart], m: DescribeProducersResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_producers_topic_response_v0_list(out, m.topics)
    put(b"\0")


DescribeProducersResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_producers_response_v0,
}
