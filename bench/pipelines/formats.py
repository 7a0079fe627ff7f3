"""Decoding of wide values: rows of 50 columns per second of processor time, in one process, without broker and Spark.

The peer is what users write without Tenure: a loop that decodes each value with a library, and one table of the rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bench.columnar import cpu_rate
from bench.figures import Figure, Sample

if TYPE_CHECKING:
    import pyarrow as pa

LONGS, DOUBLES, STRINGS = 20, 15, 15
"""Number of columns of each type."""
STRING_CHARACTERS: Final = 12


class Format(NamedTuple):
    name: str
    ours: Any
    """Values of a topic, as users declare them."""
    library: str
    decode_one: Callable[[bytes], Mapping[str, Any]]


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    del directory
    rounds, count = (1, 2_000) if quick else (5, 20_000)
    table = wide_table(count)
    for each in (json_format(table), avro_format(table), protobuf_format(table)):
        records = records_of(each, table)
        decode, loop = partial(decoded, each, records), partial(decoded_in_a_loop, each, records, table.schema)
        ours, theirs = zip(*((cpu_rate(count, decode), cpu_rate(count, loop)) for _ in range(rounds)), strict=True)
        what = f"{each.name} values of {table.num_columns} columns into Arrow"
        yield Figure(what, "rows/CPU-s", Sample.of(ours), peer=each.library, theirs=Sample.of(theirs))


def wide_table(count: int) -> pa.Table:
    import pyarrow as pa

    drawn = random.Random(count)
    columns: dict[str, pa.Array] = {}
    for number in range(LONGS):
        columns[f"long_{number}"] = pa.array([drawn.randrange(1 << 40) for _ in range(count)], pa.int64())
    for number in range(DOUBLES):
        columns[f"double_{number}"] = pa.array([drawn.random() for _ in range(count)], pa.float64())
    for number in range(STRINGS):
        columns[f"string_{number}"] = pa.array([f"{drawn.getrandbits(48):0{STRING_CHARACTERS}x}" for _ in range(count)])
    return pa.table(columns)


def records_of(each: Format, table: pa.Table) -> pa.Table:
    """Return the rows as records of a fetch. Check that both sides decode the same rows."""
    import pyarrow as pa

    values = each.ours.encode(table, "wide")
    count = len(table)
    records = pa.table(
        {
            "offset": pa.array(range(count), pa.int64()),
            "timestamp": pa.array([0] * count, pa.timestamp("ms", "UTC")),
            "key": pa.array([b"key"] * count, pa.binary_view()),
            "value": values.cast(pa.binary_view()),
        }
    )
    assert each.ours.decode(records, 0).rows.select(table.column_names).equals(table)
    assert in_a_loop(each, records, table.schema).equals(table)
    return records


def decoded(each: Format, records: pa.Table) -> int:
    return len(each.ours.decode(records, 0).rows)


def decoded_in_a_loop(each: Format, records: pa.Table, schema: pa.Schema) -> int:
    return len(in_a_loop(each, records, schema))


def in_a_loop(each: Format, records: pa.Table, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist([each.decode_one(value) for value in records["value"].to_pylist()], schema=schema)


# --- formats ----------------------------------------------------------------------------------------------------------


def json_format(table: pa.Table) -> Format:
    import json

    import tenure.spark

    names = {"int64": "long", "double": "double", "string": "string"}
    declared = ", ".join(f"{field.name} {names[str(field.type)]}" for field in table.schema)
    return Format("JSON", tenure.spark.json(declared), "json.loads", json.loads)


def avro_format(table: pa.Table) -> Format:
    import io

    import fastavro

    import tenure.spark

    names = {"int64": "long", "double": "double", "string": "string"}
    fields = [{"name": field.name, "type": names[str(field.type)]} for field in table.schema]
    schema = {"type": "record", "name": "Wide", "fields": fields}
    parsed = fastavro.parse_schema(schema)
    return Format(
        "Avro",
        tenure.spark.avro(schema),
        "fastavro",
        lambda value: fastavro.schemaless_reader(io.BytesIO(value), parsed, None),  # type: ignore[arg-type, return-value]
    )


def protobuf_format(table: pa.Table) -> Format:
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    import tenure.spark

    kinds = {
        "int64": FieldDescriptorProto.TYPE_INT64,
        "double": FieldDescriptorProto.TYPE_DOUBLE,
        "string": FieldDescriptorProto.TYPE_STRING,
    }
    file = FileDescriptorProto(name="wide.proto", package="bench", syntax="proto3")
    message = file.message_type.add(name="Wide")
    for number, field in enumerate(table.schema, 1):
        message.field.add(name=field.name, number=number, label=1, type=kinds[str(field.type)])
    pool = DescriptorPool()
    pool.Add(file)
    kind: Any = GetMessageClass(pool.FindMessageTypeByName("bench.Wide"))
    names = table.column_names

    def decode_one(value: bytes) -> dict[str, Any]:
        read = kind.FromString(value)
        return {name: getattr(read, name) for name in names}

    return Format("Protobuf", tenure.spark.protobuf(kind), "the generated class", decode_one)
