"""Functions that process one record at a time with the state of its key.

These functions are simpler than functions over whole batches, but slower. The result of a stateful function must not
depend on how records are divided into batches. A function that sees one record at a time always satisfies this.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import pyarrow as pa

from tenure.limits.pipeline import MAP_WITH_STATE_RECORDS
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.python_rows import python_rows
from tenure.pipeline.operators.record_rows import Answer, RecordRows, Row
from tenure.pipeline.operators.timers import COLUMNS, Clock, timer_column
from tenure.pipeline.operators.user_function import FunctionResult
from tenure.pipeline.state.keyed_state import KeyedState

State: TypeAlias = dict[str, Any]
OnRecord: TypeAlias = Callable[[Row, State], Answer]
"""Function (record, state) -> one row, several rows or None. It may change `state`."""


@dataclass(frozen=True, slots=True)
class MapWithState:
    """Adapter that calls a user's `OnRecord` for each record of a batch. Picklable if `on_record` is."""

    on_record: OnRecord
    rows: RecordRows

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        key = state.key
        kept = BatchStates(rows[key].combine_chunks().drop_null().unique(), state)
        made = FunctionResult()
        for batch in rows.to_batches(max_chunksize=MAP_WITH_STATE_RECORDS):
            answers = list(map(self.on_record, self.rows.records(batch), kept.of_each(batch[key])))
            made.add(self.rows.tables(answers, batch))
        kept.write_back()
        return made.tables()

    def bound(self, rows: RecordRows) -> "MapWithState":
        return replace(self, rows=rows)


@dataclass(frozen=True, slots=True)
class MapRows:
    """Adapter that calls a user's function for each record of a batch, without state.

    Picklable if the function is.
    """

    on_record: Callable[[Row], Answer]
    rows: RecordRows

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        del state
        made = FunctionResult()
        for batch in rows.to_batches(max_chunksize=MAP_WITH_STATE_RECORDS):
            made.add(self.rows.tables([self.on_record(row) for row in self.rows.records(batch)], batch))
        return made.tables()

    def bound(self, rows: RecordRows) -> "MapRows":
        return replace(self, rows=rows)


class BatchStates:
    """States of the keys of a batch. All are read together, changed one by one, and written together.

    A new key has a state with only null columns. A key whose columns are all null after the batch is removed, unless it
    has timers.
    """

    def __init__(self, keys: pa.Array, state: KeyedState) -> None:
        self.state = state
        self.columns = state.schema.names[1:]
        self.touched = set[Any]()
        """Keys with a record or a due timer. Only these keys are written back.

        Which other keys are loaded depends on how the records are divided into batches, and the state must not depend
        on that.
        """
        rows = state.rows(keys)
        names = keys.to_pylist()
        self.states: dict[Any, State] = dict(zip(names, python_rows(rows.select(self.columns)), strict=True))
        self.timers: dict[Clock, dict[Any, set[int]]] = {
            clock: dict(zip(names, map(set_of, rows[column].to_pylist()), strict=True))
            for clock, column in COLUMNS.items()
            if column in rows.column_names
        }

    def of(self, key: Any) -> State:
        """Return the state of a key. A record without a key gets an empty state that is not stored."""
        if key is None:
            return self.empty_state()
        self.touched.add(key)
        return self.states[key]

    def of_each(self, keys: pa.Array) -> list[State]:
        """Return the states of the keys of several records, in their order."""
        names = keys.to_pylist()
        if keys.null_count:
            return [self.of(key) for key in names]
        self.touched.update(names)
        return [self.states[key] for key in names]

    def empty_state(self) -> State:
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
        full = {key: state for key, state in states.items() if self.has_content(key, state)}
        kind = self.state.schema.field(0).type
        self.state.delete(pa.array([key for key in states if key not in full], kind))
        values = pa.Table.from_pylist(list(full.values()), self.state_columns)
        for clock, timers in self.timers.items():
            values = values.append_column(COLUMNS[clock], timer_column(timers[key] for key in full))
        self.state.put(pa.array(full, kind), values)

    def has_content(self, key: Any, state: State) -> bool:
        return any(value is not None for value in state.values()) or any(self.timers_of(key).values())

    @property
    def state_columns(self) -> pa.Schema:
        return pa.schema(list(self.state.schema)[1:])


def set_of(times: list[int] | None) -> set[int]:
    return set(times or ())
