"""Record values as columns: what a topic holds, declared once.

Values of one fetch are decoded together. Each JSON value is wrapped into a line that carries its row number, and all
lines are parsed in one pass; so a value cannot pass for two, or swallow its neighbour, without being noticed. Only when
that pass fails is the batch halved, again and again, until the bad records stand alone.

A row holds the value's own columns, then where it came from: `_key`, `_partition`, `_offset`, `_timestamp`. A null
value (a tombstone) is a row whose own columns are all null.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from tenure.pipeline.errors import BadSchema
from tenure.pipeline.operators.rows import TOPIC, WATERMARK
from tenure.pipeline.values import ddl
from tenure.pipeline.values.bad_records import BadRecord, Decoded
from tenure.spark.formats.json_text import json_text

DECLARED_CHARACTERS_MAX: Final = 160
"""Of a schema in a message: enough to recognise it."""

TIMESTAMP: Final = pa.timestamp("ms", "UTC")

ORIGIN: Final = pa.schema(
    [("_key", pa.binary()), ("_partition", pa.int32()), ("_offset", pa.int64()), ("_timestamp", TIMESTAMP)]
)

RESERVED_COLUMNS: Final = (*ORIGIN.names, TOPIC, WATERMARK)
"""Columns that rows have from Tenure."""


@dataclass(frozen=True, slots=True)
class Raw:
    """Keys and values as they are, under the names of Spark's Kafka source."""

    @property
    def schema(self) -> pa.Schema:
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
        key, _, offset, timestamp = origin_columns(records, partition)
        columns = [key, to_binary(records["value"]), repeat_partition(partition, len(records)), offset, timestamp]
        return Decoded(pa.table(columns, schema=self.schema), [])

    @property
    def columns(self) -> pa.Schema:
        """What a value is made of."""
        return pa.schema([("value", pa.binary())])

    def encode(self, rows: pa.Table) -> pa.ChunkedArray:
        return rows["value"]


@dataclass(frozen=True, slots=True)
class Json:
    """JSON objects; members that are not declared are ignored, absent ones are null."""

    columns: pa.Schema
    declared: str
    """The columns as the user wrote them."""

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([*self.columns, *ORIGIN])

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        rows, bad = self.parsed(records)
        return add_origin_columns(rows, bad, records, partition)

    def encode(self, rows: pa.Table) -> pa.Array:
        """The values of these rows, which have `columns` and no others. Raises ValueError for what JSON has no form
        for."""
        return pa.array(json_text(rows), pa.binary())

    def parsed(self, records: pa.Table) -> tuple[pa.Table, list[BadRecord]]:
        if not len(records):
            return self.columns.empty_table(), []
        try:
            return self.parse(records["value"]), []
        except pa.ArrowInvalid as error:
            if len(records) == 1:
                return self.columns.empty_table(), [BadRecord(records["offset"][0].as_py(), self.misfit(error))]
        half = len(records) // 2
        (first, bad_first), (second, bad_second) = self.parsed(records[:half]), self.parsed(records[half:])
        return pa.concat_tables([first, second]), bad_first + bad_second

    def misfit(self, error: pa.ArrowInvalid) -> str:
        schema = shorten(self.declared, DECLARED_CHARACTERS_MAX, placeholder=" …")
        return f"its value is not JSON of the schema '{schema}' ({shorten_error(error)})"

    def parse(self, values: pa.ChunkedArray) -> pa.Table:
        """One row per value, or ArrowInvalid."""
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
        result.validate(full=True)  # Strings must be UTF-8, which the parser does not look at.
        return result


def json(columns: str) -> Json:
    """JSON objects with these columns, in Spark's DDL: `json("tailnum string, arr_delay double")`."""
    schema = ddl.schema(columns)
    check_columns(schema, f"'{columns}'")
    return Json(schema, columns)


def check_columns(schema: pa.Schema, where: str) -> None:
    if taken := [name for name in schema.names if name in RESERVED_COLUMNS]:
        raise BadSchema(f"The column {taken[0]} is reserved: rename it in {where}.")


def raw() -> Raw:
    """Keys and values as bytes: the columns key, value, partition, offset and timestamp, as Spark's Kafka source has
    them."""
    return Raw()


def add_origin_columns(rows: pa.Table, bad: Sequence[BadRecord], records: pa.Table, partition: int) -> Decoded:
    """The rows, one for each record that is not bad, with where they came from."""
    whence = pa.table(origin_columns(records, partition), schema=ORIGIN)
    if bad:
        offsets = pa.array([record.offset for record in bad], pa.int64())
        whence = whence.filter(pc.invert(pc.is_in(whence["_offset"], value_set=offsets)))
    return Decoded(pa.table([*rows.columns, *whence.columns], schema=pa.schema([*rows.schema, *ORIGIN])), bad)


def origin_columns(records: pa.Table, partition: int) -> list[pa.ChunkedArray]:
    offset, timestamp = records["offset"], records["timestamp"].cast(TIMESTAMP)
    return [to_binary(records["key"]), repeat_partition(partition, len(records)), offset, timestamp]


def to_binary(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Spark and most of Arrow's functions want plain binary, and fetches give views into their buffer."""
    return column.cast(pa.binary())


def repeat_partition(partition: int, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(partition, pa.int32()), count)


def numbered_lines(values: pa.ChunkedArray) -> pa.Buffer:
    """`{"row":0,"value":…}` and so on, one a line, as one buffer."""
    numbers = pa.array(range(len(values)), pa.int64()).cast(pa.string()).cast(pa.binary())
    pieces = (b'{"row":', numbers, b',"value":', values.combine_chunks(), b"}\n", b"")
    lines = pc.binary_join_element_wise(*pieces)
    return lines.buffers()[2]


def parser_type(kind: pa.DataType) -> pa.DataType:
    """Arrow's JSON parser reads timestamps and no dates: a date is read as midnight, then cast."""
    if pa.types.is_date(kind):
        return pa.timestamp("s")
    if pa.types.is_list(kind):
        return pa.list_(parser_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(parser_type(field.type)) for field in kind])
    return kind


def shorten_error(error: pa.ArrowInvalid) -> str:
    """Arrow's words, without those that speak of our wrapping."""
    words = str(error).removeprefix("JSON parse error: ").replace("Column(/value/", "column (").replace(" in row 0", "")
    return words.replace("Column(/value)", "the value").rstrip(".")
