"""Windows that stand still: a row's time says which it is in.

A window is open until the watermark has passed its end; then it is given out, once, and forgotten. A row whose windows
are all closed is late. Both follow from each row's own watermark, so neither depends on batches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.operator import OperatorInput
from tenure.pipeline.operators.rows import BEFORE, INSTANT, NEVER_US, WATERMARK, event_times_us
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.operators.windows.aggregates import Column
from tenure.pipeline.operators.windows.grouped import Grouped
from tenure.pipeline.operators.windows.kinds import Sliding
from tenure.pipeline.state.keyed_state import KeyedState

ID: Final = "_window"
"""Key of a window's state: its start and its key as one value."""

WINDOW: Final = "window"
"""Column that Spark names so: a struct of start and end."""

LATE: Final = "late"
"""The side output of rows that are in no open window: too late, or without key or time."""

SPAN: Final = pa.struct([("start", INSTANT), ("end", INSTANT)])


def window_state(key: pa.Field, columns: Sequence[Column]) -> pa.Schema:
    fields = [field for column in columns for field in column.aggregate.fields]
    return pa.schema([pa.field(ID, pa.binary()), key, pa.field("start", INSTANT), pa.field("end", INSTANT), *fields])


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """Outputs of a batch: closed windows, and late rows. Picklable."""

    late: str | None
    """Side output of late rows; None drops them."""
    is_last: bool

    def tables(
        self, rows: pa.Table, key: str, columns: Sequence[Column], closed: pa.Table, late: Any
    ) -> dict[str, pa.Table]:
        """Return closed windows in the order of their ends, with their aggregates; and late rows in their order."""
        closed = closed.sort_by([("end", "ascending"), ("start", "ascending"), (key, "ascending")])
        given = {key: closed[key], WINDOW: pa.StructArray.from_arrays(
            [closed["start"].combine_chunks(), closed["end"].combine_chunks()], fields=list(SPAN)
        )}  # fmt: skip
        given |= {column.aggregate.name: column.aggregate.result(closed) for column in columns}
        if not self.is_last:
            # No window that closes later ends earlier, so the rows come in order of event time, and none of them late.
            last = pc.subtract(closed["end"].cast(pa.int64()), 1).cast(INSTANT)
            given |= {WATERMARK: last, BEFORE: last}
        tables = {MAIN: pa.table(given)}
        return tables if self.late is None else {**tables, self.late: rows.take(pa.array(late, pa.int64()))}


@dataclass(frozen=True, slots=True)
class Windowed:
    """A pipeline's function. Picklable."""

    windows: Sliding
    columns: Sequence[Column]
    key: str
    time: str
    answer: WindowAnswer

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        late = self.add(rows, state)
        return self.answer.tables(rows, self.key, self.columns, close(state, state.watermark_us), late)

    def add(self, rows: pa.Table, state: KeyedState) -> Any:
        """Fold each row into its windows; returns the numbers of the late ones."""
        times = event_times_us(rows[self.time])
        fit = numpy.flatnonzero(pc.is_valid(rows[self.time]).to_numpy() & pc.is_valid(rows[self.key]).to_numpy())
        which, starts = self.windows.of(times[fit])
        which = fit[which]
        is_open = starts + self.windows.size_us > watermark_us(rows)[which]
        which, starts = which[is_open], starts[is_open]
        late = without(which, len(rows))
        if not len(which):
            return late
        taken = rows.take(pa.array(which))
        ids = window_ids(taken[self.key], starts).dictionary_encode()
        groups = ids.indices.to_numpy()
        first = numpy.full(len(ids.dictionary), len(groups))
        numpy.minimum.at(first, groups, numpy.arange(len(groups)))
        before = state.get(ids.dictionary)
        kept = {self.key: taken[self.key].take(pa.array(first)), **spans(starts[first], self.windows.size_us)}
        for column in self.columns:
            fields = column.aggregate.fields
            values = grouped(column.values(rows), which, groups, times[which])
            folded = column.aggregate.fold([before[field.name].combine_chunks() for field in fields], values)
            kept |= {field.name: array for field, array in zip(fields, folded, strict=True)}
        state.put(ids.dictionary, pa.table(kept))
        return late


def without(numbers: Any, count: int) -> Any:
    """Return the numbers below `count` that are not among `numbers`."""
    others = numpy.ones(count, bool)
    others[numbers] = False
    return numpy.flatnonzero(others)


def watermark_us(rows: pa.Table) -> Any:
    return event_times_us(rows[WATERMARK])


def window_ids(keys: pa.ChunkedArray, starts: Any) -> pa.Array:
    """`<start>:<key>`, which no other window has."""
    text = keys.combine_chunks().cast(pa.string() if not pa.types.is_binary(keys.type) else pa.binary())
    begun = pa.array(starts).cast(pa.string()).cast(pa.binary())
    return pc.binary_join_element_wise(begun, text.cast(pa.binary()), pa.scalar(b":"))


def spans(starts: Any, size_us: int) -> dict[str, pa.Array]:
    return {"start": pa.array(starts).cast(INSTANT), "end": pa.array(starts + size_us).cast(INSTANT)}


def grouped(values: pa.Array | None, which: Any, groups: Any, times_us: Any) -> Grouped:
    """Return the values of the rows with the numbers `which`, without nulls. Without `values`, each row counts."""
    if values is None:
        return Grouped(pa.nulls(len(which)), groups, times_us)
    taken = values.take(pa.array(which))
    valid = numpy.flatnonzero(pc.is_valid(taken).to_numpy(zero_copy_only=False))
    return Grouped(taken.take(pa.array(valid)), groups[valid], times_us[valid])


def close(state: KeyedState, watermark: int | None) -> pa.Table:
    """Take the windows out of the state that the watermark has passed."""
    layers = state.layers
    tables = [layers.base, *layers.deltas]
    passed = pa.scalar(NEVER_US if watermark is None else watermark, pa.int64())
    ids = [table[ID].filter(pc.less_equal(table["end"].cast(pa.int64()), passed)).combine_chunks() for table in tables]
    found = state.get(pc.unique(pa.concat_arrays(ids)))
    closed = found.append_column(ID, pc.unique(pa.concat_arrays(ids))).filter(found["found"]).drop_columns(["found"])
    if len(closed):
        state.delete(closed[ID])
    return closed


def check_names(given: OperatorInput, columns: Sequence[Column]) -> None:
    taken = {given.key, ID, WINDOW, "start", "end"}
    for column in columns:
        for field in column.aggregate.fields:
            if field.name in taken:
                given.refuse(f"computes a column '{field.name}', which every window has already: rename it")
