"""Rows as dictionaries of Python objects: the result of Arrow's `to_pylist`, but faster.

Arrow creates a row in about the time of a function call, except for times and dates. Arrow converts these in Python
code, which takes longer than all other values of the row together. This module converts them in whole columns.
"""

from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

UNITS: Final = ("s", "ms", "us")
"""Units of times that Python's datetime can represent."""

EPOCH: Final = datetime(1970, 1, 1)
EPOCH_UTC: Final = datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC"))
"""Start of 1970 in UTC, with the time zone class that Arrow uses in `to_pylist`."""


def python_rows(rows: pa.RecordBatch | pa.Table) -> list[dict[str, Any]]:
    """Return each row as a dictionary."""
    if isinstance(rows, pa.Table):
        return [row for batch in rows.combine_chunks().to_batches() for row in python_rows(batch)]
    times = [field.name for field in rows.schema if epoch_of(field.type) is not None]
    others = [pa.nulls(len(rows)) if name in times else rows[name] for name in rows.schema.names]
    made: list[dict[str, Any]] = pa.StructArray.from_arrays(others, names=rows.schema.names).to_pylist()
    for name in times:
        for row, value in zip(made, python_times(rows[name]), strict=True):
            row[name] = value
    return made


def epoch_of(kind: pa.DataType) -> datetime | date | None:
    """Return 1970-01-01 as a value of this type of times or dates; None for other types, and for zones except UTC."""
    if kinds.is_date32(kind):
        return EPOCH.date()
    if not kinds.is_timestamp(kind) or kind.unit not in UNITS:
        return None
    return EPOCH if kind.tz is None else EPOCH_UTC if kind.tz == "UTC" else None


def python_times(column: pa.Array) -> list[Any]:
    """Return the times or dates of a column. `epoch_of` must not be None for its type."""
    epoch: Any = epoch_of(column.type)
    unit, number = ("D", pa.int32()) if kinds.is_date32(column.type) else (column.type.unit, pa.int64())
    since = pc.fill_null(column.cast(number), 0).to_numpy().astype("int64").view(f"timedelta64[{unit}]").tolist()
    try:
        times = [epoch + each for each in since]
    except (OverflowError, TypeError):
        return list(column.to_pylist())  # Raises Arrow's error, which names a time that Python cannot represent.
    for row in pc.indices_nonzero(column.is_null()).to_pylist():
        times[row] = None
    return times
