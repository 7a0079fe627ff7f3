"""Offset commits by partition and time window, computed for a whole batch at once.

A change of a group's members also divides its windows. Therefore the last commit before a partition moves is the end of
one row, and the first commit after the move is the start of another row. The state of the pipeline contains no commits.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.records.big_endian import BinaryColumn
from tenure.audit.records.offset_commits import CommitKeys, CommitValues, commit_keys, commit_values, topic_ids
from tenure.audit.tables import COMMITS, EXPIRED, TIME
from tenure.limits.audit import COMMIT_WINDOW_MS
from tenure.pipeline.state.layers import combined

NONE: Final = -1


class MembersChange(NamedTuple):
    """A change of a group's members, and the epoch after it."""

    log_offset: int
    epoch: int


class MembersChanges(Protocol):
    """Changes of the members of groups. Each change divides a window of commits of its group."""

    def before(self, groups: pa.Array) -> tuple[Any, Any]:
        """Return log offset and epoch of the last change of each group before the batch; NONE if there is none."""

    @property
    def changed(self) -> Mapping[str, list[MembersChange]]:
        """Changes by group: the last change before the batch, then those of the batch.

        Contains only groups with records about members in the batch.
        """


class CommitTables(NamedTuple):
    """Rows of the tables of commits and of expired offsets, and whether each record could be decoded."""

    commits: pa.Table
    expired: pa.Table
    good: Any
    """For each record, True if its key and value could be decoded. A tombstone has no value, so only its key counts."""
    versions: Any
    """Version of each value; -1 for tombstones."""


def commit_tables(rows: pa.Table, log_partition: int, changes: MembersChanges) -> CommitTables:
    """Return the windows of commits and the removed offsets.

    Args:
        rows: Records of types 0 and 1, in the order of the log. The keys are a dictionary column.
        log_partition: Partition of `__consumer_offsets`.
        changes: Changes of members before and in the batch.
    """
    encoded = combined(rows["key"])
    codes, keys = encoded.indices.to_numpy(), commit_keys(encoded.dictionary)
    column = BinaryColumn(rows["value"])
    values = commit_values(column)
    is_tombstone = column.length < 0
    good = keys.good[codes] & (values.good | is_tombstone)
    batch = _Batch(log_partition, rows["offset"].to_numpy(), codes, keys, column, values)
    expired = _expired_offsets(batch, numpy.flatnonzero(good & is_tombstone), rows["timestamp"])
    commits = _commit_windows(batch, numpy.flatnonzero(good & ~is_tombstone), changes)
    return CommitTables(commits, expired, good, numpy.where(is_tombstone, NONE, values.versions))


class _Batch(NamedTuple):
    """Columns of the offset commits in one batch. The index of a record is the same in all columns but `keys`."""

    log_partition: int
    log_offsets: Any
    codes: Any
    """Index in `keys` of the key of each record."""
    keys: CommitKeys
    column: BinaryColumn
    values: CommitValues


def _expired_offsets(batch: _Batch, removed: Any, timestamps: pa.ChunkedArray) -> pa.Table:
    """Return the committed offsets that the records at the row indices `removed` delete."""
    keys, codes = batch.keys, batch.codes[removed]
    return pa.table(
        [
            _repeat(batch.log_partition, pa.int32(), len(removed)),
            pa.array(batch.log_offsets[removed]),
            timestamps.take(removed),
            keys.groups.take(pa.array(codes)),
            keys.topics.take(pa.array(codes)),
            pa.array(keys.partitions[codes]),
        ],
        schema=EXPIRED.schema,
    )


def _commit_windows(batch: _Batch, commit_rows: Any, changes: MembersChanges) -> pa.Table:
    """Return the windows of the commits at the row indices `commit_rows`."""
    if not len(commit_rows):
        return COMMITS.schema.empty_table()
    _, log_offsets, codes, keys, column, values = batch
    change_offsets, epochs = _changes_before(codes[commit_rows], log_offsets[commit_rows], keys.groups, changes)
    times = values.commit_times_ms[commit_rows]
    windows = times // COMMIT_WINDOW_MS
    order = _order(codes[commit_rows], windows, change_offsets, len(keys.groups))
    row, change = commit_rows[order], change_offsets[order]
    code, window = codes[row], windows[order]
    starts_new = (numpy.diff(code, prepend=-1) != 0) | (numpy.diff(window, prepend=-1) != 0)
    starts_new |= numpy.diff(change, prepend=-2) != 0
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
            keys.groups.take(key_codes),
            pa.array(epochs[order][starts], pa.int32()),
            pa.array(change[starts]),
            keys.topics.take(key_codes),
            topic_ids(column, values, last),
            pa.array(keys.partitions[code[starts]]),
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


def _order(codes: Any, windows: Any, change_offsets: Any, key_count: int) -> Any:
    """Return the row indices, sorted by key, change of members and window.

    Rows with equal values stay in the order of the log. In most logs, the commits of a key are ordered by time already.
    Then one stable sort by key is sufficient.
    """
    small = (
        codes.astype(numpy.uint16) if key_count <= 2**16 else codes
    )  # Numpy sorts 16 bits by radix, six times as fast.
    order = numpy.argsort(small, kind="stable")
    by_key, times, offsets = codes[order], windows[order], change_offsets[order]
    same = by_key[1:] == by_key[:-1]
    if (same & ((times[1:] < times[:-1]) | (offsets[1:] < offsets[:-1]))).any():
        return numpy.lexsort((windows, change_offsets, codes))
    return order


def _changes_before(codes: Any, offsets: Any, groups_of_keys: pa.Array, changes: MembersChanges) -> tuple[Any, Any]:
    """Return, for each commit, the log offset and epoch of the last change of members before it."""
    encoded = groups_of_keys.dictionary_encode()
    groups = encoded.dictionary
    group_of_row = encoded.indices.fill_null(0).to_numpy()[codes]
    change_offsets, epochs = (column[group_of_row] for column in changes.before(groups))
    several = [group for group, changed in changes.changed.items() if len(changed) > 1]
    for group, index in zip(several, pc.index_in(pa.array(several, pa.string()), groups).to_pylist(), strict=True):
        rows = numpy.flatnonzero(group_of_row == index)
        own_offsets, own_epochs = numpy.array(changes.changed[group], numpy.int64).T
        which = numpy.maximum(numpy.searchsorted(own_offsets, offsets[rows]) - 1, 0)
        change_offsets[rows], epochs[rows] = own_offsets[which], own_epochs[which]
    return change_offsets, epochs


def _repeat(value: int, kind: pa.DataType, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), count)
