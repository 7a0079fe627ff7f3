"""Windows with fixed bounds, tumbling and sliding: the time of a row determines its windows.

A window is open until the watermark has passed its end. Then it is returned once and removed from the state. A row
whose windows are all closed is late. The watermark of each row determines which windows are open, so the result does
not depend on how the log is cut into batches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.operator import OperatorInput
from tenure.pipeline.operators.rows import BEFORE, INSTANT, NEVER_US, WATERMARK, carried_names, event_times_us
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.operators.windows.aggregates import AggregateColumn
from tenure.pipeline.operators.windows.grouped import Grouped
from tenure.pipeline.operators.windows.kinds import Sliding
from tenure.pipeline.state.keyed_state import KeyedState

ID: Final = "_window"
"""Column with the key of a window's state: its start and its key as one value."""

WINDOW: Final = "window"
"""Name of Spark's window column: a struct of start and end."""

LATE: Final = "late"
"""Side output of rows without an open window: late ones, and those without key or time."""

SPAN: Final = pa.struct([("start", INSTANT), ("end", INSTANT)])


def window_state(key: pa.Field, columns: Sequence[AggregateColumn]) -> pa.Schema:
    fields = [field for column in columns for field in column.aggregate.fields]
    return pa.schema([pa.field(ID, pa.binary()), key, pa.field("start", INSTANT), pa.field("end", INSTANT), *fields])


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """Conversion of closed windows and late rows to the outputs of a batch. Picklable."""

    late: str | None
    """Side output of late rows; None drops them."""
    is_last: bool

    def tables(
        self, rows: pa.Table, key: str, columns: Sequence[AggregateColumn], closed: pa.Table, late: Any
    ) -> dict[str, pa.Table]:
        """Return the main output and the side output of a batch.

        The main output has the aggregates of the closed windows, sorted by the windows' ends. The side output has the
        late rows. `late` are their indices in `rows`.
        """
        results = window_rows(closed, key, columns)
        if not self.is_last:
            # Windows close in the order of their ends. So the rows are in order of event time, and no row is late.
            last = pa.array(event_times_us(results[WINDOW])).cast(INSTANT)
            results = results.append_column(WATERMARK, last).append_column(BEFORE, last)
        return self.with_late(results, rows, late)

    def with_late(self, results: pa.Table, rows: pa.Table, late: Any) -> dict[str, pa.Table]:
        """Return the results as main output, and the late rows as side output. `late` are their indices in `rows`."""
        tables = {MAIN: results}
        return tables if self.late is None else {**tables, self.late: late_rows(rows, late)}


def late_rows(rows: pa.Table, indices: Any) -> pa.Table:
    """Return the rows with these indices, without internal columns, for a side output."""
    return rows.drop_columns(carried_names(rows)).take(pa.array(indices, pa.int64()))


def window_rows(windows: pa.Table, key: str, columns: Sequence[AggregateColumn]) -> pa.Table:
    """Return the output row of each window in the state rows `windows`, sorted by the windows' ends."""
    return window_results(
        windows.sort_by([("end", "ascending"), ("start", "ascending"), (key, "ascending")]), key, columns
    )


def window_results(windows: pa.Table, key: str, columns: Sequence[AggregateColumn]) -> pa.Table:
    """Return the output row of each window in the state rows `windows`, in the same order."""
    span = pa.StructArray.from_arrays(
        [windows["start"].combine_chunks(), windows["end"].combine_chunks()], fields=list(SPAN)
    )
    results = {column.aggregate.name: column.aggregate.result(windows) for column in columns}
    return pa.table({key: windows[key], WINDOW: span, **results})


