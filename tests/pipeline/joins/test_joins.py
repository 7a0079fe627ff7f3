"""Joins of two topics, compared with models that process one record at a time, in order of timestamps."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet
import pytest

from tenure.spark import (
    Parquet,
    Pipeline,
    PipelineConfigError,
    StaticTable,
    Topic,
    join_state_table,
    join_static,
    join_streams,
    json,
)
from tenure.spark.declarations.processing import TaskStep
from tenure.testing import Rehearsal

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
DELAY_S = 5
CLICKS = Topic("clicks", json("user string, page string, at timestamp")).keyed_by("user")
CLICKS = CLICKS.with_watermark("at", f"{DELAY_S} seconds")
BUYS = Topic("buys", json("buyer string, page string, at timestamp")).keyed_by("buyer")
BUYS = BUYS.with_watermark("at", f"{DELAY_S} seconds")
PROFILES = Topic("profiles", json("user string, city string, page string")).keyed_by("user")


class Record(NamedTuple):
    timestamp_ms: int
    topic: str
    number: int
    value: Any


class RandomRecords:
    """Records of two topics. Timestamps are not always ascending, because clocks of producers differ."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values: dict[str, list[Any]] = {}
        self.timestamps_ms: dict[str, list[int]] = {}

    def add(self, topic: str, key: str, every_s: float, count: int, **columns: str) -> None:
        self.values[topic], self.timestamps_ms[topic] = [], []
        for number in range(count):
            second = number * every_s + self.random.uniform(0, every_s)
            value: Any = {key: self.random.choice(["a", "b", "c", None]), **columns, "page": f"{topic}-{number}"}
            value["at"] = (EPOCH + timedelta(seconds=second - self.random.choice([0, 0, 2, 12]))).isoformat()
            self.values[topic].append(value)
            written = second + self.random.choice([0, 0, 0, -3])
            self.timestamps_ms[topic].append(int((EPOCH.timestamp() + written) * 1000))

    def in_order(self, *topics: str) -> list[Record]:
        """Return the records in order of the highest timestamp of their topic so far; ties go to the first topic."""
        records = []
        for place, topic in enumerate(topics):
            highest = 0
            for number, (value, time) in enumerate(zip(self.values[topic], self.timestamps_ms[topic], strict=True)):
                highest = max(highest, time)
                records.append((highest, place, number, Record(time, topic, number, value)))
        return [record for *_, record in sorted(records, key=lambda entry: entry[:3])]


@pytest.fixture
def drawn() -> RandomRecords:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    return RandomRecords(Random(seed))


def rehearsed(source: list[Topic], process: TaskStep, drawn: RandomRecords) -> tuple[Rehearsal, list[dict[str, Any]]]:
    pipeline = Pipeline("p", source, process, Parquet("/nowhere"), side={"late": Parquet("/elsewhere")})
    rehearsal = Rehearsal(pipeline)
    return rehearsal, rehearsal.check_cuts(drawn.values, timestamps_ms=drawn.timestamps_ms).to_pylist()


@pytest.mark.parametrize("how", ["left", "inner"])
def test_join_state_table__random_batches__each_row_joined_with_the_table_as_of_its_timestamp(
    how: Any, drawn: RandomRecords
) -> None:
    drawn.add("clicks", "user", 2.0, 40)
    drawn.add("profiles", "user", 5.0, 16, city="Bern")
    for number in range(0, 16, 4):
        drawn.values["profiles"][number] = (drawn.values["profiles"][number]["user"] or "c", None)
    rehearsal, rows = rehearsed([CLICKS, PROFILES], join_state_table("profiles", how=how), drawn)
    table, expected = dict[str, Any](), []
    for record in drawn.in_order("clicks", "profiles"):
        value = record.value
        if isinstance(value, tuple):
            table.pop(value[0], None)
        elif record.topic == "profiles" and value["user"] is not None:
            table[value["user"]] = value
        elif record.topic == "clicks":
            met = table.get(value["user"])
            if met or how == "left":
                expected.append((value["user"], value["page"], met and met["city"], met and met["page"]))
    assert len({met for *_, met in expected}) > 1
    assert Counter((row["user"], row["page"], row["city"], row["page_right"]) for row in rows) == Counter(expected)
    kept = {row["user"]: row["page"] for row in rehearsal.state.to_pylist()}
    assert kept == {user: value["page"] for user, value in table.items()}


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_join_streams__random_batches__pairs_within_the_time_bounds_and_unmatched_rows(
    how: Any, drawn: RandomRecords
) -> None:
    drawn.add("clicks", "user", 2.0, 40)
    drawn.add("buys", "buyer", 2.3, 35)
    process = join_streams(before="3 seconds", after="6 seconds", how=how)
    rehearsal, rows = rehearsed([CLICKS, BUYS], process, drawn)
    pairs, lonely_clicks, lonely_buys, late = joined(drawn.in_order("clicks", "buys"))
    expected = [*pairs]
    expected += lonely_clicks if how in ("left", "outer") else []
    expected += lonely_buys if how in ("right", "outer") else []
    assert pairs
    assert late
    assert Counter((row["page"], row["page_right"]) for row in rows) == Counter(expected)
    assert len(rehearsal.sides["late"]) == late
    assert all(row["user"] is not None for row in rows)


