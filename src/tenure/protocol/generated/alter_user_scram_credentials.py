"""Generated from `tenure/protocol/tables/alter_user_scram_credentials.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class ScramCredentialDeletion(Struct):
    __slots__ = ("name", "mechanism")

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
    ) -> None:
        self.name: Final = name
        self.mechanism: Final = mechanism


class ScramCredentialUpsertion(Struct):
    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password")

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
        iterations: int = 0,
        salt: bytes = b"",
        salted_password: bytes = b"",
    ) -> None:
        self.name: Final = name
        self.mechanism: Final = mechanism
        self.iterations: Final = iterations
        self.salt: Final = salt
        self.salted_password: Final = salted_password


class AlterUserScramCredentialsRequest(Message):
    __slots__ = ("deletions", "upsertions")
    TABLE = "alter_user_scram_credentials"
    KEY = 51
    VERSIONS = range(0, 1)

    def __init__(
        self,
        deletions: list[ScramCredentialDeletion] = EMPTY,
        upsertions: list[ScramCredentialUpsertion] = EMPTY,
    ) -> None:
        self.deletions: Final = [] if deletions is EMPTY else deletions
        self.upsertions: Final = [] if upsertions is EMPTY else upsertions


class AlterUserScramCredentialsResult(Struct):
    __slots__ = ("user", "error_code", "error_message")

    def __init__(
        self,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.user: Final = user
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class AlterUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    TABLE = "alter_user_scram_credentials"
    KEY = 51
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[AlterUserScramCredentialsResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results
