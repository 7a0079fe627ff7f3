"""Generated from `tenure/protocol/tables/renew_delegation_token.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)


class RenewDelegationTokenRequest(Message):
    __slots__ = ("hmac", "renew_period_ms")
    TABLE = "renew_delegation_token"
    KEY = 39
    VERSIONS = range(1, 3)

    def __init__(
        self,
        hmac: bytes = b"",
        renew_period_ms: int = 0,
    ) -> None:
        self.hmac: Final = hmac
        self.renew_period_ms: Final = renew_period_ms


class RenewDelegationTokenResponse(Message):
    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms")
    TABLE = "renew_delegation_token"
    KEY = 39
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
