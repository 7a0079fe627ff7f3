"""Base and deltas of a stored state, checked against the declared schema of the state."""

from collections.abc import Iterable

import pyarrow as pa

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.keyed_state import visible
from tenure.pipeline.state.layers import DELETED, Layers, with_deleted
from tenure.pipeline.state.state_files import decode_table, read_verified
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import StateVersion


def load(files: Files, directory: str, lane: Lane, version: StateVersion, schema: pa.Schema) -> pa.Table:
    """Return the merged base and deltas as one table in memory."""
    tables = [decode_table(read_verified(files, directory, file, lane)) for file in version.files]
    return layers_of(tables, lane, schema).scan().combine_chunks()


def layers_of(tables: Iterable[pa.Table], lane: Lane, schema: pa.Schema) -> Layers:
    """Return a state's base and deltas. `tables` are its files, oldest first. Raises STATE_SCHEMA_CHANGED."""
    base, deltas = schema.empty_table(), []
    for table in tables:
        check_schema(table.schema, schema, lane)
        if DELETED in table.column_names:
            deltas.append(conformed(table, with_deleted(schema)))
        else:
            base = conformed(table, schema)
    return Layers(base, deltas)


def check_schema(found: pa.Schema, declared: pa.Schema, lane: Lane) -> None:
    """Raise STATE_SCHEMA_CHANGED if the columns differ. Internal columns (expiry, timers) may be added or removed."""
    columns = [field for field in visible(found) if field.name != DELETED]
    if [(field.name, field.type) for field in columns] != [(field.name, field.type) for field in visible(declared)]:
        raise PipelineStopped(
            Code.STATE_SCHEMA_CHANGED,
            f"the state of lane {lane} was written as ({_text(columns)}) but is declared as"
            f" ({_text(visible(declared))}): declare it as before, or set a higher version= and a migrate= function"
            " that converts it",
            lane,
        )


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table with exactly the columns of the schema; missing columns are null."""
    if table.schema.equals(schema):
        return table
    columns = [
        table[field.name] if field.name in table.column_names else pa.nulls(len(table), field.type) for field in schema
    ]
    return pa.table(columns, schema=schema.with_metadata(table.schema.metadata))


def _text(schema: Iterable[pa.Field]) -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)
