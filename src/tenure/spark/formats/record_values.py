"""JSON values and raw bytes as columns.

All JSON values of one fetch are parsed in one pass. Each value is put into a line together with its row number. The row
numbers of the result show whether a value contains two objects, or is incomplete. If the pass fails, the batch is
halved until each bad record is isolated.

A row has the columns of the value, and four columns with the origin of the record: `_key`, `_partition`, `_offset` and
`_timestamp`. A record with a null value (a tombstone) is a row whose value columns are all null.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from json import JSONEncoder
from textwrap import shorten
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from tenure.pipeline.errors import BadSchema
from tenure.pipeline.operators.rows import TOPIC, WATERMARK
from tenure.pipeline.values import ddl
from tenure.pipeline.values.decoded_records import BadRecord, Decoded

DECLARED_CHARACTERS_MAX: Final = 160
"""Maximum number of characters of a schema that an error message contains."""

TIMESTAMP: Final = pa.timestamp("ms", "UTC")

ORIGIN: Final = pa.schema(
    [("_key", pa.binary()), ("_partition", pa.int32()), ("_offset", pa.int64()), ("_timestamp", TIMESTAMP)]
)

RESERVED_COLUMNS: Final = (*ORIGIN.names, TOPIC, WATERMARK)
"""Columns that Tenure adds to rows."""


@dataclass(frozen=True, slots=True)
class Raw:
    """Format of keys and values as bytes, with the column names of Spark's Kafka source."""

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: key, value, partition, offset and timestamp, named as in Spark's Kafka source."""
        return pa.schema(
            [
                ("key", pa.binary()),
                ("value", pa.binary()),
                ("partition", pa.int32()),
                ("offset", pa.int64()),
                ("timestamp", TIMESTAMP),
            ]
        )

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows. There are no bad records, because every value is valid."""
        key, _, offset, timestamp = origin_columns(records, partition)
        columns = [key, to_binary(records["value"]), repeat_partition(partition, len(records)), offset, timestamp]
        return Decoded(pa.table(columns, schema=self.schema), [])

    @property
    def columns(self) -> pa.Schema:
        """Columns that rows need so that they can be written as records."""
        return pa.schema([("value", pa.binary())])

    def encode(self, rows: pa.Table, topic: str) -> pa.ChunkedArray:
        """Return the record values for these rows."""
        del topic
        return rows["value"]


@dataclass(frozen=True, slots=True)
class Json:
    """Format of JSON objects. Undeclared members are ignored, and absent members are null."""

    columns: pa.Schema
    declared: str
    """The columns as the user wrote them."""

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: the columns of the value, then key, partition, offset and timestamp of the record."""
        return pa.schema([*self.columns, *ORIGIN])

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows, and the bad records."""
        rows, bad = self.parse_all(records)
        return add_origin_columns(rows, bad, records, partition)

    def encode(self, rows: pa.Table, topic: str) -> pa.Array:
        """Return the record values for these rows. The rows have exactly the columns `self.columns`.

        Raises ValueError for a value that JSON cannot represent.
        """
        del topic
        return pa.array(json_text(rows), pa.binary())

    def parse_all(self, records: pa.Table) -> tuple[pa.Table, list[BadRecord]]:
        """Return the rows of all good values, and the bad records."""
        if not len(records):
            return self.columns.empty_table(), []
        try:
            return self.parse(records["value"]), []
        except pa.ArrowInvalid as error:
            if len(records) == 1:
                return self.columns.empty_table(), [
                    BadRecord(records["offset"][0].as_py(), self.describe_misfit(error))
                ]
        half = len(records) // 2
        (first, bad_first), (second, bad_second) = self.parse_all(records[:half]), self.parse_all(records[half:])
        return pa.concat_tables([first, second]), bad_first + bad_second

    def describe_misfit(self, error: pa.ArrowInvalid) -> str:
        """Return the reason why a value is bad, from the error of Arrow."""
        schema = shorten(self.declared, DECLARED_CHARACTERS_MAX, placeholder=" …")
        return f"its value is not JSON of the schema '{schema}' ({shorten_error(error)})"

    def parse(self, values: pa.ChunkedArray) -> pa.Table:
        """Return one row per value. Raises ArrowInvalid if any value is bad."""
        lines = numbered_lines(pc.fill_null(to_binary(values), b"null"))
        wrapped = pa.struct([field.with_type(parser_type(field.type)) for field in self.columns])
        table = pyarrow.json.read_json(
            pa.BufferReader(lines),
            read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(lines) + 1),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=pa.schema([("row", pa.int64()), ("value", wrapped)]),
                unexpected_field_behavior="ignore",
            ),
        )
        rows = table["row"].combine_chunks()
        if len(rows) != len(values) or not rows.equals(pa.array(range(len(values)), pa.int64())):
            raise pa.ArrowInvalid("more than one JSON value")
        objects = table["value"].combine_chunks()
        result = pa.table(objects.flatten(), names=self.columns.names).cast(self.columns)
        result.validate(full=True)  # Checks that strings are UTF-8. The parser does not check it.
        return result


def json(columns: str) -> Json:
    """Declare values that are JSON objects.

    Args:
        columns: Columns as Spark DDL, for example "tailnum string, arr_delay double".

    Raises:
        BadSchema: The columns are invalid or reserved.
    """
    schema = ddl.schema(columns)
    check_columns(schema, f"'{columns}'")
    return Json(schema, columns)


def check_columns(schema: pa.Schema, declaration: str) -> None:
    """Raise BadSchema if a column has a reserved name."""
    if taken := [name for name in schema.names if name in RESERVED_COLUMNS]:
        raise BadSchema(f"The column {taken[0]} is reserved: rename it in {declaration}.")


def raw() -> Raw:
    """Declare values that are read as bytes.

    The columns are key, value, partition, offset and timestamp, as in Spark's Kafka source.
    """
    return Raw()


def add_origin_columns(rows: pa.Table, bad: Sequence[BadRecord], records: pa.Table, partition: int) -> Decoded:
    """Return the decoded rows with the columns `_key`, `_partition`, `_offset` and `_timestamp` of their records.

    `records` has all records, and `rows` has one row for each record that is not in `bad`.
    """
    whence = pa.table(origin_columns(records, partition), schema=ORIGIN)
    if bad:
        offsets = pa.array([record.offset for record in bad], pa.int64())
        whence = whence.filter(pc.invert(pc.is_in(whence["_offset"], value_set=offsets)))
    return Decoded(pa.table([*rows.columns, *whence.columns], schema=pa.schema([*rows.schema, *ORIGIN])), bad)


def origin_columns(records: pa.Table, partition: int) -> list[pa.ChunkedArray]:
    """Return the columns `_key`, `_partition`, `_offset` and `_timestamp` of the records."""
    offset, timestamp = records["offset"], records["timestamp"].cast(TIMESTAMP)
    return [to_binary(records["key"]), repeat_partition(partition, len(records)), offset, timestamp]


def to_binary(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the column with the type binary. Fetched columns are views, which Spark does not accept."""
    return column.cast(pa.binary())


