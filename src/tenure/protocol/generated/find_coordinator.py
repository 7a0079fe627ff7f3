"""Generated from `tenure/protocol/tables/find_coordinator.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
)


class FindCoordinatorRequest(Message):
    __slots__ = ("key", "key_type", "coordinator_keys")
    TABLE = "find_coordinator"
    KEY = 10
    VERSIONS = range(0, 7)

    def __init__(
        self,
        key: str = "",
        key_type: int = 0,
        coordinator_keys: list[str] = EMPTY,
    ) -> None:
        self.key: Final = key
        self.key_type: Final = key_type
        self.coordinator_keys: Final = [] if coordinator_keys is EMPTY else coordinator_keys


class Coordinator(Struct):
    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message")

    def __init__(
        self,
        key: str = "",
        node_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.key: Final = key
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class FindCoordinatorResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "node_id", "host", "port", "coordinators")
    TABLE = "find_coordinator"
    KEY = 10
    VERSIONS = range(0, 7)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        coordinators: list[Coordinator] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.coordinators: Final = [] if coordinators is EMPTY else coordinators
