"""Values with a JSON Schema as columns, and rows as such values."""

import json as text
import pickle
from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa
import pytest

from tenure.pipeline.errors import BadFunction, BadSchema, PipelineConfigError
from tenure.spark import Parquet, Pipeline, Topic, json_schema, map_batches
from tenure.spark.sinks.topic_sink import TopicRowEncoder
from tenure.testing import Rehearsal
from tests.spark.formats.test_topic_rows import read_back
from tests.spark.formats.test_values import records

FLIGHT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "tailnum": {"type": "string", "minLength": 2},
        "delay": {"type": ["integer", "null"], "maximum": 1000},
        "fare": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "is_late": {"type": "boolean"},
        "at": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "kind": {"enum": ["due", "gone"]},
        "stops": {"type": "array", "items": {"type": "integer"}},
        "gate": {"$ref": "#/$defs/gate"},
    },
    "required": ["tailnum"],
    "$defs": {"gate": {"type": "object", "properties": {"number": {"type": "integer"}}}},
}
ROW: dict[str, Any] = {
    "tailnum": "N1", "delay": 5, "fare": 1.5, "is_late": True, "at": datetime(2026, 1, 1, 12, tzinfo=UTC),
    "day": date(2026, 1, 1), "kind": "gone", "stops": [1, 2], "gate": {"number": 4},
}  # fmt: skip
VALUE = (
    b'{"tailnum": "N1", "delay": 5, "fare": 1.5, "is_late": true, "at": "2026-01-01T12:00:00Z", "day": "2026-01-01",\
 "kind": "gone", "stops": [1, 2], "gate": {"number": 4}, "undeclared": {}}'
)


def test_json_schema__every_type__declared_columns_and_then_columns_of_the_record() -> None:
    values = pickle.loads(pickle.dumps(json_schema(text.dumps(FLIGHT))))
    rows, bad = values.decode(records(VALUE, None, b'{"tailnum": "N2", "delay": null}'), partition=3)
    assert bad == []
    assert rows.schema == values.schema
    first, tombstone, short = rows.to_pylist()
    assert {name: first[name] for name in ROW} == ROW
    assert [tombstone[name] for name in ROW] == [None] * len(ROW)
    assert [name for name in ROW if short[name] is not None] == ["tailnum"]
    assert (short["_offset"], short["_partition"], short["_key"]) == (42, 3, b"N14228")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b'{"delay": 5}', '"tailnum" is a required property'),
        (b'{"tailnum": "N1", "delay": 1001}', "delay: 1001 is greater than the maximum of 1000"),
        (b'{"tailnum": "N1", "stops": [1, "x"]}', 'stops/1: "x" is not of type "integer"'),
        (b"{", "Expecting property name"),
        (b"\xff", "can't decode byte"),
        (b"[" * 100_000, "recursion"),
        (b'{"tailnum": "N1", "at": "noon"}', "its value is not JSON of the schema"),
    ],
)
def test_json_schema__value_violates_the_schema__bad_record_and_others_decoded(value: bytes, reason: str) -> None:
    rows, bad = json_schema(FLIGHT).decode(records(VALUE, value, VALUE), partition=0)
    assert [record.offset for record in bad] == [41]
    assert reason in bad[0].reason
    assert rows["_offset"].to_pylist() == [40, 42]


def test_json_schema__rows_written_and_read__same_rows_and_nulls_left_out_of_the_json() -> None:
    topic = Topic("t", value=json_schema(FLIGHT))
    rows = pa.Table.from_pylist([ROW, {"tailnum": "N2"}, {}], schema=topic.value.columns)
    assert read_back(topic, rows).equals(rows)
    assert TopicRowEncoder(topic)(rows)["value"].to_pylist()[1:] == [b'{"tailnum":"N2"}', None]


def test_json_schema__null_in_a_required_property__written_as_null() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "integer"}},
    }
    topic = Topic("t", value=json_schema(schema))
    assert TopicRowEncoder(topic)(pa.table({"a": pa.nulls(1, pa.string()), "b": [1]}))["value"][0].as_py() == (
        b'{"a":null,"b":1}'
    )


def test_json_schema__row_violates_the_schema__error_names_the_property() -> None:
    topic = Topic("t", value=json_schema(FLIGHT))
    rows = pa.Table.from_pylist([{"tailnum": "N1", "kind": "never"}], schema=topic.value.columns)
    with pytest.raises(BadFunction, match='topic t: kind: "never" is not one of'):
        TopicRowEncoder(topic)(rows)


def test_json_schema__topic_with_such_values__rows_in_a_rehearsal() -> None:
    topic = Topic("flights", json_schema(FLIGHT)).keyed_by("tailnum").with_watermark("at", "1 minute")
    pipeline = Pipeline("p", topic, map_batches(lambda rows: rows.select(["tailnum", "gate"])), Parquet("/nowhere"))
    assert Rehearsal(pipeline).run([VALUE]).to_pylist() == [{"tailnum": "N1", "gate": {"number": 4}}]


def test_json_schema__columns_option_set__used_instead_of_the_properties() -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["string", "integer"]}}}
    rows, bad = json_schema(schema, columns="a string").decode(records(b'{"a": "x"}', b'{"a": true}'), partition=0)
    assert rows["a"].to_pylist() == ["x"]
    assert 'a: true is not of types "integer", "string"' in bad[0].reason


TREE = {"type": "object", "properties": {"child": {"$ref": "#"}}}
NODE = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/node"}},
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
}


@pytest.mark.parametrize(
    ("schema", "more", "error", "says"),
    [
        ("{", {}, BadSchema, "Invalid JSON Schema"),
        ({"type": "nothing"}, {}, BadSchema, "Invalid JSON Schema"),
        ({"$ref": "https://example.com/other.json"}, {}, BadSchema, "another document"),
        ({"type": "object"}, {}, BadSchema, "must be an object with properties"),
        (
            {"properties": {"a": {"type": ["string", "integer"]}}},
            {},
            BadSchema,
            "property a .* cannot be converted to a column",
        ),
        ({"properties": {"_key": {"type": "string"}}}, {}, BadSchema, "_key is reserved"),
        (TREE, {}, BadSchema, "# contains itself"),
        (NODE, {}, BadSchema, "node contains itself"),
        (FLIGHT, {"framing": "other"}, PipelineConfigError, "Unknown framing='other'"),
    ],
)
def test_json_schema__invalid_declaration__refused(schema: Any, more: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        json_schema(schema, **more)
