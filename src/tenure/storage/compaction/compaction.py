"""Log compaction: only the newest record of each key is kept. Rules and terms are Kafka's.

    | clean: each key at most once | dirty: not compacted yet          | active |
    log start               first dirty offset                   being written to

A compaction reads the dirty part and stores the offset of each key's newest record, as far as memory permits. Then it
reads the log from the start to the end of that part, and removes outdated records (`compaction_filter`). Adjacent
segments that have become small are merged. These parts are not compacted: the active segment, segments that end after
the last stable offset, and records younger than `min.compaction.lag.ms`. Offsets never change, so removed records leave
gaps.

The last batch of each new segment is kept. If it has no records left, only its header is kept. So each segment ends
where the next one begins, and recovery can treat every gap between two segments as damage.

All functions block, so they are not called on the event loop.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from tenure.protocol.batches import Batch, verify_crc
from tenure.storage.compaction.compaction_filter import CompactionFilter, NewestOffsets
from tenure.storage.log.partition import Partition
from tenure.storage.log.segment import RELATIVE_OFFSET_MAX, Segment
from tenure.storage.outcomes import Outcomes

WRITE_BYTES: Final = 1 << 20
"""Bytes of compacted batches that are collected in memory and written with one call."""

Throttle = Callable[[int], None]
"""Function that is called with the number of bytes processed. It may sleep, or raise to end the compaction."""


class Cleanable(NamedTuple):
    """Segments that a compaction would read, and whether a compaction is due."""

    clean: list[Segment]
    dirty: list[Segment]
    is_due: bool

    @property
    def dirty_ratio(self) -> float:
        dirty_bytes = sum([segment.size for segment in self.dirty])
        return dirty_bytes / (sum([segment.size for segment in self.clean]) + dirty_bytes) if dirty_bytes else 0.0


class CompactionResult(NamedTuple):
    first_dirty_offset: int
    bytes_before: int
    bytes_after: int


def cleanable(partition: Partition, first_dirty_offset: int, now_ms: int) -> Cleanable:
    settings = partition.settings
    stable_until = partition.producers.stable_until(partition.durable_offset)
    sealed = [segment for segment in partition.segments.sealed() if segment.next_offset <= stable_until]
    for i, segment in enumerate(sealed):
        if settings.min_compaction_lag_ms > 0 and segment.max_timestamp_ms > now_ms - settings.min_compaction_lag_ms:
            del sealed[i:]
            break
    dirty = [segment for segment in sealed if segment.next_offset > first_dirty_offset]
    found = Cleanable(sealed[: len(sealed) - len(dirty)], dirty, is_due=False)
    is_due = found.dirty_ratio > settings.min_cleanable_dirty_ratio or any(
        0 <= segment.max_timestamp_ms < now_ms - settings.max_compaction_lag_ms for segment in dirty
    )
    return found._replace(is_due=is_due and any(segment.size for segment in dirty))


def compact(
    partition: Partition, first_dirty_offset: int, now_ms: int, *, memory_bytes: int, throttle: Throttle
) -> CompactionResult:
    """Compact a log.

    Args:
        partition: Log to compact.
        first_dirty_offset: Offset up to which the log is compacted already.
        now_ms: Wall time, for delete horizons and `min.compaction.lag.ms`.
        memory_bytes: Memory for the keys of the dirty part. Keys that do not fit are left to the next compaction.
        throttle: Function that is called after each batch (see `Throttle`).

    Raises OSError, `CorruptBatch` and the errors of `throttle`. After an error, the log can still be used, unless
    `partition.has_failed` is true. Some of its segments may be compacted already.
    """
    with partition.cleaning():
        clean, dirty, _ = cleanable(partition, first_dirty_offset, now_ms)
        outcomes = Outcomes(aborted for segment in list(partition.segments.all) for aborted in list(segment.aborted))
        newest, end_offset = _newest(dirty, first_dirty_offset, memory_bytes, outcomes, throttle)
        compaction_filter = CompactionFilter(
            newest.offsets,
            end_offset,
            now_ms,
            partition.settings.delete_retention_ms,
            frozenset(partition.producers.last_offsets()),
            frozenset(partition.producers.begun_by_markers()),
            outcomes,
        )
        bytes_before = bytes_after = 0
        for group in _groups([s for s in (*clean, *dirty) if s.base_offset < end_offset], partition):
            bytes_before += sum([segment.size for segment in group])
            bytes_after += _SegmentCopy(partition, group, compaction_filter).run(throttle)
    return CompactionResult(end_offset, bytes_before, bytes_after)


def _newest(
    dirty: Sequence[Segment], first_dirty_offset: int, memory_bytes: int, outcomes: Outcomes, throttle: Throttle
) -> tuple[NewestOffsets, int]:
    """Return the newest offset of each key in the dirty segments, and the offset at which the reading has ended.

    The reading ends before the end of the last segment if the keys of the next batch exceed `memory_bytes`.
    """
    newest, end_offset = NewestOffsets(memory_bytes), first_dirty_offset
    for segment in dirty:
        for batch in _batches(segment, max(first_dirty_offset, segment.base_offset), throttle):
            counts = not batch.is_control and outcomes.aborted_with(batch) is None
            if counts and not newest.maybe_add(batch):
                return newest, max(batch.base_offset, end_offset)
        end_offset = segment.next_offset
    return newest, end_offset


def _batches(segment: Segment, offset: int, throttle: Throttle) -> Iterator[Batch]:
    """Yield the complete batches of a segment from `offset` on. Raises CorruptBatch if a checksum is wrong.

    Checksums are verified because the compaction computes new ones, which would make a damaged batch look valid.
    """
    position = segment.position_of(offset) if offset > segment.base_offset else 0
    for at, header in segment.headers(position):
        batch = segment.whole(at, header)
        verify_crc(batch)
        yield batch
        throttle(batch.size)


def _groups(segments: Sequence[Segment], partition: Partition) -> Iterator[list[Segment]]:
    """Yield groups of adjacent segments. Each group fits into one new segment, even if no record is removed."""
    group: list[Segment] = []
    size = 0
    for segment in segments:
        too_large = size + segment.size > partition.settings.segment_bytes
        too_far = bool(group) and segment.next_offset - group[0].base_offset > RELATIVE_OFFSET_MAX
        if group and (too_large or too_far):
            yield group
            group, size = [], 0
        group.append(segment)
        size += segment.size
    if group:
        yield group


class _SegmentCopy:
    """Copying of one group of segments into the segment that replaces them."""

    def __init__(self, partition: Partition, group: list[Segment], compaction_filter: CompactionFilter) -> None:
        self._partition = partition
        self._group = group
        self._filter = compaction_filter
        self._new = partition.segments.begin_replacement(group[0].base_offset)
        self._data = bytearray()
        self._headers: list[Batch] = []
        self._has_changed = len(group) > 1

    def run(self, throttle: Throttle) -> int:
        """Copy the records that the filter keeps, and return the size of the new segment.

        The new segment replaces the old ones only if it differs from them.
        """
        segments = self._partition.segments
        before: Batch | None = None
        try:
            for batch in chain.from_iterable(
                _batches(segment, segment.base_offset, throttle) for segment in self._group
            ):
                if before is not None:
                    self._take(before, is_last=False)
                before = batch
            if before is not None:
                self._take(before, is_last=True)
            self._write()
        except BaseException:
            segments.discard_replacement(self._new)
            raise
        if self._has_changed:
            self._partition.replace(self._group, self._new)
        else:
            segments.discard_replacement(self._new)
        return self._new.size

    def _take(self, batch: Batch, *, is_last: bool) -> None:
        raw = batch.raw
        kept = self._filter.pass_through(batch, is_last=is_last)
        self._has_changed |= kept != raw
        if batch.is_control and kept == raw and (aborted := self._filter.outcomes.aborted_with(batch)) is not None:
            self._new.aborted.append(aborted)
        if kept is None:
            return
        self._headers.append(Batch(kept, 0))
        self._data += kept
        if len(self._data) >= WRITE_BYTES:
            self._write()

    def _write(self) -> None:
        self._new.append(self._data, self._headers)
        self._data, self._headers = bytearray(), []
