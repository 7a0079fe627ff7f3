"""Generated from `tenure/protocol/tables/create_delegation_token.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class CreatableRenewers(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
    ) -> None:
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name


class CreateDelegationTokenRequest(Message):
    __slots__ = ("owner_principal_type", "owner_principal_name", "renewers", "max_lifetime_ms")
    TABLE = "create_delegation_token"
    KEY = 38
    VERSIONS = range(1, 4)

    def __init__(
        self,
        owner_principal_type: str | None = "",
        owner_principal_name: str | None = "",
        renewers: list[CreatableRenewers] = EMPTY,
        max_lifetime_ms: int = 0,
    ) -> None:
        self.owner_principal_type: Final = owner_principal_type
        self.owner_principal_name: Final = owner_principal_name
        self.renewers: Final = [] if renewers is EMPTY else renewers
        self.max_lifetime_ms: Final = max_lifetime_ms


class CreateDelegationTokenResponse(Message):
    __slots__ = ("error_code", "principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp_ms", "expiry_timestamp_ms", "max_timestamp_ms", "token_id", "hmac", "throttle_time_ms")
    TABLE = "create_delegation_token"
    KEY = 38
    VERSIONS = range(1, 4)

    def __init__(
        self,
        error_code: int = 0,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp_ms: int = 0,
        expiry_timestamp_ms: int = 0,
        max_timestamp_ms: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code: Final = error_code
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name
        self.token_requester_principal_type: Final = token_requester_principal_type
        self.token_requester_principal_name: Final = token_requester_principal_name
        self.issue_timestamp_ms: Final = issue_timestamp_ms
        self.expiry_timestamp_ms: Final = expiry_timestamp_ms
        self.max_timestamp_ms: Final = max_timestamp_ms
        self.token_id: Final = token_id
        self.hmac: Final = hmac
        self.throttle_time_ms: Final = throttle_time_ms
