"""Writer of the rebalance journal `__tenure_journal`: one JSON object per record; the key is the group id.

A `ShardJournal` (coordinator/groups/journal) turns the records of a shard into entries. An entry is written only after
all earlier records of its group are durable, so a crash cannot undo what the journal reports. The journal learns this
from a read that it sends to the group: the shard answers the read only when the earlier records are durable
(`runtime`). If the log of the shard has failed, the read is refused, and the entry is dropped.

Groups never wait for the journal. If entries cannot be written, because the disk is full or the topic cannot be
created, they are dropped and counted, and one error is logged.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.broker.coordinators.context import CoordinatorContext
from tenure.broker.coordinators.group_log_lines import log_entry
from tenure.broker.logs.storage_codes import LOG_ERRORS
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.commands import FetchOffsets
from tenure.coordinator.groups.journal.entries import (
    Entry,
    RebalanceBegan,
    RebalanceEnded,
    ReserveChanged,
    SeatTakenOver,
)
from tenure.coordinator.groups.journal.rebalance import Tally
from tenure.coordinator.groups.journal.shard_journal import ShardJournal
from tenure.coordinator.groups.state import AnyGroup
from tenure.coordinator.metadata.commands import CreateTopics, NewTopic
from tenure.coordinator.metadata.topic_names import TENURE_JOURNAL
from tenure.coordinator.shard import Now
from tenure.limits.broker import JOURNAL_ENTRIES_WAITING_MAX, JOURNAL_SEGMENTS
from tenure.out_of_memory import is_out_of_memory
from tenure.protocol.batches import encode_batch
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId

log = logging.getLogger("tenure.broker")

VERSION: Final = 1
EVENTS: Final[dict[type, str]] = {
    RebalanceBegan: "rebalance-began",
    RebalanceEnded: "rebalance-ended",
    SeatTakenOver: "seat-taken-over",
    ReserveChanged: "reserve-changed",
}
PARTITION: Final = PartitionId(0)
SETTLE_POLL_S: Final = 0.002
SEGMENT_BYTES_MIN: Final = 1_048_576
"""Smallest value of a topic's `segment.bytes`."""

Waiting = tuple[Entry, int]
"""Entry, and the Unix time in ms since which the coordinator leads the group (`coordinator_since_ms`)."""
Ask: TypeAlias = Callable[[object, Callable[[object], None]], None]
"""Function that sends a command to a shard, with a callback for the answer."""


