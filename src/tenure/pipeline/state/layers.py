"""Layers of a state before a batch: a base and deltas on top of it. All of them may be mapped files larger than memory.

The base contains each key once. A delta contains each key that some batches changed, and marks deleted keys. The row of
a key is the one in the newest layer that contains the key. If the base is sorted by key, a lookup of few keys uses a
binary search and reads a few pages for each key, instead of copying or hashing the whole base.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import STATE_BATCH_BYTES, STATE_IN_ORDER_ROWS_MIN, STATE_SORTED_BYTES

DELETED: Final = "_deleted"

IN_ORDER: Final = {b"tenure.order": b"key"}
"""Metadata of a base whose rows are sorted by key."""

SEARCHED: Final = getattr(pc, "search_sorted", None)
"""Arrow's binary search (24 and later); None in older versions, in which the whole base is scanned."""

SEARCH_ROWS_PER_KEY: Final = 32
"""Ratio of rows to keys above which binary search is faster than hashing."""


class Layers:
    """Base and deltas of a state. Immutable. The first column is the key."""

    def __init__(self, base: pa.Table, deltas: Sequence[pa.Table] = ()) -> None:
        self.in_order: Final = is_in_order(base.schema)
        self.base: Final = base.replace_schema_metadata(None)
        self.deltas: Final = tuple(deltas)
        """Deltas, oldest first."""
        self.schema: Final[pa.Schema] = self.base.schema
        self.key: Final = str(self.schema.names[0])

    def with_delta(self, delta: pa.Table) -> "Layers":
        if not len(delta):
            return self
        base = self.base.replace_schema_metadata(IN_ORDER) if self.in_order else self.base
        return Layers(base, (*self.deltas, delta))

    def rows_of(self, keys: Any) -> Any:
        """Return the row index of each key, for the method `take`; null if the key is unknown or deleted."""
        found = positions(keys, self.base[self.key], in_order=self.in_order)
        below = len(self.base)
        for delta in self.deltas:
            here = positions(keys, delta[self.key])
            if here.null_count < len(here):
                deleted = combined(delta[DELETED]).take(here)
                row = pc.if_else(deleted, None, pc.add(here, below))
                found = pc.if_else(pc.is_valid(here), row, found)
            below += len(delta)
        return found

    def take(self, rows: Any) -> pa.Table:
        """Return the rows with these indices as one chunk. A null index gives a row of nulls."""
        return take_rows(pa.concat_tables([self.base, *(delta.drop_columns([DELETED]) for delta in self.deltas)]), rows)

    def scan(self) -> pa.Table:
        """Return all keys with their rows, in any order."""
        if not self.deltas:
            return self.base
        over = newest_of(self.deltas)
        untouched = pc.invert(pc.is_in(self.base[self.key], value_set=over[self.key]))
        return pa.concat_tables([self.base.filter(untouched), live(over)]).combine_chunks()

    @property
    def is_written_in_order(self) -> bool:
        """True if `batches` yields the rows sorted by key: if the base is sorted already, or the state is large."""
        return self.in_order or len(self.base) + sum(map(len, self.deltas)) >= STATE_IN_ORDER_ROWS_MIN

    @property
    def written_schema(self) -> pa.Schema:
        """Schema of a base file with the rows of `batches`. Its metadata says whether the rows are sorted."""
        return self.schema.with_metadata(IN_ORDER) if self.is_written_in_order else self.schema

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all keys with their rows, in batches.

        To sort the rows, the keys of the deltas are copied into memory, or all keys if the base is not sorted yet. Of
        the rows, at most `STATE_SORTED_BYTES` are copied at a time.
        """
        if not self.is_written_in_order:
            rows = self.scan().combine_chunks()
            yield from rows.to_batches(batch_rows(rows))
        elif not self.in_order:
            yield from self._sorted()
        elif self.deltas:
            yield from self._merged()
        else:
            yield from self.base.to_batches(batch_rows(self.base))

    def _sorted(self) -> Iterator[pa.RecordBatch]:
        table = pa.concat_tables([self.base.append_column(DELETED, pa.repeat(False, len(self.base))), *self.deltas])
        rows = newest_rows([self.base[self.key], *(delta[self.key] for delta in self.deltas)])
        rows = rows.filter(pc.invert(combined(table[DELETED]).take(rows)))
        yield from batches_of_rows(table.drop_columns([DELETED]), rows.take(pc.sort_indices(self._keys(table, rows))))

    def _merged(self) -> Iterator[pa.RecordBatch]:
        over = pa.concat_tables(self.deltas)
        order = newest_rows([delta[self.key] for delta in self.deltas])
        order = order.take(pc.sort_indices(self._keys(over, order)))
        keys = self._keys(over, order)
        start, at_once = 0, rows_at_once(over)
        for batch in self.base.to_batches(batch_rows(self.base)):
            end = end_of(batch[self.key][-1], keys)
            while end - start > at_once:
                cut = end_of(keys[start + at_once - 1], batch[self.key])
                yield from self._merged_with(batch.slice(0, cut), take_rows(over, order.slice(start, at_once)))
                start, batch = start + at_once, batch.slice(cut)
            yield from self._merged_with(batch, take_rows(over, order.slice(start, end - start)))
            start = end
        above = order.slice(start).filter(pc.invert(combined(over[DELETED]).take(order.slice(start))))
        yield from batches_of_rows(over.drop_columns([DELETED]), above)

    def _keys(self, table: pa.Table, rows: pa.Array) -> pa.ChunkedArray:
        return take_rows(table.select([self.key]), rows)[self.key]

    def _merged_with(self, batch: pa.RecordBatch, over: pa.Table) -> list[pa.RecordBatch]:
        if not len(over):
            return [batch]
        below = pa.Table.from_batches([batch])
        below = below.filter(pc.invert(pc.is_in(below[self.key], value_set=over[self.key])))
        rows = pa.concat_tables([below, live(over)]).combine_chunks()
        return list(rows.take(pc.sort_indices(rows[self.key])).combine_chunks().to_batches(batch_rows(rows)))


def newest_rows(layers: Sequence[pa.ChunkedArray]) -> pa.Array:
    """Return the index of the newest row of each key.

    Args:
        layers: Keys of each layer, oldest layer first. The indices count the rows of all layers in this order.
    """
    found, newer, end = [pa.array([], pa.int64())], list[pa.Array](), sum(map(len, layers))
    for keys in reversed(layers):
        rows = pa.array(numpy.arange(end - len(keys), end))
        is_newest = pc.invert(pc.is_in(keys, value_set=pa.chunked_array(newer, keys.type)))
        found.append(rows.filter(combined(is_newest)))
        newer += keys.chunks
        end -= len(keys)
    return pa.concat_arrays(found)


def batches_of_rows(table: pa.Table, rows: pa.Array) -> Iterator[pa.RecordBatch]:
    """Yield record batches with the rows of `table` at the indices `rows`.

    Only some rows are taken at a time, because all of them may not fit into memory, or into one Arrow array.
    """
    at_once = rows_at_once(table)
    for start in range(0, len(rows), at_once):
        yield from take_rows(table, rows.slice(start, at_once)).to_batches(batch_rows(table))


def rows_at_once(table: pa.Table) -> int:
    """Return how many rows of this table may be copied into memory at a time while the rows are sorted."""
    return batch_rows(table) * max(STATE_SORTED_BYTES // STATE_BATCH_BYTES, 1)


def end_of(key: Any, keys: Any) -> int:
    """Return the index after the last of the sorted `keys` that is not greater than `key`."""
    return bisect_right(range(len(keys)), key.as_py(), key=lambda row: keys[row].as_py())


def with_deleted(schema: pa.Schema) -> pa.Schema:
    """Return the schema of a delta: that of the state, and the column of deletion marks."""
    return schema.append(pa.field(DELETED, pa.bool_()))


def live(delta: pa.Table) -> pa.Table:
    return delta.filter(pc.invert(delta[DELETED])).drop_columns([DELETED])


def merge_deltas(older: pa.Table, newer: pa.Table) -> pa.Table:
    """Merge two deltas. For keys in both, the row of `newer` is kept."""
    key = older.schema.names[0]
    kept = older.filter(pc.invert(pc.is_in(older[key], value_set=newer[key])))
    return pa.concat_tables([kept, newer]).combine_chunks()


def newest_of(deltas: Sequence[pa.Table]) -> pa.Table:
    """Merge several deltas, ordered from oldest to newest. The newest row of each key is kept."""
    *below, over = deltas
    for older in reversed(below):
        over = merge_deltas(older, over)
    return over


def is_in_order(schema: pa.Schema) -> bool:
    return schema.metadata is not None and IN_ORDER.items() <= schema.metadata.items()


def batch_rows(table: pa.Table) -> int:
    """Return how many rows of this table to write into one Arrow batch."""
    return max(int(STATE_BATCH_BYTES * len(table) // max(table.nbytes, 1)), 1)


def positions(keys: Any, among: Any, *, in_order: bool = False) -> Any:
    """Return the index of each key in `among` as int64; null for unknown and null keys.

    With `in_order`, `among` is sorted; if it is also much longer than `keys`, a binary search is used. Otherwise the
    keys are looked up in a hash table of `among`. If `among` is longer than `keys`, rows that equal no key are removed
    from it first.
    """
    if in_order and SEARCHED is not None and len(among) > SEARCH_ROWS_PER_KEY * len(keys):
        return _searched(keys, among)
    if len(among) <= len(keys):
        return pc.index_in(keys, value_set=among, skip_nulls=True).cast(pa.int64())
    matching = pc.indices_nonzero(combined(pc.is_in(among, value_set=keys, skip_nulls=True)))
    candidates = take_rows(pa.table({"key": among}), matching)["key"]
    return matching.take(pc.index_in(keys, value_set=candidates, skip_nulls=True)).cast(pa.int64())


def _searched(keys: Any, among: Any) -> Any:
    assert SEARCHED is not None
    at = pc.min_element_wise(SEARCHED(among, keys).cast(pa.int64()), len(among) - 1, skip_nulls=False)
    here = take_rows(pa.table({"key": among}), at)["key"]
    return pc.if_else(combined(pc.equal(here, keys)), at, None)


def take_rows(table: pa.Table, rows: Any) -> pa.Table:
    """Return rows of a chunked table. Arrow's own `take` would first copy the whole table into one chunk."""
    pieces = table.to_batches()
    if len(pieces) <= 1 or len(table) <= len(rows):
        return table.take(rows).combine_chunks()
    wanted = numpy.asarray(pc.drop_null(rows), numpy.int64)
    starts = numpy.cumsum([0, *(len(piece) for piece in pieces)])
    which = numpy.searchsorted(starts, wanted, side="right") - 1
    by_piece = numpy.argsort(which, kind="stable")
    ends = numpy.searchsorted(which[by_piece], numpy.arange(len(pieces)), side="right")
    taken, first = [table.schema.empty_table()], 0
    for number, end in enumerate(ends):
        if end > first:
            within = wanted[by_piece[first:end]] - starts[number]
            taken.append(pa.Table.from_batches([pieces[number].take(pa.array(within))]))
            first = end
    index = numpy.empty(len(wanted), numpy.int64)
    index[by_piece] = numpy.arange(len(wanted))
    back = pa.array(index)
    if rows.null_count:
        valid = numpy.asarray(pc.is_valid(rows))
        spread = numpy.zeros(len(rows), numpy.int64)
        spread[valid] = index
        back = pa.array(spread, mask=~valid)
    return pa.concat_tables(taken).combine_chunks().take(back).combine_chunks()


def combined(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
