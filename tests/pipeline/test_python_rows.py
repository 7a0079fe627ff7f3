"""Rows as Python dictionaries, for functions that process one record at a time."""

from datetime import date
from decimal import Decimal

import pyarrow as pa
import pytest

from tenure.pipeline.operators.python_rows import python_rows

TIMES = pa.array([0, 1, -1, 1_700_000_000_123_456, -62_135_596_800_000_000], pa.timestamp("us", "UTC"))
COLUMNS = (
    TIMES,
    pa.array([5, None], pa.timestamp("us", "UTC")),
    pa.array([5, None, -5], pa.timestamp("ms", "UTC")),
    pa.array([5, None], pa.timestamp("s", "UTC")),
    pa.array([5, None], pa.timestamp("us")),
    pa.array([5000], pa.timestamp("ns")),
    pa.array([5], pa.timestamp("ms", "Europe/Zurich")),
    pa.array([], pa.timestamp("us", "UTC")),
    pa.array([date(1, 1, 1), None, date(9999, 12, 31)]),
    pa.array([b"a", None]),
    pa.array([Decimal("1.5"), None]),
    pa.array([{"n": 1}, None]),
    pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int64())),
)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column.type}-{len(column)}")
def test_python_rows__column_of_any_type__same_values_as_to_pylist(column: pa.Array) -> None:
    rows = python_rows(pa.record_batch({"first": pa.array(range(len(column))), "it": column}))
    values, expected = [row["it"] for row in rows], column.to_pylist()
    assert [list(row) for row in rows] == [["first", "it"]] * len(column)
    assert [(type(value), value) for value in values] == [(type(value), value) for value in expected]
    assert [getattr(value, "tzinfo", None) for value in values] == [
        getattr(value, "tzinfo", None) for value in expected
    ]


def test_python_rows__table_of_several_chunks__all_rows_in_order() -> None:
    table = pa.table({"at": pa.chunked_array([TIMES[1:3], TIMES[:0], TIMES[3:]])})
    assert python_rows(table) == table.to_pylist()
    assert python_rows(table.slice(0, 0)) == []


@pytest.mark.parametrize("kind", [pa.timestamp("us", "UTC"), pa.timestamp("s")])
def test_python_rows__timestamp_after_the_year_9999__same_error_as_pyarrow(kind: pa.DataType) -> None:
    column = pa.array([2**60], kind)
    with pytest.raises(Exception) as expected:
        column.to_pylist()
    with pytest.raises(expected.type, match=str(expected.value)):
        python_rows(pa.record_batch({"at": column}))
