"""One incremental fetch session with one broker (KIP-227): say once what is read, then only what has changed.

Sans-I/O: `ask` gives what the next request has to name, `answered` and `broken` say what became of it. A broker that
keeps no sessions answers with session id 0, and is told everything each time.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode

NO_SESSION: Final = 0
FULL: Final = 0
"""The epoch of a request that names everything, and asks for a session."""
EPOCH_MAX: Final = 2**31 - 1

SESSION_ERRORS: Final = frozenset(
    {
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
    }
)
"""The broker has forgotten the session, or has another idea of it: begin anew."""


class FetchFrom(NamedTuple):
    offset: int
    max_bytes: int


class SessionAsk(NamedTuple):
    session_id: int
    session_epoch: int
    changed: dict[TopicPartition, FetchFrom]
    forgotten: list[TopicPartition]


class FetchSession:
    def __init__(self) -> None:
        self._id = NO_SESSION
        self._epoch = FULL
        self._known: dict[TopicPartition, FetchFrom] = {}
        """Invariant: what the broker reads for this session. Empty while there is none."""

    def ask(self, wanted: Mapping[TopicPartition, FetchFrom]) -> SessionAsk:
        """`wanted` is all that the next request is to read."""
        if self._epoch == FULL:
            self._known = dict(wanted)
            return SessionAsk(self._id, FULL, dict(wanted), [])
        changed = {partition: place for partition, place in wanted.items() if self._known.get(partition) != place}
        forgotten = [partition for partition in self._known if partition not in wanted]
        self._known = dict(wanted)
        return SessionAsk(self._id, self._epoch, changed, forgotten)

    def answered(self, error_code: int, session_id: int) -> bool:
        """Whether the answer is of use. After a session error the next request is a full one."""
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
        """The answer is lost: nobody knows the broker's epoch now. A full request replaces the old session."""
        self._epoch = FULL
        self._known = {}