class Journal:
    def __init__(self, context: CoordinatorContext) -> None:
        self._context: Final = context
        self._is_written: Final = context.settings[keys.JOURNAL_ENABLE]
        self._new_entries: deque[tuple[Ask, Waiting]] = deque()
        """Entries that wait until the records of their group are durable, each with the function that sends a command
        to the group's shard."""
        self._durable: deque[Waiting] = deque()
        self._pending_reads = 0
        self._creating = False
        self._failure_logged = False
        self.tally: Final = Tally()
        self.entries_written = 0
        self.entries_lost = 0

    def listener(self, ask: Ask) -> Callable[[AnyGroup, object], None]:
        """Return the function to which a shard passes its applied records. Each load of the shard needs a new one.

        `ask` sends commands to the shard. If the function fails because of a bug, it ignores all further records, and
        the groups continue.
        """
        shard_journal: ShardJournal | None = ShardJournal(partial(self._add, ask, self._context.wall_ms()), self.tally)

        def listen(group: AnyGroup, record: object) -> None:
            nonlocal shard_journal
            if shard_journal is None:
                return
            try:
                shard_journal.handle(group, record, self._context.wall_ms())
            except Exception as error:
                if is_out_of_memory(error):
                    raise
                shard_journal = None
                self.entries_lost += 1
                log.exception(
                    "rebalance journal: an event of group %s could not be recorded; until the broker restarts, no event"
                    " of the groups in the same coordinator partition is recorded: a bug in the broker, please report"
                    " it",
                    group.group_id,
                )

        return listen

    async def wait_until_written(self, timeout_s: float) -> None:
        """Wait until all entries are written or dropped, at most for `timeout_s`."""
        deadline_s = self._context.loop.time() + timeout_s
        while (self._new_entries or self._pending_reads or self._durable) and self._context.loop.time() < deadline_s:
            await asyncio.sleep(SETTLE_POLL_S)

    # --- from entries to records --------------------------------------------------------------------------------------

    def _add(self, ask: Ask, since_ms: int, entry: Entry) -> None:
        """Log an entry as a line, and queue it for the topic of the journal.

        The queue is processed in the next turn, because the shard cannot handle a command while it applies a record.
        `since_ms` is the Unix time since which the coordinator leads the group.
        """
        log_entry(entry)
        if self._is_written:
            self._new_entries.append((ask, (entry, since_ms)))
            self._context.turn.work_on(self)

    def work(self, now: Now) -> None:
        new_entries, self._new_entries = self._new_entries, deque()
        for ask, waiting in new_entries:
            self._pending_reads += 1
            ask(FetchOffsets(waiting[0].group_id, ()), partial(self._read_answered, waiting))
        if self._durable and self._has_topic():
            durable, self._durable = self._durable, deque()
            self._write(durable, now)

    def _read_answered(self, waiting: Waiting, answer: object) -> None:
        self._pending_reads -= 1
        if isinstance(answer, Refused):
            self.entries_lost += 1
            return
        self._durable.append(waiting)
        if len(self._durable) > JOURNAL_ENTRIES_WAITING_MAX:
            self._durable.popleft()
            self.entries_lost += 1
        self._context.turn.work_on(self)

    def _write(self, durable: deque[Waiting], now: Now) -> None:
        topic = self._context.topics.named(TENURE_JOURNAL)
        assert topic is not None
        records = [Record(0, entry.at_ms, entry.group_id.encode(), _json(entry, since)) for entry, since in durable]
        try:
            self._context.logs.of(topic, PARTITION).append(encode_batch(records), now.wall_ms, is_own=True)
        except LOG_ERRORS as error:
            self._lose(len(records), str(error))
        else:
            self.entries_written += len(records)
            self._failure_logged = False

    def _lose(self, entries: int, why: str) -> None:
        self.entries_lost += entries
        if not self._failure_logged:
            self._failure_logged = True
            log.error(
                "rebalance journal: new entries are lost as long as the topic %s cannot be written: %s",
                TENURE_JOURNAL,
                why,
            )

    # --- writing to the topic -----------------------------------------------------------------------------------------

    def _has_topic(self) -> bool:
        """Return whether the journal's topic exists.

        If it does not, request its creation, unless that is in progress.
        """
        if self._context.topics.named(TENURE_JOURNAL) is not None:
            return True
        if not self._creating:
            self._creating = True
            topic = NewTopic(TENURE_JOURNAL, 1, 1, configs=_topic_configs(self._context.settings))
            self._context.metadata.ask(CreateTopics([topic]), self._created)
        return False

    def _created(self, answer: object) -> None:
        self._creating = False
        if self._context.topics.named(TENURE_JOURNAL) is None:
            durable, self._durable = self._durable, deque()
            self._lose(len(durable), f"{TENURE_JOURNAL} could not be created: {answer}")
        self._context.turn.work_on(self)


def _topic_configs(settings: Settings) -> dict[str, str | None]:
    """Return the configs of the journal's topic. Its segments are small, because retention deletes whole segments."""
    retention_bytes = settings[keys.JOURNAL_RETENTION_BYTES]
    return {
        "cleanup.policy": "delete",
        "retention.bytes": str(retention_bytes),
        "retention.ms": str(settings[keys.JOURNAL_RETENTION_MS]),
        "segment.bytes": str(max(retention_bytes // JOURNAL_SEGMENTS, SEGMENT_BYTES_MIN)),
    }


def _json(entry: Entry, since_ms: int) -> bytes:
    import json  # imported late, so that the start is faster

    head = {"version": VERSION, "event": EVENTS[type(entry)], "coordinator_since_ms": since_ms}
    return json.dumps(head | _plain(entry), ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """Return the fields of an entry, and of nested entries, as values that JSON supports."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    names = getattr(value, "__match_args__", None)
    return value if names is None else {name: _plain(getattr(value, name)) for name in names}
