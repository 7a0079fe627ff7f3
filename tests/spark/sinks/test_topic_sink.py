"""Topics as sinks, and repartitioned topics: with Spark, on our broker and on Apache Kafka."""

import itertools
import json as text
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset
import pytest
from typer.testing import CliRunner

from tenure.admin import Admin
from tenure.admin.group_description import GroupDescription
from tenure.client import Producer
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, map_batches, stateful
from tests.apache_kafka import apache_kafka
from tests.command_line import app
from tests.oracle.conftest import require_kafka
from tests.spark.counting import create_topic
from tests.topic_records import records_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

NUMBERS = itertools.count(1)
FLIGHTS = [
    {"tailnum": f"N{number % 5}", "dest": ("BOS", "JFK", "SFO")[number % 3], "delay": number} for number in range(60)
]
COLUMNS = "tailnum string, dest string, delay long"


@pytest.fixture
def tenure(address: str) -> str:
    return address


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield Apache Kafka before KIP-890, where each batch of a lane needs a new epoch."""
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka"), features=["transaction.version=1"]) as broker:
        yield broker.address


@pytest.fixture
def broker(request: pytest.FixtureRequest) -> str:
    """Return our broker or Apache Kafka."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def name(broker: str) -> str:
    given = f"flights-{next(NUMBERS)}"
    create_topic(broker, given)
    return given


def flights_in(address: str, name: str, *others: str) -> Topic:
    """Create a topic with flights, and other topics, by default `<name>-out` and `<name>-by-dest`."""
    for beside in others or ("out", "by-dest"):
        create_topic(address, f"{name}-{beside}", 3)
    with Producer(address) as producer:
        for flight in FLIGHTS:
            producer.send(name, flight["tailnum"].encode(), text.dumps(flight).encode())
    return Topic(name, value=json(COLUMNS)).keyed_by("tailnum")


def delayed_flights(rows: pa.Table) -> pa.Table:
    return rows.filter(pa.compute.greater(rows["delay"], 20))


def arrivals(rows: pa.Table, airports: KeyedState) -> pa.Table:
    """Return each flight with the number of flights of its airport so far."""
    table = rows.select(["dest", "delay"]).to_pandas()
    known = airports.get(rows["dest"].combine_chunks())["n"].fill_null(0).to_pandas()
    table["n"] = table.groupby("dest").cumcount() + 1 + known
    latest = pa.Table.from_pandas(table.groupby("dest").tail(1), preserve_index=False)
    airports.put(latest["dest"], latest.select(["n"]))
    return pa.Table.from_pandas(table, preserve_index=False)


@pytest.mark.parametrize("broker", ["tenure"], indirect=True)
def test_topic_sink__rows_written__records_with_the_declared_key(
    spark: "SparkSession", broker: str, name: str, tmp_path: Path
) -> None:
    pipeline = Pipeline(
        f"late-{name}",
        source=flights_in(broker, name),
        process=map_batches(delayed_flights),
        sink=Topic(f"{name}-out", value=json("dest string, delay long")).keyed_by("dest"),
        state_directory=str(tmp_path),
    )
    pipeline.run(bootstrap_servers=broker, until="caught-up", spark=spark)
    records = records_of(broker, f"{name}-out")
    assert all(key == text.loads(value)["dest"].encode() for key, value in records if key and value)
    assert sorted(text.loads(value or b"")["delay"] for _, value in records) == list(range(21, 60))


@pytest.mark.parametrize("broker", ["tenure", pytest.param("kafka", marks=pytest.mark.oracle)], indirect=True)
def test_through__state_kept_by_another_key__state_counts_every_row_once(
    spark: "SparkSession", broker: str, name: str, tmp_path: Path
) -> None:
    pipeline = Pipeline(
        f"arrivals-{name}",
        source=flights_in(broker, name).through(f"{name}-by-dest", key="dest"),
        process=stateful(arrivals, state="n long"),
        sink=Parquet(str(tmp_path / "out")),
    )
    told: list[Progress] = []
    seen: list[str] = []

    def observe(progress: Progress) -> None:
        told.append(progress)
        if progress.step is ProgressStep.PUBLISHED and progress.group == pipeline.name and not seen:
            seen.append(CliRunner().invoke(app, ["pipeline", "status", pipeline.name, "-b", broker]).output)

    for _ in range(2):  # The second run has nothing to do.
        pipeline.run(bootstrap_servers=broker, until="caught-up", max_records=20, observer=observe, spark=spark)
    stage = f"{pipeline.name}-{name}-by-dest"
    for step in (ProgressStep.RECOVERED, ProgressStep.PUBLISHED, ProgressStep.IDLE):
        assert {progress.group for progress in told if progress.step is step} == {pipeline.name, stage}
    (status,) = seen
    assert re.search(rf"Repartitioning group '{stage}':\n  \S+: (working|caught up), lag [0-9]+", status)
    assert sorted(pipeline.state().to_pylist(), key=str) == [{"dest": dest, "n": 20} for dest in ("BOS", "JFK", "SFO")]
    rows = pyarrow.dataset.dataset(tmp_path / "out", format="parquet").to_table().to_pylist()
    assert sorted((row["dest"], row["n"]) for row in rows) == [
        (dest, n) for dest in ("BOS", "JFK", "SFO") for n in range(1, 21)
    ]


