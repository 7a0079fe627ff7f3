"""Windows, timers and joins end to end, compared with a rehearsal of the records of each lane."""

import json as text
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset
import pytest

from tenure.client.producer.partitioner import partitions_for_keys
from tenure.client.producer.producer import Producer
from tenure.spark import (
    Parquet,
    Pipeline,
    Topic,
    join_streams,
    json,
    map_with_state,
    session,
    tumbling,
    windowed,
)
from tenure.testing import Rehearsal
from tests.spark.conftest import NUMBERS
from tests.spark.counting import PARTITIONS, create_topic

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS = json("user string, page string, at timestamp")


class GeneratedRecords:
    """Random records, which a test writes to topics of a broker and gives to a rehearsal."""

    def __init__(self, address: str, *topics: str) -> None:
        seed = Random().randrange(1 << 32)
        print(f"{seed=}")
        self.random = Random(seed)
        self.address = address
        self.records: dict[str, list[tuple[int, dict[str, Any]]]] = {topic: [] for topic in topics}
        for topic in topics:
            create_topic(address, topic)

    def produce(self, first: int, end: int) -> None:
        with Producer(self.address) as producer:
            for number in range(first, end):
                for topic, records in self.records.items():
                    at = EPOCH + timedelta(seconds=number - self.random.choice([0, 0, 0, 5, 60]))
                    user = f"u{self.random.randrange(9)}"
                    value = {"user": user, "page": f"{topic}{number}", "at": at.isoformat()}
                    sent_ms = int(EPOCH.timestamp() * 1000) + number * 1000 + self.random.randrange(1000)
                    producer.send(topic, user.encode(), text.dumps(value).encode(), timestamp_ms=sent_ms)
                    records.append((sent_ms, value))

    def rehearsed(self, pipeline: Pipeline) -> tuple[list[Any], list[Any]]:
        """Return the rows and late rows of all lanes."""
        rows, late = [], []
        for lane in range(PARTITIONS):
            mine = {topic: [r for r in records if lane_of(r[1]) == lane] for topic, records in self.records.items()}
            rehearsal = Rehearsal(pipeline)
            values = {topic: [value for _, value in records] for topic, records in mine.items()}
            times = {topic: [time for time, _ in records] for topic, records in mine.items()}
            rows += rehearsal.run(values, timestamps_ms=times).to_pylist()
            late += rehearsal.sides["late"].to_pylist() if "late" in rehearsal.sides else []
        return rows, late


def lane_of(value: dict[str, Any]) -> int:
    return int(partitions_for_keys(pa.array([value["user"].encode()]), PARTITIONS)[0])


def visible(directory: Path) -> list[dict[str, Any]]:
    if not directory.exists():
        return []
    return pyarrow.dataset.dataset(directory, format="parquet").to_table().to_pylist()


def same(found: list[Any], expected: list[Any], *without: str) -> bool:
    def counted(rows: list[Any]) -> Counter[str]:
        return Counter(repr({name: row[name] for name in row if name not in without}) for row in rows)

    return counted(found) == counted(expected)


@pytest.mark.parametrize("windows", [tumbling("20 seconds"), session("7 seconds")])
def test_windowed__two_applications_and_many_batches__same_rows_as_a_rehearsal(
    spark: "SparkSession", address: str, tmp_path: Path, windows: Any
) -> None:
    topic = f"clicks-{next(NUMBERS)}"
    drawn = GeneratedRecords(address, topic)
    source = Topic(topic, COLUMNS).keyed_by("user").with_watermark("at", "10 seconds")
    process = windowed(windows, "count(*) as clicks, min(page) as first, max(at) as latest")
    out, late = tmp_path / "out", tmp_path / "late"
    pipeline = Pipeline(topic, source, process, Parquet(str(out)), side={"late": Parquet(str(late))})
    for first, end in ((0, 150), (150, 250)):
        drawn.produce(first, end)
        pipeline.run(
            bootstrap_servers=address, group_instance_id="host-a", until="caught-up", max_records=90, spark=spark
        )
    rows, late_rows = drawn.rehearsed(pipeline)
    assert rows
    assert late_rows
    assert same(visible(out), rows)
    assert same(visible(late), late_rows, "_partition", "_offset")


@pytest.mark.parametrize("group_protocol", ["classic", "consumer"])
def test_join_streams__two_members_and_many_batches__same_rows_as_a_rehearsal(
    spark: "SparkSession", address: str, tmp_path: Path, group_protocol: Any
) -> None:
    number = next(NUMBERS)
    shown, clicked = f"shown-{number}", f"clicked-{number}"
    drawn = GeneratedRecords(address, shown, clicked)
    drawn.produce(0, 200)
    topics = [Topic(name, COLUMNS).keyed_by("user").with_watermark("at", "10 seconds") for name in (shown, clicked)]
    pipeline = Pipeline(shown, topics, join_streams(within="15 seconds", how="left"), Parquet(str(tmp_path)))
    pipeline.run(
        bootstrap_servers=address,
        group_instance_id="host-a",
        group_protocol=group_protocol,
        threads=2,
        until="caught-up",
        max_records=120,
        spark=spark,
    )
    rows, _ = drawn.rehearsed(pipeline)
    assert any(row["page_right"] is not None for row in rows)
    assert same(visible(tmp_path), rows)
    assert {row["user"] for row in pipeline.state().to_pylist()} <= {f"u{number}" for number in range(9)}


def test_processing_time_timers__application_stopped_before_they_are_due__fire_in_the_next_application(
    spark: "SparkSession", address: str, tmp_path: Path
) -> None:
    def wait(_row: Any, state: Any, timers: Any) -> None:
        if state["at"] is None:
            state["at"] = timers.processing_time + timedelta(milliseconds=1)
            timers.register(state["at"], clock="processing")

    def fire(key: Any, state: Any, timers: Any) -> Any:
        state["at"] = None
        return {"user": key, "clock": timers.clock}

    topic = f"waiting-{next(NUMBERS)}"
    create_topic(address, topic)
    source = Topic(topic, COLUMNS).keyed_by("user")
    process = map_with_state(wait, state="at timestamp", output="user string, clock string", on_timer=fire)
    pipeline = Pipeline(topic, source, process, Parquet(str(tmp_path)))
    for user in ("u0", "u2"):  # Both users are in one lane, so the record of u2 lets the timer of u0 fire.
        with Producer(address) as producer:
            producer.send(topic, user.encode(), text.dumps({"user": user}).encode())
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert {"user": "u0", "clock": "processing"} in visible(tmp_path)
