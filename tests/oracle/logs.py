"""Records of `__consumer_offsets` by group, read from where the last reader stopped.

Each record, whichever broker wrote it, is encoded again by Tenure's codec and must have the same bytes. So two logs
with equal contents are equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from threading import Lock
from typing import Final, NamedTuple

from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupTargetAssignmentMemberKey,
    Key,
    OffsetCommitKey,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupMemberMetadataKey,
    StreamsGroupTargetAssignmentMemberKey,
    Value,
    encode_key,
    encode_value,
)
from tenure.protocol.records import Record
from tests.consumer_offsets import TOPIC, fetch, group_of, read
from tests.wire import Wire

TOMBSTONE: Final = -1


BY_MEMBER: Final = (
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupCurrentMemberAssignmentKey,
    StreamsGroupMemberMetadataKey,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupCurrentMemberAssignmentKey,
)


class Entry(NamedTuple):
    """Record of a group. `version` is that of its value, TOMBSTONE without one; `batch` is the offset of its batch."""

    key: Key
    version: int
    value: Value | None
    batch: int


def topics_with_offsets(entries: Iterable[Entry]) -> set[str]:
    """Return the topics with offsets of a group at the end."""
    found: dict[tuple[str, int], bool] = {}
    for key, _, value, _ in entries:
        if isinstance(key, OffsetCommitKey):
            found[key.topic, key.partition] = value is not None
    return {topic for (topic, _), committed in found.items() if committed}


def in_one_order(entries: Iterable[Entry], name_of: Callable[[str], str] = str) -> list[Entry]:
    """Return entries sorted by name where Apache Kafka's order is that of a hash table (docs/differences.md).

    This concerns members that are removed or assigned together. `name_of` returns the names of members with random ids.
    """
    ordered: list[Entry] = []
    for _, run in groupby(entries, unordered_key):
        ordered += sorted(run, key=lambda entry: sort_key(entry, name_of))
    return ordered


def unordered_key(entry: Entry) -> object:
    """Return a key that is equal for adjacent entries whose order does not matter."""
    kind = type(entry.key)
    if kind is OffsetCommitKey:
        return entry.value is None
    if kind in BY_MEMBER and entry.value is None:  # of each member in their order
        return "gone", entry.batch
    return (kind, entry.batch) if kind in (*BY_MEMBER, ConsumerGroupRegularExpressionKey) else None


def sort_key(entry: Entry, name_of: Callable[[str], str]) -> tuple[str, int]:
    """Return the key that sorts adjacent entries with the same `unordered_key`; equal for entries in a fixed order."""
    match entry.key:
        case OffsetCommitKey(topic=topic, partition=partition) if entry.value is None:
            return topic, partition
        case ConsumerGroupRegularExpressionKey(regular_expression=regex):
            return regex, 0
        case key if isinstance(key, BY_MEMBER):
            return name_of(key.member_id), 0
    return "", 0


class GroupLog:
    """Log of partition 0 on a broker that keeps all groups there."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._lock = Lock()
        self._next_offset = 0
        self._entries: defaultdict[str, list[Entry]] = defaultdict(list)

    def of(self, group: str) -> list[Entry]:
        """Return all records of a group so far, oldest first."""
        with self._lock:
            self._read_on()
            return list(self._entries[group])

    def read_from_the_beginning(self) -> None:
        """Read from the beginning next time, because another log has replaced this one."""
        with self._lock:
            self._next_offset = 0
            self._entries.clear()

    def _read_on(self) -> None:
        with Wire(*self._address) as wire:
            while batches := list(read_batches(fetch(wire, TOPIC, 0, self._next_offset))):
                for batch in batches:
                    for record in () if batch.is_control else decode_records(batch):
                        entry = entry_of(record, batch.base_offset)
                        self._entries[group_of(entry.key)].append(entry)
                self._next_offset = batches[-1].last_offset + 1


def entry_of(record: Record, batch: int) -> Entry:
    key, value = read(record)
    version = TOMBSTONE if record.value is None else int.from_bytes(record.value[:2], "big")
    assert encode_key(key) == record.key, key
    assert value is None or encode_value(value, version) == record.value, (key, value)
    return Entry(key, version, value, batch)
