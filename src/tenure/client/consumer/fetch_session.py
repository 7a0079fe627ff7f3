"""Incremental fetch session with one broker (KIP-227): each request contains only the changed partitions.

No I/O: `next_request` returns the content of the next request. The caller sends it, and passes error code and session
id of the response to `handle_response`, or calls `reset` if there is no response. A broker without sessions returns
session id 0. Each request to such a broker contains all partitions.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode

NO_SESSION: Final = 0
FULL: Final = 0
"""Session epoch of a request that names all partitions and creates a session."""
EPOCH_MAX: Final = 2**31 - 1

SESSION_ERRORS: Final = frozenset(
    {
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
    }
)
"""Errors after which a new session is created."""


class FetchFrom(NamedTuple):
    """Start offset and maximum bytes of a fetch from one partition."""

    offset: int
    max_bytes: int


class SessionRequest(NamedTuple):
    """Session id, session epoch and partitions of one fetch request."""

    session_id: int
    session_epoch: int
    changed: dict[TopicPartition, FetchFrom]
    forgotten: list[TopicPartition]


class FetchSessionHandler:
    """Fetch session with one broker."""

    def __init__(self) -> None:
        self._id = NO_SESSION
        self._epoch = FULL
        self._known: dict[TopicPartition, FetchFrom] = {}
        """Fetches in the broker's session, by partition, as the last request named them. Empty without a session."""

    def next_request(self, wanted: Mapping[TopicPartition, FetchFrom]) -> SessionRequest:
        """Return the content of the next request, which makes the broker return exactly the partitions of `wanted`."""
        if self._epoch == FULL:
            self._known = dict(wanted)
            return SessionRequest(self._id, FULL, dict(wanted), [])
        changed = {partition: place for partition, place in wanted.items() if self._known.get(partition) != place}
        forgotten = [partition for partition in self._known if partition not in wanted]
        self._known = dict(wanted)
        return SessionRequest(self._id, self._epoch, changed, forgotten)

    def handle_response(self, error_code: int, session_id: int) -> bool:
        """Store the result of a request; return whether its response is usable.

        After a session error the next request contains all partitions and creates a new session.
        """
        if error_code in SESSION_ERRORS:
            self.reset()
            return False
        if session_id == NO_SESSION:
            self.reset()
        else:
            self._id = session_id
            self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1
        return True

    def reset(self) -> None:
        """Start a new session with the next request: after a lost response the broker's session epoch is unknown."""
        self._epoch = FULL
        self._known = {}