@dataclass(frozen=True, slots=True)
class Windowed:
    """Tumbling and sliding windows of a pipeline. Picklable."""

    windows: Sliding
    columns: Sequence[AggregateColumn]
    key: str
    time: str
    answer: WindowAnswer

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        late = self.add(rows, state)
        return self.answer.tables(rows, self.key, self.columns, close(state, state.watermark_us), late)

    def add(self, rows: pa.Table, state: KeyedState) -> Any:
        """Fold each row into its open windows; return the indices of the rows without an open window."""
        which, starts, watermarks = self.windows_of(rows)
        is_open = starts + self.windows.size_us > watermarks
        self.fold(rows, state, which[is_open], starts[is_open])
        return other_indices(which[is_open], len(rows))

    def windows_of(self, rows: pa.Table) -> tuple[Any, Any, Any]:
        """Return all windows of the rows.

        Returns:
            Three arrays with a value for each window of each row: the index of the row, the start of the window, and
            the watermark of the row.
        """
        times = event_times_us(rows[self.time])
        fit = numpy.flatnonzero(pc.is_valid(rows[self.time]).to_numpy() & pc.is_valid(rows[self.key]).to_numpy())
        which, starts = self.windows.of(times[fit])
        which = fit[which]
        return which, starts, watermark_us(rows)[which]

    def fold(
        self, rows: pa.Table, state: KeyedState, which: Any, starts: Any, others: Mapping[str, Any] | None = None
    ) -> pa.Array:
        """Fold rows into windows; return the ids of these windows.

        Args:
            rows: Rows of the batch.
            state: State of the windows.
            which: Row index, for each pair of a row and one of its windows.
            starts: Window start, for each of these pairs.
            others: Values of further state columns, for each of these pairs.
        """
        if not len(which):
            return pa.array([], pa.binary())
        times = event_times_us(rows[self.time])
        keys = rows[self.key].take(pa.array(which))
        ids = window_ids(keys, starts).dictionary_encode()
        groups = ids.indices.to_numpy()
        first = numpy.full(len(ids.dictionary), len(groups))
        numpy.minimum.at(first, groups, numpy.arange(len(groups)))
        before = state.get(ids.dictionary)
        kept = {self.key: keys.take(pa.array(first)), **spans(starts[first], self.windows.size_us)}
        for column in self.columns:
            fields = column.aggregate.fields
            values = grouped(column.values(rows), which, groups, times[which])
            folded = column.aggregate.fold([before[field.name].combine_chunks() for field in fields], values)
            kept |= {field.name: array for field, array in zip(fields, folded, strict=True)}
        kept |= {name: pa.repeat(value, len(first)) for name, value in (others or {}).items()}
        state.put(ids.dictionary, pa.table(kept))
        return ids.dictionary


def other_indices(indices: Any, count: int) -> Any:
    """Return the indices below `count` that are not in `indices`."""
    others = numpy.ones(count, bool)
    others[indices] = False
    return numpy.flatnonzero(others)


def watermark_us(rows: pa.Table) -> Any:
    return event_times_us(rows[WATERMARK])


def window_ids(keys: pa.ChunkedArray, starts: Any) -> pa.Array:
    """Return the ids of windows, in the form `<start>:<key>`."""
    text = keys.combine_chunks().cast(pa.string() if not pa.types.is_binary(keys.type) else pa.binary())
    begun = pa.array(starts).cast(pa.string()).cast(pa.binary())
    return pc.binary_join_element_wise(begun, text.cast(pa.binary()), pa.scalar(b":"))


def spans(starts: Any, size_us: int) -> dict[str, pa.Array]:
    return {"start": pa.array(starts).cast(INSTANT), "end": pa.array(starts + size_us).cast(INSTANT)}


def grouped(values: pa.Array | None, which: Any, groups: Any, times_us: Any) -> Grouped:
    """Return the values to aggregate, with the window of each. Null values are left out.

    Args:
        values: Value of each row; None for an aggregate without a condition or arguments, which counts all rows.
        which: Row index, for each pair of a row and one of its windows.
        groups: Index of the window, for each of these pairs.
        times_us: Time of the row, for each of these pairs.
    """
    if values is None:
        return Grouped(pa.nulls(len(which)), groups, times_us)
    taken = values.take(pa.array(which))
    valid = numpy.flatnonzero(pc.is_valid(taken).to_numpy(zero_copy_only=False))
    return Grouped(taken.take(pa.array(valid)), groups[valid], times_us[valid])


def close(state: KeyedState, watermark: int | None) -> pa.Table:
    """Return the windows whose end the watermark has passed, and remove them from the state."""
    closed = ended(state, watermark)
    if len(closed):
        state.delete(closed[ID])
    return closed


def ended(state: KeyedState, watermark: int | None, unless: str | None = None) -> pa.Table:
    """Return the windows whose end the watermark has passed, except those whose column `unless` is true."""
    layers = state.layers
    passed = pa.scalar(NEVER_US if watermark is None else watermark, pa.int64())

    def of(table: pa.Table) -> pa.Array:
        over = pc.less_equal(table["end"].cast(pa.int64()), passed)
        return over if unless is None else pc.and_(over, pc.invert(table[unless]))

    found = [table[ID].filter(of(table)).combine_chunks() for table in (layers.base, *layers.deltas)]
    ids = pc.unique(pa.concat_arrays(found))
    windows = state.get(ids).append_column(ID, ids)
    return windows.filter(pc.and_(windows["found"], of(windows))).drop_columns(["found"])


def check_names(step_input: OperatorInput, columns: Sequence[AggregateColumn], own: Sequence[str] = ()) -> None:
    """Raise PipelineConfigError if an aggregate has the name of a column that every window has.

    `own` are further names of such columns.
    """
    taken = {step_input.key, ID, WINDOW, "start", "end", *own}
    for column in columns:
        for field in column.aggregate.fields:
            if field.name in taken:
                step_input.refuse(f"computes a column '{field.name}', which every window has already: rename it")
