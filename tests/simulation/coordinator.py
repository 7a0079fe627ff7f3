"""Simulated coordinator: a groups shard in the real host. Its log is a real partition on a disk that may lose data.

Turns and syncs take time. The coordinator crashes, and restarts from the content of its disk, whole or compacted. A
`ShardChecker` checks each of its steps.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.coordinator.groups.effects import perform
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import NO_ASK, AskId, Now
from tenure.protocol.batches import offset_behind
from tenure.protocol.errors import ErrorCode
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState
from tenure.simulation.agenda import Agenda
from tenure.storage.compaction.compaction import compact
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.simulation.broken import Broken
from tests.simulation.disk import Disk
from tests.simulation.shard_checker import ShardChecker, watched
from tests.simulation.trace import Trace

WALL_MS: Final = 1_700_000_000_000
LOG: Final = "__consumer_offsets-0"
SEGMENT_BYTES: Final = 16_384
"""Size of segments; small, so that many can be compacted."""
LOAD_BYTES: Final = 8_192
"""Bytes that a load reads at once; few, so that a compaction can happen between two reads."""
COMPACTION_ROOM_BYTES: Final = 1 << 20


class Coordinator:
    """Coordinator. It accepts connections if `is_up`, also while it is loading; `starts` counts its starts."""

    def __init__(
        self,
        agenda: Agenda,
        random: Random,
        topics: Topics,
        settings: GroupSettings,
        shard_class: type[GroupsShard],
        trace: Trace,
    ) -> None:
        self.checker = ShardChecker(self, topics, settings, trace.did)
        self.sync_ms = 5
        self.turn_ms = 0
        """Time for which the loop is busy before it reads requests."""
        self.skew_ms = 0
        """Error of the wall clock."""
        self.is_up = False
        self.starts = 0
        self.next_load_ms = 0
        self.compacts_while_loading = False
        self.busy_until_ms = 0
        self.on_answer: Callable[[Any, Any], None] = lambda _, __: None
        """Called as (command, answer) when an answer leaves, whose records are durable then."""
        self.on_load: Callable[[], None] = lambda: None
        self.host: Host[GroupsShard]
        self._agenda: Final = agenda
        self._random: Final = random
        self._trace: Final = trace
        kind = watched(shard_class, self.checker)
        self._new_shard: Callable[[], GroupsShard] = lambda: kind(settings, random.randbytes, None, lambda: topics)
        self._log_settings: Final = LogSettings(
            segment_bytes=SEGMENT_BYTES, index_interval_bytes=1_024, compacts=True, deletes=False, delete_retention_ms=0
        )
        self._disk: Final = Disk()
        self.partition: Partition
        self._asked: dict[AskId, tuple[Any, Callable[[Any], None]]] = {}
        """Pending commands and their callbacks."""
        self._asks = 0
        self._turn_due = False
        self._timer_ms: int | None = None
        self._sync_under_way = False
        self.start()

    @property
    def now(self) -> Now:
        now_ms = self._agenda.now_ms
        return Now(WALL_MS + now_ms + self.skew_ms, now_ms)

    @property
    def shard(self) -> GroupsShard:
        return self.host.shard

    @property
    def is_serving(self) -> bool:
        return self.is_up and self.host.state is HostState.ACTIVE

    # --- start and crash ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.starts += 1
        self.is_up = True
        self.directory = DataDirectory.open("/data", files=self._disk)
        self.partition = Partition.open(self.directory, LOG, self._log_settings, durability=Durability.FSYNC)
        self.host = Host(self._new_shard, GroupsCodec())
        self._sync_under_way = self._turn_due = False
        self._timer_ms = None
        self.checker.restarted(self.partition.log_end_offset)
        self._unless_crashed(self.next_load_ms, self._load)

    def crash(self) -> None:
        """Crash: unsynced data is lost as the disk decides, and pending requests are never answered."""
        self._trace.note("coordinator", "crashes")
        self.is_up = False
        self.starts += 1
        self._asked.clear()
        self._disk.crash(self._random.randint)

    def _load(self) -> None:
        self.host.load(self._batches(), self.now)
        if self.host.state is HostState.DOWN:
            raise Broken("ReplayEqualsLive", f"the log cannot be replayed: {self.host.failure}")
        self._trace.did["load"] += 1
        self._trace.note("coordinator", "has loaded its log up to", self.partition.log_end_offset)
        self.checker.loaded()
        self.on_load()
        self._answer()
        self._set_timer()

    def _batches(self) -> Iterator[bytes]:
        offset, partition = self.partition.log_start_offset, self.partition
        while data := partition.read(offset, LOAD_BYTES) if offset < partition.durable_offset else b"":
            offset = offset_behind(data)
            yield data
            if self.compacts_while_loading:
                self.compacts_while_loading = False
                self._trace.did["compaction while loading"] += 1
                self.compact()

    # --- turns --------------------------------------------------------------------------------------------------------

    def ask(self, command: Any, then: Callable[[Any], None]) -> None:
        """Send a command.

        `then(answer)` is called when the answer is sent, and never if the coordinator crashes before.
        """
        self._asks += 1
        ask = AskId(self._asks)
        self._asked[ask] = command, then
        self._submit(ask, command)

    def _submit(self, ask: AskId, command: object) -> None:
        self.host.submit(ask, command)
        if not self._turn_due:
            wait_ms = max(self.turn_ms, self.busy_until_ms - self._agenda.now_ms)
            if wait_ms <= 0:
                self._turn()
            else:
                self._turn_due = True
                self._unless_crashed(wait_ms, self._turn)

    def _turn(self) -> None:
        self._turn_due = False
        if self.busy_until_ms > self._agenda.now_ms:  # a deadline has passed while the loop was busy
            self._turn_due = True
            self._unless_crashed(self.busy_until_ms - self._agenda.now_ms, self._turn)
            return
        ready = self.host.turn(self.now)
        failure = self.host.failure
        if failure is not None and failure.startswith("a bug"):
            raise Broken("Structure", failure)
        if ready is not None and ready.batch is not None:
            self._append(ready.batch)
        self.checker.turned()
        self._answer()
        for effect in self.host.take_effects():
            self._perform(effect)
        if ready is not None and ready.reload:
            self._reload()
        self._set_timer()

    def _perform(self, effect: object) -> None:
        """Perform an effect, like a thread of the broker, with a random delay and without blocking the shard."""
        self._trace.did[type(effect).__name__] += 1
        self._unless_crashed(self._random.randrange(2_000), lambda: self._submit(NO_ASK, perform(effect)))

    def _append(self, batch: bytes) -> None:
        self._trace.hash(batch)
        try:
            appended = self.partition.append(batch, now_ms=self.now.wall_ms, is_own=True)
        except LOG_ERRORS as error:
            self._trace.did["append failed"] += 1
            self._trace.note("coordinator", "cannot append:", error)
            self._failed(error_code_of(error))
            return
        self.host.appended(appended.last_offset)
        self.checker.appended(appended.last_offset)
        self._begin_sync()

    def _begin_sync(self) -> None:
        """Begin a sync of everything that was appended until now."""
        if not self._sync_under_way:
            self._sync_under_way = True
            end_offset = self.partition.log_end_offset
            self._unless_crashed(self.sync_ms, lambda: self._synced(end_offset))

    def _synced(self, end_offset: int) -> None:
        self._sync_under_way = False
        try:
            self.partition.sync()
        except LOG_ERRORS as error:
            self._trace.did["sync failed"] += 1
            self._trace.note("coordinator", "cannot sync:", error)
            self.partition.restore()
            self._failed(ErrorCode.KAFKA_STORAGE_ERROR)
            self._turn()
            return
        self.host.durable(end_offset)
        self._answer()
        if self.partition.log_end_offset > end_offset:
            self._begin_sync()

    def _failed(self, error_code: ErrorCode) -> None:
        self.host.append_failed(error_code)
        self.checker.lost(self.partition.log_end_offset)

    def _reload(self) -> None:
        """Load the durable log again; first, everything that was appended before the failure must become durable."""
        self._disk.is_full = self._disk.next_sync_fails = False
        self.host.durable(self.partition.sync())
        self._answer()
        self._load()

    def _answer(self) -> None:
        for ask, answer in self.host.take_replies():
            command, then = self._asked.pop(ask, (None, None))
            if then is None:
                raise Broken("EveryRequestAnsweredOnce", f"ask {ask} is answered {answer}, and no request waits for it")
            self.checker.answered(ask, command, answer)
            self.on_answer(command, answer)
            then(answer)

    def _set_timer(self) -> None:
        deadline_ms = self.host.next_deadline_ms()
        if deadline_ms is None or (self._timer_ms is not None and self._timer_ms <= deadline_ms):
            return
        self._timer_ms = max(deadline_ms, self._agenda.now_ms)

        def ring(at_ms: int = self._timer_ms) -> None:
            if self._timer_ms == at_ms:
                self._timer_ms = None
                self._turn()

        self._unless_crashed(self._timer_ms - self._agenda.now_ms, ring)

    def _unless_crashed(self, delay_ms: int, action: Callable[[], None]) -> None:
        life = self.starts
        self._agenda.after(delay_ms, lambda: action() if self.starts == life else None)

    # --- faults -------------------------------------------------------------------------------------------------------

    def compact(self) -> None:
        """Compact all sealed segments; tombstones of earlier compactions are removed."""
        now_ms = self.now.wall_ms
        try:
            compacted = compact(self.partition, 0, now_ms, memory_bytes=COMPACTION_ROOM_BYTES, throttle=lambda _: None)
        except OSError as error:
            self._trace.note("coordinator", "cannot compact:", error)
            self._trace.did["compaction failed"] += 1
            return
        if compacted.bytes_after < compacted.bytes_before:
            self._trace.did["compaction"] += 1

    def fill_disk(self) -> None:
        """Fill the disk until an append fails. A broker that cannot start is not simulated."""
        self._disk.is_full = self.is_up

    def break_next_sync(self) -> None:
        self._disk.next_sync_fails = self.is_up

    def heal(self) -> None:
        self._disk.is_full = self._disk.next_sync_fails = False
