"""Partitioned output: one directory for each combination of values of some columns, as in Hive.

The directory `day=2026-11-21/country=DE` contains the values that all rows of its files have in these columns. The
files do not contain these columns. Names, also for null, have Spark's format.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.types

from tenure.limits.pipeline import OUTPUT_PARTITIONS_PER_BATCH_MAX
from tenure.pipeline.errors import BadFunction

NULL: Final = "__HIVE_DEFAULT_PARTITION__"

PARTITION_COLUMNS: Final = b"tenure.partition_by"
"""Metadata key of a file: the columns that its directory name contains, with their types, as an Arrow schema. Base64,
because some readers accept only metadata that are text."""

UNSAFE: Final = frozenset("\"#%'*/:=?\\{}[]^\x7f") | frozenset(map(chr, range(1, 32)))
"""Characters that Spark writes as % and two digits in the names of partition directories."""

Values = tuple[tuple[str, str | None], ...]
"""Partition columns of a file, each with its value as text; None is a null value."""


def partitions(rows: pa.Table, columns: Sequence[str]) -> Iterator[tuple[Values, pa.Table]]:
    """Yield each combination of values in `columns`, and its rows in their order without these columns.

    Raises BadFunction if the rows cannot be partitioned by `columns`, or have too many combinations.
    """
    _check(rows, columns)
    rows = _without_views(rows)
    codes = _codes(rows, columns)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    if len(starts) > OUTPUT_PARTITIONS_PER_BATCH_MAX:
        raise BadFunction(
            f"one batch of a lane has {len(starts)} values of {', '.join(columns)}, and each becomes a file of the "
            f"partitioned sink: the limit is {OUTPUT_PARTITIONS_PER_BATCH_MAX}; partition by a column with fewer values"
        )
    by_value = rows if len(starts) == 1 else rows.take(pa.array(order))
    left_out = b64encode(pa.schema([rows.schema.field(column) for column in columns]).serialize())
    for start, end in pairwise([*starts.tolist(), len(rows)]):
        piece = by_value.slice(start, end - start)
        values = tuple((column, _text(piece[column][0].as_py())) for column in columns)
        yield values, piece.drop_columns(list(columns)).replace_schema_metadata({PARTITION_COLUMNS: left_out})


def directory_of(values: Values) -> str:
    """Return the relative directory with a trailing slash; empty if the output is not partitioned."""
    return "".join(f"{_escaped(column)}={_escaped(value)}/" for column, value in values)


def whole_schema(file: pa.Schema) -> pa.Schema:
    """Return the schema of a file's rows, including the partition columns from its directory name."""
    left_out = (file.metadata or {}).get(PARTITION_COLUMNS)
    fields = [] if left_out is None else list(pa.ipc.read_schema(pa.py_buffer(b64decode(left_out))))
    return pa.schema([*file.remove_metadata(), *fields])


def values_of(path: str) -> dict[str, str | None]:
    """Return the partition values in a path below its sink, None for null. This is the inverse of `directory_of`."""
    parts = (part.split("=", 1) for part in path.split("/")[:-1])
    return {unquote(column): None if value == NULL else unquote(value) for column, value in parts}


def _check(rows: pa.Table, columns: Sequence[str]) -> None:
    for column in columns:
        if column not in rows.column_names:
            known = ", ".join(rows.column_names)
            raise BadFunction(
                f"the sink is partitioned by '{column}', but the function's rows have only {known}: return that column,"
                " or change partition_by"
            )
        kind = rows.schema.field(column).type
        if not _is_nameable(kind):
            raise BadFunction(
                f"the sink is partitioned by '{column}', a {kind}: use a string, an integer, a boolean or a date"
            )
    if len(columns) == rows.num_columns:
        raise BadFunction(
            "the sink is partitioned by every column of the function's rows: leave at least one out of partition_by"
        )


def _without_views(rows: pa.Table) -> pa.Table:
    """Return the rows with view types (such as string_view) replaced by plain types. Arrow cannot reorder views."""
    plain = [
        column.with_type(pa.string())
        if pyarrow.types.is_string_view(column.type)
        else column.with_type(pa.binary())
        if pyarrow.types.is_binary_view(column.type)
        else column
        for column in rows.schema
    ]
    return rows.cast(pa.schema(plain))


def _is_nameable(kind: pa.DataType) -> bool:
    if pyarrow.types.is_dictionary(kind):
        return _is_nameable(kind.value_type)
    tests = (
        pyarrow.types.is_string, pyarrow.types.is_large_string, pyarrow.types.is_string_view, pyarrow.types.is_integer,
        pyarrow.types.is_boolean, pyarrow.types.is_date,
    )  # fmt: skip
    return any(test(kind) for test in tests)


def _codes(rows: pa.Table, columns: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return a number for each row. Rows with the same values have the same number."""
    codes = np.zeros(len(rows), np.int64)
    for column in columns:
        values = rows[column].combine_chunks()
        if not pyarrow.types.is_dictionary(values.type):
            values = values.dictionary_encode(null_encoding="encode")
        indices = values.indices.fill_null(len(values.dictionary)).to_numpy(zero_copy_only=False)
        codes = codes * (len(values.dictionary) + 1) + indices
        codes = np.unique(codes, return_inverse=True)[1]
    return codes


def _text(value: object) -> str | None:
    match value:
        case None | "":  # Hive has no empty value, and stores null instead.
            return None
        case bool():
            return str(value).lower()
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _escaped(text: str | None) -> str:
    if text is None:
        return NULL
    return "".join(f"%{ord(character):02X}" if character in UNSAFE else character for character in text)
