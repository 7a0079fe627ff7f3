"""Interface of a shard of the coordinator: a function of (state, command, now).

`handle` decides and changes nothing; `apply` changes and decides nothing. Decisions are passed between the two as
records: durable ones are the records of `__consumer_offsets` or `__cluster_metadata`; ephemeral ones are state that the
protocol keeps only in memory (parked joins, timers). `apply` is the same live, at load and in simulation, so a
fail-over is a replay without the ephemeral records.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, NewType, Protocol, TypeAlias

from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import Marker

AskId = NewType("AskId", int)
"""Id of one request that waits for its answer. Chosen by the caller; never used twice at one shard."""

NO_ASK = AskId(-1)
"""Id for deadlines and other commands without an answer."""


class Now(NamedTuple):
    """Two clocks: `wall_ms` (Unix time) for records, `tick_ms` (monotonic) for deadlines."""

    wall_ms: int
    tick_ms: int


Reply: TypeAlias = tuple[AskId, object]
"""An ask and its answer. Parked asks are answered by a later step than their own. A bare tuple, because every request
makes one, and a NamedTuple costs many times as much to build.
"""


@value
class Step:
    """Result of a command: records to log and apply in this order, replies to send once they are durable.

    `effects` are work that the rule needs and may not wait for: values that are handed out once the records are
    applied. The host performs them, on any thread and at any time. The result of an effect is a command without an
    answer, which may arrive late or never. A shard's `effects.py` contains the function for each kind.
    """

    records: Sequence[object] = ()
    replies: Sequence[Reply] = ()
    effects: Sequence[object] = ()


@value
class LogRecord:
    """A durable record in Kafka's own schema; `value` None is a tombstone.

    `key` is None in logs without keys (`__cluster_metadata`).
    """

    key: object | None
    value: object | None


@value
class TransactionalRecord:
    """A durable record that a producer wrote within a transaction: it counts once that is committed.

    A `Marker` (protocol), the third kind of durable record, ends the transaction. A step has records of one kind.
    """

    producer_id: int
    producer_epoch: int
    key: object | None
    value: object | None


DURABLE: Final = frozenset({LogRecord, TransactionalRecord, Marker})
"""Kinds of records that go into the log; everything else in a step is ephemeral."""


class InvariantError(Exception):
    """Bug in Tenure: an invariant of the state is violated. The runtime discards the state and loads it again, once."""


class Shard(Protocol):
    """State machine with its own log."""

    def handle(self, ask: AskId, command: object, now: Now) -> Step:
        """Decide on a command. Reads the state, never changes it. Raises InvariantError only."""

    def apply(self, record: object) -> None:
        """Apply a record. The only function that changes the state; runs live and at load."""

    def loaded(self, now: Now) -> Step:
        """Return the first step after the log is replayed: restart timers, evict what exceeds the limits (rule 6.5)."""

    def due(self, now: Now) -> Sequence[object]:
        """Return the commands of expired deadlines. They belong to no request."""

    def next_deadline_ms(self) -> int | None:
        """Return the next tick at which to call `due`; may be early, never late."""

    def scope(self, command: object) -> str | None:
        """Return the group whose records the command's reply must wait for; None for all of them."""

    def unavailable(self, command: object, error_code: ErrorCode) -> object:
        """Return the answer to a command that cannot be handled: the shard is loading, down, or its log failed."""

    def not_logged(self, answer: object, storage_error: ErrorCode) -> object:
        """Return the answer instead of `answer`, whose records could not be written."""

    def parked(self) -> Sequence[AskId]:
        """Return the ids of parked requests, which are lost if the state is dropped."""

    def digest(self) -> object:
        """Return the whole state as plain comparable data, for tests and simulation."""
