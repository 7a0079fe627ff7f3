"""Backfills beside a running pipeline."""

import json as text
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
import sqlalchemy as sql
from deltalake import DeltaTable

from tenure.admin import Admin
from tenure.spark import Iceberg
from tests.spark.counting import Row, counting, create_topic, expected, produce, visible, words
from tests.spark.operations.deployed import Deployment, deployment
from tests.spark.sinks.sink_harness import iceberg, make_table
from tests.topic_records import records_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture
def deployed(spark: "SparkSession", address: str, topic: str, tmp_path: Path) -> Iterator[Deployment]:
    """Run the commands in this process: they use the active session."""
    del spark
    with deployment(address, topic, tmp_path) as deployed:
        yield deployed


def committed(address: str, group: str) -> int:
    with Admin(address) as admin:
        return sum(at.offset for at in admin.committed_offsets(group).values())


def test_backfill__beside_a_running_pipeline__ends_at_the_log_end_and_can_continue_later(
    deployed: Deployment, address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 100))
    assert deployed.run("run", deployed.reference, "--until", "caught-up").exit_code == 0
    produce(address, topic, words(100, 150))
    again = f"{deployed.group}-again"
    place = ["--name", again, "--into", str(tmp_path / "again")]

    for _ in range(2):  # The second run has nothing to do.
        done = deployed.run("backfill", deployed.reference, *place, "--threads", "2")
        assert done.exit_code == 0, done.stderr
        assert done.stdout == f"Group '{again}' processed 150 records and reached the end of the backfill.\n"
        assert committed(address, again) == 150
        produce(address, topic, words(150, 160))
        assert visible(tmp_path / "again") == expected(words(0, 150))
    assert committed(address, deployed.group) == 100
    assert visible(deployed.sink) == expected(words(0, 100))


def test_backfill__start_time_before_the_first_record__starts_at_log_start(
    deployed: Deployment, address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 60))
    place = ["--name", f"{topic}-past", "--into", str(tmp_path / "past")]
    done = deployed.run("backfill", deployed.reference, *place, "--from", "7d", "--to", "2201-01-01")
    assert done.exit_code == 0, done.stderr
    assert visible(tmp_path / "past") == expected(words(0, 60))


def test_backfill__same_name_as_the_pipeline__refused(deployed: Deployment, address: str, topic: str) -> None:
    produce(address, topic, words(0, 20))
    assert deployed.run("run", deployed.reference, "--until", "caught-up").exit_code == 0
    refused = deployed.run("backfill", deployed.reference)
    assert refused.exit_code == 2
    assert "that no backfill wrote: set another group and directory" in refused.stderr
    assert committed(address, counting(topic, deployed.sink).name) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--from", "yesterday"], "--from: Invalid time 'yesterday'"),
        (["--name", "other"], "set both --name and --into"),
    ],
)
def test_backfill__invalid_arguments__refused(deployed: Deployment, options: list[str], message: str) -> None:
    refused = deployed.run("backfill", deployed.reference, *options)
    assert refused.exit_code == 2
    assert message in refused.stderr


EVERY_SINK = """
from tenure.spark import Delta, Iceberg, Parquet, Pipeline, Sql, Topic, json, stateful
from tests.spark.counting import count_for_all

PLACE, CATALOG = {place!r}, {catalog!r}
source = Topic({topic!r}, json("word string, number long")).keyed_by("word")
pipeline = Pipeline(
    "all-" + {topic!r},
    source,
    stateful(count_for_all, state="seen long"),
    Sql("sqlite:///" + PLACE + "/seen.db", "seen"),
    PLACE + "/state",
    side={{
        "parquet": Parquet(PLACE + "/parquet"),
        "delta": Delta(PLACE + "/delta"),
        "iceberg": Iceberg("db.seen", "tests", CATALOG),
        "topic": Topic("seen", json("word string, number long, seen long")),
    }},
)
"""


def test_backfill__pipeline_with_every_sink__every_row_in_each_new_destination(
    deployed: Deployment, address: str, topic: str, tmp_path: Path
) -> None:
    catalog = iceberg(tmp_path).properties
    create_topic(address, f"{topic}-again", 1)
    make_table(f"sqlite:///{tmp_path}/seen.db", "create table again (word varchar(9), number integer, seen integer)")
    deployed.file.write_text(EVERY_SINK.format(place=str(tmp_path), topic=topic, catalog=catalog))
    produce(address, topic, words(0, 120))
    into = ["again", f"parquet={tmp_path}/p", f"delta={tmp_path}/d", "iceberg=db.again", f"topic={topic}-again"]
    options = [option for place in into for option in ("--into", place)]
    done = deployed.run("backfill", deployed.reference, "--name", f"{topic}-b", *options)
    assert done.exit_code == 0, done.stderr

    rows = expected(words(0, 120))
    engine = sql.create_engine(f"sqlite:///{tmp_path}/seen.db")
    with engine.connect() as connection:
        assert sorted(map(tuple, connection.execute(sql.text("select * from again")))) == rows
    engine.dispose()
    assert visible(tmp_path / "p") == rows
    assert tuples(DeltaTable(tmp_path / "d").to_pyarrow_table()) == rows
    location = Iceberg("db.again", "tests", catalog).location()
    assert tuples(location.catalog.load_table("db.again").scan().to_arrow()) == rows
    location.close()
    values = [text.loads(value or b"") for _, value in records_of(address, f"{topic}-again")]
    assert sorted((row["word"], row["number"], row["seen"]) for row in values) == rows


def tuples(table: pa.Table) -> list[Row]:
    return sorted((row["word"], row["number"], row["seen"]) for row in table.to_pylist())