@pytest.mark.parametrize("broker", ["tenure", pytest.param("kafka", marks=pytest.mark.oracle)], indirect=True)
def test_through__in_one_streams_group__broker_creates_the_topic_and_state_counts_every_row_once(
    spark: "SparkSession", broker: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = Pipeline(
        f"tasks-{name}",
        source=flights_in(broker, name, "out").through(f"{name}-by-dest", key="dest"),
        process=stateful(arrivals, state="n long"),
        sink=Parquet(str(tmp_path / "out")),
    )
    seen: list[GroupDescription] = []
    shown: list[str] = []
    monkeypatch.setitem(sys.modules, f"declared_{name}", SimpleNamespace(pipeline=pipeline))

    def status(*options: str) -> str:
        reference = f"declared_{name}:pipeline"
        return CliRunner().invoke(app, ["pipeline", "status", reference, "-b", broker, *options]).stdout

    def observe(progress: Progress) -> None:
        if progress.step is ProgressStep.PUBLISHED and progress.group == pipeline.name and not seen:
            with Admin(broker) as admin:
                seen.extend(admin.describe_groups([pipeline.name]))
            shown.append(status())

    for _ in range(2):  # The second run has nothing to do.
        pipeline.run(
            bootstrap_servers=broker,
            group_protocol="streams",
            group_instance_id="a",
            until="caught-up",
            max_records=20,
            observer=observe,
            spark=spark,
        )
    assert f"Repartitioning step '{pipeline.name}-{name}-by-dest':" in shown[0]
    with_batches = {lane["topic"] for lane in text.loads(status("--json"))["lanes"] if lane["kept"] is not None}
    assert with_batches == {f"{name}-by-dest"}
    (group,) = seen
    assert (group.group_type, group.members[0].group_instance_id) == ("streams", "a-thread-1")
    assert {at.topic for at in group.members[0].partitions} == {name, f"{name}-by-dest"}
    with Admin(broker) as admin:
        assert pipeline.name in {listed.group_id for listed in admin.list_groups(types=["streams"])}
        assert {f"{name}-by-dest", f"{pipeline.name}-1-state-changelog"} <= {one.topic for one in admin.list_topics()}
    assert sorted(pipeline.state().to_pylist(), key=str) == [{"dest": dest, "n": 20} for dest in ("BOS", "JFK", "SFO")]
    rows = pyarrow.dataset.dataset(tmp_path / "out", format="parquet").to_table().to_pylist()
    assert sorted((row["dest"], row["n"]) for row in rows) == [
        (dest, n) for dest in ("BOS", "JFK", "SFO") for n in range(1, 21)
    ]


@pytest.mark.parametrize("broker", ["tenure"], indirect=True)
def test_through__steps_before_and_after_it__state_counts_every_row_once(
    spark: "SparkSession", broker: str, name: str, tmp_path: Path
) -> None:
    value = json("dest string, delay long")
    flights = flights_in(broker, name).filter("dest <> 'SFO'").with_column("delay", "delay * 2")
    pipeline = Pipeline(
        f"chain-{name}",
        source=flights.through(f"{name}-by-dest", key="dest", value=value).map_with_state(
            number, state="n long", output="dest string, delay long, n long"
        ),
        sink=Parquet(str(tmp_path / "out")),
    )
    pipeline.run(bootstrap_servers=broker, until="caught-up", max_records=20, spark=spark)
    assert sorted(pipeline.state().to_pylist(), key=str) == [{"dest": dest, "n": 20} for dest in ("BOS", "JFK")]
    rows = pyarrow.dataset.dataset(tmp_path / "out", format="parquet").to_table().to_pylist()
    assert len(rows) == 40
    assert all(row["delay"] % 2 == 0 for row in rows)


def number(flight: Mapping[str, Any], dest: dict[str, Any]) -> dict[str, Any]:
    dest["n"] = (dest["n"] or 0) + 1
    return {"dest": flight["dest"], "delay": flight["delay"], "n": dest["n"]}
