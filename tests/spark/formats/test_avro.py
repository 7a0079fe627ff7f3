"""Avro values as columns, with the schemas that they were written with."""

import json as text
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from threading import Thread
from typing import Any

import fastavro
import pyarrow as pa
import pytest

from tenure.pipeline.errors import BadSchema, PipelineConfigError
from tenure.spark import Parquet, Pipeline, Topic, avro, map_batches
from tenure.testing import Rehearsal
from tests.spark.formats.test_values import records

FLIGHT: dict[str, Any] = {
    "type": "record",
    "name": "Flight",
    "fields": [
        {"name": "tailnum", "type": ["null", "string"], "default": None},
        {"name": "delay", "type": "double"},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "fare", "type": {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 2}},
        {"name": "id", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["DUE", "GONE"]}},
        {"name": "stops", "type": {"type": "array", "items": "int"}},
        {"name": "crew", "type": {"type": "map", "values": "string"}},
        {"name": "gate", "type": {"type": "record", "name": "Gate", "fields": [{"name": "number", "type": "int"}]}},
    ],
}
ROW: dict[str, Any] = {
    "tailnum": "N1",
    "delay": 1.5,
    "at": datetime(2026, 1, 1, 12, tzinfo=UTC),
    "day": date(2026, 1, 1),
    "fare": Decimal("12.30"),
    "id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "state": "GONE",
    "stops": [1, 2],
    "crew": {"captain": "A"},
    "gate": {"number": 4},
}
SMALL: dict[str, Any] = {"type": "record", "name": "R", "fields": [{"name": "n", "type": "long"}]}
OLDER: dict[str, Any] = {
    "type": "record",
    "name": "R",
    "fields": [{"name": "n", "type": "int"}, {"name": "x", "type": "string"}],
}


def datum(schema: dict[str, Any], row: dict[str, Any]) -> bytes:
    data = BytesIO()
    fastavro.schemaless_writer(data, fastavro.parse_schema(schema), row)
    return data.getvalue()


def test_avro__every_type__declared_columns_and_then_columns_of_the_record() -> None:
    values = pickle.loads(pickle.dumps(avro(FLIGHT)))
    rows, bad = values.decode(records(datum(FLIGHT, ROW), None), partition=3)
    assert bad == []
    assert rows.schema == values.schema
    first, tombstone = rows.to_pylist()
    assert {name: first[name] for name in ROW} == {**ROW, "crew": [("captain", "A")]}
    assert (first["_offset"], first["_partition"], first["_key"]) == (40, 3, b"N14228")
    assert [tombstone[name] for name in ROW] == [None] * len(ROW)
    assert tombstone["_offset"] == 41


@pytest.mark.parametrize("value", [b"", b"\x02", datum(SMALL, {"n": 3}) + b"more"])
def test_avro__undecodable_value__bad_record_and_others_decoded(value: bytes) -> None:
    good = datum(SMALL, {"n": 3})
    wide = {**SMALL, "fields": [*SMALL["fields"], {"name": "s", "type": "string"}]} if value == b"\x02" else SMALL
    if wide is not SMALL:
        good = datum(wide, {"n": 3, "s": "x"})
    rows, bad = avro(wide).decode(records(good, value, good), partition=0)
    assert [record.offset for record in bad] == [41]
    assert bad[0].reason.startswith("its value does not match the declared Avro schema (")
    assert rows["_offset"].to_pylist() == [40, 42]


def test_avro__values_with_a_schema_id__decoded_with_the_writers_schema() -> None:
    framed = b"\x00" + (7).to_bytes(4, "big") + datum(OLDER, {"n": 5, "x": "dropped"})
    values = avro(text.dumps(SMALL), framing="confluent", writers={7: OLDER})
    unknown = b"\x00" + (8).to_bytes(4, "big") + datum(SMALL, {"n": 5})
    rows, bad = values.decode(records(framed, unknown, b"n"), partition=0)
    assert rows["n"].to_pylist() == [5]
    assert [record.reason for record in bad] == [
        "its value does not match the declared Avro schema (writers= has no schema with the id 8)",
        "its value does not match the declared Avro schema (the header of framing='confluent' is missing)",
    ]
    single = b"\xc3\x01" + (9).to_bytes(8, "little") + datum(OLDER, {"n": 6, "x": ""})
    rows, bad = avro(SMALL, framing="single-object", writers={9: OLDER}).decode(records(single), partition=0)
    assert (rows["n"].to_pylist(), bad) == ([6], [])


@contextmanager
def registry(schemas: dict[int, dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    asked = list[str]()

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            schema = schemas.get(int(self.path.rpartition("/")[2]))
            self.send_response(404 if schema is None else 200)
            self.end_headers()
            self.wfile.write(text.dumps({"schema": text.dumps(schema)}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Registry) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", asked
        finally:
            server.shutdown()
            thread.join()


def test_avro__schema_registry__one_request_per_schema() -> None:
    framed = b"\x00" + (7).to_bytes(4, "big") + datum(OLDER, {"n": 5, "x": ""})
    unknown = b"\x00" + (8).to_bytes(4, "big")
    with registry({7: OLDER}) as (url, asked):
        values = avro(SMALL, framing="confluent", writers=url)
        for _ in range(2):
            rows, bad = values.decode(records(framed, framed, unknown), partition=0)
            assert rows["n"].to_pylist() == [5, 5]
            assert "has no schema 8" in bad[0].reason
    assert asked.count("/schemas/ids/7") == 1
    with pytest.raises(OSError):
        avro(SMALL, framing="confluent", writers=url).decode(records(unknown[:4] + b"\x09"), partition=0)


def test_avro__topic_with_avro_values__rows_in_a_rehearsal() -> None:
    topic = Topic("flights", avro(FLIGHT)).keyed_by("tailnum").with_watermark("at", "1 minute")

    def gates(rows: pa.Table) -> pa.Table:
        return rows.select(["tailnum", "gate"])

    rehearsal = Rehearsal(Pipeline("p", topic, map_batches(gates), Parquet("/nowhere")))
    assert rehearsal.run([datum(FLIGHT, ROW)]).to_pylist() == [{"tailnum": "N1", "gate": {"number": 4}}]


@pytest.mark.parametrize(
    ("schema", "more", "error", "says"),
    [
        ("{", {}, BadSchema, "Invalid Avro schema"),
        ('"string"', {}, BadSchema, "must be a record: its fields become columns"),
        ({**SMALL, "fields": [{"name": "u", "type": ["int", "string"]}]}, {}, BadSchema, "field u is a union"),
        ({**SMALL, "fields": [{"name": "_key", "type": "int"}]}, {}, BadSchema, "_key is reserved"),
        (SMALL, {"framing": "confluent"}, PipelineConfigError, "needs writers="),
        (SMALL, {"framing": "other"}, PipelineConfigError, "Unknown framing='other'"),
    ],
)
def test_avro__invalid_declaration__refused(schema: Any, more: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        avro(schema, **more)
