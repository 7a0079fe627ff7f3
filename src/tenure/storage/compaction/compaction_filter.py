"""Filter of a compaction: which records of a batch are kept, and the resulting batch.

The newest record of each key is kept. Older records, and records without a key, are removed. A tombstone is kept until
every reader has had the time to read it: the first compaction writes a *delete horizon* into its batch (KIP-534), and
the first compaction after the horizon removes it. Records keep their offsets; batches keep their offsets and sequence
numbers.

The header of a batch without records is kept in two cases:

- The batch is the last one of its producer. The header has the producer's last sequence number.
- The batch is the last one of its segment. The header has the segment's end offset.

Records of aborted transactions are removed, and do not make older records outdated. A marker is kept as long as a batch
of its transaction exists. After that, it is removed like a tombstone, with its own delete horizon.
"""

from typing import Final, NamedTuple

from tenure.protocol.batches import Batch, decode_records, record_positions, unpacked_records, with_remaining_records
from tenure.protocol.records import RecordPosition, encode_record
from tenure.storage.outcomes import Outcomes

KEY_OVERHEAD_BYTES: Final = 150
"""Memory in bytes of one key in `NewestOffsets`, without the key itself: two Python objects and a dict slot."""


class NewestOffsets:
    """Offset of the newest record of each key, for as many keys as fit into `memory_bytes`."""

    def __init__(self, memory_bytes: int) -> None:
        self.offsets: dict[bytes, int] = {}
        self._memory_bytes = memory_bytes

    def maybe_add(self, batch: Batch) -> bool:
        """Add the keys of a batch of records. The batch must not be a marker or belong to an aborted transaction.

        Return False if the memory does not suffice for all keys of the batch. The keys that fit stay added.
        """
        offsets = self.offsets
        for *_, offset_delta, key, _ in record_positions(batch, unpacked_records(batch)):
            if key is None:
                continue
            if key not in offsets:
                self._memory_bytes -= len(key) + KEY_OVERHEAD_BYTES
                if self._memory_bytes < 0:
                    return False
            offsets[key] = batch.base_offset + offset_delta
        return True


class CompactionFilter(NamedTuple):
    newest: dict[bytes, int]
    end_offset: int
    """Offset from which on batches are not changed, because their keys were not read."""
    now_ms: int
    delete_retention_ms: int
    last_offsets: frozenset[int]
    """Offset of the last record of each producer that may still write."""
    begun_by_markers: frozenset[tuple[int, int]]
    """(producer id, epoch) of producers that have written nothing since their last marker."""
    outcomes: Outcomes

    def pass_through(self, batch: Batch, *, is_last: bool) -> bytes | None:
        """Return the batch with the records that are kept; None if the batch is removed.

        With `is_last`, the header of the batch is kept in any case.
        """
        if batch.is_control:
            return self._pass_marker(batch, is_last=is_last)
        aborted = self.outcomes.register_batch(batch)
        if batch.base_offset >= self.end_offset:
            return batch.raw
        if aborted is not None:
            return self._emptied(batch, is_last=is_last)
        data = unpacked_records(batch)
        kept = [position for position in record_positions(batch, data) if self._stays(batch, position)]
        if not kept:
            return self._emptied(batch, is_last=is_last)
        if batch.delete_horizon_ms is None and not all(has_value for *_, has_value in kept):
            return self._with_horizon(batch, kept)
        if len(kept) == batch.count:
            return batch.raw
        body = b"".join([data[start:end] for start, end, *_ in kept])
        return with_remaining_records(batch, body, len(kept), _max_timestamp_ms(batch, kept), None)

    def _pass_marker(self, batch: Batch, *, is_last: bool) -> bytes | None:
        is_removable = self.outcomes.register_marker(batch)
        if batch.base_offset >= self.end_offset or (batch.count and not is_removable):
            return batch.raw
        if not batch.count or self._is_over(batch):
            return self._emptied(batch, is_last=is_last)
        if batch.delete_horizon_ms is None:
            return self._with_horizon(batch, list(record_positions(batch, unpacked_records(batch))))
        return batch.raw

    def _emptied(self, batch: Batch, *, is_last: bool) -> bytes | None:
        """Return the header of a batch without records if it must be kept, else None."""
        has_last_sequence = batch.last_offset in self.last_offsets or (
            batch.is_control and (batch.producer_id, batch.producer_epoch) in self.begun_by_markers
        )
        return (
            with_remaining_records(batch, b"", 0, batch.max_timestamp_ms, None)
            if is_last or has_last_sequence
            else None
        )

    def _stays(self, batch: Batch, position: RecordPosition) -> bool:
        _, _, _, offset_delta, key, has_value = position
        if key is None or self.newest.get(key, -1) > batch.base_offset + offset_delta:
            return False
        return has_value or not self._is_over(batch)

    def _is_over(self, batch: Batch) -> bool:
        return batch.delete_horizon_ms is not None and self.now_ms >= batch.delete_horizon_ms

    def _with_horizon(self, batch: Batch, kept: list[RecordPosition]) -> bytes:
        horizon_ms = self.now_ms + self.delete_retention_ms
        deltas = {offset_delta for _, _, _, offset_delta, _, _ in kept}
        records = [record for record in decode_records(batch) if record.offset - batch.base_offset in deltas]
        body = b"".join([encode_record(record, record.offset - batch.base_offset, horizon_ms) for record in records])
        return with_remaining_records(batch, body, len(records), _max_timestamp_ms(batch, kept), horizon_ms)


def _max_timestamp_ms(batch: Batch, kept: list[RecordPosition]) -> int:
    if batch.has_append_time:
        return batch.max_timestamp_ms
    return batch.base_timestamp_ms + max([timestamp_delta_ms for _, _, timestamp_delta_ms, _, _, _ in kept])
