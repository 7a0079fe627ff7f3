"""Generated from `tenure/protocol/tables/unregister_controller.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)


class UnregisterControllerRequest(Message):
    __slots__ = ("controller_id",)
    TABLE = "unregister_controller"
    KEY = 94
    VERSIONS = range(0, 1)

    def __init__(
        self,
        controller_id: int = 0,
    ) -> None:
        self.controller_id: Final = controller_id


class UnregisterControllerResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    TABLE = "unregister_controller"
    KEY = 94
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
