"""Idempotent producers: the last batches of each producer, so that a batch that is sent again is written only once.

A producer numbers its records per partition. Each batch must continue the sequence numbers of the batch before it. The
last five batches of each producer are remembered, because clients have at most five batches in flight. If one of them
is sent again, the answer has the offsets at which it was appended. A new epoch begins with sequence number 0 and fences
older epochs. A producer that is unknown to this log may begin with any number, because retention may have deleted its
records (KAFKA-8710).

All of this can be computed from the log. Snapshots in Kafka's format, named after their offset, contain it, so that a
start need not read the whole log. As in Kafka, they have only the last batch of each producer.

A transaction is open from its first batch in this partition to its marker. Readers with read_committed stop at the
first batch of the oldest open transaction (rule 8.6.5).
"""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

import google_crc32c

from tenure.protocol.batches import NO_PRODUCER_EPOCH, NO_SEQUENCE, Batch
from tenure.protocol.types import EPOCH_BUMPS, EPOCH_MAX, Marker
from tenure.storage.errors import (
    DuplicateSequence,
    InvalidProducerEpoch,
    InvalidTransactionState,
    OutOfOrderSequence,
    TransactionCoordinatorFenced,
)
from tenure.storage.log.transactions import Aborted

BATCHES_REMEMBERED: Final = 5
SEQUENCE_MAX: Final = 2**31 - 1
NO_OFFSET: Final = -1

_SNAPSHOT_VERSION: Final = 1
_HEAD: Final = struct.Struct(">hIi")  # version, crc, number of entries
_ENTRY: Final = struct.Struct(">qhiqiqiq")
_CRC_COVERS_FROM: Final = 6


class WrittenBatch(NamedTuple):
    """Sequence numbers and offsets of a batch in the log."""

    base_sequence: int
    last_sequence: int
    base_offset: int
    last_offset: int
    timestamp_ms: int


class Producer:
    __slots__ = ("batches", "coordinator_epoch", "epoch", "last_timestamp_ms")

    def __init__(self, epoch: int, coordinator_epoch: int = -1) -> None:
        self.epoch = epoch
        self.coordinator_epoch = coordinator_epoch
        """Coordinator epoch of the producer's last marker."""
        self.batches: list[WrittenBatch] = []
        """Last batches of `epoch`, oldest first; at most `BATCHES_REMEMBERED`.

        Invariant: each batch continues the sequence numbers of the batch before it.

        The batches are in a list, because most producers have one batch, for which a deque would take 600 bytes.
        """
        self.last_timestamp_ms = -1


class ImplausibleSnapshot(ValueError):
    pass


