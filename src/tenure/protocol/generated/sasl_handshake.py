"""Generated from `tenure/protocol/tables/sasl_handshake.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
)


class SaslHandshakeRequest(Message):
    __slots__ = ("mechanism",)
    TABLE = "sasl_handshake"
    KEY = 17
    VERSIONS = range(0, 2)

    def __init__(
        self,
        mechanism: str = "",
    ) -> None:
        self.mechanism: Final = mechanism


class SaslHandshakeResponse(Message):
    __slots__ = ("error_code", "mechanisms")
    TABLE = "sasl_handshake"
    KEY = 17
    VERSIONS = range(0, 2)

    def __init__(
        self,
        error_code: int = 0,
        mechanisms: list[str] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.mechanisms: Final = [] if mechanisms is EMPTY else mechanisms
