"""Generated from `tenure/protocol/tables/consumer_group_describe.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_group_describe import (
    ConsumerGroupDescribeResponse,
    DescribedConsumerGroup,
)
from tenure.protocol.generated.writers.consumer_group_describe import (
    write_described_consumer_group_member_v0_list,
    write_described_consumer_group_member_v1_list,
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
pack_ix: Final = Packer(">ix").pack


def pieces_of_described_consumer_group_v0_list(out: list[MessagePart], items: list[DescribedConsumerGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.assignor_name.encode()
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.members), 256):
            write_described_consumer_group_member_v0_list(out, m.members[start : start + 256])
            yield
        put(pack_ix(m.authorized_operations))
        yield


def pieces_of_consumer_group_describe_response_v0(out: list[MessagePart], m: ConsumerGroupDescribeResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_consumer_group_v0_list(out, m.groups)
    put(b"\0")


def pieces_of_described_consumer_group_v1_list(out: list[MessagePart], items: list[DescribedConsumerGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.assignor_name.encode()
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.members), 256):
            write_described_consumer_group_member_v1_list(out, m.members[start : start + 256])
            yield
        put(pack_ix(m.authorized_operations))
        yield


def pieces_of_consumer_group_describe_response_v1(out: list[MessagePart], m: ConsumerGroupDescribeResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_consumer_group_v1_list(out, m.groups)
    put(b"\0")


ConsumerGroupDescribeResponse.PIECEWISE_WRITERS = {
    0: pieces_of_consumer_group_describe_response_v0,
    1: pieces_of_consumer_group_describe_response_v1,
}
