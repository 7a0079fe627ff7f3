"""A pipeline's function over given records, without Spark and without a broker."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from tenure.pipeline.errors import BadRecordFound
from tenure.spark import (
    DeadLetter,
    KeyedState,
    Parquet,
    Pipeline,
    PipelineConfigError,
    Topic,
    json,
    map_with_state,
    raw,
    stateful,
    transform,
)
from tenure.spark.declarations.processing import TaskStep, Transform
from tenure.testing import Rehearsal

FLIGHTS = [{"tailnum": f"N{number % 3}", "delay": number} for number in range(20)]


def worst_so_far(flight: Any, aircraft: Any) -> Any:
    aircraft["worst"] = max(aircraft["worst"] or 0, flight["delay"] or 0)
    return {"tailnum": flight["tailnum"], "worst": aircraft["worst"]}


WORST = map_with_state(worst_so_far, state="worst long", output="tailnum string, worst long")


def pipeline(process: TaskStep | Transform = WORST, **others: Any) -> Pipeline:
    source = Topic("flights", json("tailnum string, delay long")).keyed_by("tailnum")
    return Pipeline("worst", source, process, Parquet("/nowhere"), **others)


def test_rehearsal__two_batches__second_sees_the_state_of_the_first() -> None:
    rehearsal = Rehearsal(pipeline())
    assert rehearsal.run(FLIGHTS[:3]).to_pylist() == [{"tailnum": f"N{at}", "worst": at} for at in range(3)]
    assert rehearsal.run([{"tailnum": "N2", "delay": 1}, None]).to_pylist() == [
        {"tailnum": "N2", "worst": 2},
        {"tailnum": None, "worst": 0},
    ]
    assert {row["tailnum"]: row["worst"] for row in rehearsal.state.to_pylist()} == {"N0": 0, "N1": 1, "N2": 2}


def test_rehearsal__record_is_not_json__error_or_listed_as_bad_record() -> None:
    values = [FLIGHTS[0], b"not json", FLIGHTS[1]]
    with pytest.raises(BadRecordFound, match="record flights-0@1 cannot be decoded"):
        Rehearsal(pipeline()).run(values)
    for policy in ("skip", DeadLetter("bad-flights")):
        rehearsal = Rehearsal(pipeline(on_bad_record=policy))
        assert len(rehearsal.run(values)) == 2
        assert [record.offset for record in rehearsal.bad] == [1]


def test_rehearsal__raw_values__bytes_and_timestamps_as_given() -> None:
    def untouched(rows: pa.Table, _: KeyedState) -> pa.Table:
        return rows.select(["value", "offset", "timestamp"])

    source = Topic("bytes", raw()).keyed_by("key")
    rehearsal = Rehearsal(Pipeline("b", source, stateful(untouched, state="n long"), Parquet("/nowhere")))
    rows = rehearsal.run([b"a", "b"], timestamps_ms=[1, 2])
    assert rows["value"].to_pylist() == [b"a", b"b"]
    assert rows["offset"].to_pylist() == [0, 1]
    assert [time.value // 1_000_000 for time in rows["timestamp"].to_pandas()] == [1, 2]


def raw_rehearsal() -> Rehearsal:
    def untouched(rows: pa.Table, _: KeyedState) -> pa.Table:
        return rows.select(["key", "value", "timestamp"])

    source = Topic("bytes", raw()).keyed_by("key")
    return Rehearsal(Pipeline("b", source, stateful(untouched, state="n long"), Parquet("/nowhere")))


def test_rehearsal__rows_given_for_a_raw_topic__used_as_records() -> None:
    at = datetime(2026, 11, 24, 12, tzinfo=UTC)
    rows = [{"key": b"a", "value": b"1", "timestamp": at}, {"key": b"b"}, {"value": "text"}]
    assert raw_rehearsal().run(rows).to_pylist() == [
        {"key": b"a", "value": b"1", "timestamp": at},
        {"key": b"b", "value": None, "timestamp": datetime(1970, 1, 1, tzinfo=UTC)},
        {"key": None, "value": b"text", "timestamp": datetime(1970, 1, 1, tzinfo=UTC)},
    ]
    raw_rehearsal().check_cuts(rows)


def test_rehearsal__row_with_an_unknown_column_given_for_a_raw_topic__refused() -> None:
    with pytest.raises(PipelineConfigError, match="the topic 'bytes' has the column 'offset': use key, value"):
        raw_rehearsal().run([{"key": b"a", "offset": 3}])


def rank_in_batch(rows: pa.Table, _: KeyedState) -> pa.Table:
    return rows.select(["tailnum"]).append_column("rank", pa.array(range(len(rows))))


def counts_batches(rows: pa.Table, aircraft: KeyedState) -> pa.Table:
    keys = rows["tailnum"].unique()
    before = aircraft.get(keys)["worst"].fill_null(0).to_pylist()
    aircraft.put(keys, pa.table({"worst": [count + 1 for count in before]}))
    return rows.slice(0, 0)


def test_check_cuts__result_does_not_depend_on_batches__passes() -> None:
    rehearsal = Rehearsal(pipeline())
    rehearsal.run(FLIGHTS[:5])
    assert len(rehearsal.check_cuts(FLIGHTS[5:])) == 15
    assert {row["worst"] for row in rehearsal.state.to_pylist()} == {17, 18, 19}


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            rank_in_batch,
            r"Not the result of one batch \(rows in batches of 1\): missing \{'tailnum': 'N1', 'rank': 1\}, unexpected",
        ),
        (counts_batches, r"Not the result of one batch \(state in batches of 1\)"),
    ],
)
def test_check_cuts__result_depends_on_batches__error_names_the_first_difference(function: Any, says: str) -> None:
    rehearsal = Rehearsal(pipeline(stateful(function, state="worst long")))
    with pytest.raises(AssertionError, match=says):
        rehearsal.check_cuts(FLIGHTS)


def test_rehearsal__transform__error_says_that_it_needs_spark() -> None:
    with pytest.raises(PipelineConfigError, match="works on Spark's DataFrames: call it with"):
        Rehearsal(pipeline(transform(lambda frame: frame)))
