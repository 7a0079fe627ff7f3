"""Functions that process one record at a time with the state of its key.

The vectorised form sees a whole batch; this one is a loop over it, for who wants simple code rather than speed. A
record at a time cannot depend on how records are cut into batches, which every stateful function has to promise.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeAlias

import pyarrow as pa

from tenure.limits.pipeline import MAP_WITH_STATE_RECORDS
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.rows import TOPIC
from tenure.pipeline.operators.timers import COLUMNS, Clock, timer_column
from tenure.pipeline.state.keyed_state import KeyedState

Row: TypeAlias = Mapping[str, Any]
State: TypeAlias = dict[str, Any]
OnRecord: TypeAlias = Callable[[Row, State], Row | Iterable[Row] | None]
"""Function (record, state) -> one row, several rows or None. It may change `state`."""


@dataclass(frozen=True, slots=True)
class MapWithState:
    """Adapter that calls a user's `OnRecord` for each record of a batch. Picklable if `on_record` is."""

    on_record: OnRecord
    output: pa.Schema
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns of each topic, if there are several."""

    def __call__(self, rows: pa.Table, state: KeyedState) -> pa.Table:
        kept = Kept(rows[state.key].combine_chunks().drop_null().unique(), state)
        made = [self.output.empty_table()]
        for batch in rows.to_batches(max_chunksize=MAP_WITH_STATE_RECORDS):
            answers = [self.rows_of(self.on_record(row, kept.of(row[state.key]))) for row in self.records(batch)]
            made.append(pa.Table.from_pylist(list(chain.from_iterable(answers)), schema=self.output))
        kept.write_back()
        return pa.concat_tables(made)

    def knowing(self, topics: Mapping[str, Sequence[str]]) -> "MapWithState":
        return replace(self, topics=topics)

    def records(self, batch: pa.RecordBatch) -> Iterable[Row]:
        """Return the records as rows, each with the columns of its own topic."""
        rows: list[dict[str, Any]] = batch.to_pylist()
        if not self.topics:
            return rows
        return [{name: row[name] for name in self.topics[row[TOPIC]]} for row in rows]

    def rows_of(self, answer: object) -> list[Row]:
        if answer is None:
            return []
        answers = [answer] if isinstance(answer, Mapping) else answer
        if not isinstance(answers, Iterable) or isinstance(answers, str | bytes):
            raise BadFunction(f"the function returned {type(answer).__name__}: return a dict, a list of dicts, or None")
        rows = list(answers)
        for row in rows:
            self.check(row)
        return rows

    def check(self, row: object) -> None:
        """Raise BadFunction for an undeclared column, because a misspelt one would silently become null."""
        if not isinstance(row, Mapping):
            raise BadFunction(f"the function returned a row of type {type(row).__name__}: return rows as dicts")
        if unknown := [name for name in row if name not in self.output.names]:
            known = ", ".join(self.output.names)
            raise BadFunction(
                f"the function returned a row with the undeclared column '{unknown[0]}': output declares {known}"
            )


class Kept:
    """States of the keys of a batch: read at once, changed one by one, and written back at once.

    A new key has a state with only null columns. A key whose columns are all null after the batch is removed, unless it
    has timers.
    """

    def __init__(self, keys: pa.Array, state: KeyedState) -> None:
        self.state = state
        self.columns = state.schema.names[1:]
        self.touched = set[Any]()
        """Keys with a record or a due timer. Other keys stay unchanged, because their number depends on how records are
        divided into batches."""
        rows = state.rows(keys)
        names = keys.to_pylist()
        self.states: dict[Any, State] = dict(zip(names, rows.select(self.columns).to_pylist(), strict=True))
        self.timers: dict[Clock, dict[Any, set[int]]] = {
            clock: dict(zip(names, map(set_of, rows[column].to_pylist()), strict=True))
            for clock, column in COLUMNS.items()
            if column in rows.column_names
        }

    def of(self, key: Any) -> State:
        """Return the state of a key. A record without a key gets an empty state that is not stored."""
        if key is None:
            return self.fresh()
        self.touched.add(key)
        return self.states[key]

    def fresh(self) -> State:
        return dict.fromkeys(self.columns)

    def timers_of(self, key: Any) -> dict[Clock, set[int]]:
        return {clock: set[int]() if key is None else timers[key] for clock, timers in self.timers.items()}

    def write_back(self) -> None:
        states = {key: state for key, state in self.states.items() if key in self.touched}
        for state in states.values():
            if unknown := [name for name in state if name not in self.columns]:
                known = ", ".join(self.columns)
                raise BadFunction(
                    f"the function put the undeclared column '{unknown[0]}' into the state: state declares {known}"
                )
        full = {key: state for key, state in states.items() if self.is_something(key, state)}
        kind = self.state.schema.field(0).type
        self.state.delete(pa.array([key for key in states if key not in full], kind))
        values = pa.Table.from_pylist(list(full.values()), self.state_columns)
        for clock, timers in self.timers.items():
            values = values.append_column(COLUMNS[clock], timer_column(timers[key] for key in full))
        self.state.put(pa.array(full, kind), values)

    def is_something(self, key: Any, state: State) -> bool:
        return any(value is not None for value in state.values()) or any(self.timers_of(key).values())

    @property
    def state_columns(self) -> pa.Schema:
        return pa.schema(list(self.state.schema)[1:])


def set_of(times: list[int] | None) -> set[int]:
    return set(times or ())
