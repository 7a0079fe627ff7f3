"""Auditor that reads the topic of entries with both isolation levels, and checks the entries."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tenure.client import Consumer, ConsumerRecord, TopicPartition
from tests.simulation.bank.entries import Entry, Transfer, VisibleEntries
from tests.simulation.broken import Broken

PATIENCE_S: Final = 60.0
"""Timeout of one read, including a restart of the broker."""


class Auditor:
    """Auditor of the bank. Its methods raise `Broken` if an invariant does not hold."""

    def __init__(self, address: str, entries: str, partitions: int) -> None:
        self.visible_entries: Final = VisibleEntries()
        self.snapshots = 0
        self.did: Counter[str] = Counter()
        self._partitions: Final = [TopicPartition(entries, partition) for partition in range(partitions)]
        self._committed: Final = reader(address, "read_committed")
        self._everything: Final = reader(address, "read_uncommitted")
        self._committed.assign(self._partitions)
        self._everything.assign(self._partitions)
        self._following: Final[dict[int, list[tuple[int, Entry]]]] = {partition: [] for partition in range(partitions)}

    def read_committed_entries(self, timeout_s: float = 0.1) -> bool:
        """Read the newly committed entries of one partition, and check them. Return False if there are none."""
        visible = self._committed.poll(timeout_s)
        if not visible:
            return False
        partition = visible[0].partition
        self._read_uncommitted_entries(visible[0].topic, partition)
        behind = visible[-1].offset
        following = self._following[partition] = [one for one in self._following[partition] if one[0] > behind]
        self.visible_entries.read(partition, decoded(visible), [entry for _, entry in following])
        self.snapshots += 1
        self.did["snapshot within a transaction"] += bool(self.visible_entries.halves)
        return True

    def _read_uncommitted_entries(self, topic: str, partition: int) -> None:
        """Read the uncommitted entries, too, up to the present end of the partition."""
        at = TopicPartition(topic, partition)
        end_offset = self._everything.end_offsets([at])[at]
        until_s = time.monotonic() + PATIENCE_S
        while self._everything.position(at) < end_offset:
            assert time.monotonic() < until_s, f"{at} could not be read up to {end_offset}"
            for record in self._everything.poll(0.1):
                self._following[record.partition].append((record.offset, Entry.decode(record.value or b"")))

    def is_at_the_end(self) -> bool:
        """Return whether no transaction is open and all entries have been read."""
        stable, ends = (consumer.end_offsets(self._partitions) for consumer in (self._committed, self._everything))
        return stable == ends and all(self._committed.position(at) >= end for at, end in stable.items())

    def check_end(self, transfers: dict[int, list[Transfer]], outcome_file: Path) -> None:
        """Check that all transfers are entered, and that the outcomes in the workers' files are those in the topic."""
        self.visible_entries.committed_whole()
        self.visible_entries.applied_all(transfers, len(self._partitions))
        for file in outcome_file.iterdir():
            for line in file.read_text().splitlines():
                what, name, entries = line.split()
                visible = self.visible_entries.visible(name)
                if visible != (int(entries) if what == "committed" else 0):
                    raise Broken("OutcomeKept", f"its worker wrote '{line}', but {visible} entries are visible")
                self.did[f"transaction {what}"] += 1

    def close(self) -> None:
        self._committed.close()
        self._everything.close()


def reader(address: str, isolation_level: str) -> Consumer:
    return Consumer({
        "bootstrap.servers": address, "auto.offset.reset": "earliest", "isolation.level": isolation_level,
        "request.timeout.ms": 5_000,
    })  # fmt: skip


def decoded(records: Sequence[ConsumerRecord]) -> list[Entry]:
    return [Entry.decode(record.value or b"") for record in records]


def all_transfers(address: str, topic: str, partitions: int) -> dict[int, list[Transfer]]:
    """Return the transfers that customers have ordered, by partition, in the order of the log."""
    found: dict[int, list[Transfer]] = {partition: [] for partition in range(partitions)}
    consumer = reader(address, "read_committed")
    places = [TopicPartition(topic, partition) for partition in range(partitions)]
    consumer.assign(places)
    ends = consumer.end_offsets(places)
    until(lambda: _took(consumer, found, ends), "all transfers are read")
    consumer.close()
    return found


def _took(consumer: Consumer, found: dict[int, list[Transfer]], ends: dict[TopicPartition, int]) -> bool:
    for record in consumer.poll(0.1):
        found[record.partition].append(Transfer.decode(record.value or b""))
    return all(len(found[at.partition]) == end for at, end in ends.items())


def until(holds: Callable[[], bool], what: str) -> None:
    until_none(lambda: None if holds() else what, PATIENCE_S)


def until_none(why_not: Callable[[], str | None], patience_s: float) -> None:
    until_s = time.monotonic() + patience_s
    while (why := why_not()) is not None:
        assert time.monotonic() < until_s, f"not within {patience_s:.0f} s: {why}"
