"""Entries of the bank as a reader of committed records gets them, and the invariants that they satisfy.

A transfer is a record of the topic TRANSFERS. A worker writes its entries to the topic ENTRIES: one account pays the
amount, and another one gets it. Each account belongs to one partition. In each partition, the entries of a transaction
have the sum 0: amounts that leave or enter the partition are also booked under TRANSIT. Every entry contains the id of
its transaction and the transaction's number of entries.

A reader of committed records stops at the first open transaction, which may be between two batches of a committed
transaction. At that time, all records of the committed transaction are already in the log. So a snapshot consists of
the visible records, and of the later records of transactions that are visible in part.

The simulation checks after every step. The bank of real processes checks whenever its auditor has read records.
`Broken` contains the name of the violated invariant.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tests.simulation.broken import Broken

TRANSFERS: Final = "transfers"
ENTRIES: Final = "entries"
TRANSIT: Final = -1
"""Account of amounts that leave a partition for another one, or come from another one."""


class Transfer(NamedTuple):
    source: int
    target: int
    amount: int

    def encode(self) -> bytes:
        return b"%d %d %d" % self

    @classmethod
    def decode(cls, value: bytes) -> "Transfer":
        return cls(*map(int, value.split()))


class TransferPosition(NamedTuple):
    """Position of a transfer in the topic TRANSFERS."""

    partition: int
    offset: int


class Entry(NamedTuple):
    transaction: str
    entries: int
    """Number of entries of the transaction."""
    transfer: TransferPosition
    account: int
    amount: int
    """Amount; negative if the account has paid it."""

    def encode(self) -> bytes:
        numbers = (self.entries, *self.transfer, self.account, self.amount)
        return " ".join([self.transaction, *map(str, numbers)]).encode()

    @classmethod
    def decode(cls, value: bytes) -> "Entry":
        transaction, *numbers = value.decode().split()
        entries, partition, offset, account, amount = map(int, numbers)
        return cls(transaction, entries, TransferPosition(partition, offset), account, amount)


class Leg(NamedTuple):
    """Change of one account by one transfer."""

    partition: int
    account: int
    amount: int


def legs(transfer: Transfer, partitions: int) -> list[Leg]:
    """Return the changes of a transfer: two in each partition that it affects, with the sum 0."""
    source, target, amount = transfer
    pays, gets = source % partitions, target % partitions
    paid, got = Leg(pays, source, -amount), Leg(gets, target, amount)
    if pays == gets:
        return [paid, got]
    return [paid, Leg(pays, TRANSIT, amount), Leg(gets, TRANSIT, -amount), got]


def entered(
    transaction: str, transfers: Mapping[TransferPosition, Transfer], partitions: int
) -> dict[int, list[Entry]]:
    """Return the entries of these transfers by partition, payments first, so that half a transfer is detected."""
    due = [(position, leg) for position, transfer in transfers.items() for leg in legs(transfer, partitions)]
    found: dict[int, list[Entry]] = {}
    for position, leg in sorted(due, key=lambda one: one[1].amount):
        found.setdefault(leg.partition, []).append(Entry(transaction, len(due), position, leg.account, leg.amount))
    return found


class VisibleEntries:
    """All visible entries, in the order in which they became visible."""

    def __init__(self) -> None:
        self._balances: Counter[int] = Counter()
        """Balance by partition."""
        self._decided: set[tuple[int, str]] = set()
        """Transactions with visible entries, with the partitions in which these are."""
        self._applied: dict[tuple[TransferPosition, int, int], str] = {}
        """Transaction by transfer, partition and account."""
        self._entries: Counter[str] = Counter()
        """Number of visible entries by transaction."""
        self._whole: dict[str, int] = {}

    def read(self, partition: int, entries: Iterable[Entry], following: Iterable[Entry]) -> None:
        """Add the entries that have become visible in a partition, and check those after them.

        Raises `Broken`.
        """
        for entry in entries:
            self._enter(partition, entry)
        to_come = sum([entry.amount for entry in following if (partition, entry.transaction) in self._decided])
        if self._balances[partition] + to_come:
            surplus = f"{self._balances[partition]} is visible, {to_come} to come"
            raise Broken("SumConstant", f"partition {partition} does not add up to nothing: {surplus}")

    def _enter(self, partition: int, entry: Entry) -> None:
        at = entry.transfer, partition, entry.account
        if at in self._applied:
            raise Broken("AppliedOnce", f"{entry} comes after {self._applied[at]} has done the same")
        self._applied[at] = entry.transaction
        self._balances[partition] += entry.amount
        self._decided.add((partition, entry.transaction))
        self._entries[entry.transaction] += 1
        self._whole[entry.transaction] = entry.entries

    def visible(self, transaction: str) -> int:
        """Return the number of visible entries of a transaction."""
        return self._entries[transaction]

    @property
    def transfers(self) -> int:
        """Number of transfers that were entered completely or in part."""
        return len({position for position, _, _ in self._applied})

    @property
    def halves(self) -> list[str]:
        """Transactions of which only a part is visible, because other markers are not written yet."""
        return [name for name, entries in self._entries.items() if entries != self._whole[name]]

    def committed_whole(self) -> None:
        """Check at the end that no transaction is visible in part."""
        for name in self.halves:
            raise Broken(
                "CommittedWhole", f"{self._entries[name]} of {self._whole[name]} entries of {name} are visible"
            )

    def applied_all(self, transfers: Mapping[int, Sequence[Transfer]], partitions: int) -> None:
        """Check at the end that every transfer was entered exactly once; `transfers` are by partition."""
        wanted = {
            (TransferPosition(partition, offset), leg.partition, leg.account)
            for partition, there in transfers.items()
            for offset, transfer in enumerate(there)
            for leg in legs(transfer, partitions)
        }
        never, invented = wanted - self._applied.keys(), self._applied.keys() - wanted
        if never or invented:
            raise Broken("AppliedOnce", f"never entered: {sorted(never)[:5]}; not asked for: {sorted(invented)[:5]}")
