"""Generated from `tenure/protocol/tables/expire_delegation_token.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)


class ExpireDelegationTokenRequest(Message):
    __slots__ = ("hmac", "expiry_time_period_ms")
    TABLE = "expire_delegation_token"
    KEY = 40
    VERSIONS = range(1, 3)

    def __init__(
        self,
        hmac: bytes = b"",
        expiry_time_period_ms: int = 0,
    ) -> None:
        self.hmac: Final = hmac
        self.expiry_time_period_ms: Final = expiry_time_period_ms


class ExpireDelegationTokenResponse(Message):
    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms")
    TABLE = "expire_delegation_token"
    KEY = 40
    VERSIONS = range(1, 3)

    def __init__(
        self,
        error_code: int = 0,
        expiry_timestamp_ms: int = 0,
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code: Final = error_code
        self.expiry_timestamp_ms: Final = expiry_timestamp_ms
        self.throttle_time_ms: Final = throttle_time_ms
