"""Values of records as columns."""

import datetime as dt
import random
import re

import pyarrow as pa
import pytest

from tenure.pipeline.errors import BadSchema
from tenure.spark.formats.record_values import json, raw

COLUMNS = "tailnum string, arr_delay double, stops array<int>, day date"


def records(*values: bytes | None, first: int = 40) -> pa.Table:
    count = len(values)
    return pa.table(
        {
            "offset": pa.array(range(first, first + count), pa.int64()),
            "timestamp": pa.array([1_357_034_400_000 + i for i in range(count)], pa.timestamp("ms", "UTC")),
            "key": pa.array([b"N14228"] * count, pa.binary_view()),
            "value": pa.array(values, pa.binary_view()),
        }
    )


def test_json__value_is_an_object__declared_columns_and_then_columns_of_the_record() -> None:
    value = b'{"arr_delay": 11, "tailnum": "N14228", "more": {"x": 1}, "stops": [1, 2], "day": "2013-01-01"}'
    rows, bad = json(COLUMNS).decode(records(value), partition=3)
    assert bad == []
    assert rows.to_pylist() == [
        {
            "tailnum": "N14228",
            "arr_delay": 11.0,
            "stops": [1, 2],
            "day": dt.date(2013, 1, 1),
            "_key": b"N14228",
            "_partition": 3,
            "_offset": 40,
            "_timestamp": dt.datetime(2013, 1, 1, 10, tzinfo=dt.UTC),
        }
    ]


def test_json__tombstone_or_absent_members__null_in_the_columns() -> None:
    rows, bad = json(COLUMNS).decode(records(None, b"{}", b'{"tailnum": null}'), partition=0)
    assert (rows["tailnum"].to_pylist(), bad) == ([None, None, None], [])


def test_json__no_records__empty_table_of_the_schema() -> None:
    topic = json(COLUMNS)
    rows, bad = topic.decode(records(), partition=0)
    assert (rows.schema, len(rows), bad) == (topic.schema, 0, [])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"", "Invalid value"),
        (b"no json", "Invalid value"),
        (b"5", "from object to number"),
        (b'{"tailnum": 5}', r"column \(tailnum\) changed from string to number"),
        (b'{"arr_delay": "late"}', "from number to string"),
        (b'{"tailnum": "N1"', "Missing a comma"),
        (b'{"tailnum": "\xff"}', "Invalid UTF8"),
        (b'{"stops": [99999999999]}', "99999999999"),
        (b'{}} {"row":9,"value":{}', "more than one JSON value"),
        (b'{"tailnum": "a\n', "Invalid encoding in string"),
    ],
)
def test_json__one_bad_record__reported_with_offset_and_reason_and_others_decoded(value: bytes, reason: str) -> None:
    good = [b'{"tailnum": "N%d"}' % number for number in range(50)]
    where = random.randrange(50)
    rows, bad = json(COLUMNS).decode(records(*good[:where], value, *good[where:]), partition=0)
    assert [record.offset for record in bad] == [40 + where]
    assert bad[0].reason.startswith(f"its value is not JSON of the schema '{COLUMNS}' (")
    assert re.search(reason, bad[0].reason), bad[0].reason
    assert rows["tailnum"].to_pylist() == [f"N{number}" for number in range(50)]
    assert rows["_offset"].to_pylist() == [40 + number for number in range(51) if number != where]


def test_json__one_record_with_two_values_and_one_with_none__both_bad_and_later_rows_correct() -> None:
    rows, bad = json("a int").decode(records(b'{"a": 1} {"a": 2}', b"", b'{"a": 3}'), partition=0)
    assert [record.offset for record in bad] == [40, 41]
    assert rows.select(["a", "_offset"]).to_pylist() == [{"a": 3, "_offset": 42}]


def test_json__reserved_column_name__refused() -> None:
    with pytest.raises(BadSchema, match="_offset is reserved: rename it"):
        json("a int, _offset long")


def test_raw_values__any_bytes__same_columns_as_sparks_kafka_source() -> None:
    rows, bad = raw().decode(records(b"\x00\xff", None), partition=2)
    assert rows.schema == raw().schema
    assert rows.select(["key", "value", "partition", "offset"]).to_pylist() == [
        {"key": b"N14228", "value": b"\x00\xff", "partition": 2, "offset": 40},
        {"key": b"N14228", "value": None, "partition": 2, "offset": 41},
    ]
    assert bad == []
