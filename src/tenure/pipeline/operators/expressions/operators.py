"""Steps that consist of expressions: projection, filter and side output. They need no state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.expressions.expression import ColumnPath, Expression
from tenure.pipeline.operators.expressions.parser import expression_type
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput, UpdateKey
from tenure.pipeline.operators.rows import CARRIED, carried_names
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.state.keyed_state import KeyedState


@dataclass(frozen=True, slots=True)
class Projection:
    """Function that computes the columns of each row. Picklable."""

    columns: Mapping[str, Expression]
    carries: bool

    def __call__(self, rows: pa.Table, state: KeyedState) -> pa.Table:
        del state
        made = {name: rows[one.column] if one.column else one(rows) for name, one in self.columns.items()}
        return pa.table({**made, **{name: rows[name] for name in carried_names(rows) if self.carries}})


@dataclass(frozen=True, slots=True)
class Select:
    """Declared columns of the output rows.

    In `columns`, None stands for all input columns except `without`. If two entries have the same name, the later one
    counts: an entry after None replaces the input column of the same name.
    """

    form: str
    columns: Sequence[tuple[str, Expression] | None]
    without: Sequence[str] = ()

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        where = f"Pipeline {step_input.pipeline}"
        step_input.require_one_topic(f"{self.form}(…)")
        for name in self.without:
            step_input.column(name, f"{self.form}(…)")
        columns: dict[str, Expression] = {}
        for column in self.columns:
            if column is None:
                names = (name for name in step_input.rows.names if name not in (*self.without, *CARRIED))
                columns |= {name: plain_column(name) for name in names}
            else:
                columns[column[0]] = column[1]
        output = pa.schema([(name, expression_type(one, step_input.rows, where)) for name, one in columns.items()])
        event = next((event.column for event in step_input.events.values()), None)
        renamed = next((name for name, one in columns.items() if one.column == event), None) if event else None
        return BoundOperator(
            Projection(columns, carries=not step_input.is_last),
            output=output,
            event=renamed,
            new_keys=step_input.key in columns and columns[str(step_input.key)].column != step_input.key,
            updates=None if step_input.updates is None else self.update_key(step_input.updates, columns, step_input),
        )

    def update_key(self, updates: UpdateKey, columns: Mapping[str, Expression], step_input: OperatorInput) -> UpdateKey:
        """Return the output columns by which an output row replaces an earlier one.

        Args:
            updates: Input columns by which an input row replaces an earlier one.
            columns: Expression of each output column.
            step_input: Input of the step.
        """
        paths = {name: one.node.path for name, one in columns.items() if isinstance(one.node, ColumnPath)}
        renamed = []
        for wanted in updates:
            found = [(name, *wanted[len(path) :]) for name, path in paths.items() if wanted[: len(path)] == path]
            if not found:
                step_input.refuse(
                    f"leaves out {'.'.join(wanted)} in {self.form}(…), but a result replaces earlier ones with the same"
                    " value of this column: keep it"
                )
            renamed.append(found[0])
        return tuple(renamed)


def plain_column(name: str) -> Expression:
    """Return the expression of a column."""
    return Expression(name, ColumnPath((name,)))


@dataclass(frozen=True, slots=True)
class FilterFunction:
    """Function that keeps the rows that satisfy a condition. It may send the others to a side output. Picklable."""

    condition: Expression
    dropped: str | None
    carries: bool

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        del state
        holds = pc.fill_null(self.condition(rows), False)
        made = {MAIN: without_internal(rows.filter(holds), carries=self.carries)}
        return made if self.dropped is None else {**made, self.dropped: without_internal(rows.filter(pc.invert(holds)))}


@dataclass(frozen=True, slots=True)
class Filter:
    condition: Expression
    dropped: str | None

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        check_condition(self.condition, step_input, "filter(…)")
        if self.dropped is not None:
            step_input.side(self.dropped, "the rows that filter(…) drops")
        return unchanged(
            FilterFunction(self.condition, self.dropped, carries=not step_input.is_last), step_input, self.dropped
        )


@dataclass(frozen=True, slots=True)
class CopyFunction:
    """Function that returns all rows, and copies those that satisfy a condition to a side output. Picklable."""

    output: str
    condition: Expression | None
    carries: bool

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        del state
        copied = rows if self.condition is None else rows.filter(pc.fill_null(self.condition(rows), False))
        return {MAIN: without_internal(rows, carries=self.carries), self.output: without_internal(copied)}


@dataclass(frozen=True, slots=True)
class SideOutput:
    output: str
    condition: Expression | None

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        if self.condition is not None:
            check_condition(self.condition, step_input, "side_output(…)")
        step_input.side(self.output, "side_output(…)")
        return unchanged(
            CopyFunction(self.output, self.condition, carries=not step_input.is_last), step_input, self.output
        )


def check_condition(condition: Expression, step_input: OperatorInput, step: str) -> None:
    step_input.require_one_topic(step)
    kind = expression_type(condition, step_input.rows, f"Pipeline {step_input.pipeline}")
    if not pa.types.is_boolean(kind):
        step_input.refuse(f"has the condition '{condition.text}' in {step}, which is {kind} instead of boolean")


def unchanged(function: FilterFunction | CopyFunction, step_input: OperatorInput, side: str | None) -> BoundOperator:
    """Return an operator whose main and side output have the same columns as its input."""
    event = next((event.column for event in step_input.events.values()), None)
    return BoundOperator(function, output=step_input.rows, event=event, sides=step_input.columns_to_side(side))


def without_internal(rows: pa.Table, *, carries: bool = False) -> pa.Table:
    """Return the rows without internal columns. With `carries`, keep the ones that later steps need."""
    return rows if carries else rows.drop_columns(carried_names(rows))
