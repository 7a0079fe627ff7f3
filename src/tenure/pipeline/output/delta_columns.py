"""Conversion of columns to the types of Delta and Iceberg, which have fewer types than Arrow."""

import pyarrow as pa
import pyarrow.types as kinds

from tenure.pipeline.errors import BadFunction


def delta_columns(rows: pa.Table) -> pa.Table:
    """Convert the rows to types that Delta has. Raises BadFunction if a column cannot be converted."""
    return table_columns(rows, "Delta")


def iceberg_columns(rows: pa.Table) -> pa.Table:
    """Convert the rows to types that Iceberg has. Raises BadFunction if a column cannot be converted."""
    return table_columns(rows, "Iceberg")


def table_columns(rows: pa.Table, format_name: str) -> pa.Table:
    """Convert the rows to types that both Delta and Iceberg have.

    Raises BadFunction if a column cannot be converted. The message contains `format_name`, "Delta" or "Iceberg".
    """
    try:
        return rows.cast(pa.schema([pa.field(column.name, table_type(column, format_name)) for column in rows.schema]))
    except pa.ArrowInvalid as error:
        raise BadFunction(f"the function's rows cannot be converted to {format_name}'s types: {error}") from error


def table_type(column: pa.Field, format_name: str) -> pa.DataType:
    """Return the type to which a column, or a nested part of a column, is converted for Delta and Iceberg.

    Raises BadFunction if the column cannot be converted. The message contains `format_name`.
    """
    kind = column.type.value_type if kinds.is_dictionary(column.type) else column.type
    if kinds.is_timestamp(kind):
        return pa.timestamp("us", kind.tz and "UTC")
    for test, instead in TABLE_TYPES:
        if test(kind):
            return instead
    if kinds.is_list(kind) or kinds.is_large_list(kind):
        return pa.list_(pa.field("element", table_type(pa.field(column.name, kind.value_type), format_name)))
    if kinds.is_struct(kind):
        return pa.struct([pa.field(part.name, table_type(part, format_name)) for part in kind])
    if kinds.is_map(kind):
        key, item = (table_type(pa.field(column.name, part), format_name) for part in (kind.key_type, kind.item_type))
        return pa.map_(key, item)
    if any(test(kind) for test in UNSUPPORTED):
        raise BadFunction(
            f"the function's column '{column.name}' has the type {kind}, which {format_name} does not support:"
            " convert the column"
        )
    return kind


TABLE_TYPES = (
    (kinds.is_uint8, pa.int16()),
    (kinds.is_uint16, pa.int32()),
    (kinds.is_uint32, pa.int64()),
    (kinds.is_uint64, pa.int64()),
    (kinds.is_float16, pa.float32()),
    (kinds.is_large_string, pa.string()),
    (kinds.is_string_view, pa.string()),
    (kinds.is_large_binary, pa.binary()),
    (kinds.is_binary_view, pa.binary()),
    (kinds.is_fixed_size_binary, pa.binary()),
    (kinds.is_date64, pa.date32()),
)

UNSUPPORTED = (kinds.is_time, kinds.is_duration, kinds.is_interval, kinds.is_decimal256, kinds.is_null, kinds.is_union)
