"""Running shard: takes commands, appends their records to its log, and sends answers when the records are durable.

`runtime.Host` decides when an answer may be sent. This module gives the host the time, the log, and the callbacks that
receive the answers.
"""

import asyncio
import gc
import logging
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, Protocol, TypeVar

from tenure.broker.logs.served_log import ServedLog
from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.broker.loop.turn import Turn
from tenure.coordinator.shard import NO_ASK, AskId, Now, Shard
from tenure.limits.broker import (
    DAMAGED_KEYS_NAMED_MAX,
    LOADS_IN_THE_TURN_BYTES_MAX,
    LOG_ROOM_PAUSE_MS,
    SHARD_LOAD_BYTES,
)
from tenure.out_of_memory import is_out_of_memory
from tenure.protocol.batches import offset_behind
from tenure.protocol.errors import ErrorCode
from tenure.runtime.host import Host, HostState, Replayed
from tenure.runtime.replay import UnreadableRecord
from tenure.storage.recovery.damage import Damage, describe_missing
from tenure.storage.recovery.metadata_snapshot import Snapshot, SnapshotMissing

log = logging.getLogger("tenure.broker")

S = TypeVar("S", bound=Shard)


class Performer(Protocol):
    """Interface of an object that performs the effects of a shard's rules (see `CoordinatorResult.effects`)."""

    def perform(self, effect: object, then: Callable[[object], None]) -> None:
        """Perform an effect. Then call `then(command)` on the event loop; the command contains the result.

        If there is no result, `then` is not called.
        """


OnLoader = Callable[[Callable[[], Any]], "asyncio.Future[Any]"]
"""Function that runs work on the loader thread."""


