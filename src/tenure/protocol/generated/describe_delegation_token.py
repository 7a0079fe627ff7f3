"""Generated from `tenure/protocol/tables/describe_delegation_token.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class DescribeDelegationTokenOwner(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
    ) -> None:
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name


class DescribeDelegationTokenRequest(Message):
    __slots__ = ("owners",)
    TABLE = "describe_delegation_token"
    KEY = 41
    VERSIONS = range(1, 4)

    def __init__(
        self,
        owners: list[DescribeDelegationTokenOwner] | None = EMPTY,
    ) -> None:
        self.owners: Final = [] if owners is EMPTY else owners


class DescribedDelegationTokenRenewer(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
    ) -> None:
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name


class DescribedDelegationToken(Struct):
    __slots__ = ("principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp", "expiry_timestamp", "max_timestamp", "token_id", "hmac", "renewers")

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp: int = 0,
        expiry_timestamp: int = 0,
        max_timestamp: int = 0,
        token_id: str = "",
        hmac: bytes = b"",
        renewers: list[DescribedDelegationTokenRenewer] = EMPTY,
    ) -> None:
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name
        self.token_requester_principal_type: Final = token_requester_principal_type
        self.token_requester_principal_name: Final = token_requester_principal_name
        self.issue_timestamp: Final = issue_timestamp
        self.expiry_timestamp: Final = expiry_timestamp
        self.max_timestamp: Final = max_timestamp
        self.token_id: Final = token_id
        self.hmac: Final = hmac
        self.renewers: Final = [] if renewers is EMPTY else renewers


class DescribeDelegationTokenResponse(Message):
    __slots__ = ("error_code", "tokens", "throttle_time_ms")
    TABLE = "describe_delegation_token"
    KEY = 41
    VERSIONS = range(1, 4)

    def __init__(
        self,
        error_code: int = 0,
        tokens: list[DescribedDelegationToken] = EMPTY,
        throttle_time_ms: int = 0,
    ) -> None:
        self.error_code: Final = error_code
        self.tokens: Final = [] if tokens is EMPTY else tokens
        self.throttle_time_ms: Final = throttle_time_ms
