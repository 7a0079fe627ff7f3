"""Interface of a coordinator's shard: a state machine whose decisions depend only on state, command and time.

`handle` decides and changes nothing; `apply` changes the state and decides nothing. Decisions are passed from one to
the other as records. Durable records are those in the shard's log: a partition of `__consumer_offsets` or
`__transaction_state`, or `__cluster_metadata`. Ephemeral records change state that the protocol keeps only in memory
(parked joins, timers). `apply` is the same for live records, at load, and in the simulation. So a fail-over is a replay
of the durable records only.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, NewType, Protocol, TypeAlias

from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import Marker

AskId = NewType("AskId", int)
"""Id of a request that waits for its answer. The caller chooses it, and uses it only once per shard."""

NO_ASK = AskId(-1)
"""Id for commands that are not answered, such as those of deadlines."""


class Now(NamedTuple):
    """Present time on two clocks: `wall_ms` (Unix time) for records, `tick_ms` (monotonic) for deadlines."""

    wall_ms: int
    tick_ms: int


Reply: TypeAlias = tuple[AskId, object]
"""(id of a request, its answer). The reply to a parked request is part of the result of a later command.

A reply is a plain tuple, because every request needs one, and creating a NamedTuple takes many times as long.
"""


@value
class CoordinatorResult:
    """Records of a command to log and apply, in order, and replies to send when the records are durable.

    `effects` describe slow work that runs outside of the shard. It begins after the records are applied, on any thread
    and at any time. The shard gets the result as a command that is not answered. The result may arrive late or never.
    The module `effects` of a shard has the function for each kind of effect.
    """

    records: Sequence[object] = ()
    replies: Sequence[Reply] = ()
    effects: Sequence[object] = ()


@value
class LogRecord:
    """Durable record with a key and value in Kafka's schema. A value of None is a tombstone.

    `key` is None in logs without keys (`__cluster_metadata`).
    """

    key: object | None
    value: object | None


@value
class TransactionalRecord:
    """Durable record that a producer has written in a transaction.

    The record takes effect when the transaction is committed. There are three kinds of durable records: `LogRecord`,
    `TransactionalRecord`, and `Marker` (in `protocol.types`), which ends a transaction. All durable records of one
    command are of one kind.
    """

    producer_id: int
    producer_epoch: int
    key: object | None
    value: object | None


DURABLE: Final = frozenset({LogRecord, TransactionalRecord, Marker})
"""Types of records that are logged; all other records are ephemeral."""


class InvariantError(Exception):
    """Bug in Tenure: an invariant of the state is violated. The host discards the state, and loads it again once."""


class Shard(Protocol):
    """State machine with its own log."""

    def handle(self, ask: AskId, command: object, now: Now) -> CoordinatorResult:
        """Return the records, replies and effects of a command. Reads the state, but never changes it.

        Raises only InvariantError.
        """

    def apply(self, record: object) -> None:
        """Apply a record. Only this function changes the state, live and at load."""

    def loaded(self, now: Now) -> CoordinatorResult:
        """Return the records and effects that follow a load, for example to restart timers (rule 6.5)."""

    def due(self, now: Now) -> Sequence[object]:
        """Return a command for each expired deadline. These commands are not answered."""

    def next_deadline_ms(self) -> int | None:
        """Return the tick by which `due` must be called; None if there is no deadline.

        The tick may be too early, but is never too late.
        """

    def scope(self, command: object) -> str | None:
        """Return the group whose records must be durable before a command is answered; None stands for all records."""

    def unavailable(self, command: object, error_code: ErrorCode) -> object:
        """Return the answer to a command that is not handled: the shard is loading or down, or its log has failed."""

    def not_logged(self, answer: object, storage_error: ErrorCode) -> object:
        """Return the answer to send instead of `answer`, because the records of the command could not be written."""

    def parked(self) -> Sequence[AskId]:
        """Return the ids of parked requests, which have to be answered if the state is discarded."""

    def digest(self) -> object:
        """Return the whole state as plain data, for comparisons in tests and the simulation."""
