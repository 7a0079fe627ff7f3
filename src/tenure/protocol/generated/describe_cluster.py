"""Generated from `tenure/protocol/tables/describe_cluster.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
)


class DescribeClusterRequest(Message):
    __slots__ = ("include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers")
    TABLE = "describe_cluster"
    KEY = 60
    VERSIONS = range(0, 3)

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
    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced")

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
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "endpoint_type", "cluster_id", "controller_id", "brokers", "cluster_authorized_operations")
    TABLE = "describe_cluster"
    KEY = 60
    VERSIONS = range(0, 3)

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
