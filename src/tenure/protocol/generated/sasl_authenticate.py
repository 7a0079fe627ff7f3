"""Generated from `tenure/protocol/tables/sasl_authenticate.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)


class SaslAuthenticateRequest(Message):
    __slots__ = ("auth_bytes",)
    TABLE = "sasl_authenticate"
    KEY = 36
    VERSIONS = range(0, 3)

    def __init__(
        self,
        auth_bytes: bytes = b"",
    ) -> None:
        self.auth_bytes: Final = auth_bytes


class SaslAuthenticateResponse(Message):
    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms")
    TABLE = "sasl_authenticate"
    KEY = 36
    VERSIONS = range(0, 3)

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        auth_bytes: bytes = b"",
        session_lifetime_ms: int = 0,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.auth_bytes: Final = auth_bytes
        self.session_lifetime_ms: Final = session_lifetime_ms
