"""Comparison of rows with the columns of an Iceberg table, by the rules with which pyiceberg writes."""

from contextlib import redirect_stdout
from io import StringIO

import pyarrow as pa
from pyiceberg.io.pyarrow import _check_pyarrow_schema_compatible
from pyiceberg.schema import Schema
from pyiceberg.types import NestedField


def difference(table: Schema, columns: pa.Schema) -> str | None:
    """Return the reason why a table with this schema cannot store rows with these columns; None if it can."""
    known = {field.name: field for field in table.fields}
    for column in columns:
        if (field := known.get(column.name)) is None:
            return f"have the column '{column.name}', but there is only {', '.join(known)}"
        if not fits(field, column):
            required = "required " if field.required else ""
            return f"have the column '{column.name}' as {column.type}, but it is a {required}{field.field_type}"
    for field in table.fields:
        if field.required and field.name not in columns.names:
            return f"have no column '{field.name}', which is required"
    return None


def fits(field: NestedField, column: pa.Field) -> bool:
    """Return whether pyiceberg can write the column of rows into this field of a table."""
    try:
        with redirect_stdout(StringIO()):  # pyiceberg prints both schemas before it raises the error.
            _check_pyarrow_schema_compatible(Schema(field), pa.schema([column]))
    except ValueError:
        return False
    return True
