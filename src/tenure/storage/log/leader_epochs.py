"""Leader epochs with their start offsets: `leader-epoch-checkpoint`, in Kafka's text format.

    0                    version
    2                    number of entries
    0 0                  epoch, its first offset
    3 150

A consumer that has stored the leader epoch of its last record requests the end of that epoch. From the answer it sees
whether its records were removed from the log (KIP-320).
"""

from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple


class ImplausibleCheckpoint(ValueError):
    pass


class EpochStart(NamedTuple):
    epoch: int
    start_offset: int


class EpochEnd(NamedTuple):
    leader_epoch: int
    """Leader epoch; -1 if the requested epoch is unknown."""
    end_offset: int


UNDEFINED = EpochEnd(-1, -1)


class LeaderEpochs:
    def __init__(self, entries: list[EpochStart] | None = None) -> None:
        self.entries = entries or []
        """Epochs in order. Invariant: epochs and start offsets are strictly increasing."""

    @property
    def latest(self) -> int:
        return self.entries[-1].epoch if self.entries else -1

    def begin(self, epoch: int, start_offset: int) -> bool:
        """Begin a leader epoch; return False if it has begun already. An earlier epoch without records is removed."""
        if epoch <= self.latest:
            return False
        self.truncate_end(start_offset)
        self.entries.append(EpochStart(epoch, start_offset))
        return True

    def epoch_at(self, offset: int) -> int:
        """Return the leader epoch at an offset; -1 if that is before the first known epoch."""
        following = bisect_right(self.entries, offset, key=lambda entry: entry.start_offset)
        return self.entries[following - 1].epoch if following else -1

    def end_of(self, epoch: int, log_end_offset: int) -> EpochEnd:
        """Return the greatest known epoch that is not greater than `epoch`, with its end offset.

        Return UNDEFINED if `epoch` is greater than all known epochs.
        """
        following = bisect_right(self.entries, epoch, key=lambda entry: entry.epoch)
        if not self.entries or epoch > self.latest:
            return UNDEFINED
        if following == len(self.entries):
            return EpochEnd(epoch, log_end_offset)
        if following == 0:
            return EpochEnd(epoch, self.entries[0].start_offset)
        return EpochEnd(self.entries[following - 1].epoch, self.entries[following].start_offset)

    def truncate_end(self, offset: int) -> None:
        """Remove epochs that begin at or after `offset`, which is the new end of the log."""
        while self.entries and self.entries[-1].start_offset >= offset:
            self.entries.pop()

    def truncate_start(self, offset: int) -> None:
        """Remove epochs that end at or before `offset`, which is the new start of the log."""
        while len(self.entries) > 1 and self.entries[1].start_offset <= offset:
            self.entries.pop(0)
        if self.entries and self.entries[0].start_offset < offset:
            self.entries[0] = EpochStart(self.entries[0].epoch, offset)

    def encode(self) -> bytes:
        lines = ["0", str(len(self.entries)), *(f"{entry.epoch} {entry.start_offset}" for entry in self.entries)]
        return ("\n".join(lines) + "\n").encode()

    @classmethod
    def decode(cls, data: bytes) -> "LeaderEpochs":
        try:
            version, count, *entries = [tuple(map(int, line.split())) for line in data.decode().splitlines()]
            epochs = cls([EpochStart(*entry) for entry in entries])
        except (ValueError, TypeError):
            raise ImplausibleCheckpoint(f"{data[:80]!r} is not a leader epoch checkpoint") from None
        if not all(a.epoch < b.epoch and a.start_offset < b.start_offset for a, b in pairwise(epochs.entries)):
            raise ImplausibleCheckpoint("the leader epoch checkpoint is not in ascending order")
        if version != (0,) or count != (len(epochs.entries),):
            raise ImplausibleCheckpoint(
                "the leader epoch checkpoint has an unknown version, or more or fewer entries than its header says"
            )
        return epochs
