"""Idempotent producers: what each has written last, so that a retried batch is written once.

A producer numbers its records per partition. Its batch must continue where its last one ended; of the last five batches
(as many as a client keeps in flight) a repetition is answered with the offsets of the first time. A new epoch starts at
sequence 0 and locks out the older epochs. A producer that this log does not know may start anywhere: its records may
have been deleted by retention (KAFKA-8710).

The table is a function of the log. Snapshots in Kafka's own format, named after the offset up to which they hold, spare
reading the log from its start; they keep only the last batch of each producer, as Kafka's do.
"""

import struct
from collections import deque
from typing import Final, NamedTuple

import google_crc32c

from tenure.protocol.records import Batch
from tenure.storage.errors import DuplicateSequence, InvalidProducerEpoch, OutOfOrderSequence

BATCHES_REMEMBERED: Final = 5
SEQUENCE_MAX: Final = 2**31 - 1

_SNAPSHOT_VERSION: Final = 1
_HEAD: Final = struct.Struct(">hIi")  # version, crc, number of entries
_ENTRY: Final = struct.Struct(">qhiqiqiq")
_CRC_COVERS_FROM: Final = 6


class Written(NamedTuple):
    """A batch that is in the log."""

    base_sequence: int
    last_sequence: int
    base_offset: int
    last_offset: int
    timestamp_ms: int


class Producer:
    __slots__ = ("batches", "epoch", "last_timestamp_ms")

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.batches: deque[Written] = deque(maxlen=BATCHES_REMEMBERED)
        """Invariant: all of `epoch`, oldest first, each continuing the one before."""
        self.last_timestamp_ms = -1


class ImplausibleSnapshot(ValueError):
    pass


class Producers:
    """Of one partition, by producer id."""

    def __init__(self) -> None:
        self.by_id: dict[int, Producer] = {}

    def check(self, batch: Batch) -> None:
        """Raises when the batch is a repetition, out of order, or of an epoch that is over."""
        producer = self.by_id.get(batch.producer_id)
        if producer is None:
            return
        if batch.producer_epoch < producer.epoch:
            raise InvalidProducerEpoch(
                f"producer {batch.producer_id} writes with epoch {batch.producer_epoch}, but epoch {producer.epoch} "
                "has written already: a newer incarnation of it is at work"
            )
        if batch.producer_epoch == producer.epoch:
            _check_sequence(batch, producer)
        elif batch.base_sequence != 0:
            raise OutOfOrderSequence(
                f"producer {batch.producer_id} begins epoch {batch.producer_epoch} at sequence {batch.base_sequence}; "
                "a new epoch begins at 0"
            )

    def appended(self, batch: Batch, base_offset: int) -> None:
        """`batch` is in the log at `base_offset`: just now, or found there at the start."""
        producer = self.by_id.get(batch.producer_id)
        if producer is None or producer.epoch != batch.producer_epoch:
            producer = self.by_id[batch.producer_id] = Producer(batch.producer_epoch)
        producer.last_timestamp_ms = batch.max_timestamp_ms
        producer.batches.append(
            Written(
                batch.base_sequence,
                batch.last_sequence,
                base_offset,
                base_offset + batch.last_offset_delta,
                batch.max_timestamp_ms,
            )
        )

    def last_offsets(self) -> list[int]:
        """Where the last batch of each producer ends. May be asked on any thread."""
        return [producer.batches[-1].last_offset for producer in list(self.by_id.values()) if producer.batches]

    def expire(self, before_ms: int) -> None:
        """Forgets producers whose last record is older: the table must not grow with time."""
        for producer_id in [i for i, producer in self.by_id.items() if producer.last_timestamp_ms < before_ms]:
            del self.by_id[producer_id]

    def encode(self) -> bytes:
        body = struct.pack(">i", len(self.by_id)) + b"".join(
            _ENTRY.pack(
                producer_id,
                producer.epoch,
                producer.batches[-1].last_sequence,
                producer.batches[-1].last_offset,
                producer.batches[-1].last_offset - producer.batches[-1].base_offset,
                producer.last_timestamp_ms,
                -1,  # coordinator epoch
                -1,  # first offset of an open transaction
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
            raise ImplausibleSnapshot(f"the producer snapshot does not hold its {count} entries")
        producers = cls()
        for producer_id, epoch, last_sequence, last_offset, delta, timestamp_ms, _, _ in _ENTRY.iter_unpack(
            data[_HEAD.size :]
        ):
            producer = producers.by_id[producer_id] = Producer(epoch)
            producer.last_timestamp_ms = timestamp_ms
            base_sequence = (last_sequence - delta) & SEQUENCE_MAX
            producer.batches.append(
                Written(base_sequence, last_sequence, last_offset - delta, last_offset, timestamp_ms)
            )
        return producers


def _check_sequence(batch: Batch, producer: Producer) -> None:
    last = producer.batches[-1]
    if batch.base_sequence == (last.last_sequence + 1) & SEQUENCE_MAX:
        return
    for written in producer.batches:
        if (batch.base_sequence, batch.last_sequence) == (written.base_sequence, written.last_sequence):
            raise DuplicateSequence(written.base_offset, written.last_offset, written.timestamp_ms)
    raise OutOfOrderSequence(
        f"producer {batch.producer_id} writes sequences {batch.base_sequence} to {batch.last_sequence}, "
        f"but its last batch in this partition ended with {last.last_sequence}"
    )
