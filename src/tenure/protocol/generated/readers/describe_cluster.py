"""Generated from `tenure/protocol/tables/describe_cluster.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_cluster import (
    DescribeClusterBroker,
    DescribeClusterRequest,
    DescribeClusterResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_ZB: Final = Packer(">?B").unpack_from
unpack_ZbZB: Final = Packer(">?b?B").unpack_from
unpack_ZbB: Final = Packer(">?bB").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_describe_cluster_request_v0(data: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return DescribeClusterRequest(include_cluster_authorized_operations), at


def read_describe_cluster_request_v1(data: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations, endpoint_type, tags = unpack_ZbB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return DescribeClusterRequest(include_cluster_authorized_operations, endpoint_type), at


def read_describe_cluster_request_v2(data: bytes, at: int) -> tuple[DescribeClusterRequest, int]:
    include_cluster_authorized_operations, endpoint_type, include_fenced_brokers, tags = unpack_ZbZB(data, at)
    at += 4
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return DescribeClusterRequest(include_cluster_authorized_operations, endpoint_type, include_fenced_brokers), at


def read_describe_cluster_broker_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeClusterBroker], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[DescribeClusterBroker] = []
    for _ in range(announced):
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


def read_describe_cluster_broker_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeClusterBroker], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[DescribeClusterBroker] = []
    for _ in range(announced):
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


DescribeClusterRequest.READERS = {
    0: read_describe_cluster_request_v0,
    1: read_describe_cluster_request_v1,
    2: read_describe_cluster_request_v2,
}
DescribeClusterResponse.READERS = {
    0: read_describe_cluster_response_v0,
    1: read_describe_cluster_response_v1,
    2: read_describe_cluster_response_v2,
}
