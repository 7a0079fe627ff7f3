"""Generated from `tenure/protocol/tables/describe_topic_partitions.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_topic_partitions import (
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponseTopic,
)
from tenure.protocol.generated.writers.describe_topic_partitions import (
    write_cursor_v0,
    write_describe_topic_partitions_response_partition_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16sZ: Final = Packer(">16s?").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ix: Final = Packer(">ix").pack


def pieces_of_describe_topic_partitions_response_topic_v0_list(out: list[MessagePart], items: list[DescribeTopicPartitionsResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.name is None:
            put(b"\0")
        else:
            text = m.name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_16sZ(m.topic_id, m.is_internal))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_describe_topic_partitions_response_partition_v0_list(out, m.partitions[start : start + 256])
            yield
        put(pack_ix(m.topic_authorized_operations))
        yield


def pieces_of_describe_topic_partitions_response_v0(out: list[MessagePart], m: DescribeTopicPartitionsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_describe_topic_partitions_response_topic_v0_list(out, m.topics)
    if m.next_cursor is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_cursor_v0(out, m.next_cursor)
    put(b"\0")


DescribeTopicPartitionsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_topic_partitions_response_v0,
}
