"""Host of one shard, without I/O: it decides what is appended to the log and when replies may be sent.

The broker calls it:

    host.load(batches, now)                         once at the start, and whenever a turn says `reload`
    host.install(host.replay(batches), now)         instead of `load`: the slow `replay` may run on any thread
    host.submit(ask, command)                       any number of times; `ask` identifies the command in its reply
    ready = host.turn(now)                          once per turn of its loop, and when a deadline has passed
    if ready.batch: append it, then host.appended(last_offset) or host.append_failed(error), before the next turn
    host.durable(offset)                            when all records below `offset` are durable
    for reply in host.take_replies(): ...           after each of these calls
    for effect in host.take_effects(): ...          after each turn; the result is submitted as a command with NO_ASK

One turn handles the waiting commands until the batch is full; their records are appended together. The records of a
command are applied before the next command is handled. Each reply of a group, even to a read or a heartbeat, is sent
when the last record appended for that group is durable (invariant ReplyAfterDurable). If an append fails, the host
discards its state and reloads it from the log; there is no rollback. The host does the same after a bug in the shard,
but only once: after a second bug, it stays DOWN, with the reason in `failure`.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, Generic, TypeVar

from tenure.coordinator.answers import Refused
from tenure.coordinator.shard import (
    DURABLE,
    NO_ASK,
    AskId,
    CoordinatorResult,
    InvariantError,
    LogRecord,
    Now,
    Reply,
    Shard,
    TransactionalRecord,
)
from tenure.coordinator.values import value
from tenure.limits.runtime import COORDINATOR_BATCH_BYTES, COORDINATOR_STEP_BYTES_MAX
from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import InvalidMessage
from tenure.protocol.records import Record
from tenure.protocol.transaction_markers import encode_marker
from tenure.protocol.types import Marker
from tenure.runtime.codecs import Codec
from tenure.runtime.damaged_keys import damaged_keys
from tenure.runtime.held_replies import HeldReplies
from tenure.runtime.replay import DAMAGED, UnreadableRecord, newest_records

RECORD_OVERHEAD_BYTES: Final = 24
"""Size of a record in a batch without its key and value, in bytes, rounded up."""

BUGS_MAX: Final = 1
"""Number of exceptions after which the host reloads its state from the log.

