"""Records that a producer has accepted but not written. A partition has complete batches and at most one open batch."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from tenure.client.errors import DeliveryFailed
from tenure.client.values import RecordMetadata, TopicPartition
from tenure.protocol.batches import PackedRecords, pack_encoded
from tenure.protocol.compression import Codec
from tenure.protocol.records import Header, encode_fields

log: Final = logging.getLogger("tenure.client")

OnDelivery = Callable[[RecordMetadata | DeliveryFailed], None]


class ProducerBatch:
    """Records of one record batch, as encoded rows or as packed columns.

    Rows are encoded when they are added: the garbage collector would look at each row that is kept as an object.
    """

    __slots__ = (
        "_base_timestamp_ms",
        "_callbacks",
        "_max_timestamp_ms",
        "_packed",
        "_rows",
        "began_at_s",
        "size_bytes",
    )

    def __init__(self, packed: PackedRecords | None = None, size_bytes: int = 0) -> None:
        self.began_at_s: Final = time.monotonic()
        self.size_bytes = size_bytes
        """Approximate size before compression."""
        self._packed: Final = packed
        self._rows: Final[list[bytes]] = []
        self._base_timestamp_ms = 0
        self._max_timestamp_ms = 0
        self._callbacks: list[tuple[int, OnDelivery]] | None = None
        """Callbacks, with the index of their record."""

    @property
    def record_count(self) -> int:
        """Number of records in this batch."""
        return len(self._rows) if self._packed is None else self._packed.record_count

    def packed(self, codec: Codec) -> PackedRecords:
        """Return the records in encoded and compressed form."""
        return self._packed or pack_encoded(self._rows, codec, self._base_timestamp_ms, self._max_timestamp_ms)

    def append(
        self,
        key: bytes | None,
        value: bytes | None,
        timestamp_ms: int,
        headers: Sequence[Header],
        size_bytes: int,
        on_delivery: OnDelivery | None,
    ) -> None:
        """Add a record to an open batch. `size_bytes` is its approximate size."""
        number = len(self._rows)
        if not number:
            self._base_timestamp_ms = self._max_timestamp_ms = timestamp_ms
        self._rows.append(encode_fields(timestamp_ms - self._base_timestamp_ms, number, key, value, headers))
        if timestamp_ms > self._max_timestamp_ms:
            self._max_timestamp_ms = timestamp_ms
        self.size_bytes += size_bytes
        if on_delivery is not None:
            self._callbacks = self._callbacks or []
            self._callbacks.append((number, on_delivery))

    def report_written(self, partition: TopicPartition, base_offset: int) -> None:
        """Call the records' callbacks with their offsets."""
        for number, on_delivery in self._callbacks or ():
            offset = -1 if base_offset < 0 else base_offset + number
            _call(on_delivery, RecordMetadata(partition.topic, partition.partition, offset))

    def report_failure(self, failure: DeliveryFailed) -> int:
        """Call the records' callbacks with the failure; return the number of records without a callback."""
        for _, on_delivery in self._callbacks or ():
            _call(on_delivery, failure)
        return self.record_count - len(self._callbacks or ())


def _call(on_delivery: OnDelivery, outcome: RecordMetadata | DeliveryFailed) -> None:
    """Call a callback. An error in the callback is logged, so that it does not stop the sending task."""
    try:
        on_delivery(outcome)
    except Exception:
        log.exception("producer: the callback on_delivery failed for %s, and the producer continues", outcome)


class Queue:
    """Unwritten records of one partition. The producer's lock guards it."""

    __slots__ = ("_batches", "_open", "at_work", "linger_ended", "lingers", "next_sequence", "partition", "writer")

    def __init__(self, partition: TopicPartition) -> None:
        self.partition: Final = partition
        self._open: ProducerBatch | None = None
        self._batches: Final[deque[ProducerBatch]] = deque()
        """Complete batches, oldest first."""
        self.at_work = False
        """True if a task of the sender sends the batches of this queue."""
        self.lingers = False
        """True if the sending task waits for more records (`linger.ms`). Invariant: then no batch is complete."""
        self.linger_ended: Final = asyncio.Event()
        """Event that ends the wait for more records. Used only on the event loop."""
        self.next_sequence = 0
        """Sequence of the first record that the broker has not acknowledged to `writer`."""
        self.writer = (-1, -1)
        """Producer id and epoch to which `next_sequence` belongs."""

    def sequence_of(self, producer_id: int, producer_epoch: int) -> int:
        """Return the sequence of the next record. It is 0 for the first record of an epoch (KIP-360)."""
        if self.writer != (producer_id, producer_epoch):
            self.writer, self.next_sequence = (producer_id, producer_epoch), 0
        return self.next_sequence

    def advance_sequence(self, record_count: int) -> None:
        """Advance the sequence by the records of an acknowledged batch."""
        self.next_sequence = (self.next_sequence + record_count) & 0x7FFF_FFFF

    def has_room(self, size_bytes: int, batch_bytes: int) -> bool:
        """Return whether a record fits into the open batch. True if no batch is open."""
        return self._open is None or self._open.size_bytes + size_bytes <= batch_bytes

    def append(
        self,
        key: bytes | None,
        value: bytes | None,
        timestamp_ms: int,
        headers: Sequence[Header],
        size_bytes: int,
        on_delivery: OnDelivery | None,
    ) -> int:
        """Add a record to the open batch; return the size of this batch in bytes."""
        batch = self._open or ProducerBatch()
        batch.append(key, value, timestamp_ms, headers, size_bytes, on_delivery)
        self._open = batch
        return batch.size_bytes

    def append_batch(self, batch: ProducerBatch) -> None:
        """Add a packed batch after all queued records."""
        self.close_batch()
        self._batches.append(batch)

    def close_batch(self) -> None:
        """Append the open batch to the complete batches."""
        if self._open is not None:
            self._batches.append(self._open)
            self._open = None

    @property
    def has_full_batch(self) -> bool:
        """True if at least one batch is complete."""
        return bool(self._batches)

    @property
    def open_since_s(self) -> float | None:
        """Creation time of the open batch, as a time of `time.monotonic`; None if no batch is open."""
        return None if self._open is None else self._open.began_at_s

    def take(self) -> ProducerBatch | None:
        """Remove and return the oldest batch, complete or open; None if there is none."""
        if not self._batches:
            self.close_batch()
        return self._batches.popleft() if self._batches else None

    def take_all(self) -> list[ProducerBatch]:
        """Remove and return all batches."""
        self.close_batch()
        left = list(self._batches)
        self._batches.clear()
        return left
