"""Generated from `tenure/protocol/tables/describe_cluster.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_cluster import (
    DescribeClusterBroker,
    DescribeClusterRequest,
    DescribeClusterResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_ZbZx: Final = Packer(">?b?x").pack
pack_Zbx: Final = Packer(">?bx").pack
pack_Zx: Final = Packer(">?x").pack
pack_b: Final = Packer(">b").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ix: Final = Packer(">ix").pack


def write_describe_cluster_request_v0(out: list[MessagePart], m: DescribeClusterRequest) -> None:
    put = out.append
    if m.endpoint_type != 1:
        raise UnsupportedVersion("DescribeClusterRequest.endpoint_type exists in versions 1+ only")
    if m.include_fenced_brokers:
        raise UnsupportedVersion("DescribeClusterRequest.include_fenced_brokers exists in versions 2+ only")
    put(pack_Zx(m.include_cluster_authorized_operations))


def write_describe_cluster_request_v1(out: list[MessagePart], m: DescribeClusterRequest) -> None:
    put = out.append
    if m.include_fenced_brokers:
        raise UnsupportedVersion("DescribeClusterRequest.include_fenced_brokers exists in versions 2+ only")
    put(pack_Zbx(m.include_cluster_authorized_operations, m.endpoint_type))


def write_describe_cluster_request_v2(out: list[MessagePart], m: DescribeClusterRequest) -> None:
    put = out.append
    put(pack_ZbZx(m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers))


def write_describe_cluster_broker_v0_list(out: list[MessagePart], items: list[DescribeClusterBroker]) -> None:
    put = out.append
    for m in items:
        if m.is_fenced:
            raise UnsupportedVersion("DescribeClusterBroker.is_fenced exists in versions 2+ only")
        text = m.host.encode()
        put(pack_i(m.broker_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.port))
        if m.rack is None:
            put(b"\0")
        else:
            text = m.rack.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_describe_cluster_response_v0(out: list[MessagePart], m: DescribeClusterResponse) -> None:
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
    write_describe_cluster_broker_v0_list(out, m.brokers)
    put(pack_ix(m.cluster_authorized_operations))


def write_describe_cluster_response_v1(out: list[MessagePart], m: DescribeClusterResponse) -> None:
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
    write_describe_cluster_broker_v0_list(out, m.brokers)
    put(pack_ix(m.cluster_authorized_operations))


def write_describe_cluster_broker_v2_list(out: list[MessagePart], items: list[DescribeClusterBroker]) -> None:
    put = out.append
    for m in items:
        text = m.host.encode()
        put(pack_i(m.broker_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.port))
        if m.rack is None:
            put(b"\0")
        else:
            text = m.rack.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_Zx(m.is_fenced))


def write_describe_cluster_response_v2(out: list[MessagePart], m: DescribeClusterResponse) -> None:
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
    write_describe_cluster_broker_v2_list(out, m.brokers)
    put(pack_ix(m.cluster_authorized_operations))


DescribeClusterRequest.WRITERS = {
    0: write_describe_cluster_request_v0,
    1: write_describe_cluster_request_v1,
    2: write_describe_cluster_request_v2,
}
DescribeClusterResponse.WRITERS = {
    0: write_describe_cluster_response_v0,
    1: write_describe_cluster_response_v1,
    2: write_describe_cluster_response_v2,
}