After one more exception the host stays DOWN, because the same input would fail again.
"""

S = TypeVar("S", bound=Shard)


class HostState(Enum):
    """State of a host. A new host is LOADING until it gets its log, even an empty one."""

    LOADING = "loading"
    ACTIVE = "active"
    DOWN = "down"


@value
class Ready:
    """Work for the caller after a turn: append `batch`, or, if `reload` is true, call `load` with the complete log.

    `reload` is true in one turn only.
    """

    batch: bytes | None = None
    reload: bool = False


@value
class Replayed(Generic[S]):
    """Shard built from its log. If `failure` is not None, it says why the shard is incomplete."""

    shard: S
    failure: str | None = None
    error_code: ErrorCode = ErrorCode.NONE
    last_offset: int = -1
    is_damaged: bool = False
    """True if the log has damaged bytes. The caller may have them set aside."""


class Host(Generic[S]):
    """Host of one shard. Each load replaces `shard`; `failure` says why the host was reloaded or is DOWN."""

    def __init__(self, new_shard: Callable[[], S], codec: Codec) -> None:
        self.shard: S = new_shard()
        self.state = HostState.LOADING
        self.failure: str | None = None
        self._new_shard = new_shard
        self._codec = codec
        self._queue: list[tuple[AskId, object]] = []
        self._records: list[Record] = []
        """Records of the present turn that are not in `_batches`.

        Invariant: empty between `appended` and the next turn.
        """
        self._batches: list[bytes] = []
        """Batches of the present turn to be written before `_records`; usually none.

        Each write of a transaction and each marker needs a batch of its own.
        """
        self._batch_bytes = 0
        self._held_replies = HeldReplies()
        self._replies: list[Reply] = []
        self._effects: list[object] = []
        self._under_way: Sequence[Reply] = ()
        """Replies of the command whose records are being applied.

        If applying fails, these requests must be answered, too.
        """
        self._last_offset = -1
        """Offset of the newest record that this state contains."""
        self._reload_wanted = False
        self._bugs = 0
        self._refusal = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        """Error for requests while the host is not ACTIVE."""
        self.log_refuses: ErrorCode | None = None
        """Error of a log that accepts no records at the moment; None if it accepts them.

        While there is an error, the host refuses commands that need the log before they change anything. Timers that
        need the log wait. Other commands are handled.
        """

    # --- commands -----------------------------------------------------------------------------------------------------

    def submit(self, ask: AskId, command: object) -> None:
        if self.state is HostState.ACTIVE:
            self._queue.append((ask, command))
        else:
            self._refuse(ask, command)

    def next_deadline_ms(self) -> int | None:
        """Return the time (tick in ms) by which `turn` must be called again, if nothing else happens; 0 means at once.

        None while the log refuses all appends; the caller decides when to try the log again.
        """
        if self._queue or self._reload_wanted:
            return 0
        if self.log_refuses is not None:
            return None
        return self.shard.next_deadline_ms() if self.state is HostState.ACTIVE else None

    # --- turns --------------------------------------------------------------------------------------------------------

    def turn(self, now: Now) -> Ready | None:
        """Handle the waiting commands and the expired deadlines; return the batch to append, or None if there is none.

        Call `take_replies` afterwards in both cases.
        """
        batch: bytes | None = None
        if self.state is HostState.ACTIVE:
            if self._records or self._batches:
                raise InvariantError("the batch of the last turn was neither appended nor dropped")
            self._work(now)
            try:
                batch = self._batch()
            except MemoryError as error:
                self._handle_exception(error, [])
        if self._reload_wanted:
            self._reload_wanted = False
            return Ready(reload=True)
        return None if batch is None else Ready(batch)

    def _batch(self) -> bytes | None:
        """Return the batch that this turn appends; None without records."""
        if not self._batches:
            return encode_batch(self._records) if self._records else None
        self._close_batch()
        return b"".join(self._batches)

    def _work(self, now: Now) -> None:
        """Handle queued commands, until the batch is full. If all were handled, also handle expired deadlines."""
        taken, self._queue = self._queue, []
        done = 0
        try:
            for ask, command in taken:
                if self._batch_bytes >= COORDINATOR_BATCH_BYTES:
                    break
                self._run(ask, command, now)
                done += 1
            else:
                for command in self.shard.due(now) if self.log_refuses is None else ():
                    self._run(NO_ASK, command, now)
            self._queue = taken[done:]
        except Exception as bug:  # any exception is a bug, because a shard must not raise
            self._handle_exception(bug, taken[done:])

    def _run(self, ask: AskId, command: object, now: Now) -> None:
        shard = self.shard
        result = shard.handle(ask, command, now)
        held_replies = self._held_replies
        is_logged = False
        for record in result.records:
            if type(record) in DURABLE:
                error = self.log_refuses or self._add_to_batch(result, now)
                if error is not None:
                    self._replies += [(ask, shard.not_logged(None, error))]
                    return
                is_logged = True
                break
        self._under_way = result.replies
        for record in result.records:
            shard.apply(record)
        self._under_way = ()
        if result.effects:
            self._effects += result.effects
        if is_logged:
            held_replies.hold(shard.scope(command), result.replies)
        elif held_replies.is_empty:
            self._replies += result.replies
        elif result.replies:
            held_replies.add(shard.scope(command), result.replies, self._replies)

    def _add_to_batch(self, result: CoordinatorResult, now: Now) -> ErrorCode | None:
        """Add the records of a command to the batch.

        If the records are too large to be written, return an error without any change; otherwise return None.
        """
        encode, wall_ms = self._codec.encode, now.wall_ms
        encoded: list[Record] = []
        transactional: TransactionalRecord | Marker | None = None
        size = 0
        try:
            for record in result.records:
                if type(record) is LogRecord or type(record) is TransactionalRecord:
                    key, content = encode(record)
                    size += len(key or b"") + len(content or b"") + RECORD_OVERHEAD_BYTES
                    encoded.append(Record(0, wall_ms, key, content))
                if type(record) is TransactionalRecord or type(record) is Marker:
                    transactional = record
        except InvalidMessage:  # a name from a client is too long for its field
            return ErrorCode.RECORD_LIST_TOO_LARGE
        if size > COORDINATOR_STEP_BYTES_MAX:
            return ErrorCode.RECORD_LIST_TOO_LARGE
        if transactional is None:
            self._records += encoded
        else:
            self._close_batch()
            self._batches.append(_batch_of(transactional, encoded, wall_ms))
        self._batch_bytes += size
        return None

    def _close_batch(self) -> None:
        if self._records:
            self._batches.append(encode_batch(self._records))
            self._records = []

    # --- results of an append -----------------------------------------------------------------------------------------

    def appended(self, last_offset: int) -> None:
        self._forget_batch()
        self._last_offset = last_offset
        self._held_replies.appended(last_offset)

    def append_failed(self, error: ErrorCode) -> None:
        """Discard the state, because a batch was not appended or not synced. Refuse the requests that wait for it.

        `error` is Kafka's code for the log's error; clients get codes according to rule 2.3.
        """
        self._forget_batch()
        lost = self._held_replies.take_lost()
        self._replies += [(ask, self.shard.not_logged(answer, error)) for ask, answer in lost]
        self._discard_state(f"its log refused a batch with {error.name}", ErrorCode.NOT_COORDINATOR)
        self._become_loading()

    def durable(self, offset: int) -> None:
        """Release the replies to commands whose records are all below `offset`, and therefore durable."""
        self._held_replies.release(offset, self._replies)

    def take_replies(self) -> list[Reply]:
        """Return and remove the replies that may be sent now."""
        replies, self._replies = self._replies, []
        return [reply for reply in replies if reply[0] != NO_ASK]

    def take_effects(self) -> list[object]:
        """Return and remove the effects that the caller has to perform (see `CoordinatorResult`).

        When the host discards its state, it also discards the effects that were not taken yet.
        """
        effects, self._effects = self._effects, []
        return effects

    # --- loading ------------------------------------------------------------------------------------------------------

    def load(self, batches: Iterable[bytes], now: Now) -> None:
        """Replay the log, given in chunks of whole batches.

        Afterwards the host is ACTIVE, or DOWN with a reason in `failure`.
        """
        self.install(self.replay(batches), now)

    def replay(self, batches: Iterable[bytes]) -> "Replayed[S]":
        """Build a shard from its log. May run on any thread: it reads only fields of the host that never change."""
        shard = self._new_shard()
        offset = -1
        try:
            for offset, record in newest_records(batches, self._codec):  # noqa: B007  # told when it fails
                shard.apply(record)
        except DAMAGED as reason:
            return Replayed(shard, f"its log is damaged: {reason}", ErrorCode.NOT_COORDINATOR, is_damaged=True)
        except UnreadableRecord as reason:
            return Replayed(shard, f"its log cannot be read: {reason}", ErrorCode.NOT_COORDINATOR)
        except MemoryError:
            raise
        except Exception as bug:
            why = f"its log cannot be replayed, the record at offset {offset} does not fit: {bug!r}"
            return Replayed(shard, why, ErrorCode.COORDINATOR_NOT_AVAILABLE)
        return Replayed(shard, last_offset=offset)

    def install(self, replayed: "Replayed[S]", now: Now) -> None:
        self._reload_wanted = False
        self.shard = replayed.shard
        self._last_offset = replayed.last_offset
        if replayed.failure is not None:
            return self._become_down(replayed.failure, replayed.error_code)
        try:
            result = self.shard.loaded(now)
            for ephemeral in result.records:
                self.shard.apply(ephemeral)
            self._effects = list(result.effects)
        except MemoryError:
            raise
        except Exception as bug:
            why = f"its log was replayed, but the resulting state is invalid: {bug!r}"
            return self._become_down(why, ErrorCode.COORDINATOR_NOT_AVAILABLE)
        self.state = HostState.ACTIVE
        return None

    def keys_in(self, data: bytes) -> list[str]:
        """Return the readable keys of the records in damaged batches, as names for an operator."""
        return damaged_keys(data, self._codec)

    # --- failures -----------------------------------------------------------------------------------------------------

    def _handle_exception(self, bug: Exception, rejected: list[tuple[AskId, object]]) -> None:
        """Discard the state after the exception `bug`, and refuse the commands in `rejected`.

        The exception came before the append, so the log has no record of this turn.
        """
        self._forget_batch()
        self._queue = rejected
        code = ErrorCode.COORDINATOR_NOT_AVAILABLE
        self._replies += [(ask, Refused(code)) for ask, _ in self._held_replies.take_open()]
        self._discard_state(f"exception {bug!r} in the effects of the record at offset {self._last_offset}", code)
        self._bugs += not isinstance(bug, MemoryError)  # lack of memory is no bug
        if self._bugs > BUGS_MAX:
            self._become_down(f"{self.failure}; it has been reloaded after an earlier bug", code)
        else:
            self._become_loading()

    def _discard_state(self, reason: str, error_code: ErrorCode) -> None:
        """Discard the state, and refuse all queued and parked requests. `reason` becomes `failure`."""
        self.failure = reason
        self._refusal = error_code
        rejected, self._queue = self._queue, []
        for ask, command in rejected:
            self._refuse(ask, command)
        waiting = {*self.shard.parked(), *(ask for ask, _ in self._under_way)}
        self._under_way = ()
        self._effects = []
        refused = Refused(error_code)
        self._replies += [(ask, refused) for ask in sorted(waiting.difference(ask for ask, _ in rejected))]
        self.shard = self._new_shard()

    def _become_loading(self) -> None:
        self.state = HostState.LOADING
        self._refusal = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        self._reload_wanted = True

    def _become_down(self, reason: str, error_code: ErrorCode) -> None:
        self.state = HostState.DOWN
        self.failure = reason
        self._refusal = error_code

    def _refuse(self, ask: AskId, command: object) -> None:
        self._replies.append((ask, self.shard.unavailable(command, self._refusal)))

    def _forget_batch(self) -> None:
        self._records = []
        self._batches = []
        self._batch_bytes = 0


def _batch_of(transactional: TransactionalRecord | Marker, encoded: list[Record], wall_ms: int) -> bytes:
    """Return one batch of a transaction.

    It has the marker `transactional`, or the records in `encoded`, of which `transactional` is the last one.
    """
    if isinstance(transactional, Marker):
        return encode_marker(transactional, wall_ms)
    return encode_batch(
        encoded,
        producer_id=transactional.producer_id,
        producer_epoch=transactional.producer_epoch,
        is_transactional=True,
    )
