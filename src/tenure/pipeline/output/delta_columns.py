"""Columns as Delta's protocol has them: it knows fewer types than Arrow, and a file must agree with its table."""

import pyarrow as pa
import pyarrow.types as kinds

from tenure.pipeline.errors import BadFunction


def delta_columns(rows: pa.Table) -> pa.Table:
    """Convert the rows to types that Delta has. Raises BadFunction if a column cannot be converted."""
    try:
        return rows.cast(pa.schema([pa.field(column.name, delta_type(column)) for column in rows.schema]))
    except pa.ArrowInvalid as error:
        raise BadFunction(f"the function's rows cannot be converted to Delta's types: {error}") from error


def delta_type(column: pa.Field) -> pa.DataType:
    kind = column.type.value_type if kinds.is_dictionary(column.type) else column.type
    if kinds.is_timestamp(kind):
        return pa.timestamp("us", kind.tz and "UTC")
    for test, instead in INSTEAD:
        if test(kind):
            return instead
    if kinds.is_list(kind) or kinds.is_large_list(kind):
        return pa.list_(pa.field("element", delta_type(pa.field(column.name, kind.value_type))))
    if kinds.is_struct(kind):
        return pa.struct([pa.field(part.name, delta_type(part)) for part in kind])
    if kinds.is_map(kind):
        key, item = (delta_type(pa.field(column.name, part)) for part in (kind.key_type, kind.item_type))
        return pa.map_(key, item)
    if any(test(kind) for test in UNKNOWN):
        raise BadFunction(
            f"the function's column '{column.name}' has the type {kind}, which Delta does not support: convert the"
            " column"
        )
    return kind


INSTEAD = (
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

UNKNOWN = (kinds.is_time, kinds.is_duration, kinds.is_interval, kinds.is_decimal256, kinds.is_null, kinds.is_union)
