"""What `__consumer_offsets` says, read on from where the last reader stopped, and kept by group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from threading import Lock
from typing import Final, NamedTuple

from tenure.protocol.consumer_offsets import Key, OffsetCommitKey, Value
from tenure.protocol.records import decode_records, read_batches
from tests.consumer_offsets import TOPIC, fetch, group_of, read
from tests.wire import Wire

TOMBSTONE: Final = -1


class Entry(NamedTuple):
    """`version` is that of the value; TOMBSTONE without one."""

    key: Key
    version: int
    value: Value | None


def topics_with_offsets(entries: Iterable[Entry]) -> set[str]:
    """Of a group, in the end."""
    found: dict[tuple[str, int], bool] = {}
    for key, _, value in entries:
        if isinstance(key, OffsetCommitKey):
            found[key.topic, key.partition] = value is not None
    return {topic for (topic, _), committed in found.items() if committed}


def in_one_order(entries: Iterable[Entry]) -> list[Entry]:
    """Offsets that go together go in the order of a hash table (docs/differences.md): here by topic and partition."""
    ordered: list[Entry] = []
    for _, run in groupby(entries, lambda entry: entry.value is None and isinstance(entry.key, OffsetCommitKey)):
        ordered += sorted(run, key=place_among_tombstones)
    return ordered


def place_among_tombstones(entry: Entry) -> tuple[str, int]:
    """All other entries keep theirs."""
    key = entry.key
    return (key.topic, key.partition) if entry.value is None and isinstance(key, OffsetCommitKey) else ("", 0)


class GroupLog:
    """Partition 0 of a broker that keeps all groups there."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._lock = Lock()
        self._next_offset = 0
        self._entries: defaultdict[str, list[Entry]] = defaultdict(list)

    def of(self, group: str) -> list[Entry]:
        """All that was written about a group so far, oldest first."""
        with self._lock:
            self._read_on()
            return list(self._entries[group])

    def _read_on(self) -> None:
        with Wire(*self._address) as wire:
            while batches := list(read_batches(fetch(wire, TOPIC, 0, self._next_offset))):
                for batch in batches:
                    for record in () if batch.is_control else decode_records(batch):
                        key, value = read(record)
                        version = TOMBSTONE if record.value is None else int.from_bytes(record.value[:2], "big")
                        self._entries[group_of(key)].append(Entry(key, version, value))
                self._next_offset = batches[-1].last_offset + 1