class Producers:
    """Producers of one partition, by producer id."""

    def __init__(self) -> None:
        self.by_id: dict[int, Producer] = {}
        self.open: dict[int, int] = {}
        """First offset of each open transaction, by producer id. Invariant: ascending."""
        self.unsettled: list[tuple[int, int]] = []
        """(offset of the marker, first offset) of transactions that have ended, but whose marker is not durable yet."""

    def check(self, batch: Batch) -> None:
        """Check the epoch and sequence numbers of a batch before it is written.

        Raises `InvalidProducerEpoch`, `InvalidTransactionState`, `DuplicateSequence` or `OutOfOrderSequence`.
        """
        producer = self.by_id.get(batch.producer_id)
        if producer is None:
            return
        _check_epoch(batch.producer_id, batch.producer_epoch, producer)
        if batch.producer_id in self.open and not batch.is_transactional:
            raise InvalidTransactionState(
                f"producer {batch.producer_id} writes without a transaction while its transaction is open: "
                "end the transaction first"
            )
        if batch.producer_epoch == producer.epoch:
            _check_sequence(batch, producer)
        elif batch.base_sequence != 0 and producer.epoch != NO_PRODUCER_EPOCH:
            raise OutOfOrderSequence(
                f"producer {batch.producer_id} begins epoch {batch.producer_epoch} at sequence {batch.base_sequence}; "
                "a new epoch begins at 0"
            )

    def add_batch(self, batch: Batch, base_offset: int) -> None:
        """Add a batch that is in the log at `base_offset`."""
        producer = self.by_id.get(batch.producer_id)
        if producer is None or producer.epoch != batch.producer_epoch:
            coordinator_epoch = -1 if producer is None else producer.coordinator_epoch
            producer = self.by_id[batch.producer_id] = Producer(batch.producer_epoch, coordinator_epoch)
        if batch.is_transactional:
            self.open.setdefault(batch.producer_id, base_offset)
        producer.last_timestamp_ms = batch.max_timestamp_ms
        producer.batches.append(
            WrittenBatch(
                batch.base_sequence,
                batch.last_sequence,
                base_offset,
                base_offset + batch.last_offset_delta,
                batch.max_timestamp_ms,
            )
        )
        del producer.batches[:-BATCHES_REMEMBERED]

    # --- transactions

    def check_marker(self, marker: Marker) -> None:
        """Check a marker before it is written.

        Raises:
            InvalidProducerEpoch: A producer with a newer epoch has written already. Or, with transaction version 2:
                the producer has begun its next transaction before this late marker came (KIP-1228).
            TransactionCoordinatorFenced: A coordinator with a newer epoch has written a marker already.
        """
        producer = self.by_id.get(marker.producer_id)
        if producer is None:
            return
        _check_epoch(marker.producer_id, marker.producer_epoch, producer)
        is_open = marker.producer_id in self.open
        if (
            is_open
            and marker.transaction_version >= EPOCH_BUMPS
            and producer.epoch == marker.producer_epoch < EPOCH_MAX
        ):
            raise InvalidProducerEpoch(
                f"a marker of epoch {marker.producer_epoch} is late: "
                f"producer {marker.producer_id} has begun its next transaction in this epoch"
            )
        if marker.coordinator_epoch < producer.coordinator_epoch:
            raise TransactionCoordinatorFenced(
                f"a marker of coordinator epoch {marker.coordinator_epoch} comes after one of epoch "
                f"{producer.coordinator_epoch}: another coordinator has taken over"
            )

    def end_transaction(self, marker: Marker, offset: int, timestamp_ms: int) -> Aborted | None:
        """End the producer's transaction by a marker at `offset`.

        Return the transaction if it was open and the marker aborts it, else None.
        """
        producer = self.by_id.get(marker.producer_id)
        if producer is None or producer.epoch != marker.producer_epoch:
            producer = self.by_id[marker.producer_id] = Producer(marker.producer_epoch)
        producer.coordinator_epoch = marker.coordinator_epoch
        producer.last_timestamp_ms = timestamp_ms
        first_offset = self.open.get(marker.producer_id)
        if first_offset is None:
            return None
        self.unsettled.append((offset, first_offset))  # before it leaves `open`, because other threads read both
        del self.open[marker.producer_id]
        if marker.is_commit:
            return None
        return Aborted(marker.producer_id, first_offset, offset, next(iter(self.open.values()), offset + 1))

    def last_stable_offset(self, durable_offset: int) -> int:
        """Return the first offset of the oldest transaction that is open, or whose marker is not durable.

        Without such a transaction, return `durable_offset`. This method changes `unsettled`, so only the thread that
        appends may call it; other threads call `stable_until`.
        """
        self.drop_durable_ends(durable_offset)
        if not self.open and not self.unsettled:
            return durable_offset
        oldest_open = next(iter(self.open.values()), durable_offset)
        return min([durable_offset, oldest_open, *[first_offset for _, first_offset in self.unsettled]])

    def stable_until(self, durable_offset: int) -> int:
        """Return the last stable offset without changing this object, so that any thread may call it.

        A transaction that ends during the call may still count as open.
        """
        oldest_open = list(self.open.values())[:1]
        undecided = [first_offset for offset, first_offset in list(self.unsettled) if offset >= durable_offset]
        return min([durable_offset, *oldest_open, *undecided])

    def drop_durable_ends(self, durable_offset: int) -> None:
        """Remove from `unsettled` the transactions whose markers are durable, so that their end is final."""
        if self.unsettled:
            self.unsettled = [end for end in self.unsettled if end[0] >= durable_offset]

    # --- the table

    def last_offsets(self) -> list[int]:
        """Return the last offset of each producer. May run on any thread."""
        return [producer.batches[-1].last_offset for producer in list(self.by_id.values()) if producer.batches]

    def begun_by_markers(self) -> list[tuple[int, int]]:
        """Return (producer id, epoch) of producers that have written no batch since a marker began their epoch.

        May run on any thread.
        """
        return [(i, producer.epoch) for i, producer in list(self.by_id.items()) if not producer.batches]

    def has_late_transaction(self, before_ms: int) -> bool:
        """Return whether the last write of the oldest open transaction was before `before_ms`."""
        oldest = next(iter(self.open), None)
        return oldest is not None and self.by_id[oldest].last_timestamp_ms < before_ms

    def expire(self, before_ms: int) -> Iterator[None]:
        """Remove producers without an open transaction whose last write was up to `before_ms`. Yield after each one."""
        for producer_id in list(self.by_id):
            producer = self.by_id.get(producer_id)
            if producer is not None and producer.last_timestamp_ms <= before_ms and producer_id not in self.open:
                del self.by_id[producer_id]
            yield

    def encode(self) -> bytes:
        body = struct.pack(">i", len(self.by_id)) + b"".join(
            _ENTRY.pack(
                producer_id,
                producer.epoch,
                *_last_batch(producer),
                producer.last_timestamp_ms,
                producer.coordinator_epoch,
                self.open.get(producer_id, NO_OFFSET),
            )
            for producer_id, producer in self.by_id.items()
        )
        return struct.pack(">hI", _SNAPSHOT_VERSION, google_crc32c.value(body)) + body

    @classmethod
    def decode(cls, data: bytes) -> "Producers":
        if len(data) < _HEAD.size:
            raise ImplausibleSnapshot("the producer snapshot is shorter than its header")
        version, crc, count = _HEAD.unpack_from(data)
        if version != _SNAPSHOT_VERSION or google_crc32c.value(data[_CRC_COVERS_FROM:]) != crc:
            raise ImplausibleSnapshot(f"the producer snapshot of version {version} fails its checksum")
        if len(data) != _HEAD.size + count * _ENTRY.size:
            raise ImplausibleSnapshot(f"the producer snapshot has more or fewer than the {count} entries of its header")
        producers = cls()
        first_offsets: list[tuple[int, int]] = []
        entries = _ENTRY.iter_unpack(data[_HEAD.size :])
        for producer_id, epoch, last_sequence, last_offset, delta, timestamp_ms, coordinator_epoch, first in entries:
            producer = producers.by_id[producer_id] = Producer(epoch, coordinator_epoch)
            producer.last_timestamp_ms = timestamp_ms
            if first != NO_OFFSET:
                first_offsets.append((first, producer_id))
            if last_offset == NO_OFFSET:
                continue
            base_sequence = (last_sequence - delta) & SEQUENCE_MAX
            producer.batches.append(
                WrittenBatch(base_sequence, last_sequence, last_offset - delta, last_offset, timestamp_ms)
            )
        producers.open = {producer_id: first for first, producer_id in sorted(first_offsets)}
        return producers


