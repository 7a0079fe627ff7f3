"""Rows as records of a topic: the same declaration writes and reads them."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tenure.admin.offset_reset import ToEarliest, ToLatest
from tenure.client.errors import TransactionAbortable
from tenure.pipeline.errors import BadFunction, PipelineConfigError
from tenure.pipeline.task.task import RECORDS
from tenure.pipeline.values.manifest import TransactionHandle
from tenure.spark import Parquet, Pipeline, Topic, avro, json, map_batches, raw, stateful, transform
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.declarations.inputs import task_steps
from tenure.spark.kafka.lane_transactions import write_in_transaction
from tenure.spark.operations.backfill import backfill
from tenure.spark.sinks.topic_sink import TopicRowEncoder
from tenure.testing import Rehearsal
from tests.spark.formats.test_avro import FLIGHT, ROW

AT = datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)
EVERY_TYPE = (
    "a long, b double, c string, d timestamp, e timestamp_ntz, f date, g decimal(10,2), h binary, i boolean,"
    " j array<int>, k struct<x: int, y: string>, l float, m tinyint, n array<timestamp>"
)
ROWS: list[dict[str, Any]] = [
    {
        "a": 1, "b": 1.1, "c": 'ä"\\\n\u2028', "d": AT, "e": AT.replace(tzinfo=None), "f": date(2026, 1, 2),
        "g": Decimal("-1.20"), "h": b"bytes", "i": True, "j": [1, None], "k": {"x": 1, "y": None}, "l": 1.5, "m": -3,
        "n": [AT],
    },
    {"b": float("inf"), "c": ""},
]  # fmt: skip
FLIGHTS = Topic("flights", value=json("tailnum string, dest string, delay long")).keyed_by("tailnum")
OUT = Topic("out", value=json("dest string, delay long")).keyed_by("dest")


def read_back(topic: Topic, rows: pa.Table) -> pa.Table:
    """Return the rows as a reader of the topic gets them."""
    made = TopicRowEncoder(topic)(rows)
    columns = {
        "offset": pa.array(range(len(made)), pa.int64()),
        "timestamp": pa.nulls(len(made), RECORDS.field(1).type),
    }
    records = pa.table({**columns, "key": pa.nulls(len(made), pa.binary()), "value": made["value"]})
    decoded = topic.value.decode(records, 0)
    assert decoded.bad == []
    return decoded.rows.select(topic.value.columns.names)


def test_json_values__rows_of_every_type_written_and_read__same_rows() -> None:
    topic = Topic("t", value=json(EVERY_TYPE))
    rows = pa.Table.from_pylist(ROWS, schema=topic.value.columns)
    assert read_back(topic, rows).equals(rows)


@pytest.mark.parametrize(("framing", "writers"), [("none", None), ("single-object", None), ("confluent", {7: FLIGHT})])
def test_avro_values__rows_written_and_read_with_each_framing__same_rows(framing: Any, writers: Any) -> None:
    topic = Topic("t", value=avro(FLIGHT, framing=framing, writers=writers))
    rows = pa.Table.from_pylist([ROW, ROW], schema=topic.value.columns)
    assert read_back(topic, rows).equals(rows)


def test_avro_single_object__header_of_a_value__fingerprint_in_little_endian() -> None:
    """The specification prints the fingerprint of the schema "int". For the record, fastavro computes it."""
    schema = {"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}
    canonical = fastavro.schema.to_parsing_canonical_form(schema)
    value = TopicRowEncoder(Topic("t", value=avro(schema, framing="single-object")))(pa.table({"n": [1]}))["value"][0]
    assert fastavro.schema.fingerprint('"int"', "CRC-64-AVRO") == "8f5c393f1ad57572"  # 0x7275d51a3f395c8f
    assert value.as_py() == b"\xc3\x01" + bytes.fromhex(fastavro.schema.fingerprint(canonical, "CRC-64-AVRO")) + b"\x02"


def test_avro_confluent__schema_id_unknown__refused() -> None:
    other = {"type": "record", "name": "R", "fields": [{"name": "n", "type": "int"}]}
    topic = Topic("t", value=avro(FLIGHT, framing="confluent", writers={1: other}))
    with pytest.raises(PipelineConfigError, match="register the schema"):
        Pipeline("p", FLIGHTS, map_batches(len), topic, "/s")


def test_raw_values__rows_with_key_value_and_timestamp_columns__used_for_the_record() -> None:
    rows = pa.table({"key": [b"k", None], "value": [b"v", None], "timestamp": pa.array([AT, AT]), "offset": [1, 2]})
    made = TopicRowEncoder(Topic("t", value=raw()))(rows)
    assert made.to_pylist() == [
        {"value": b"v", "key": b"k", "timestamp": AT},
        {"value": None, "key": None, "timestamp": AT},
    ]


@pytest.mark.parametrize(("column", "keys"), [("s", [b"x", None]), ("n", [b"7", b"8"]), ("b", [b"\x00", b"\x01"])])
def test_record_key__string_integer_or_binary_column__bytes_of_the_key(column: str, keys: list[bytes | None]) -> None:
    rows = pa.table({"s": ["x", None], "n": [7, 8], "b": [b"\x00", b"\x01"]})
    topic = Topic("t", value=json("s string, n long, b binary")).keyed_by(column)
    made = TopicRowEncoder(replace(topic, value=json("s string")) if column == "s" else topic)
    assert made(rows)["key"].to_pylist() == keys


def test_record_key__rows_have_another_type_than_declared__written_as_declared() -> None:
    made = TopicRowEncoder(Topic("t", value=json("n long")).keyed_by("n"))(pa.table({"n": [7.0]}))
    assert made.to_pylist() == [{"value": b'{"n":7}', "key": b"7"}]


def test_record_timestamp__event_time_or_source_timestamp_or_neither__first_available_is_used() -> None:
    rows = pa.table({"at": pa.array([AT], pa.timestamp("us", "UTC")), "_timestamp": pa.array([AT.replace(year=2020)])})
    topic = Topic("t", value=json("at timestamp"))
    assert TopicRowEncoder(topic.with_watermark("at"))(rows)["timestamp"].to_pylist() == [AT]
    assert TopicRowEncoder(topic)(rows)["timestamp"].to_pylist() == [AT.replace(year=2020)]
    assert "timestamp" not in TopicRowEncoder(topic)(rows.select(["at"])).column_names


def test_topic_row__all_value_columns_null__tombstone() -> None:
    made = TopicRowEncoder(OUT)(pa.table({"dest": ["BOS", None], "delay": pa.array([None, None], pa.int64())}))
    assert [value is None for value in made["value"].to_pylist()] == [False, True]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"dest": ["BOS"]}, "declared with the column 'delay', but the rows have only dest"),
        ({"dest": ["BOS"], "delay": ["late"]}, "declared with 'delay' as int64, but the rows have string"),
    ],
)
def test_topic_rows__columns_differ_from_the_declaration__error_names_the_difference(
    rows: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadFunction, match=message):
        TopicRowEncoder(OUT)(pa.table(rows))


def test_rehearsal__pipeline_with_a_topic_sink__has_the_records_for_the_topic(tmp_path: Path) -> None:
    late = map_batches(lambda rows: rows.filter(pc.greater(rows["delay"], 5)))
    rehearsal = Rehearsal(Pipeline("p", FLIGHTS, late, OUT, state_directory=str(tmp_path)))
    rehearsal.run([{"tailnum": "N1", "dest": "BOS", "delay": 7}, {"tailnum": "N2", "dest": "JFK", "delay": 3}])
    assert rehearsal.records["out"].select(["key", "value"]).to_pylist() == [
        {"key": b"BOS", "value": b'{"dest":"BOS","delay":7}'}
    ]


def test_through__declared_on_a_source__one_repartitioning_pipeline_and_topic_with_the_new_key(tmp_path: Path) -> None:
    source = FLIGHTS.through("by-dest", key="dest")
    work = stateful(lambda rows, _: rows, state="n long")
    pipeline = Pipeline("p", source, work, Parquet(str(tmp_path)), side={"late": OUT})
    (rekeyed,) = repartition_pipelines(pipeline)
    assert pipeline.topics == (Topic("by-dest", FLIGHTS.value, "dest"),)
    assert (rekeyed.name, rekeyed.source, rekeyed.sink, rekeyed.side) == ("p-by-dest", FLIGHTS, pipeline.topics[0], {})
    assert rekeyed.state_directory == f"{tmp_path}/_tenure"


def test_through__declared_after_steps__these_steps_run_in_the_repartitioning_pipeline(tmp_path: Path) -> None:
    value = json("dest string, delay long")
    first = FLIGHTS.filter("delay > 0").through("by-dest", key="dest", value=value)
    second = first.filter("delay > 1").through("by-delay", key="delay", value=value)
    pipeline = Pipeline("p", second.stateful(lambda rows, _: rows, state="n long"), sink=Parquet(str(tmp_path)))
    to_dest, to_delay = repartition_pipelines(pipeline)
    assert (to_dest.name, to_delay.name) == ("p-by-delay-by-dest", "p-by-delay")
    assert [topic.name for part in (to_dest, to_delay, pipeline) for topic in part.topics] == [
        "flights",
        "by-dest",
        "by-delay",
    ]
    assert [[step.form for step in task_steps(part)] for part in (to_dest, to_delay, pipeline)] == [
        ["filter"],
        ["filter"],
        ["stateful"],
    ]


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (
            lambda: Pipeline(
                "p",
                FLIGHTS.filter("nope > 0").through("by-dest", key="dest", value=FLIGHTS.value).map_batches(len),
                sink=Parquet("/tmp/out"),
            ),
            "Pipeline p-by-dest uses the column 'nope'",
        ),
        (
            lambda: Pipeline(
                "p",
                FLIGHTS.side_output("a").through("by-dest", key="dest", value=FLIGHTS.value).map_batches(len),
                sink=Parquet("/tmp/out"),
                side={"a": Parquet("/tmp/a")},
            ),
            r"steps before .through\(…\) cannot have one",
        ),
        (lambda: FLIGHTS.through("flights", key="dest"), "cannot be repartitioned into itself"),
        (lambda: FLIGHTS.through("by-dest", key="gate"), "no key column 'gate'"),
        (lambda: Pipeline("p", FLIGHTS, map_batches(len), OUT), "needs a state directory"),
        (lambda: Pipeline("p", FLIGHTS, map_batches(len), FLIGHTS, "/s"), "reads and writes the topic flights"),
        (lambda: Pipeline("p", FLIGHTS, transform(len), OUT, "/s"), r"use map_batches\(…\) or stateful\(…\)"),
    ],
)
def test_topic_sink__invalid_declaration__refused_at_once(declare: Any, message: str) -> None:
    with pytest.raises(PipelineConfigError, match=message):
        declare()


def test_backfill__pipeline_with_through__refused(tmp_path: Path) -> None:
    pipeline = Pipeline("p", FLIGHTS.through("by-dest", key="dest"), map_batches(len), Parquet(str(tmp_path)))
    with pytest.raises(PipelineConfigError, match="a backfill would write all rows to by-dest again"):
        backfill(pipeline, {}, ToEarliest(), ToLatest(), {})


def test_topic_task__second_attempt_by_spark__refuses_to_write() -> None:
    """Refuse to write, because the first attempt may have written rows under the same epoch."""
    from pyspark import TaskContext

    TaskContext._getOrCreate()._attemptNumber = 1
    try:
        with pytest.raises(TransactionAbortable, match="runs the task again"):
            write_in_transaction("127.0.0.1:1", TransactionHandle("p-0", 1, 0, 2), [])
    finally:
        TaskContext._setTaskContext(None)
