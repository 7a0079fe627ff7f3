"""Merge of rows into an Iceberg table by key: a row replaces the one with the same key.

pyiceberg's `Table.upsert` is slow: it compares rows one by one in Python. If the key has several columns, it creates
one condition for each row. This module creates only one condition for each key column. A row of the table may satisfy
all conditions although none of the new rows has its key. Such rows are read, and written again with the new rows.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from tenure.spark.sinks.upsert_rows import last_row_of_each_key

if TYPE_CHECKING:
    from pyiceberg.expressions import BooleanExpression
    from pyiceberg.table import Table, Transaction


def upsert(table: "Table", transaction: "Transaction", rows: pa.Table, key: Sequence[str]) -> None:
    """Write the rows, and remove the table's rows with the same keys.

    Args:
        table: The table, in its current version.
        transaction: A transaction of the table without changes.
        rows: Rows in order: of several rows with the same key, the last one is kept.
        key: Columns of the key.

    Raises:
        ValueError: The rows do not fit the key or the table.
    """
    if missing := [name for name in key if name not in rows.column_names]:
        raise ValueError(f"the rows have no key column '{missing[0]}'")
    if unfit := unfit_key(rows.schema, key):
        raise ValueError(f"the rows {unfit}")
    if empty := [name for name in key if rows[name].null_count]:
        raise ValueError(f"a row has a null in the key column '{empty[0]}'")
    rows = last_row_of_each_key(rows, [rows[name] for name in key])
    may_match = candidates(rows, key)
    existing = table.scan(row_filter=may_match).to_arrow()
    if len(existing):
        stay = existing.filter(pc.invert(has_key_of(existing, rows, key)))
        transaction.overwrite(pa.concat_tables([stay, rows], promote_options="permissive"), overwrite_filter=may_match)
    else:
        transaction.append(rows)


def unfit_key(columns: pa.Schema, key: Sequence[str]) -> str | None:
    """Return the reason why one of the columns `key` cannot be part of a key; None if all can.

    Iceberg has the same rule for identifier fields.
    """
    for name in key:
        kind = columns.field(name).type
        if kinds.is_floating(kind) or kinds.is_nested(kind):
            return f"have the key column '{name}' of type {kind}, which cannot be part of a key"
    return None


def candidates(rows: pa.Table, key: Sequence[str]) -> "BooleanExpression":
    """Return a condition that is true for all rows that have the key of one of `rows`, and perhaps for other rows.

    The condition also limits each key column to the range of the new values. pyiceberg uses such a range to skip files,
    but it does not use a long list of values.
    """
    from pyiceberg.expressions import AlwaysTrue, And, GreaterThanOrEqual, In, LessThanOrEqual, Reference

    found: BooleanExpression = AlwaysTrue()
    for name in key:
        values = pc.unique(rows[name])
        bounds = pc.min_max(values)
        least, most = bounds["min"].as_py(), bounds["max"].as_py()
        found = And(
            found,
            GreaterThanOrEqual(term=Reference(name), value=least),
            LessThanOrEqual(term=Reference(name), value=most),
            In(term=Reference(name), values=set(values.to_pylist())),
        )
    return found


def has_key_of(existing: pa.Table, rows: pa.Table, key: Sequence[str]) -> pa.Array:
    """Return for each row of the table `existing` whether one of the new rows has the same key."""
    names = list(key)
    numbered = existing.select(names).append_column("row", pa.array(numpy.arange(len(existing))))
    keys = rows.select(names).cast(numbered.select(names).schema)
    numbered = numbered.rename_columns([*map(str, range(len(names))), "row"])
    found = numbered.join(
        keys.rename_columns(list(map(str, range(len(names))))), numbered.column_names[:-1], join_type="left semi"
    )
    is_found = numpy.zeros(len(existing), bool)
    is_found[found["row"].to_numpy()] = True
    return pa.array(is_found)
