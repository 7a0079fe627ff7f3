"""Rows that a user's function returns for one record, checked and collected into tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy
import pyarrow as pa

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.python_rows import python_rows
from tenure.pipeline.operators.rows import BEFORE, RECORD_INDEX, TOPIC, carried_names
from tenure.pipeline.operators.user_function import MAIN

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SideRow:
    """Row for a side output. `to_side` creates it."""

    output: str
    row: Row


INTERNAL_COLUMNS: Final = (BEFORE, RECORD_INDEX)
"""Internal columns that users' functions do not get."""

ONE_ROW: Final = (Mapping, SideRow)

Answer: TypeAlias = Row | SideRow | Iterable[Row | SideRow] | None
"""Answer of a function for one record: one row, several rows or None."""


def to_side(output: str, row: Row) -> SideRow:
    """Return a row that goes to a side output, for functions that process one record at a time.

    Example: `return [row, to_side("alerts", {"card": row["card"]})]`. The function declares the columns of its side
    outputs with `side=`, and the pipeline declares their sinks.
    """
    return SideRow(output, row)


@dataclass(frozen=True, slots=True)
class RecordRows:
    """Collector of the rows that a user's function returns for each record: checks their columns. Picklable."""

    output: pa.Schema
    sides: Mapping[str, pa.Schema] = field(default_factory=dict)
    """Columns of the rows for each side output."""
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns of each topic, if there are several."""
    carries: bool = False
    """True if a step follows, which needs the internal columns of the records."""

    def records(self, batch: pa.RecordBatch) -> Iterable[Row]:
        """Return the records as rows, each with the columns of its own topic."""
        rows = python_rows(batch.drop_columns([name for name in INTERNAL_COLUMNS if name in batch.schema.names]))
        if not self.topics:
            return rows
        return [{name: row[name] for name in self.topics[row[TOPIC]]} for row in rows]

    def tables(self, answers: Sequence[Answer], batch: pa.RecordBatch) -> dict[str, pa.Table]:
        """Return one table for each output, from the function's results for the records of a batch."""
        if (table := self.whole_rows(answers)) is not None:
            carried = batch.select(carried_names(batch) if self.carries else [])
            return {MAIN: with_columns(table, carried)}
        rows = [self.rows_of(answer) for answer in answers]
        made = self.by_output(row for own in rows for row in own)
        if self.carries:
            counts = [sum(not isinstance(row, SideRow) for row in own) for own in rows]
            carried = batch.select(carried_names(batch)).take(pa.array(numpy.repeat(numpy.arange(len(rows)), counts)))
            made[MAIN] = with_columns(made[MAIN], carried)
        return made

    def whole_rows(self, answers: Sequence[Answer]) -> pa.Table | None:
        """Return the results as one table if each is one dictionary with all declared columns; else None.

        Most functions return such results. This method is much faster than `by_output`, which checks each result.
        """
        rows: Any = answers
        names = self.output.names
        if {*map(type, rows)} != {dict} or {*map(len, rows)} != {len(names)}:
            return None
        try:
            columns = [[row[name] for row in rows] for name in names]
        except KeyError:
            return None
        arrays = [pa.array(values, field.type) for values, field in zip(columns, self.output, strict=True)]
        return pa.Table.from_arrays(arrays, schema=self.output)

    def by_output(self, rows: Iterable[Row | SideRow]) -> dict[str, pa.Table]:
        """Return the rows as one table for each output."""
        if not self.sides:
            return {MAIN: pa.Table.from_pylist(list(rows), schema=self.output)}
        lists: dict[str, list[Row]] = {name: [] for name in (MAIN, *self.sides)}
        for row in rows:
            if isinstance(row, SideRow):
                lists[row.output].append(row.row)
            else:
                lists[MAIN].append(row)
        schemas = {MAIN: self.output, **self.sides}
        return {name: pa.Table.from_pylist(found, schema=schemas[name]) for name, found in lists.items()}

    def rows_of(self, answer: object) -> list[Row | SideRow]:
        """Return the rows in one result of the function. Raises BadFunction if the result has another form."""
        if answer is None:
            return []
        answers = [answer] if isinstance(answer, ONE_ROW) else answer
        if not isinstance(answers, Iterable) or isinstance(answers, str | bytes):
            raise BadFunction(f"the function returned {type(answer).__name__}: return a dict, a list of dicts, or None")
        rows = list(answers)
        for row in rows:
            self.check(row)
        return rows

    def check(self, row: object) -> None:
        """Raise BadFunction if the row has an undeclared column.

        Without this check a misspelt column would become null.
        """
        declared, declaration = self.output, "output"
        if isinstance(row, SideRow):
            if row.output not in self.sides:
                raise BadFunction(
                    f"the function returned a row for the side output '{row.output}', which it does not declare: add"
                    f" side={{'{row.output}': 'COLUMNS'}}"
                )
            declared, declaration, row = self.sides[row.output], f"side output '{row.output}'", row.row
        if not isinstance(row, Mapping):
            raise BadFunction(f"the function returned a row of type {type(row).__name__}: return rows as dicts")
        if unknown := [name for name in row if name not in declared.names]:
            known = ", ".join(declared.names)
            raise BadFunction(
                f"the function returned a row with the undeclared column '{unknown[0]}': {declaration} declares {known}"
            )


def with_columns(rows: pa.Table, others: pa.RecordBatch | pa.Table) -> pa.Table:
    """Return the rows with the columns of `others`, which replace columns with the same names."""
    for name in others.schema.names:
        if name in rows.column_names:
            rows = rows.drop_columns([name])
        rows = rows.append_column(others.schema.field(name), others[name])
    return rows
