"""SQL expressions: their results, and refused ones. tests/spark compares them with Spark."""

import pickle
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from tenure.pipeline.operators.expressions.parser import expression, parse
from tenure.spark import Parquet, Pipeline, PipelineConfigError, Topic, json
from tenure.testing import Rehearsal
from tests.pipeline.expression_cases import CASES, ROWS, SCHEMA

EVENTS = Topic("events", json("user string, n long, x double, at timestamp")).keyed_by("user").with_watermark("at")


def rehearse(stream: Any, *sides: str, **others: Any) -> Rehearsal:
    side = {name: Parquet(f"/tmp/{name}") for name in sides}
    return Rehearsal(Pipeline("rehearsed", stream, sink=Parquet("/tmp/out"), side=side, **others))


def event(user: str, n: int | None = None, x: float | None = None, minute: int = 0) -> dict[str, Any]:
    return {"user": user, "n": n, "x": x, "at": datetime(2026, 1, 1, 12, minute, tzinfo=UTC).isoformat()}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_expression__rows_with_nulls__same_result_as_spark(text: str, expected: list[Any]) -> None:
    made = pickle.loads(pickle.dumps(expression(parse(text))))(pa.Table.from_pylist(ROWS, schema=SCHEMA))
    assert made.to_pylist() == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("big + 1", "overflow"),
        ("n / 0", "divide by zero"),
        ("n % 0", "divide by zero"),
        ("cast(word as int)", "Failed to parse"),
        ("cast(1e300 as int)", "was truncated"),
    ],
)
def test_expression__overflow_division_by_zero_or_failed_cast__error(text: str, says: str) -> None:
    rows = pa.table({"n": [1], "big": [2**63 - 1], "word": ["x"]})
    with pytest.raises(pa.ArrowInvalid, match=says):
        expression(parse(text))(rows)


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("nope > 1", "uses the column 'nope' in 'nope > 1', but the rows have user, n, x, at"),
        ("user + 1 > 2", "does not fit the types of its columns"),
        ("sum(n) > 1", r"uses SUM\(n\), which is not supported"),
        ("rand() > 0.5", r"uses RAND\(\), which is not supported"),
        ("n > (select 1)", "which is not supported"),
        ("sum(n) over (partition by user) > 1", "which is not supported"),
        ("current_timestamp() > at", "which is not supported"),
        ("n", "'n' in filter.*, which is int64 instead of boolean"),
        ("n >", "is not valid SQL"),
        ("", "must be SQL text"),
    ],
)
def test_filter__invalid_condition__refused_when_declared(condition: str, says: str) -> None:
    with pytest.raises(PipelineConfigError, match=says):
        rehearse(EVENTS.filter(condition))


def test_select__expression_without_a_name__refused() -> None:
    with pytest.raises(PipelineConfigError, match=r"write 'n \* 2 as name'"):
        EVENTS.select("user", "n * 2")


def test_expression_steps__filter_select_and_side_outputs__expected_rows_in_each() -> None:
    stream = (
        EVENTS.filter("n > 0", side="rest")
        .with_column("n", "n * 2")
        .side_output("large", where="n > 10")
        .select("*", "upper(user) as name")
        .drop("x", "_key", "_offset", "_partition", "_timestamp")
    )
    rehearsal = rehearse(stream, "rest", "large")
    rows = rehearsal.run([event("ann", 1), event("bob", -1), event("cem"), event("dan", 9)])
    assert rows.column_names == ["user", "n", "at", "name"]
    assert [(row["n"], row["name"]) for row in rows.to_pylist()] == [(2, "ANN"), (18, "DAN")]
    assert rehearsal.sides["rest"]["user"].to_pylist() == ["bob", "cem"]
    assert rehearsal.sides["large"]["n"].to_pylist() == [18]
    assert "_watermark" not in rehearsal.sides["rest"].column_names


def test_with_column__overflow_in_one_record__only_this_record_is_bad() -> None:
    rehearsal = rehearse(EVENTS.with_column("n", "n * 4"), on_bad_record="skip")
    rows = rehearsal.run([event("ann", 1), event("ann", 2**62), event("ann", 3)])
    assert rows["n"].to_pylist() == [4, 12]
    assert [record.offset for record in rehearsal.bad] == [1]
