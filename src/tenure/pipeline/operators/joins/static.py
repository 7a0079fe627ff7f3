"""Join of a stream with a table that does not change while the pipeline runs. Each worker loads the table once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.joins.columns import How, own_columns, renamed
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.state.keyed_state import KeyedState


@dataclass(frozen=True, slots=True)
class StaticJoin:
    """Join of a stream with a static table. Picklable if `load` is."""

    load: Callable[[], pa.Table]
    """Function that returns the table. It is called for each batch, so it should cache the table."""
    on: str
    how: How
    suffix: str

    def __call__(self, rows: pa.Table, state: KeyedState) -> pa.Table:
        del state
        table = self.load()
        if self.on not in table.column_names:
            known = ", ".join(table.column_names)
            raise BadFunction(f"the static table has no join column '{self.on}', only {known}: change on= or the table")
        keys = table[self.on].combine_chunks()
        if pc.count_distinct(keys, mode="all").as_py() < len(keys):
            raise BadFunction(f"the static table has several rows for one {self.on}: keep one row for each")
        found = pc.index_in(wanted(rows, self.on, keys.type), value_set=keys, skip_nulls=True)
        names = renamed(rows.column_names, [name for name in table.column_names if name != self.on], self.suffix)
        right = table.select(list(names)).take(found).rename_columns(list(names.values()))
        for name, column in zip(right.column_names, right.columns, strict=True):
            rows = rows.append_column(name, column)
        return rows.filter(pc.is_valid(found)) if self.how == "inner" else rows


def wanted(rows: pa.Table, on: str, kind: pa.DataType) -> Any:
    try:
        return rows[on].combine_chunks().cast(kind)
    except pa.ArrowInvalid as error:
        raise BadFunction(
            f"the join column {on} has different types in the rows and in the static table ({error}): cast one of them"
        ) from error


@dataclass(frozen=True, slots=True)
class StaticJoinOperator:
    load: Callable[[], pa.Table]
    on: str
    how: How
    suffix: str

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        step_input.column(self.on, "join_static(…)")
        renamed(own_columns(step_input.rows), [], self.suffix)
        join = StaticJoin(self.load, self.on, self.how, self.suffix)
        if step_input.is_last:
            return BoundOperator(join)
        made = join(step_input.rows.empty_table(), KeyedState.empty(key="key", state="nothing int")).schema
        event = next(iter(step_input.events.values()), None)
        return BoundOperator(join, output=made, event=None if event is None else event.column)