def joined(records: list[Record]) -> tuple[list[Any], list[Any], list[Any], int]:
    """Return the pairs of rows that are close enough, then the rows that can have no partner any more."""
    highest: dict[str, float] = {}
    watermark = float("-inf")
    standing: dict[str, list[tuple[float, Mapping[str, Any]]]] = {"clicks": [], "buys": []}
    late = 0
    for record in records:
        key = record.value["user" if record.topic == "clicks" else "buyer"]
        second = (datetime.fromisoformat(record.value["at"]) - EPOCH).total_seconds()
        highest[record.topic] = max(highest.get(record.topic, second), second)
        if len(highest) == 2:
            watermark = min(highest.values()) - DELAY_S
        if key is None or second < watermark:
            late += 1
        else:
            standing[record.topic].append((second, {"key": key, "page": record.value["page"]}))
    pairs = [
        (click["page"], buy["page"])
        for clicked, click in standing["clicks"]
        for bought, buy in standing["buys"]
        if click["key"] == buy["key"] and -3 <= bought - clicked <= 6
    ]
    met = {page for pair in pairs for page in pair}
    clicks = [(row["page"], None) for at, row in standing["clicks"] if at + 6 < watermark and row["page"] not in met]
    buys = [(None, row["page"]) for at, row in standing["buys"] if at + 3 < watermark and row["page"] not in met]
    return pairs, clicks, buys, late


def test_join_static__file_replaced_between_batches__next_batch_uses_the_new_file(tmp_path: Any) -> None:
    path = str(tmp_path / "cities.parquet")
    pyarrow.parquet.write_table(pa.table({"user": ["a", "b"], "page": ["A", "B"]}), path)
    pipeline = Pipeline("p", CLICKS, join_static(StaticTable(path), on="user"), Parquet("/nowhere"))
    rehearsal = Rehearsal(pipeline)
    clicks = [{"user": user} for user in ("a", "x", None)]
    assert [row["page_right"] for row in rehearsal.run(clicks).to_pylist()] == ["A", None, None]
    pyarrow.parquet.write_table(pa.table({"user": ["x"], "page": ["a longer one"]}), path)
    assert [row["page_right"] for row in rehearsal.run(clicks).to_pylist()] == [None, "a longer one", None]
    inner = Pipeline("p", CLICKS, join_static(StaticTable(path), on="user", how="inner"), Parquet("/nowhere"))
    assert [row["user"] for row in Rehearsal(inner).run(clicks).to_pylist()] == ["x"]


@pytest.mark.parametrize(
    ("source", "process", "says"),
    [
        ([CLICKS], join_streams(within="1 minute"), "needs two topics, but reads clicks"),
        (
            [CLICKS, PROFILES],
            join_streams(within="1 minute"),
            r"add .with_watermark\('column', '10 seconds'\) to profiles",
        ),
        (
            [CLICKS, BUYS],
            join_state_table("profiles"),
            "joins with the table 'profiles', but reads only clicks and buys",
        ),
        ([CLICKS, CLICKS], join_state_table("clicks"), "lists the topic clicks twice"),
        ([CLICKS, Topic("buys", json("page long"))], join_state_table("buys"), "topics with and without a key"),
        (
            [CLICKS, Topic("t", json("user string, page long")).keyed_by("user")],
            join_state_table("t"),
            "the same name but different types",
        ),
        ([CLICKS], join_static(StaticTable("x.parquet"), on="usr"), "no column 'usr' for join_static"),
    ],
)
def test_join__unsuitable_source__refused_when_declared(source: Any, process: TaskStep, says: str) -> None:
    with pytest.raises(PipelineConfigError, match=says):
        Pipeline("p", source, process, Parquet("/nowhere"))


def test_join__invalid_join_type__refused() -> None:
    with pytest.raises(PipelineConfigError, match="Unknown join type how='outer': use left or inner"):
        join_state_table("profiles", how="outer")  # type: ignore[arg-type]