def _last_batch(producer: Producer) -> tuple[int, int, int]:
    """Return (last sequence number, last offset, last offset minus first offset) of a producer's last batch."""
    if not producer.batches:
        return NO_SEQUENCE, NO_OFFSET, 0
    last = producer.batches[-1]
    return last.last_sequence, last.last_offset, last.last_offset - last.base_offset


def _check_epoch(producer_id: int, epoch: int, producer: Producer) -> None:
    if epoch < producer.epoch:
        raise InvalidProducerEpoch(
            f"producer {producer_id} writes with epoch {epoch}, but epoch {producer.epoch} "
            "has written already: a newer producer with this id is active"
        )


def _check_sequence(batch: Batch, producer: Producer) -> None:
    """Check the sequence numbers of a batch. If a marker has begun the epoch, the first batch must begin with 0."""
    last_sequence = producer.batches[-1].last_sequence if producer.batches else NO_SEQUENCE
    if batch.base_sequence == (last_sequence + 1) & SEQUENCE_MAX:
        return
    for written in producer.batches:
        if (batch.base_sequence, batch.last_sequence) == (written.base_sequence, written.last_sequence):
            raise DuplicateSequence(written.base_offset, written.last_offset, written.timestamp_ms)
    raise OutOfOrderSequence(
        f"producer {batch.producer_id} writes sequences {batch.base_sequence} to {batch.last_sequence}, "
        f"but its last batch in this partition ended with {last_sequence}"
    )
