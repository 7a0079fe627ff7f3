"""Generated from `tenure/protocol/tables/describe_user_scram_credentials.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class UserName(Struct):
    __slots__ = ("name",)

    def __init__(
        self,
        name: str = "",
    ) -> None:
        self.name: Final = name


class DescribeUserScramCredentialsRequest(Message):
    __slots__ = ("users",)
    TABLE = "describe_user_scram_credentials"
    KEY = 50
    VERSIONS = range(0, 1)

    def __init__(
        self,
        users: list[UserName] | None = EMPTY,
    ) -> None:
        self.users: Final = [] if users is EMPTY else users


class CredentialInfo(Struct):
    __slots__ = ("mechanism", "iterations")

    def __init__(
        self,
        mechanism: int = 0,
        iterations: int = 0,
    ) -> None:
        self.mechanism: Final = mechanism
        self.iterations: Final = iterations


class DescribeUserScramCredentialsResult(Struct):
    __slots__ = ("user", "error_code", "error_message", "credential_infos")

    def __init__(
        self,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        credential_infos: list[CredentialInfo] = EMPTY,
    ) -> None:
        self.user: Final = user
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.credential_infos: Final = [] if credential_infos is EMPTY else credential_infos


class DescribeUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")
    TABLE = "describe_user_scram_credentials"
    KEY = 50
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[DescribeUserScramCredentialsResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.results: Final = [] if results is EMPTY else results
