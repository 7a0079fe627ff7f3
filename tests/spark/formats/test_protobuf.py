"""Protobuf values as columns, and rows as Protobuf values."""

import pickle
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

from tenure.pipeline.errors import BadFunction, BadSchema, PipelineConfigError
from tenure.spark import Parquet, Pipeline, Topic, map_batches, protobuf
from tenure.spark.formats.protobuf_values import encode_path, split_path
from tenure.spark.sinks.topic_sink import TopicRowEncoder
from tenure.testing import Rehearsal
from tests.spark.formats.protobuf_messages import Flight, add_message, flight_files, pool_of, proto_file, simple
from tests.spark.formats.test_topic_rows import read_back
from tests.spark.formats.test_values import records

AT = datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
ROW: dict[str, Any] = {
    "tailnum": "N1", "delay": 0, "fare": 1.5, "is_late": True, "raw": b"\xff", "at": AT, "kind": "LATE",
    "stops": [1, 2], "gate": {"number": 4, "name": None}, "gates": [{"number": 0, "name": "A"}], "seats": 2**32 - 1,
    "big": Decimal(2**64 - 1), "signed": -5, "note": "", "place": {"city": "Ulm"},
}  # fmt: skip


def flight() -> Any:
    message = Flight(
        tailnum="N1", delay=0, fare=1.5, is_late=True, raw=b"\xff", kind=1, stops=[1, 2], gate={"number": 4},
        gates=[{"name": "A"}], seats=2**32 - 1, big=2**64 - 1, signed=-5, place={"city": "Ulm"},
    )  # fmt: skip
    message.at.FromDatetime(AT)
    message.note.value = ""
    return message


def test_protobuf__every_type__declared_columns_and_then_columns_of_the_record() -> None:
    values = pickle.loads(pickle.dumps(protobuf(Flight)))
    rows, bad = values.decode(records(flight().SerializeToString(), None, b""), partition=3)
    assert bad == []
    assert rows.schema == values.schema
    first, tombstone, default = rows.to_pylist()
    assert {name: first[name] for name in ROW} == ROW
    assert (first["_offset"], first["_partition"], first["_key"]) == (40, 3, b"N14228")
    assert [tombstone[name] for name in ROW] == [None] * len(ROW)
    absent = [name for name in ROW if default[name] is None]
    assert absent == ["delay", "at", "gate", "note", "place"]
    assert (default["tailnum"], default["kind"], default["stops"]) == ("", "UNKNOWN", [])


def test_protobuf__rows_written__same_rows_read_by_tenure_and_by_protobuf() -> None:
    topic = Topic("t", value=protobuf(Flight))
    rows = pa.Table.from_pylist([ROW, {"tailnum": "N2", "stops": []}], schema=topic.value.columns)
    assert read_back(topic, rows)[:1].equals(rows[:1])
    first, second = TopicRowEncoder(topic)(rows)["value"].to_pylist()
    assert Flight.FromString(first) == flight()
    assert Flight.FromString(second) == Flight(tailnum="N2")


@pytest.mark.parametrize("value", [b"\xff", flight().SerializeToString()[:-1], b"\x0a\x02\xff\xfe"])
def test_protobuf__undecodable_value__bad_record_and_others_decoded(value: bytes) -> None:
    good = flight().SerializeToString()
    rows, bad = protobuf(Flight).decode(records(good, value, good, None), partition=0)
    assert [record.offset for record in bad] == [41]
    assert bad[0].reason.startswith("its value is not a Protobuf message acme.Flight (")
    assert rows["_offset"].to_pylist() == [40, 42, 43]
    assert rows["tailnum"].to_pylist() == ["N1", "N1", None]


def test_protobuf__writer_has_other_fields__known_fields_read_and_missing_ones_have_defaults() -> None:
    older, newer = simple(n="int64"), simple(n="int64", word="string")
    from_newer = protobuf(older).decode(records(newer(n=1, word="x").SerializeToString()), partition=0).rows
    from_older = protobuf(newer).decode(records(older(n=2).SerializeToString()), partition=0).rows
    assert from_newer.select(["n"]).to_pylist() == [{"n": 1}]
    assert from_older.select(["n", "word"]).to_pylist() == [{"n": 2, "word": ""}]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"kind": "NEVER"}, "the enum acme.Flight.Kind has no value 'NEVER'"),
        ({"stops": [1, None]}, "an element of acme.Flight.stops is null, which Protobuf cannot store"),
        ({"big": Decimal(-1)}, "out of bounds"),
        ({"seats": 2**32}, "not in range: 0 to 4294967295"),
    ],
)
def test_protobuf__row_that_protobuf_cannot_represent__error_names_the_field(row: dict[str, Any], message: str) -> None:
    topic = Topic("t", value=protobuf(Flight))
    with pytest.raises(BadFunction, match=message):
        TopicRowEncoder(topic)(pa.Table.from_pylist([{"tailnum": "N1", **row}], schema=topic.value.columns))


def test_protobuf__topic_with_protobuf_values__rows_in_a_rehearsal() -> None:
    topic = Topic("flights", protobuf(Flight)).keyed_by("tailnum").with_watermark("at", "1 minute")
    pipeline = Pipeline("p", topic, map_batches(lambda rows: rows.select(["tailnum", "gate"])), Parquet("/nowhere"))
    rows = Rehearsal(pipeline).run([flight().SerializeToString()])
    assert rows.to_pylist() == [{"tailnum": "N1", "gate": {"number": 4, "name": None}}]


def test_protobuf__message_from_a_descriptor_file__same_columns_as_the_generated_class(tmp_path: Path) -> None:
    descriptors = tmp_path / "flights.desc"
    known = [pool_of().FindFileByName(f"google/protobuf/{name}.proto") for name in ("timestamp", "wrappers")]
    found = FileDescriptorSet()
    for file in known:
        found.file.add().MergeFromString(file.serialized_pb)
    found.file.extend(flight_files())
    descriptors.write_bytes(found.SerializeToString())
    assert protobuf("acme.Flight", descriptors=str(descriptors)).columns == protobuf(Flight).columns
    with pytest.raises(BadSchema, match=r"no message acme.Fligth: set its full name"):
        protobuf("acme.Fligth", descriptors=str(descriptors))
    descriptors.write_bytes(b"text")
    with pytest.raises(BadSchema, match="cannot be read as Protobuf descriptors"):
        protobuf("acme.Flight", descriptors=str(descriptors))


def recursive() -> Any:
    file = proto_file("tree.proto")
    add_message(file, "Tree", {"children": "repeated .acme.Tree"})
    return GetMessageClass(pool_of(file).FindMessageTypeByName("acme.Tree"))


@pytest.mark.parametrize(
    ("message", "more", "error", "says"),
    [
        (recursive(), {}, BadSchema, "message acme.Tree contains itself"),
        (simple(_key="int32"), {}, BadSchema, "_key is reserved"),
        ("acme.Flight", {}, PipelineConfigError, "needs descriptors="),
        (7, {}, PipelineConfigError, "needs a generated class"),
        (Flight, {"framing": "other"}, PipelineConfigError, "Unknown framing='other'"),
    ],
)
def test_protobuf__invalid_declaration__refused(message: Any, more: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        protobuf(message, **more)


@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=4).map(tuple), st.binary(max_size=5))
def test_protobuf_message_indexes__encoded_and_decoded__same_indexes(path: tuple[int, ...], rest: bytes) -> None:
    assert split_path(encode_path(path) + rest) == (path, rest)
