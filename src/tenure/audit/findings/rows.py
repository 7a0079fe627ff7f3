"""Rows of Arrow tables as dictionaries."""

from typing import Any

import pyarrow as pa


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    """Return rows with times in ms."""
    for index, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type):
            table = table.set_column(index, field.name, table[field.name].cast(pa.int64()))
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows
