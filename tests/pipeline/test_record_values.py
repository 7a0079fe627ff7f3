"""Python values of records, for functions that process one record at a time."""

import pyarrow as pa
import pytest

from tenure.pipeline.operators.record_rows import python_values

TIMES = pa.array([0, 1, -1, 1_700_000_000_123_456, -62_135_596_800_000_000], pa.timestamp("us", "UTC"))
COLUMNS = (
    TIMES,
    pa.array([5, None], pa.timestamp("us", "UTC")),
    pa.array([5], pa.timestamp("us")),
    pa.array([5], pa.timestamp("ms", "Europe/Zurich")),
    pa.array([], pa.timestamp("us", "UTC")),
    pa.array([b"a", None]),
    pa.array([{"n": 1}]),
)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column.type}-{len(column)}")
def test_values__any_column__as_pyarrow_returns_them(column: pa.Array) -> None:
    values, expected = python_values(column), column.to_pylist()
    assert values == expected
    assert [getattr(value, "tzinfo", None) for value in values] == [
        getattr(value, "tzinfo", None) for value in expected
    ]


def test_values__slice_of_a_column__only_its_rows() -> None:
    assert python_values(TIMES[1:3]) == TIMES.to_pylist()[1:3]


def test_values__time_after_the_year_9999__error_of_pyarrow() -> None:
    column = pa.array([2**60], pa.timestamp("us", "UTC"))
    with pytest.raises(Exception) as expected:
        column.to_pylist()
    with pytest.raises(expected.type, match=str(expected.value)):
        python_values(column)
