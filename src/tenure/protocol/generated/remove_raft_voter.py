"""Generated from `tenure/protocol/tables/remove_raft_voter.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)


class RemoveRaftVoterRequest(Message):
    __slots__ = ("cluster_id", "voter_id", "voter_directory_id")
    TABLE = "remove_raft_voter"
    KEY = 81
    VERSIONS = range(0, 1)

    def __init__(
        self,
        cluster_id: str | None = "",
        voter_id: int = 0,
        voter_directory_id: bytes = bytes(16),
    ) -> None:
        self.cluster_id: Final = cluster_id
        self.voter_id: Final = voter_id
        self.voter_directory_id: Final = voter_directory_id


class RemoveRaftVoterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    TABLE = "remove_raft_voter"
    KEY = 81
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
