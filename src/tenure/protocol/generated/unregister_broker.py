"""Generated from `tenure/protocol/tables/unregister_broker.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)


class UnregisterBrokerRequest(Message):
    __slots__ = ("broker_id",)
    TABLE = "unregister_broker"
    KEY = 64
    VERSIONS = range(0, 1)

    def __init__(
        self,
        broker_id: int = 0,
    ) -> None:
        self.broker_id: Final = broker_id


class UnregisterBrokerResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    TABLE = "unregister_broker"
    KEY = 64
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
