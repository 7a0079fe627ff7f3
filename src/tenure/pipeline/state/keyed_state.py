"""Keyed state of one lane. Its methods take and return whole Arrow columns.

A `KeyedState` consists of the state before the batch, and of the changes of the batch: one row for each changed or
deleted key. Both are immutable tables, so a copy costs nothing. The changes become the batch's delta file.
"""

from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadSchema
from tenure.pipeline.state.layers import DELETED, Layers, combined, merge_deltas, with_deleted
from tenure.pipeline.values import ddl
from tenure.plural import format_count

EXPIRES: Final = "_expires"
TIMERS: Final = "_timers"
PROCESSING_TIMERS: Final = "_processing_timers"

HIDDEN: Final = (EXPIRES, TIMERS, PROCESSING_TIMERS)
"""Internal columns of a state: expiry and timers of a key. They follow the user's columns."""


class KeyedState:
    """State by key. All methods work on whole Arrow columns.

    A column of keys is a pyarrow Array or ChunkedArray of the key's type.
    """

    def __init__(self, before: pa.Table | Layers, changes: pa.Table | None = None, *, now_ms: int = 0) -> None:
        """Create the state of a batch.

        Args:
            before: State before the batch. The first column is the key, and each key has one row.
            changes: Changes of the batch so far, as a table like that of the property `changes`.
            now_ms: Processing time of the batch.
        """
        self.now_ms = now_ms
        """Processing time in ms, constant during a batch."""
        self.watermark_us: int | None = None
        """Watermark after the rows that are processed so far, in µs; None before the first event time."""
        self.expires_us: int | None = None
        """Event time in µs at which keys that are put now expire; None if they do not expire."""
        self._before = before if isinstance(before, Layers) else Layers(before)
        self._schema: pa.Schema = self._before.schema
        self._changes = with_deleted(self._schema).empty_table() if changes is None else changes

    @classmethod
    def empty(cls, *, key: str, state: str) -> "KeyedState":
        """Return an empty state, for unit tests.

        Example: `KeyedState.empty(key="tailnum", state="flights long, delay double")`.

        Args:
            key: Name of the key, or name and type as Spark DDL; a string without a type.
            state: Columns of the state, as Spark DDL.

        Raises:
            BadSchema: A DDL string is invalid.
        """
        return cls(state_schema(key, state).empty_table())

    @property
    def key(self) -> str:
        """Name of the key column."""
        return str(self._schema.names[0])

    @property
    def schema(self) -> pa.Schema:
        """Schema of the state: the key, then the declared columns."""
        return visible(self._schema)

    def get(self, keys: "pa.Array | pa.ChunkedArray") -> pa.Table:
        """Return one row for each of `keys`, in the same order.

        The table has the columns of the state, null for an unknown key, and the boolean column `found`.
        """
        return self.rows(keys).select([*self.schema.names[1:], "found"])

    def rows(self, keys: "pa.Array | pa.ChunkedArray") -> pa.Table:
        """Return one row for each of `keys`, like `get`, with internal columns (expiry, timers) too."""
        layers = self.layers
        rows = layers.rows_of(self._keys(keys))
        return layers.take(rows).drop_columns([self.key]).append_column("found", pc.is_valid(rows))

    def put(self, keys: "pa.Array | pa.ChunkedArray", values: pa.Table) -> None:
        """Set the state of each of `keys` to the row of `values` at the same index. Of equal keys, the last one wins.

        Raises:
            ValueError: A key is null, a column is missing, or the lengths differ.
        """
        columns = {self.key: self._keys(keys)}
        if columns[self.key].null_count:
            raise ValueError(f"put: remove the rows with a null key ({columns[self.key].null_count:,})")
        if len(columns[self.key]) != len(values):
            raise ValueError(
                f"put: got {format_count(len(columns[self.key]), 'key')} and {format_count(len(values), 'row')}: "
                "pass one key for each row"
            )
        for field in list(self._schema)[1:]:
            if field.name in HIDDEN and field.name not in values.column_names:
                columns[field.name] = self._hidden(field, len(values))
                continue
            if field.name not in values.column_names:
                raise ValueError(f"put: the column {field.name} of the state is missing: pass all columns of the state")
            columns[field.name] = values[field.name].cast(field.type)
        self._change(_last_of_each(pa.table(columns, schema=self._schema), self.key), deleted=False)

    def delete(self, keys: "pa.Array | pa.ChunkedArray") -> None:
        """Delete the state of `keys`. Unknown keys are ignored."""
        gone = pc.unique(pc.drop_null(self._keys(keys)))
        nulls = [pa.nulls(len(gone), field.type) for field in list(self._schema)[1:]]
        self._change(pa.table([gone, *nulls], schema=self._schema), deleted=True)

    def scan(self) -> pa.Table:
        """Return every key with its state, in any order."""
        return self.layers.scan().select(self.schema.names)

    def copy(self) -> "KeyedState":
        """Return an independent copy. Both share the immutable tables, so a copy costs nothing."""
        other = KeyedState(self._before, self._changes, now_ms=self.now_ms)
        other.expires_us, other.watermark_us = self.expires_us, self.watermark_us
        return other

    def set_changes_of(self, other: "KeyedState") -> None:
        """Replace the changes by those of `other`, which is a copy of this state."""
        self.expires_us, self.watermark_us = other.expires_us, other.watermark_us
        self._changes = other._changes

    def replace_changes(self, changes: pa.Table) -> None:
        """Set the changes of the batch. The table has the same columns as the property `changes`."""
        self._changes = changes

    @property
    def changes(self) -> pa.Table:
        """Changes of the batch: the schema's columns and `_deleted`, with at most one row for each key."""
        return self._changes

    @property
    def before(self) -> Layers:
        """State before the batch."""
        return self._before

    @property
    def layers(self) -> Layers:
        """State before the batch, with the changes as its newest layer."""
        return self._before.with_delta(self._changes)

    def _hidden(self, field: pa.Field, count: int) -> pa.Array:
        value = self.expires_us if field.name == EXPIRES else None
        return pa.repeat(pa.scalar(value, field.type), count)

    def _keys(self, keys: Any) -> Any:
        return combined(keys).cast(self._schema.field(0).type)

    def _change(self, rows: pa.Table, *, deleted: bool) -> None:
        rows = rows.append_column(DELETED, pa.repeat(deleted, len(rows)))
        self._changes = merge_deltas(self._changes, rows) if len(self._changes) else rows.combine_chunks()


