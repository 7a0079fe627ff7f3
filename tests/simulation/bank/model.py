"""Model of the bank, with which a life is checked: transfers, committed records, and outcomes that workers received.

After every step the reader reads as a client does: up to the last stable offset and without aborted records. The same
log is also read completely, to check the last stable offset itself (StableOffset).
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final, Generic, TypeVar

from tenure.client.consumer.read_committed import committed_only
from tenure.protocol.batches import decode_records, encode_batch, read_batches
from tenure.protocol.messages import AbortedTransaction
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId, ProducerId, TopicName
from tenure.storage.log.partition import Partition
from tests.simulation.bank.entries import TRANSFERS, Entry, Transfer, VisibleEntries
from tests.simulation.bank.machine import Machine
from tests.simulation.broken import Broken
from tests.simulation.trace import Trace

T = TypeVar("T")

READ_BYTES: Final = 1 << 20
AMOUNT_MAX: Final = 1_000


class Reader(Generic[T]):
    """Reader of committed records in one partition."""

    def __init__(self, decode: Callable[[bytes], T]) -> None:
        self._decode: Final = decode
        self.offset = 0
        self._looked_up_to = 0
        self._open: dict[int, int] = {}
        """The first offset of each transaction that is open, by producer."""
        self._following: list[tuple[int, T]] = []
        """Records before the first open transaction that are not read yet, with their offsets."""

    @property
    def following(self) -> list[T]:
        return [entry for _, entry in self._following]

    def read(self, log: Partition) -> list[T]:
        """Return the records that have become visible."""
        self._follow(log)
        stable_offset = log.last_stable_offset
        wanted = min([log.durable_offset, *self._open.values()])
        if stable_offset != wanted or stable_offset < self.offset:
            why = f"{log.name} is stable up to {stable_offset}, and should be up to {wanted}; {self.offset} was read"
            raise Broken("StableOffset", why)
        found: list[T] = []
        while self.offset < stable_offset:
            data = log.read(self.offset, READ_BYTES, stable_offset)
            for batch in read_batches(committed_only(data, _aborted(log, self.offset, data))):
                found += [self._decode(record.value or b"") for record in decode_records(batch) if not batch.is_control]
            self.offset = _end(data)
        self._following = [one for one in self._following if one[0] >= self.offset]
        return found

    def _follow(self, log: Partition) -> None:
        """Read all durable records in transactions, also of open and aborted ones."""
        while self._looked_up_to < log.durable_offset:
            data = log.read(self._looked_up_to, READ_BYTES)
            for batch in read_batches(data):
                if batch.is_control:
                    self._open.pop(batch.producer_id, None)
                elif batch.is_transactional:
                    self._open.setdefault(batch.producer_id, batch.base_offset)
                    self._following += [
                        (each.offset, self._decode(each.value or b"")) for each in decode_records(batch)
                    ]
            self._looked_up_to = _end(data)


class BankModel:
    """Transfers of a life, with the outcomes and entries that must follow from them."""

    def __init__(self, group_id: str, machine: Machine, random: Random, accounts: int, trace: Trace) -> None:
        self.group_id: Final = GroupId(group_id)
        self.visible_entries: Final = VisibleEntries()
        self._machine: Final = machine
        self._random: Final = random
        self._accounts: Final = accounts
        self._trace: Final = trace
        self._readers: dict[int, Reader[Entry]] = {}
        self._told: Final[dict[str, int]] = {}
        """Number of entries that must be visible, by transaction with a known outcome; 0 if aborted."""

    # --- customers ----------------------------------------------------------------------------------------------------

    def order(self, partitions: int) -> None:
        """Produce some transfers. If an unsynced log loses a transfer, the transfer counts as never produced."""
        for partition in range(partitions):
            records = [
                Record(0, self._machine.now.wall_ms, None, self._transfer().encode()) for _ in range(self._few())
            ]
            if records and self._machine.is_up:
                self._machine.maybe_append(TRANSFERS, partition, encode_batch(records))

    def _few(self) -> int:
        return self._random.randrange(5)

    def _transfer(self) -> Transfer:
        source, target = self._random.sample(range(self._accounts), 2)
        return Transfer(source, target, 1 + self._random.randrange(AMOUNT_MAX))

    def transfers(self, partition: int, offset: int, count: int) -> list[Transfer]:
        """Return at most `count` transfers from an offset on, as a consumer gets them."""
        log = self._machine.log(TRANSFERS, partition)
        found: list[Transfer] = []
        while len(found) < count and offset < log.durable_offset:
            data = log.read(offset, READ_BYTES)
            for batch in read_batches(data):
                records = [record for record in decode_records(batch) if record.offset >= offset]
                found += [Transfer.decode(record.value or b"") for record in records]
            offset = _end(data)
        return found[:count]

    # --- outcomes that workers received -------------------------------------------------------------------------------

    def committed(self, transaction: str, entries: int) -> None:
        self._trace.did["transaction committed"] += 1
        self._told[transaction] = entries

    def aborted(self, transaction: str) -> None:
        self._trace.did["transaction aborted"] += 1
        self._told[transaction] = 0

    # --- checks -------------------------------------------------------------------------------------------------------

    def check_step(self) -> None:
        """Check the invariants after a step."""
        for partition, log in enumerate(self._machine.entries_logs()):
            reader = self._readers.setdefault(partition, Reader(Entry.decode))
            entries = reader.read(log)
            if entries:
                self.visible_entries.read(partition, entries, reader.following)
                self._check_outcomes(entries)

    def _check_outcomes(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if self._told.get(entry.transaction) == 0:
                raise Broken("OutcomeKept", f"a worker was told that it was aborted, and this is visible: {entry}")

    def why_not_done(self, partitions: int) -> str | None:
        """Return the reason why the life is not finished; None if every transfer is committed with a known outcome."""
        offsets = self._machine.shard._groups.offsets.get(self.group_id, {})
        for partition in range(partitions):
            end_offset = self._machine.log(TRANSFERS, partition).log_end_offset
            value = offsets.get((TopicName(TRANSFERS), PartitionId(partition)))
            if (0 if value is None else value.offset) != end_offset:
                return f"of partition {partition}, {value} is committed of {end_offset}"
        return self._machine.undecided()

    def check_end(self, partitions: int, entries_partitions: int) -> None:
        self.check_step()
        self.visible_entries.committed_whole()
        everything = {partition: self.transfers(partition, 0, 1 << 40) for partition in range(partitions)}
        self.visible_entries.applied_all(everything, entries_partitions)
        for transaction, entries in self._told.items():
            visible = self.visible_entries.visible(transaction)
            if visible != entries:
                raise Broken(
                    "OutcomeKept", f"{entries} entries of {transaction}, says a worker, and {visible} are visible"
                )


def _aborted(log: Partition, offset: int, data: bytes) -> list[AbortedTransaction]:
    """Return the aborted transactions as a fetch names them."""
    found = log.aborted_between(offset, _end(data))
    return [AbortedTransaction(ProducerId(aborted.producer_id), aborted.first_offset) for aborted in found]


def _end(data: bytes) -> int:
    return max([batch.last_offset for batch in read_batches(data)]) + 1
