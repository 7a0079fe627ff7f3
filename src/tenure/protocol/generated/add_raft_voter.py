"""Generated from `tenure/protocol/tables/add_raft_voter.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class VoterListener(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
    ) -> None:
        self.name: Final = name
        self.host: Final = host
        self.port: Final = port


class AddRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "timeout_ms", "voter_id", "voter_directory_id", "listeners", "ack_when_committed")
    TABLE = "add_raft_voter"
    KEY = 80
    VERSIONS = range(0, 2)

    def __init__(
        self,
        cluster_id: str | None = "",
        timeout_ms: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = bytes(16),
        listeners: list[VoterListener] = EMPTY,
        ack_when_committed: bool = True,
    ) -> None:
        self.cluster_id: Final = cluster_id
        self.timeout_ms: Final = timeout_ms
        self.voter_id: Final = voter_id
        self.voter_directory_id: Final = voter_directory_id
        self.listeners: Final = [] if listeners is EMPTY else listeners
        self.ack_when_committed: Final = ack_when_committed


class AddRaftVoterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    TABLE = "add_raft_voter"
    KEY = 80
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
