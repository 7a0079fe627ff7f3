"""Stateful work in its simplest form: one record, and what is kept of its key.

The vectorised form sees a whole batch; this one is a loop over it, for who wants simple code rather than speed. A
record at a time cannot depend on how records are cut into batches, which every stateful function has to promise.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

import pyarrow as pa

from tenure.limits import MAP_WITH_STATE_RECORDS
from tenure.pipeline.state import KeyedState

Row: TypeAlias = Mapping[str, Any]
State: TypeAlias = dict[str, Any]
OnRecord: TypeAlias = Callable[[Row, State], Row | Iterable[Row] | None]
"""One record and the state of its key, which it may change, to the rows that come of it: none, one or several."""


@dataclass(frozen=True, slots=True)
class MapWithState:
    """A user's `OnRecord` as a function over whole batches. Picklable when `on_record` is."""

    on_record: OnRecord
    output: pa.Schema

    def __call__(self, rows: pa.Table, state: KeyedState) -> pa.Table:
        kept = Kept(rows, state)
        made = [self.output.empty_table()]
        for batch in rows.to_batches(max_chunksize=MAP_WITH_STATE_RECORDS):
            answers = [self.rows_of(self.on_record(row, kept.of(row[state.key]))) for row in batch.to_pylist()]
            made.append(pa.Table.from_pylist(list(chain.from_iterable(answers)), schema=self.output))
        kept.write_back()
        return pa.concat_tables(made)

    def rows_of(self, answer: object) -> list[Row]:
        if answer is None:
            return []
        answers = [answer] if isinstance(answer, Mapping) else answer
        if not isinstance(answers, Iterable) or isinstance(answers, str | bytes):
            raise TypeError(f"the function returned {type(answer).__name__}: let it return a dict, several, or None")
        rows = list(answers)
        for row in rows:
            self.check(row)
        return rows

    def check(self, row: object) -> None:
        """A misspelt column would be written as null, and be noticed in a year."""
        if not isinstance(row, Mapping):
            raise TypeError(f"the function returned a row that is {type(row).__name__}: let rows be dicts")
        if unknown := [name for name in row if name not in self.output.names]:
            known = ", ".join(self.output.names)
            raise KeyError(f"the function returned a row with '{unknown[0]}', and declared as output are {known}")


class Kept:
    """The states of a batch's keys: read at once, changed one by one, written back at once.

    A state whose columns are all null is no state: so is a new key's, and a key whose state is made so is forgotten.
    """

    def __init__(self, rows: pa.Table, state: KeyedState) -> None:
        self.state = state
        self.columns = state.schema.names[1:]
        keys = rows[state.key].combine_chunks().drop_null().unique()
        values = state.get(keys).select(self.columns).to_pylist()
        self.states: dict[Any, State] = dict(zip(keys.to_pylist(), values, strict=True))

    def of(self, key: Any) -> State:
        """A record without a key has a state of its own, which nobody keeps."""
        return self.fresh() if key is None else self.states[key]

    def fresh(self) -> State:
        return dict.fromkeys(self.columns)

    def write_back(self) -> None:
        for state in self.states.values():
            if unknown := [name for name in state if name not in self.columns]:
                known = ", ".join(self.columns)
                raise KeyError(f"the function put '{unknown[0]}' into the state, and declared are {known}")
        empty = [key for key, state in self.states.items() if all(value is None for value in state.values())]
        full = {key: state for key, state in self.states.items() if key not in set(empty)}
        kind = self.state.schema.field(0).type
        self.state.delete(pa.array(empty, kind))
        self.state.put(pa.array(full, kind), pa.Table.from_pylist(list(full.values()), self.state_columns))

    @property
    def state_columns(self) -> pa.Schema:
        return pa.schema(list(self.state.schema)[1:])
