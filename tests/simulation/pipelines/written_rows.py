"""Rows in a topic as a reader of committed records finds them, and the rows that must be there (RowsWithOffset).

A row names the producer's epoch in which it was written. Each transaction of a lane has an epoch of its own, and a
manifest names it. So the rows of every committed manifest must be there once, and no others.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tenure.pipeline.values.manifest import Manifest
from tests.simulation.bank.machine import Machine
from tests.simulation.bank.model import Reader
from tests.simulation.broken import Broken
from tests.simulation.pipelines.counting import Record, Row
from tests.simulation.pipelines.invariants import direct


class Epoch(NamedTuple):
    """Producer id and epoch: one transaction."""

    producer_id: int
    producer_epoch: int


class Written(NamedTuple):
    epoch: Epoch
    row: Row

    @classmethod
    def of(cls, producer_id: int, producer_epoch: int, line: str) -> "Written":
        partition, offset, key, times = line.split()
        return cls(Epoch(producer_id, producer_epoch), Row(int(partition), int(offset), key, int(times)))

    def encode(self) -> bytes:
        return " ".join(map(str, (*self.epoch, *self.row))).encode()

    @classmethod
    def decode(cls, value: bytes) -> "Written":
        producer_id, epoch, line = value.decode().split(" ", 2)
        return cls.of(int(producer_id), int(epoch), line)


class WrittenRows:
    def __init__(self, machine: Machine) -> None:
        self._machine: Final = machine
        self._readers: Final = [Reader(Written.decode) for _ in machine.entries_logs()]
        self._epoch_of: Final[dict[Row, Epoch]] = {}
        """Epoch of every visible row."""

    def check_step(self) -> None:
        """Check after every step that no row becomes visible twice."""
        for reader, log in zip(self._readers, self._machine.entries_logs(), strict=True):
            for epoch, row in reader.read(log):
                if row in self._epoch_of:
                    raise Broken("RowsWithOffset", f"{row} is there of {self._epoch_of[row]}, and of {epoch}")
                self._epoch_of[row] = epoch

    def check_end(self, committed: Iterable[Manifest], records: Mapping[int, Sequence[Record]]) -> None:
        """Check the rows at the end. `records` are those whose rows belong here, by partition."""
        self.check_step()
        there = [records.get(number, ()) for number in range(max(records, default=-1) + 1)]
        wanted = set(direct(there))
        if wrong := self._epoch_of.keys() ^ wanted:
            lost, surplus = sorted(wrong & wanted), sorted(wrong - wanted)
            raise Broken("RowsWithOffset", f"not visible: {lost[:5]}; of no record that is committed: {surplus[:5]}")
        visible = Counter(self._epoch_of.values())
        named = {
            Epoch(one.producer_id, one.producer_epoch): one.rows
            for manifest in committed
            if (one := manifest.transaction) is not None
        }
        if visible != named:
            differ = [epoch for epoch in visible.keys() | named.keys() if visible[epoch] != named.get(epoch)]
            told = {epoch: (visible[epoch], named.get(epoch)) for epoch in sorted(differ)[:5]}
            raise Broken("RowsWithOffset", f"(visible, named by a committed manifest) of transactions: {told}")