def state_schema(key: str, state: str) -> pa.Schema:
    """Return the schema of a keyed state: the key, then the declared columns. Raises BadSchema."""
    key_fields = list(ddl.schema(key if len(key.split()) > 1 else f"{key} string"))
    if len(key_fields) != 1:
        raise BadSchema(f"the key '{key}' has {len(key_fields)} columns: use one column")
    return keyed_schema(key_fields[0], state)


def keyed_schema(key: pa.Field, state: str) -> pa.Schema:
    """Return the schema of a state with the given key field. Raises BadSchema."""
    columns = list(ddl.schema(state))
    names = [field.name for field in (key, *columns)]
    for taken in (DELETED, "found", *HIDDEN):
        if taken in names:
            raise BadSchema(f"the state has a column '{taken}', which is a reserved name: rename it")
    if names[0] in names[1:]:
        raise BadSchema(f"the state declares the key '{names[0]}' as a column: leave it out, the key is always stored")
    return pa.schema([key, *columns])


def visible(schema: pa.Schema) -> pa.Schema:
    return pa.schema([field for field in schema if field.name not in HIDDEN])


def _last_of_each(rows: pa.Table, key: str) -> pa.Table:
    if pc.count_distinct(rows[key]).as_py() == len(rows):
        return rows
    numbered = pa.table({"key": rows[key], "row": numpy.arange(len(rows))})
    last = numbered.group_by("key", use_threads=False).aggregate([("row", "max")])
    return rows.take(last["row_max"].combine_chunks())