class ServedShard(Generic[S]):
    __slots__ = (
        "_answers",
        "_effects",
        "_has_set_aside",
        "_last_ask",
        "_load_began_s",
        "_load_snapshot",
        "_logged_damages",
        "_on_loader",
        "_timer",
        "_timer_tick_ms",
        "_turn",
        "_waiting",
        "host",
        "is_damaged",
        "load_s",
        "log",
        "name",
        "on_loaded",
    )

    def __init__(
        self,
        name: str,
        host: Host[S],
        served_log: ServedLog,
        turn: Turn,
        on_loader: OnLoader,
        effects: Performer | None = None,
        load_snapshot: Callable[[int], Snapshot | None] | None = None,
    ) -> None:
        """Create a shard that is not loaded.

        `host` runs the rules of the shard, `on_loader` runs work on the loader thread, and `effects` performs the
        effects of the rules. `load_snapshot(log_start_offset)` returns the snapshot with the records that were removed
        from the start of the log, or None if there is no snapshot. Pass None as `load_snapshot` for a log that never
        has a snapshot.
        """
        self.name: Final = name
        self.host: Final = host
        self.on_loaded: Callable[[], None] = lambda: None
        """Callback after each load, before the first request.

        The callback may submit commands that restore state which is not in the log.
        """
        self.log = served_log
        self._turn = turn
        self._on_loader = on_loader
        self._load_snapshot = load_snapshot
        self._effects = effects
        """Performer of effects; None if the rules of this shard have no effects."""
        self._load_began_s = 0.0
        self.load_s = 0.0
        """Duration of the last load in seconds."""
        self._waiting: list[Callable[[], None]] = []
        self._logged_damages: list[Damage] = []
        """Damages for which the log lines of `_log_damaged_keys` are already written."""
        self.is_damaged = False
        """True if the last load found damage."""
        self._has_set_aside = False
        """True if damage was set aside during this load.

        The load is then repeated. Damage in the repeated load is a bug, because bytes that are set aside are not read
        again.
        """
        self._last_ask = 0
        self._answers: dict[AskId, Callable[[Any], None]] = {}
        """Callbacks of pending requests. Invariant: contains each request that the host has not answered yet."""
        self._timer: asyncio.TimerHandle | None = None
        self._timer_tick_ms = 0
        """Time at which `_timer` fires; never later than the next deadline of the host."""

    def ask(self, command: object, then: Callable[[Any], None]) -> None:
        """Send a command; call `then(answer)` in the turn in which the answer may be sent."""
        self._last_ask += 1
        ask = AskId(self._last_ask)
        self._answers[ask] = then
        self.host.submit(ask, command)
        self._turn.work_on(self)

    # --- loading ------------------------------------------------------------------------------------------------------

    def when_loaded(self, then: Callable[[], None]) -> None:
        """Call `then` when the host is no longer loading; it is then either active or down."""
        if self.host.state is HostState.LOADING:
            self._waiting.append(then)
        else:
            then()

    def load(self) -> None:
        """Replay the whole log: a short log at once, a long log on the loader thread.

        While the thread replays the log, requests get an error.
        """
        self._load_began_s = self._turn.loop.time()
        if self.log.partition.size_bytes <= LOADS_IN_THE_TURN_BYTES_MAX:
            self._install(self.host.replay(self._batches()))
        else:
            log.info(
                "shard (%s): loading %d bytes of log in the background, requests are refused until it is loaded",
                self.name,
                self.log.partition.size_bytes,
            )
            self._on_loader(self._replayed).add_done_callback(self._read)

    def _replayed(self) -> Replayed[S]:
        """Replay the log, on the loader's thread.

        The loaded objects stay in memory, so scanning them in garbage collections would be useless work. Therefore they
        are excluded from later collections.
        """
        gc.disable()
        try:
            return self.host.replay(self._batches())
        finally:
            gc.freeze()
            gc.enable()

    def _read(self, outcome: "asyncio.Future[Replayed[S]]") -> None:
        if not outcome.cancelled():
            self._install(outcome.result())

    def _install(self, replayed: Replayed[S]) -> None:
        self.is_damaged = replayed.is_damaged
        if replayed.is_damaged and self.log.may_set_aside and not self._has_set_aside:
            log.error(
                "shard (%s) cannot be loaded; the broker sets damaged bytes of its log aside and tries again: %s",
                self.name,
                replayed.failure,
            )
            self._has_set_aside = True
            self.log.maybe_restore_damaged()
            self.log.when_settled(self.load)
            return
        self.host.install(replayed, self._turn.clock.now())
        self.load_s = self._turn.loop.time() - self._load_began_s
        if self.host.state is HostState.ACTIVE:
            self._has_set_aside = False
            self._log_damaged_keys()
            self.on_loaded()
        else:
            log.error("shard (%s) is not available, all requests are refused: %s", self.name, self.host.failure)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()
        self._turn.work_on(self)

    def _log_damaged_keys(self) -> None:
        """Log the groups or transactional ids whose newest records may be lost."""
        partition = self.log.partition
        if partition.damages is self._logged_damages:
            return
        self._logged_damages = partition.damages
        for damage in partition.damages:
            if damage.first_offset < damage.next_offset:
                names = self.host.keys_in(partition.damaged_bytes(damage))
                rest = f" and {len(names) - DAMAGED_KEYS_NAMED_MAX} more" if len(names) > DAMAGED_KEYS_NAMED_MAX else ""
                keys_named = ", ".join(names[:DAMAGED_KEYS_NAMED_MAX]) + rest or "keys that cannot be read any more"
                missing = describe_missing(damage.first_offset, damage.next_offset)
                log.error(
                    "shard (%s): %s; records of %s are lost, the broker continues with the state in the other records",
                    self.name,
                    missing,
                    keys_named,
                )

    def _batches(self) -> Iterator[bytes]:
        offset, end_offset = self.log.log_start_offset, self.log.high_watermark
        if offset and self._load_snapshot is not None:
            try:
                snapshot = self._load_snapshot(offset)
            except SnapshotMissing as reason:
                raise UnreadableRecord(str(reason)) from None
            if snapshot is not None:
                yield snapshot.data
                offset = snapshot.end_offset
        while offset < end_offset:
            data = self.log.partition.read(offset, SHARD_LOAD_BYTES)
            if not data:  # the log ends with missing offsets (see recovery)
                return
            offset = offset_behind(data)
            yield data

    # --- turns --------------------------------------------------------------------------------------------------------

    def work(self, now: Now) -> None:
        """Handle all waiting commands, append their records as one batch, and send answers that may be sent now."""
        if self.host.log_refuses is not None and self.log.maybe_has_room():
            self.host.log_refuses = None
        ready = self.host.turn(now)
        if ready is not None:
            if ready.batch is not None:
                self._append(ready.batch, now)
            if ready.reload:  # records appended before the failure must be durable first
                self.log.when_settled(self.load)
        if self._effects is not None:
            for effect in self.host.take_effects():
                self._effects.perform(effect, self._run_follow_up)
        self._answer()
        self._set_timer()

    def _run_follow_up(self, command: object) -> None:
        """Submit the result of an effect as a command. The shard may have been reloaded since the effect began."""
        self.host.submit(NO_ASK, command)
        self._turn.work_on(self)

    def _append(self, batch: bytes, now: Now) -> None:
        """Append the batch of a turn.

        If the disk is full, the batch is refused. Its records are applied already, so the shard is reloaded. Until
        the disk has space again, the host refuses commands with durable records, and handles no expired deadlines.
        """
        try:
            appended = self.log.append(batch, now.wall_ms, is_own=True)
        except LOG_ERRORS as error:
            if self.log.is_full:
                self.host.log_refuses = error_code_of(error)
            self._failed(error_code_of(error), str(error))
            return
        except MemoryError:
            self._failed(ErrorCode.KAFKA_STORAGE_ERROR, "there was no memory left to append records")
            return
        self.host.appended(appended.last_offset)
        self.log.when_durable(appended.last_offset + 1, self._became_durable)

    def _became_durable(self, error_code: ErrorCode) -> None:
        if error_code is not ErrorCode.NONE:
            self._failed(error_code, "the log could not be synced")
            return
        self.host.durable(self.log.high_watermark)
        self._answer()

    def _failed(self, error_code: ErrorCode, why: str) -> None:
        log.error("shard (%s): requests are refused until its log is read again: %s", self.name, why)
        self.host.append_failed(error_code)
        self._turn.work_on(self)

    def reload(self, why: str) -> None:
        """Refuse pending requests and load the shard again.

        Clients see the same as if another broker had led the partition for a moment.
        """
        self._failed(ErrorCode.NOT_LEADER_OR_FOLLOWER, why)

    def _answer(self) -> None:
        for ask, answer in self.host.take_replies():
            then = self._answers.pop(ask, None)
            if then is not None:
                try:
                    then(answer)
                except Exception as error:  # one answer that fails must not withhold the others
                    if is_out_of_memory(error):
                        raise
                    log.exception(
                        "shard (%s): an answer could not be sent: a bug in the broker, please report it", self.name
                    )

    # --- deadlines ----------------------------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        """Set the timer of the shard to the next deadline.

        If the deadline is extended later, the timer fires too early, and is then set again.
        """
        deadline_ms = self.host.next_deadline_ms()
        if self.host.log_refuses is not None and deadline_ms is None:
            deadline_ms = self._turn.clock.tick_ms() + LOG_ROOM_PAUSE_MS
        if deadline_ms is None or (self._timer is not None and self._timer_tick_ms <= deadline_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_tick_ms = deadline_ms
        self._timer = self._turn.clock.call_at(deadline_ms, self._ring)

    def time_was_moved(self) -> None:
        """Expire deadlines and set the timer again, after a test has moved the clock."""
        if self._timer is not None:
            self._timer.cancel()
        self._ring()

    def _ring(self) -> None:
        self._timer = None
        self._turn.work_on(self)
