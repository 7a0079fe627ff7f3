"""Generated from `tenure/protocol/tables/describe_quorum.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_quorum import (
    DescribeQuorumResponse,
    DescribedQuorumPartition,
    DescribedQuorumTopic,
    QuorumNode,
)
from tenure.protocol.generated.writers.describe_quorum import (
    write_quorum_listener_v2_list,
    write_quorum_replica_v0_list,
    write_quorum_replica_v1_list,
    write_quorum_replica_v2_list,
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
pack_ih: Final = Packer(">ih").pack
pack_ihiiq: Final = Packer(">ihiiq").pack
pack_iiq: Final = Packer(">iiq").pack


def pieces_of_described_quorum_partition_v0_list(out: list[MessagePart], items: list[DescribedQuorumPartition]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark))
        n = len(m.current_voters) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.current_voters), 256):
            write_quorum_replica_v0_list(out, m.current_voters[start : start + 256])
            yield
        n = len(m.observers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.observers), 256):
            write_quorum_replica_v0_list(out, m.observers[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_described_quorum_topic_v0_list(out: list[MessagePart], items: list[DescribedQuorumTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_described_quorum_partition_v0_list(out, m.partitions)
        put(b"\0")
        yield


def pieces_of_describe_quorum_response_v0(out: list[MessagePart], m: DescribeQuorumResponse) -> Iterator[None]:
    put = out.append
    if m.nodes:
        raise UnsupportedVersion("DescribeQuorumResponse.nodes exists in versions 2+ only")
    put(pack_h(m.error_code))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_quorum_topic_v0_list(out, m.topics)
    put(b"\0")


def pieces_of_described_quorum_partition_v1_list(out: list[MessagePart], items: list[DescribedQuorumPartition]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark))
        n = len(m.current_voters) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.current_voters), 256):
            write_quorum_replica_v1_list(out, m.current_voters[start : start + 256])
            yield
        n = len(m.observers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.observers), 256):
            write_quorum_replica_v1_list(out, m.observers[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_described_quorum_topic_v1_list(out: list[MessagePart], items: list[DescribedQuorumTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_described_quorum_partition_v1_list(out, m.partitions)
        put(b"\0")
        yield


def pieces_of_describe_quorum_response_v1(out: list[MessagePart], m: DescribeQuorumResponse) -> Iterator[None]:
    put = out.append
    if m.nodes:
        raise UnsupportedVersion("DescribeQuorumResponse.nodes exists in versions 2+ only")
    put(pack_h(m.error_code))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_quorum_topic_v1_list(out, m.topics)
    put(b"\0")


def pieces_of_described_quorum_partition_v2_list(out: list[MessagePart], items: list[DescribedQuorumPartition]) -> Iterator[None]:
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
        put(pack_iiq(m.leader_id, m.leader_epoch, m.high_watermark))
        n = len(m.current_voters) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.current_voters), 256):
            write_quorum_replica_v2_list(out, m.current_voters[start : start + 256])
            yield
        n = len(m.observers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.observers), 256):
            write_quorum_replica_v2_list(out, m.observers[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_described_quorum_topic_v2_list(out: list[MessagePart], items: list[DescribedQuorumTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_described_quorum_partition_v2_list(out, m.partitions)
        put(b"\0")
        yield


def pieces_of_quorum_node_v2_list(out: list[MessagePart], items: list[QuorumNode]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_i(m.node_id))
        n = len(m.listeners) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.listeners), 256):
            write_quorum_listener_v2_list(out, m.listeners[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_quorum_response_v2(out: list[MessagePart], m: DescribeQuorumResponse) -> Iterator[None]:
    put = out.append
    put(pack_h(m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_quorum_topic_v2_list(out, m.topics)
    n = len(m.nodes) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_quorum_node_v2_list(out, m.nodes)
    put(b"\0")


DescribeQuorumResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_quorum_response_v0,
    1: pieces_of_describe_quorum_response_v1,
    2: pieces_of_describe_quorum_response_v2,
}
