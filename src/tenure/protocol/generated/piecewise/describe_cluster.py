"""Generated from `tenure/protocol/tables/describe_cluster.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_cluster import (
    DescribeClusterResponse,
)
from tenure.protocol.generated.writers.describe_cluster import (
    write_describe_cluster_broker_v0_list,
    write_describe_cluster_broker_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_b: Final = Packer(">b").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ix: Final = Packer(">ix").pack


def pieces_of_describe_cluster_response_v0(out: list[MessagePart], m: DescribeClusterResponse) -> Iterator[None]:
    put = out.append
    if m.endpoint_type != 1:
        raise UnsupportedVersion("DescribeClusterResponse.endpoint_type exists in versions 1+ only")
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.cluster_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_i(m.controller_id))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_describe_cluster_broker_v0_list(out, m.brokers[start : start + 256])
        yield
    put(pack_ix(m.cluster_authorized_operations))


def pieces_of_describe_cluster_response_v1(out: list[MessagePart], m: DescribeClusterResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.cluster_id.encode()
    put(pack_b(m.endpoint_type))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_i(m.controller_id))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_describe_cluster_broker_v0_list(out, m.brokers[start : start + 256])
        yield
    put(pack_ix(m.cluster_authorized_operations))


def pieces_of_describe_cluster_response_v2(out: list[MessagePart], m: DescribeClusterResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.cluster_id.encode()
    put(pack_b(m.endpoint_type))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_i(m.controller_id))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_describe_cluster_broker_v2_list(out, m.brokers[start : start + 256])
        yield
    put(pack_ix(m.cluster_authorized_operations))


DescribeClusterResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_cluster_response_v0,
    1: pieces_of_describe_cluster_response_v1,
    2: pieces_of_describe_cluster_response_v2,
}
