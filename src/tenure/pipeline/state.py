"""Keyed state of one lane, as a user's function sees it: whole columns in, whole columns out.

A `KeyedState` is a ground (what was there before the run, never written to) and the changes of the run laid over it:
one row per changed key, deletes as rows of their own. Both are immutable, so a copy costs nothing, and the changes are
the delta that the run leaves behind.
"""

from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline import ddl
from tenure.pipeline.errors import BadSchema
from tenure.pipeline.layers import DELETED, Layers, combined, laid_over, with_deleted

EXPIRES: Final = "_expires"
TIMERS: Final = "_timers"
PROCESSING_TIMERS: Final = "_processing_timers"

HIDDEN: Final = (EXPIRES, TIMERS, PROCESSING_TIMERS)
"""Columns of a state that Tenure keeps for itself: when a key is forgotten, and its timers. They come last, so what is
visible is the beginning of what is kept."""


class KeyedState:
    """State by key, vectorised. All methods take and give whole Arrow columns; none loops over rows."""

    def __init__(self, ground: pa.Table | Layers, changes: pa.Table | None = None, *, now_ms: int = 0) -> None:
        """`ground` has the key as its first column, each key once; the other columns are the state's."""
        self.now_ms = now_ms
        """Processing time, which stands still during a run."""
        self.expires_us: int | None = None
        """When what is put now is to be forgotten, in event time."""
        self._ground = ground if isinstance(ground, Layers) else Layers(ground)
        self._schema: pa.Schema = self._ground.schema
        self._changes = with_deleted(self._schema).empty_table() if changes is None else changes

    @classmethod
    def empty(cls, *, key: str, state: str) -> "KeyedState":
        """`KeyedState.empty(key="tailnum", state="flights long, delay double")`; a key without a type is a string."""
        return cls(state_schema(key, state).empty_table())

    @property
    def key(self) -> str:
        """The name of the key's column."""
        return str(self._schema.names[0])

    @property
    def schema(self) -> pa.Schema:
        """Key first, then the state's columns."""
        return visible(self._schema)

    def get(self, keys: "pa.Array | pa.ChunkedArray") -> pa.Table:
        """One row per key, in their order: the state's columns, null where the key is not there, and `found`."""
        return self.rows(keys).select([*self.schema.names[1:], "found"])

    def rows(self, keys: "pa.Array | pa.ChunkedArray") -> pa.Table:
        """The same, with the columns that Tenure keeps for itself."""
        layers = self.layers
        rows = layers.rows_of(self._keys(keys))
        return layers.take(rows).drop_columns([self.key]).append_column("found", pc.is_valid(rows))

    def put(self, keys: "pa.Array | pa.ChunkedArray", values: pa.Table) -> None:
        """Set the state of each key to its row of `values`; where a key comes twice, its last row holds."""
        columns = {self.key: self._keys(keys)}
        if columns[self.key].null_count:
            raise ValueError(f"put: {columns[self.key].null_count} keys are null: leave those rows out")
        if len(columns[self.key]) != len(values):
            raise ValueError(f"put: {len(columns[self.key])} keys for {len(values)} rows")
        for field in list(self._schema)[1:]:
            if field.name in HIDDEN and field.name not in values.column_names:
                columns[field.name] = self._hidden(field, len(values))
                continue
            if field.name not in values.column_names:
                raise ValueError(f"put: column {field.name} of the state is missing")
            columns[field.name] = values[field.name].cast(field.type)
        self._change(_last_of_each(pa.table(columns, schema=self._schema), self.key), deleted=False)

    def delete(self, keys: "pa.Array | pa.ChunkedArray") -> None:
        """Forget these keys; one that is not there is no error."""
        gone = pc.unique(pc.drop_null(self._keys(keys)))
        nulls = [pa.nulls(len(gone), field.type) for field in list(self._schema)[1:]]
        self._change(pa.table([gone, *nulls], schema=self._schema), deleted=True)

    def scan(self) -> pa.Table:
        """Every key with its state, in no particular order."""
        return self.layers.scan().select(self.schema.names)

    def copy(self) -> "KeyedState":
        """Independent of this one from now on."""
        other = KeyedState(self._ground, self._changes, now_ms=self.now_ms)
        other.expires_us = self.expires_us
        return other

    def adopt(self, other: "KeyedState") -> None:
        """Become what a copy has become."""
        self.expires_us = other.expires_us
        self._changes = other._changes

    @property
    def changes(self) -> pa.Table:
        """What the run changed: the schema's columns and `_deleted`, each key at most once."""
        return self._changes

    @property
    def ground(self) -> Layers:
        """What the run started from."""
        return self._ground

    @property
    def layers(self) -> Layers:
        """The ground with the changes laid over it."""
        return self._ground.with_delta(self._changes)

    def _hidden(self, field: pa.Field, count: int) -> pa.Array:
        value = self.expires_us if field.name == EXPIRES else None
        return pa.repeat(pa.scalar(value, field.type), count)

    def _keys(self, keys: Any) -> Any:
        return combined(keys).cast(self._schema.field(0).type)

    def _change(self, rows: pa.Table, *, deleted: bool) -> None:
        rows = rows.append_column(DELETED, pa.repeat(deleted, len(rows)))
        self._changes = laid_over(self._changes, rows) if len(self._changes) else rows.combine_chunks()


def state_schema(key: str, state: str) -> pa.Schema:
    """The schema of a keyed state: its key first. Raises BadSchema."""
    key_fields = list(ddl.schema(key if len(key.split()) > 1 else f"{key} string"))
    if len(key_fields) != 1:
        raise BadSchema(f"the key '{key}' has {len(key_fields)} columns: name one")
    return keyed_schema(key_fields[0], state)


def keyed_schema(key: pa.Field, state: str) -> pa.Schema:
    """The same for a key whose type is known."""
    columns = list(ddl.schema(state))
    names = [field.name for field in (key, *columns)]
    for taken in (DELETED, "found", *HIDDEN):
        if taken in names:
            raise BadSchema(f"the state has a column '{taken}', which Tenure uses itself: rename it")
    if names[0] in names[1:]:
        raise BadSchema(f"the state has the key '{names[0]}' among its columns: leave it out, it is kept anyway")
    return pa.schema([key, *columns])


def visible(schema: pa.Schema) -> pa.Schema:
    return pa.schema([field for field in schema if field.name not in HIDDEN])


def _last_of_each(rows: pa.Table, key: str) -> pa.Table:
    if pc.count_distinct(rows[key]).as_py() == len(rows):
        return rows
    numbered = pa.table({"key": rows[key], "row": numpy.arange(len(rows))})
    last = numbered.group_by("key", use_threads=False).aggregate([("row", "max")])
    return rows.take(last["row_max"].combine_chunks())
