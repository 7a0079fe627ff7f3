"""Incremental fetch session with one broker (KIP-227): each request names only what has changed.

No I/O: `ask` returns the content of the next request; `answered` and `broken` report its result. A broker without
sessions answers session id 0, and every request to it is complete.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode

NO_SESSION: Final = 0
FULL: Final = 0
"""Epoch of a complete request that creates a session."""
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
    """Position and size of a fetch from one partition."""

    offset: int
    max_bytes: int


class SessionAsk(NamedTuple):
    """Session fields and partitions of a request."""

    session_id: int
    session_epoch: int
    changed: dict[TopicPartition, FetchFrom]
    forgotten: list[TopicPartition]


class FetchSessionHandler:
    """Session with one broker."""

    def __init__(self) -> None:
        self._id = NO_SESSION
        self._epoch = FULL
        self._known: dict[TopicPartition, FetchFrom] = {}
        """Invariant: partitions of the session at the broker. Empty without a session."""

    def ask(self, wanted: Mapping[TopicPartition, FetchFrom]) -> SessionAsk:
        """Return the content of a request that reads exactly `wanted`."""
        if self._epoch == FULL:
            self._known = dict(wanted)
            return SessionAsk(self._id, FULL, dict(wanted), [])
        changed = {partition: place for partition, place in wanted.items() if self._known.get(partition) != place}
        forgotten = [partition for partition in self._known if partition not in wanted]
        self._known = dict(wanted)
        return SessionAsk(self._id, self._epoch, changed, forgotten)

    def answered(self, error_code: int, session_id: int) -> bool:
        """Return whether the response is usable. After a session error the next request is complete."""
        if error_code in SESSION_ERRORS:
            self.broken()
            return False
        if session_id == NO_SESSION:
            self.broken()
        else:
            self._id = session_id
            self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1
        return True

    def broken(self) -> None:
        """Note a lost response: the broker's epoch is unknown, so a complete request replaces the session."""
        self._epoch = FULL
        self._known = {}
