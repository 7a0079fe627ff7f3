"""Copies of the source's record batches for the target.

Most batches are copied without decompressing their records. A batch is encoded again in four cases:

- its offsets have gaps, because a broker accepts adjacent offsets only;
- the source's broker has set its timestamp, because the target has to keep this timestamp;
- compaction has replaced its base timestamp by the time at which its tombstones may be deleted;
- only a part of the batch remains to be copied.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from tenure.limits.move import JOINED_BATCH_BYTES, SMALL_BATCH_BYTES
from tenure.protocol.batches import (
    HEADER,
    Batch,
    PackedRecords,
    decode_records,
    encode_packed,
    pack_records,
    read_batches,
    verify_crc,
)
from tenure.protocol.compression import Codec
from tenure.protocol.message import Data
from tenure.protocol.records import Record

ANY_SIZE: Final = 2**31


class BatchCopy(NamedTuple):
    """Records for one batch of the target, and their offsets at the source."""

    records: PackedRecords
    offsets: Sequence[int]

    @property
    def size_bytes(self) -> int:
        """Size of the encoded records in bytes."""
        return HEADER.size + len(self.records.body)


def batch_copies(data: Data, from_offset: int, max_bytes: int = ANY_SIZE) -> Iterator[BatchCopy]:
    """Yield copies of the record batches in `data`, from an offset on, each with at most `max_bytes`.

    Control batches are left out. A copy exceeds `max_bytes` only if it has a single record.

    Raises:
        CorruptBatch: A batch fails its checksum. A copy would hide the damage, because it gets a new, valid checksum.
    """
    for batch in read_batches(data):
        if batch.is_control or not batch.count or batch.last_offset < from_offset:
            continue
        verify_crc(batch)
        if not _is_as_is(batch, from_offset):
            records = [record for record in decode_records(batch) if record.offset >= from_offset]
            if records:
                yield from _split(_encode(records, batch.codec), max_bytes)
            continue
        body = bytes(batch.buffer[batch.position + HEADER.size : batch.position + batch.size])
        packed = PackedRecords(body, batch.codec, batch.count, batch.base_timestamp_ms, batch.max_timestamp_ms)
        yield from _split(BatchCopy(packed, range(batch.base_offset, batch.last_offset + 1)), max_bytes)


def _is_as_is(batch: Batch, from_offset: int) -> bool:
    has_gaps = batch.count != batch.last_offset_delta + 1
    return not (
        has_gaps or batch.has_append_time or batch.base_offset < from_offset or batch.delete_horizon_ms is not None
    )


def _encode(records: Sequence[Record], codec: Codec) -> BatchCopy:
    return BatchCopy(pack_records(records, codec), [record.offset for record in records])


def join_small_batches(copies: Iterable[BatchCopy], max_bytes: int = ANY_SIZE) -> Iterator[BatchCopy]:
    """Join adjacent small batches with the same compression, so that fewer requests are needed."""
    small: list[BatchCopy] = []
    size_bytes = 0
    for copy in copies:
        is_small = copy.size_bytes < SMALL_BATCH_BYTES
        fits = size_bytes + copy.size_bytes <= min(JOINED_BATCH_BYTES, max_bytes)
        if small and not (is_small and fits and copy.records.codec is small[0].records.codec):
            yield _join(small)
            small, size_bytes = [], 0
        if is_small:
            small.append(copy)
            size_bytes += copy.size_bytes
        else:
            yield copy
    if small:
        yield _join(small)


def _join(copies: Sequence[BatchCopy]) -> BatchCopy:
    if len(copies) == 1:
        return copies[0]
    records = [record for copy in copies for record in _decode(copy)]
    offsets = [offset for copy in copies for offset in copy.offsets]
    return BatchCopy(pack_records(records, copies[0].records.codec), offsets)


def _decode(copy: BatchCopy) -> list[Record]:
    return decode_records(Batch(encode_packed(copy.records), 0))


def _split(copy: BatchCopy, max_bytes: int) -> Iterator[BatchCopy]:
    """Divide a batch until each part has at most `max_bytes` or a single record."""
    if copy.size_bytes <= max_bytes or copy.records.record_count == 1:
        yield copy
        return
    records = _decode(copy)
    middle = len(records) // 2
    for part, offsets in (records[:middle], copy.offsets[:middle]), (records[middle:], copy.offsets[middle:]):
        yield from _split(BatchCopy(pack_records(part, copy.records.codec), offsets), max_bytes)


def adjacent(offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of adjacent offsets as index ranges (first, end); the end is exclusive."""
    if isinstance(offsets, range):
        yield 0, len(offsets)
        return
    first = 0
    for at in range(1, len(offsets) + 1):
        if at == len(offsets) or offsets[at] != offsets[at - 1] + 1:
            yield first, at
            first = at
