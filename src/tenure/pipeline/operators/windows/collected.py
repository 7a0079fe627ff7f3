"""Aggregates that need all values of a window: lists, distinct counts, percentiles and users' functions.

Each of them keeps the values of a window in the order of the log, and computes its result when the window closes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any, TypeAlias

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadFunction, describe_error
from tenure.pipeline.operators.windows.grouped import AggregateState, Grouped
from tenure.plural import format_count

Finish: TypeAlias = Callable[[pa.ListArray], Any]
"""Function that computes one result per window from a list of the window's values. No list is null."""


@dataclass(frozen=True, slots=True)
class Collect:
    """Aggregate over the list of a window's values. Picklable if `finish` is."""

    name: str
    kind: pa.DataType
    """Arrow type of the collected values."""
    finish: Finish
    result_type: pa.DataType
    distinct: bool = False
    """True if only the first of equal values is kept."""

    @property
    def fields(self) -> list[pa.Field]:
        return [pa.field(self.name, pa.list_(self.kind))]

    @property
    def output(self) -> pa.Field:
        return pa.field(self.name, self.result_type)

    def fold(self, before: Sequence[pa.Array], new: Grouped) -> list[pa.Array]:
        lists = before[0]
        values = pa.concat_arrays([lists.flatten(), new.values.cast(self.kind)])
        groups = numpy.concatenate([pc.list_parent_indices(lists).to_numpy(), new.groups])
        order = numpy.argsort(groups, kind="stable")
        if self.distinct:
            codes = values.dictionary_encode().indices.to_numpy()
            _, first = numpy.unique(groups * (len(values) + 1) + codes, return_index=True)
            is_first = numpy.zeros(len(values), bool)
            is_first[first] = True
            order = order[is_first[order]]
        counts = numpy.bincount(groups[order], minlength=len(lists))
        offsets = numpy.concatenate([[0], numpy.cumsum(counts)])
        taken = values.take(pa.array(order, pa.int64()))
        return [pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), taken, type=self.fields[0].type)]

    def add(self, kept: AggregateState, value: Any, time_us: int) -> AggregateState:
        del time_us
        values = [] if kept[0] is None else kept[0]
        if not (self.distinct and value in values):
            values.append(value)
        return [values]

    def merge(self, one: AggregateState, other: AggregateState) -> AggregateState:
        values = list(one[0] or ())
        values += [value for value in other[0] or () if not (self.distinct and value in values)]
        return [values]

    def result(self, kept: pa.Table) -> Any:
        lists = pc.fill_null(kept[self.name].combine_chunks(), pa.scalar([], pa.list_(self.kind)))
        return self.finish(lists)


def as_lists(lists: pa.ListArray) -> Any:
    return lists


def counts(lists: pa.ListArray) -> Any:
    return pc.list_value_length(lists).cast(pa.int64())


@dataclass(frozen=True, slots=True)
class Percentile:
    """Exact percentile, interpolated between two values like Spark's `percentile`; null without values."""

    fraction: float

    def __call__(self, lists: pa.ListArray) -> Any:
        found = [values_of(lists, row).cast(pa.float64()).to_numpy() for row in range(len(lists))]
        return pa.array([self.of(numpy.sort(values)) if len(values) else None for values in found], pa.float64())

    def of(self, values: Any) -> float:
        """Return the percentile of sorted values. Spark's formula gives exactly Spark's result."""
        position = (len(values) - 1) * self.fraction
        lower, higher = floor(position), ceil(position)
        if values[lower] == values[higher]:
            return float(values[lower])
        return float((higher - position) * values[lower] + (position - lower) * values[higher])


@dataclass(frozen=True, slots=True)
class DiscretePercentile:
    """Smallest value for which at least `fraction` of all values are less than or equal to it; null without values."""

    fraction: float

    def __call__(self, lists: pa.ListArray) -> Any:
        made = []
        for row in range(len(lists)):
            values = values_of(lists, row)
            index = max(ceil(self.fraction * len(values)) - 1, 0)
            made.append(values.take(pc.sort_indices(values))[index].as_py() if len(values) else None)
        return pa.array(made, lists.type.value_type)


@dataclass(frozen=True, slots=True)
class UserAggregate:
    """User's aggregate: a function from the values of a window to a result. `aggregate` creates it."""

    function: Callable[..., Any]
    """User's function, which gets a pyarrow.Array of the window's values for each argument."""
    result_type: pa.DataType


@dataclass(frozen=True, slots=True)
class UserFinish:
    """Function that calls a user's aggregate for each window. Picklable if the aggregate's function is."""

    name: str
    aggregate: UserAggregate
    arguments: int = field(default=1)

    def __call__(self, lists: pa.ListArray) -> Any:
        made = []
        for row in range(len(lists)):
            values = values_of(lists, row)
            columns = [values] if self.arguments == 1 else values.flatten()
            try:
                result = self.aggregate.function(*columns)
                made.append(
                    pa.scalar(getattr(result, "as_py", lambda result=result: result)(), self.aggregate.result_type)
                )
            except Exception as error:
                raise BadFunction(
                    f"the aggregate {self.name} failed on a window of {format_count(len(values), 'row')}: "
                    f"{describe_error(error)}"
                ) from error
        return pa.array([one.as_py() for one in made], self.aggregate.result_type)


def values_of(lists: pa.ListArray, row: int) -> pa.Array:
    return lists[row].values