def repeat_partition(partition: int, count: int) -> pa.Array:
    """Return a column of `count` values, which are all `partition`."""
    return pa.repeat(pa.scalar(partition, pa.int32()), count)


def numbered_lines(values: pa.ChunkedArray) -> pa.Buffer:
    """Return one line `{"row":0,"value":…}` for each value, in one buffer."""
    numbers = pa.array(range(len(values)), pa.int64()).cast(pa.string()).cast(pa.binary())
    pieces = (b'{"row":', numbers, b',"value":', values.combine_chunks(), b"}\n", b"")
    lines = pc.binary_join_element_wise(*pieces)
    return lines.buffers()[2]


def parser_type(kind: pa.DataType) -> pa.DataType:
    """Return the type as which Arrow parses a column: a timestamp for dates, which Arrow's JSON parser cannot read."""
    if pa.types.is_date(kind):
        return pa.timestamp("s")
    if pa.types.is_list(kind):
        return pa.list_(parser_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(parser_type(field.type)) for field in kind])
    return kind


def shorten_error(error: pa.ArrowInvalid) -> str:
    """Return Arrow's error message, without the parts that refer to the wrapping line."""
    words = str(error).removeprefix("JSON parse error: ").replace("Column(/value/", "column (").replace(" in row 0", "")
    return words.replace("Column(/value)", "the value").rstrip(".")


def json_text(rows: pa.Table) -> list[bytes]:
    """Return each row as JSON text.

    NaN and infinities, which JSON does not have, are written in the form that Python, Java's parsers and Arrow read.
    """
    encode = ENCODER.encode
    return [encode(row).encode() for row in rows.to_pylist(maps_as_pydicts="strict")]


def encode_value(value: object) -> str:
    """Convert a time, decimal or bytes to text, because JSON lacks these types.

    Raises UnicodeDecodeError if bytes are not UTF-8.
    """
    match value:
        case datetime() | date():
            return value.isoformat()
        case Decimal():
            return str(value)
        case bytes():
            return value.decode()
        case _:
            raise TypeError(f"a value of type {type(value).__name__} cannot be written as JSON")


ENCODER: Final = JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=encode_value)
