"""Offset commits by partition and time window, computed for a whole batch at once.

A change of a group's members also divides its windows. Therefore the last commit before a partition moves is the end of
one row, and the first commit after the move is the start of another row. No single commit has to be stored until the
next batch.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy
import pyarrow as pa

from tenure.audit.records.big_endian import BinaryColumn
from tenure.audit.records.offset_commits import CommitValues, commit_keys, commit_values, topic_ids
from tenure.audit.tables import COMMITS, EXPIRED, TIME
from tenure.limits.audit import COMMIT_WINDOW_MS

NONE: Final = -1


class MembersChange(NamedTuple):
    """A change of a group's members, and the epoch after it."""

    log_offset: int
    epoch: int


class CommitTables(NamedTuple):
    commits: pa.Table
    expired: pa.Table
    good: Any
    """For each record whether it could be decoded. True for tombstones."""
    versions: Any
    """Version of each value; -1 for tombstones."""


def commit_tables(rows: pa.Table, log_partition: int, changes: Mapping[str, list[MembersChange]]) -> CommitTables:
    """Return the windows of commits and the removed offsets.

    Args:
        rows: Records of types 0 and 1, in the order of the log.
        log_partition: Partition of `__consumer_offsets`.
        changes: For each group the last change before the batch, then those of the batch, in the order of the log.
    """
    codes, keys = commit_keys(rows["key"])
    column = BinaryColumn(rows["value"])
    values = commit_values(column)
    has_key = numpy.array([key is not None for key in keys], bool)[codes] if keys else numpy.zeros(0, bool)
    is_tombstone = column.length < 0
    good = has_key & (values.good | is_tombstone)
    batch = _Batch(log_partition, rows["offset"].to_numpy(), codes, _Names.of(keys), column, values)
    expired = _expired_offsets(batch, numpy.flatnonzero(good & is_tombstone), rows["timestamp"])
    commits = _commit_windows(batch, numpy.flatnonzero(good & ~is_tombstone), changes)
    return CommitTables(commits, expired, good, numpy.where(is_tombstone, NONE, values.versions))


class _Names(NamedTuple):
    """Group, topic and partition of each distinct key."""

    groups: pa.Array
    topics: pa.Array
    partitions: pa.Array

    @classmethod
    def of(cls, keys: Any) -> "_Names":
        return cls(
            pa.array([key and key.group for key in keys], pa.string()),
            pa.array([key and key.topic for key in keys], pa.string()),
            pa.array([key and key.partition for key in keys], pa.int32()),
        )


class _Batch(NamedTuple):
    """Records of one batch as columns."""

    log_partition: int
    log_offsets: Any
    codes: Any
    """Index of each record's key in `names`."""
    names: _Names
    column: BinaryColumn
    values: CommitValues


def _expired_offsets(batch: _Batch, removed: Any, timestamps: pa.ChunkedArray) -> pa.Table:
    """Return the committed offsets that the records at the row indices `removed` delete."""
    names = batch.names
    return pa.table(
        [
            _repeat(batch.log_partition, pa.int32(), len(removed)),
            pa.array(batch.log_offsets[removed]),
            timestamps.take(removed),
            *(part.take(pa.array(batch.codes[removed])) for part in (names.groups, names.topics, names.partitions)),
        ],
        schema=EXPIRED.schema,
    )


def _commit_windows(batch: _Batch, kept: Any, changes: Mapping[str, list[MembersChange]]) -> pa.Table:
    """Return the windows of the commits at the row indices `kept`."""
    if not len(kept):
        return COMMITS.schema.empty_table()
    _, log_offsets, codes, names, column, values = batch
    assigned_at, epochs = _changes_before(codes[kept], log_offsets[kept], names, changes)
    times = values.commit_times_ms[kept]
    windows = times // COMMIT_WINDOW_MS
    order = _order(codes[kept], windows, assigned_at)
    row, at = kept[order], assigned_at[order]
    code, window = codes[row], windows[order]
    starts_new = (numpy.diff(code, prepend=-1) != 0) | (numpy.diff(window, prepend=-1) != 0)
    starts_new |= numpy.diff(at, prepend=-2) != 0
    starts_new[0] = True
    starts = numpy.flatnonzero(starts_new)
    ends = numpy.append(starts[1:], len(order)) - 1
    offsets = values.offsets[row]
    is_back = numpy.append(False, offsets[1:] < offsets[:-1]) & ~starts_new
    first, last = row[starts], row[ends]
    key_codes = pa.array(code[starts])
    return pa.table(
        [
            _repeat(batch.log_partition, pa.int32(), len(starts)),
            names.groups.take(key_codes),
            pa.array(epochs[order][starts], pa.int32()),
            pa.array(at[starts]),
            names.topics.take(key_codes),
            topic_ids(column, values, last),
            names.partitions.take(key_codes),
            pa.array(window[starts] * COMMIT_WINDOW_MS).cast(TIME),
            pa.array(ends - starts + 1),
            pa.array(numpy.add.reduceat(is_back, starts, dtype=numpy.int64)),
            pa.array(log_offsets[first]),
            pa.array(log_offsets[last]),
            pa.array(values.offsets[first]),
            pa.array(values.offsets[last]),
            pa.array(values.commit_times_ms[first]).cast(TIME),
            pa.array(values.commit_times_ms[last]).cast(TIME),
        ],
        schema=COMMITS.schema,
    )


def _order(codes: Any, windows: Any, assigned_at: Any) -> Any:
    """Return the row indices, sorted by key, change of members and window.

    Rows with equal values stay in the order of the log.

    In most logs, the commits are ordered by time, so one stable sort by key is sufficient.
    """
    order = numpy.argsort(codes, kind="stable")
    by_key, times, at = codes[order], windows[order], assigned_at[order]
    same = by_key[1:] == by_key[:-1]
    if (same & ((times[1:] < times[:-1]) | (at[1:] < at[:-1]))).any():
        return numpy.lexsort((windows, assigned_at, codes))
    return order


def _changes_before(
    codes: Any, offsets: Any, names: _Names, changes: Mapping[str, list[MembersChange]]
) -> tuple[Any, Any]:
    """Return, for each commit, the log offset and epoch of the last change of members before it."""
    encoded = names.groups.dictionary_encode()
    groups = encoded.dictionary.to_pylist()
    of_key = encoded.indices.fill_null(0).to_numpy()
    before = [changes.get(group) or [MembersChange(NONE, NONE)] for group in groups]
    at = numpy.array([one[0].log_offset for one in before], numpy.int64)[of_key][codes]
    epochs = numpy.array([one[0].epoch for one in before], numpy.int64)[of_key][codes]
    several = numpy.array([len(one) > 1 for one in before], bool)
    if several.any():
        group_of_row = of_key[codes]
        for index in numpy.flatnonzero(several):
            rows = numpy.flatnonzero(group_of_row == index)
            places = numpy.array([change.log_offset for change in before[index]], numpy.int64)
            which = numpy.maximum(numpy.searchsorted(places, offsets[rows]) - 1, 0)
            at[rows] = places[which]
            epochs[rows] = numpy.array([change.epoch for change in before[index]], numpy.int64)[which]
    return at, epochs


def _repeat(value: int, kind: pa.DataType, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), count)
