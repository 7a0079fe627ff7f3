"""Aggregates over the rows of a window, in Spark's syntax: `"count(*) as flights, max(delay) as worst"`.

Each aggregate keeps a few columns per window and folds rows into these columns one after the other, in the order of the
log. Therefore a sum of doubles has the same bits, however the log is cut into batches. Nulls are ignored, as in SQL.

There are two implementations of each fold: over whole columns (`fold`), for windows with fixed bounds; and row by row
(`add`, `merge`), for sessions, where earlier rows determine the session of a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.expressions.expression import Expression
from tenure.pipeline.operators.windows.checked_sum import add_checked, add_to_sums
from tenure.pipeline.operators.windows.collected import Collect
from tenure.pipeline.operators.windows.grouped import AggregateState, Grouped
from tenure.pipeline.state.layers import combined


@dataclass(frozen=True, slots=True)
class Count:
    name: str

    @property
    def fields(self) -> list[pa.Field]:
        return [pa.field(self.name, pa.int64())]

    @property
    def output(self) -> pa.Field:
        return self.fields[0]

    def fold(self, before: Sequence[pa.Array], new: Grouped) -> list[pa.Array]:
        counts = pc.fill_null(before[0], 0).to_numpy(zero_copy_only=False)
        return [pa.array(counts + numpy.bincount(new.groups, minlength=len(counts)), pa.int64())]

    def add(self, kept: AggregateState, value: Any, time_us: int) -> AggregateState:
        del value, time_us
        return [(kept[0] or 0) + 1]

    def merge(self, one: AggregateState, other: AggregateState) -> AggregateState:
        return [(one[0] or 0) + (other[0] or 0)]

    def result(self, kept: pa.Table) -> Any:
        return pc.fill_null(kept[self.name], 0)


@dataclass(frozen=True, slots=True)
class Sum:
    name: str
    kind: pa.DataType
    """Type of the sum: int64 or float64. A sum of int64 raises OverflowError if it leaves the range."""

    @property
    def fields(self) -> list[pa.Field]:
        return [pa.field(self.name, self.kind)]

    @property
    def output(self) -> pa.Field:
        return self.fields[0]

    def fold(self, before: Sequence[pa.Array], new: Grouped) -> list[pa.Array]:
        sums = pc.fill_null(before[0], 0).to_numpy(zero_copy_only=False).copy()
        values = new.values.cast(self.kind).to_numpy(zero_copy_only=False)
        if pa.types.is_integer(self.kind):
            add_to_sums(sums, new.groups, values)
        else:
            numpy.add.at(sums, new.groups, values)
        seen = pc.is_valid(before[0]).to_numpy(zero_copy_only=False).copy()
        seen[new.groups] = True
        return [pa.array(sums, self.kind, mask=~seen)]

    def add(self, kept: AggregateState, value: Any, time_us: int) -> AggregateState:
        del time_us
        if kept[0] is None:
            return [value]
        return [add_checked(kept[0], value) if pa.types.is_integer(self.kind) else kept[0] + value]

    def merge(self, one: AggregateState, other: AggregateState) -> AggregateState:
        return one if other[0] is None else self.add(one, other[0], 0)

    def result(self, kept: pa.Table) -> Any:
        return kept[self.name]


@dataclass(frozen=True, slots=True)
class Mean:
    name: str

    @property
    def sum(self) -> Sum:
        return Sum(f"{self.name}_sum", pa.float64())

    @property
    def count(self) -> Count:
        return Count(f"{self.name}_count")

    @property
    def fields(self) -> list[pa.Field]:
        return [*self.sum.fields, *self.count.fields]

    @property
    def output(self) -> pa.Field:
        return pa.field(self.name, pa.float64())

    def fold(self, before: Sequence[pa.Array], new: Grouped) -> list[pa.Array]:
        return [*self.sum.fold(before[:1], new), *self.count.fold(before[1:], new)]

    def add(self, kept: AggregateState, value: Any, time_us: int) -> AggregateState:
        return [*self.sum.add(kept[:1], float(value), time_us), *self.count.add(kept[1:], value, time_us)]

    def merge(self, one: AggregateState, other: AggregateState) -> AggregateState:
        return [*self.sum.merge(one[:1], other[:1]), *self.count.merge(one[1:], other[1:])]

    def result(self, kept: pa.Table) -> Any:
        return pc.divide(kept[f"{self.name}_sum"], kept[f"{self.name}_count"].cast(pa.float64()))


@dataclass(frozen=True, slots=True)
class Extreme:
    """Aggregate min or max, for any type with an order."""

    name: str
    kind: pa.DataType
    largest: bool

    @property
    def fields(self) -> list[pa.Field]:
        return [pa.field(self.name, self.kind)]

    @property
    def output(self) -> pa.Field:
        return self.fields[0]

    def fold(self, before: Sequence[pa.Array], new: Grouped) -> list[pa.Array]:
        """Return for each window the lowest or highest of its value so far and its new values."""
        candidates = pa.concat_arrays([before[0], new.values])
        groups = numpy.concatenate([numpy.arange(len(before[0])), new.groups])
        valid = numpy.flatnonzero(pc.is_valid(candidates).to_numpy(zero_copy_only=False))
        ranks = pc.rank(candidates, tiebreaker="dense").to_numpy(zero_copy_only=False).astype(numpy.int64)
        if not self.largest:
            ranks = -ranks
        best = numpy.full(len(before[0]), numpy.iinfo(numpy.int64).min)
        numpy.maximum.at(best, groups[valid], ranks[valid])
        winners = numpy.full(len(before[0]), -1)
        won = valid[ranks[valid] == best[groups[valid]]]
        winners[groups[won]] = won
        return [candidates.take(pa.array(winners, mask=winners < 0))]

    def add(self, kept: AggregateState, value: Any, time_us: int) -> AggregateState:
        del time_us
        if kept[0] is None:
            return [value]
        return [max(kept[0], value) if self.largest else min(kept[0], value)]

    def merge(self, one: AggregateState, other: AggregateState) -> AggregateState:
        return one if other[0] is None else self.add(one, other[0], 0)

    def result(self, kept: pa.Table) -> Any:
        return kept[self.name]


@dataclass(frozen=True, slots=True)
class FirstOrLast:
    """Aggregate first or last: the value of the first or last row by event time, and by log order for equal times."""

    name: str
    kind: pa.DataType
    last: bool

    @property
    def at(self) -> str:
        return f"{self.name}_at"

    @property
    def fields(self) -> list[pa.Field]:
        return [pa.field(self.name, self.kind), pa.field(self.at, pa.int64())]

    @property
    def output(self) -> pa.Field:
        return self.fields[0]

    def fold(self, before: Sequence[pa.Array], new: Grouped) -> list[pa.Array]:
        count = len(before[0])
        known = pc.is_valid(before[1]).to_numpy(zero_copy_only=False)
        times = numpy.concatenate([pc.fill_null(before[1], 0).to_numpy(zero_copy_only=False), new.times_us])
        groups = numpy.concatenate([numpy.arange(count), new.groups])
        candidates = numpy.flatnonzero(numpy.concatenate([known, numpy.ones(len(new.groups), bool)]))
        order = candidates[numpy.lexsort((candidates, times[candidates]))]
        winners = numpy.full(count, -1)
        winners[groups[order if self.last else order[::-1]]] = order if self.last else order[::-1]
        chosen = pa.array(winners, mask=winners < 0)
        return [pa.concat_arrays([before[0], new.values]).take(chosen), pa.array(times).take(chosen)]

    def add(self, kept: AggregateState, value: Any, time_us: int) -> AggregateState:
        if kept[1] is None or (time_us >= kept[1] if self.last else time_us < kept[1]):
            return [value, time_us]
        return kept

    def merge(self, one: AggregateState, other: AggregateState) -> AggregateState:
        return one if other[1] is None else self.add(one, other[0], other[1])

    def result(self, kept: pa.Table) -> Any:
        return kept[self.name]


Aggregate: TypeAlias = Count | Sum | Mean | Extreme | FirstOrLast | Collect


@dataclass(frozen=True, slots=True)
class AggregateColumn:
    """Aggregate with its output name and the expressions that it reads. Picklable."""

    aggregate: Aggregate
    arguments: Sequence[Expression]
    """Arguments; empty for `count(*)`."""
    condition: Expression | None = None
    """Condition of `filter (where …)`: the aggregate ignores rows for which it is not true."""

    def values(self, rows: pa.Table) -> pa.Array | None:
        """Return the value of each row, null for rows that the aggregate ignores; None for `count(*)` over all rows."""
        holds = None if self.condition is None else pc.fill_null(self.condition(rows), False)
        if not self.arguments:
            return holds if holds is None else combined(pc.if_else(holds, True, pa.scalar(None, pa.bool_())))
        columns = [combined(argument(rows)) for argument in self.arguments]
        values = columns[0] if len(columns) == 1 else pa.StructArray.from_arrays(columns, fields=struct_fields(columns))
        return values if holds is None else combined(pc.if_else(holds, values, pa.scalar(None, values.type)))


def struct_fields(columns: Sequence[pa.Array]) -> list[pa.Field]:
    """Return the struct fields for the arguments of an aggregate with several arguments."""
    return [pa.field(f"_{number}", column.type) for number, column in enumerate(columns)]
