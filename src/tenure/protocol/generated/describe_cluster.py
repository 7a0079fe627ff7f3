"""Generated from `tenure/protocol/tables/describe_cluster.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    BrokerId,
)
from tenure.protocol.wire import (
    UVARINT,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_ZbZx: Final = Packer(">?b?x").pack
pack_Zbx: Final = Packer(">?bx").pack
pack_Zx: Final = Packer(">?x").pack
pack_b: Final = Packer(">b").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ix: Final = Packer(">ix").pack
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_ZbZB: Final = Packer(">?b?B").unpack_from
unpack_ZbB: Final = Packer(">?bB").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


class DescribeClusterRequest(Message):
    __slots__ = ('include_cluster_authorized_operations', 'endpoint_type', 'include_fenced_brokers')
    KEY = 60

    def __init__(
        self,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
    ) -> None:
        self.include_cluster_authorized_operations: Final = include_cluster_authorized_operations
        self.endpoint_type: Final = endpoint_type
        self.include_fenced_brokers: Final = include_fenced_brokers


class DescribeClusterBroker(Struct):
    __slots__ = ('broker_id', 'host', 'port', 'rack', 'is_fenced')

    def __init__(
        self,
        broker_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        rack: str | None = None,
        is_fenced: bool = False,
    ) -> None:
        self.broker_id: Final = broker_id
        self.host: Final = host
        self.port: Final = port
        self.rack: Final = rack
        self.is_fenced: Final = is_fenced


class DescribeClusterResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code', 'error_message', 'endpoint_type', 'cluster_id', 'controller_id', 'brokers', 'cluster_authorized_operations')
    KEY = 60

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = "",
        controller_id: BrokerId = BrokerId(-1),
        brokers: list[DescribeClusterBroker] = EMPTY,
        cluster_authorized_operations: int = -2147483648,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.endpoint_type: Final = endpoint_type
        self.cluster_id: Final = cluster_id
        self.controller_id: Final = controller_id
        self.brokers: Final = [] if brokers is EMPTY else brokers
        self.cluster_authorized_operations: Final = cluster_authorized_operations


def read_describe_cluster_request_v0(data: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClusterRequest(include_cluster_authorized_operations), at


def read_describe_cluster_request_v1(data: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations, endpoint_type, tags = unpack_ZbB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClusterRequest(include_cluster_authorized_operations, endpoint_type), at


def read_describe_cluster_request_v2(data: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations, endpoint_type, include_fenced_brokers, tags = unpack_ZbZB(data, at)
    at += 4
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClusterRequest(include_cluster_authorized_operations, endpoint_type, include_fenced_brokers), at


def read_describe_cluster_broker_v0_list(data: bytes, at: int, n: int) -> tuple[list[DescribeClusterBroker], int]:
    if n * 11 > len(data) - at:
        raise too_many(n, 11, data, at)
    found: list[DescribeClusterBroker] = []
    for _ in range(n):
        broker_id, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeClusterBroker.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            rack = utf8(data[at:end])
            at = end
        else:
            rack = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeClusterBroker(broker_id, host, port, rack))
    return found, at


def read_describe_cluster_response_v0(data: bytes, at: int) -> tuple[DescribeClusterResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClusterResponse.cluster_id is null")
    end = at + n
    cluster_id = utf8(data[at:end])
    at = end
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClusterResponse.brokers is null")
    brokers, at = read_describe_cluster_broker_v0_list(data, at, n)
    cluster_authorized_operations, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClusterResponse(throttle_time_ms, error_code, error_message, 1, cluster_id, controller_id, brokers, cluster_authorized_operations), at


def read_describe_cluster_response_v1(data: bytes, at: int) -> tuple[DescribeClusterResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    endpoint_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClusterResponse.cluster_id is null")
    end = at + n
    cluster_id = utf8(data[at:end])
    at = end
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClusterResponse.brokers is null")
    brokers, at = read_describe_cluster_broker_v0_list(data, at, n)
    cluster_authorized_operations, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClusterResponse(throttle_time_ms, error_code, error_message, endpoint_type, cluster_id, controller_id, brokers, cluster_authorized_operations), at


def read_describe_cluster_broker_v2_list(data: bytes, at: int, n: int) -> tuple[list[DescribeClusterBroker], int]:
    if n * 12 > len(data) - at:
        raise too_many(n, 12, data, at)
    found: list[DescribeClusterBroker] = []
    for _ in range(n):
        broker_id, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeClusterBroker.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            rack = utf8(data[at:end])
            at = end
        else:
            rack = None
        is_fenced, tags = unpack_ZB(data, at)
        at += 2
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeClusterBroker(broker_id, host, port, rack, is_fenced))
    return found, at


def read_describe_cluster_response_v2(data: bytes, at: int) -> tuple[DescribeClusterResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    endpoint_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClusterResponse.cluster_id is null")
    end = at + n
    cluster_id = utf8(data[at:end])
    at = end
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClusterResponse.brokers is null")
    brokers, at = read_describe_cluster_broker_v2_list(data, at, n)
    cluster_authorized_operations, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClusterResponse(throttle_time_ms, error_code, error_message, endpoint_type, cluster_id, controller_id, brokers, cluster_authorized_operations), at


def write_describe_cluster_request_v0(out: list[bytes], m: DescribeClusterRequest) -> None:
    put = out.append
    if m.endpoint_type != 1:
        raise UnsupportedVersion("DescribeClusterRequest.endpoint_type exists in versions 1+ only")
    if m.include_fenced_brokers:
        raise UnsupportedVersion("DescribeClusterRequest.include_fenced_brokers exists in versions 2+ only")
    put(pack_Zx(m.include_cluster_authorized_operations))


def write_describe_cluster_request_v1(out: list[bytes], m: DescribeClusterRequest) -> None:
    put = out.append
    if m.include_fenced_brokers:
        raise UnsupportedVersion("DescribeClusterRequest.include_fenced_brokers exists in versions 2+ only")
    put(pack_Zbx(m.include_cluster_authorized_operations, m.endpoint_type))


def write_describe_cluster_request_v2(out: list[bytes], m: DescribeClusterRequest) -> None:
    put = out.append
    put(pack_ZbZx(m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers))


def write_describe_cluster_broker_v0_list(out: list[bytes], items: list[DescribeClusterBroker]) -> None:
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


def write_describe_cluster_response_v0(out: list[bytes], m: DescribeClusterResponse) -> None:
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


def write_describe_cluster_response_v1(out: list[bytes], m: DescribeClusterResponse) -> None:
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


def write_describe_cluster_broker_v2_list(out: list[bytes], items: list[DescribeClusterBroker]) -> None:
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


def write_describe_cluster_response_v2(out: list[bytes], m: DescribeClusterResponse) -> None:
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


DescribeClusterRequest.READERS = {
    0: read_describe_cluster_request_v0,
    1: read_describe_cluster_request_v1,
    2: read_describe_cluster_request_v2,
}
DescribeClusterRequest.WRITERS = {
    0: write_describe_cluster_request_v0,
    1: write_describe_cluster_request_v1,
    2: write_describe_cluster_request_v2,
}
DescribeClusterResponse.READERS = {
    0: read_describe_cluster_response_v0,
    1: read_describe_cluster_response_v1,
    2: read_describe_cluster_response_v2,
}
DescribeClusterResponse.WRITERS = {
    0: write_describe_cluster_response_v0,
    1: write_describe_cluster_response_v1,
    2: write_describe_cluster_response_v2,
}
