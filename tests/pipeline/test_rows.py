"""Several topics in one pipeline: the order of their rows, and the topic of a bad record."""

from typing import Any

import pyarrow as pa
import pytest

from tenure.pipeline.errors import BadRecordFound
from tenure.spark import DeadLetter, Parquet, Pipeline, Topic, json, map_batches, map_with_state, stateful
from tenure.spark.declarations.processing import TaskStep
from tenure.testing import Rehearsal

CLICKS = Topic("clicks", json("user string, page string")).keyed_by("user")
LOGINS = Topic("logins", json("name string, host string")).keyed_by("name")


def rehearsal(process: TaskStep, *topics: Topic, **others: Any) -> Rehearsal:
    return Rehearsal(Pipeline("p", topics or (CLICKS, LOGINS), process, Parquet("/nowhere"), **others))


def places(rows: pa.Table) -> pa.Table:
    return rows.select(["_topic", "_offset"])


def order_of(rows: pa.Table) -> list[tuple[str, int]]:
    return [(row["_topic"], row["_offset"]) for row in rows.to_pylist()]


def test_order_of_rows__two_topics__by_timestamp_and_then_by_order_of_declaration() -> None:
    clicks, logins = [{"user": "a"}] * 4, [{"name": "a"}] * 3
    times = {"clicks": [10, 30, 20, 40], "logins": [10, 25, 30]}
    rows = rehearsal(map_batches(places)).check_cuts({"clicks": clicks, "logins": logins}, timestamps_ms=times)
    assert order_of(rows) == [
        ("clicks", 0), ("logins", 0), ("logins", 1), ("clicks", 1), ("clicks", 2), ("logins", 2), ("clicks", 3),
    ]  # fmt: skip


def test_order_of_rows__timestamp_lower_than_an_earlier_one__counts_as_the_highest_so_far() -> None:
    runs = rehearsal(map_batches(places))
    runs.run({"clicks": [{"user": "a"}]}, timestamps_ms={"clicks": [100]})
    rows = runs.run(
        {"clicks": [{"user": "a"}], "logins": [{"name": "a"}]}, timestamps_ms={"clicks": [50], "logins": [70]}
    )
    assert order_of(rows) == [("logins", 0), ("clicks", 1)]


def test_map_with_state__two_topics_with_different_columns__each_record_with_its_own_columns() -> None:
    def both(record: Any, kept: Any) -> Any:
        kept["seen"] = (kept["seen"] or 0) + 1
        columns = [name for name in record if not name.startswith("_")]
        return {"topic": record["_topic"], "columns": " ".join(columns), "seen": kept["seen"]}

    runs = rehearsal(map_with_state(both, state="seen long", output="topic string, columns string, seen long"))
    rows = runs.run({"clicks": [{"user": "a", "page": "x"}], "logins": [{"name": "a"}]})
    assert rows.to_pylist() == [
        {"topic": "clicks", "columns": "user page", "seen": 1},
        {"topic": "logins", "columns": "user name host", "seen": 2},
    ]
    assert runs.state.to_pylist() == [{"user": "a", "seen": 2}]


@pytest.mark.parametrize("value", [b"no json", {"name": "a", "host": "bad"}])
def test_bad_record__in_the_second_topic__error_names_topic_and_offset(value: Any) -> None:
    def picky(rows: pa.Table, _: Any) -> pa.Table:
        if "bad" in rows["host"].to_pylist():
            raise ValueError("no such host")
        return rows.select(["user"])

    records = {"clicks": [{"user": "a"}] * 3, "logins": [{"name": "a"}, value]}
    with pytest.raises(BadRecordFound, match="record logins-0@1"):
        rehearsal(stateful(picky, state="n long")).run(records)
    runs = rehearsal(stateful(picky, state="n long"), on_bad_record=DeadLetter("letters"))
    assert len(runs.run(records)) == 4
    assert [(record.topic, record.offset) for record in runs.bad] == [("logins", 1)]
