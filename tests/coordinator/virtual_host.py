"""One groups shard in its host, with a log in memory and a clock that the test moves.

All applied records and all replies are kept, in order.
"""

from collections.abc import Callable, Iterable
from random import Random

from tenure.coordinator.groups.effects import perform
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard, RecordListener
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import NO_ASK, AskId, LogRecord, Now, Reply
from tenure.protocol.batches import read_batches
from tenure.protocol.errors import ErrorCode
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState

START_WALL_MS = 1_700_000_000_000
BASE_OFFSET_BYTES = 8
"""Size of the first field of a batch, which its checksum leaves out."""


class WatchedShard(GroupsShard):
    """Shard that reports applied records to a listener."""

    __slots__ = ("_watch",)

    def __init__(
        self,
        settings: GroupSettings,
        random_bytes: Callable[[int], bytes],
        watch: Callable[[object], None],
        listener: RecordListener | None,
        topics: Callable[[], Topics] = Topics,
    ) -> None:
        super().__init__(settings, random_bytes, listener, topics)
        self._watch = watch

    def apply(self, record: object) -> None:
        super().apply(record)
        self._watch(record)


class VirtualHost:
    shard_class: type[WatchedShard] = WatchedShard
    """Class of the shard; tests with a broken rule set another one."""

    def __init__(self, settings: GroupSettings | None = None, seed: int = 1) -> None:
        self.settings = settings or GroupSettings()
        self.random = Random(seed)
        self.topics = Topics()
        """Topics, as the metadata shard has them."""
        self.tick_ms = 0
        self.log: list[bytes] = []
        self.records: list[object] = []
        self.replies: list[Reply] = []
        self.effects: list[object] = []
        """Effects that were returned and not performed yet."""
        self.performs_at_once = True
        self.on_record: Callable[[object], None] = lambda _: None
        """Called right after a record is applied."""
        self.next_append_fails: ErrorCode | None = None
        self._asks = 0
        self._offset = 0
        self.fail_over()
        self.records.clear()

    def _new_shard(self) -> WatchedShard:
        return self.shard_class(
            self.settings, self.random.randbytes, self._watch, self.new_listener(), lambda: self.topics
        )

    def new_listener(self) -> RecordListener | None:
        """Return the listener of the next shard; None unless a subclass has one."""
        return None

    def _watch(self, record: object) -> None:
        """Note a record as an event, unless it is replayed."""
        if self.host.state is HostState.ACTIVE or not isinstance(record, LogRecord):
            self.records.append(record)
            self.on_record(record)

    @property
    def shard(self) -> WatchedShard:
        return self.host.shard

    @property
    def now(self) -> Now:
        return Now(START_WALL_MS + self.tick_ms, self.tick_ms)

    def load(self, batches: Iterable[bytes] | None = None) -> None:
        """Load the log, as the host requests with `reload`."""
        self.host.load(self.log if batches is None else batches, self.now)

    def fail_over(self) -> None:
        """Fail over: state that was only in memory is lost."""
        self.host = Host(self._new_shard, GroupsCodec())
        self.load()

    def ask(self, command: object) -> AskId:
        """Handle a command and perform all its effects at once. Only deadlines remain open."""
        self._asks += 1
        ask = AskId(self._asks)
        self.host.submit(ask, command)
        self.turn()
        if self.performs_at_once:
            self.perform()
        return ask

    def perform(self) -> None:
        """Perform all pending effects, and those that follow from them."""
        while self.effects:
            self.host.submit(NO_ASK, perform(self.effects.pop(0)))
            self.turn()

    def turn(self) -> None:
        ready = self.host.turn(self.now)
        assert self.host.failure is None or not self.host.failure.startswith("a bug"), self.host.failure
        if ready is not None and ready.batch is not None:
            self._append(ready.batch)
        self.replies += self.host.take_replies()
        self.effects += self.host.take_effects()
        if ready is not None and ready.reload:
            self.load()

    def _append(self, batch: bytes) -> None:
        if self.next_append_fails is not None:
            error, self.next_append_fails = self.next_append_fails, None
            self.host.append_failed(error)
            return self.turn()
        for found in read_batches(batch):
            self.log.append(self._offset.to_bytes(BASE_OFFSET_BYTES, "big") + found.raw[BASE_OFFSET_BYTES:])
            self._offset += found.count
        self.host.appended(self._offset - 1)
        self.host.durable(self._offset)
        return None

    def next_moment(self, until_ms: int) -> bool:
        """Move the clock to the next deadline at or before `until_ms`; return False if there is none."""
        deadline_ms = self.host.next_deadline_ms()
        if deadline_ms is None or deadline_ms > until_ms:
            self.tick_ms = max(self.tick_ms, until_ms)
            return False
        self.tick_ms = max(self.tick_ms, deadline_ms)
        return True

    def take(self) -> tuple[list[object], list[Reply]]:
        """Return and remove the events since the last call."""
        records, self.records = self.records, []
        replies, self.replies = self.replies, []
        return records, replies
