"""Pipelines with several sinks end to end: real broker, real members, real Spark tasks."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pytest
import sqlalchemy as sql
from deltalake import DeltaTable

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.pipeline.errors import Code
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import DirectoryPublisher
from tenure.pipeline.output.staging import prepare
from tenure.pipeline.task.job import Job
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tenure.spark import (
    Delta,
    KeyedState,
    Parquet,
    Pipeline,
    PipelineConfigError,
    PipelineStopped,
    Sql,
    Topic,
    json,
    stateful,
    transform,
)
from tenure.spark.jobs.transform_rows import TaskStagedRows
from tenure.spark.workers.task import pass_rows
from tests.docs.pages import run
from tests.spark.counting import count, expected, produce, words
from tests.spark.sinks.sink_harness import make_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

TABLE = "create table seen (word varchar(9), number integer, seen integer)"


def source_of(topic: str) -> Topic:
    return Topic(topic, value=json("word string, number long")).keyed_by("word")


def sorted_out(rows: pa.Table, state: KeyedState) -> Mapping[str, pa.Table]:
    """Count words; words of one digit go to the side output."""
    counts = count(rows, state)
    short = pc.equal(pc.utf8_length(counts["word"]), 2)
    return {"": counts.filter(pc.invert(short)), "short": counts.filter(short)}


def test_stateful__delta_table_and_database_as_outputs__every_row_in_exactly_one_output(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/seen.db"
    make_table(url, TABLE)
    delta = Delta(str(tmp_path / "delta"), partition_by="word")
    work = stateful(sorted_out, state="seen long")
    pipeline = Pipeline(f"count-{topic}", source_of(topic), work, delta, side={"short": Sql(url, "seen")})
    for first, end in ((0, 300), (300, 400)):
        produce(address, topic, words(first, end))
        pipeline.run(bootstrap_servers=address, until="caught-up", max_records=150, tasks=2, spark=spark)
    long = DeltaTable(delta.path).to_pyarrow_table()
    engine = sql.create_engine(url)
    with engine.connect() as connection:
        short = connection.execute(sql.text("select word, number, seen from seen")).all()
        at = connection.execute(sql.text("select sum(next_offset) from tenure_positions")).scalar()
    engine.dispose()
    rows = [(row["word"], row["number"], row["seen"]) for row in long.to_pylist()]
    assert sorted([*rows, *map(tuple, short)]) == expected(words(0, 400))
    assert {len(word) for word, _, _ in rows} == {3}
    assert {len(word) for word, _, _ in short} == {2}
    assert at == 400


def test_transform__partitioned_and_growing_output_files__each_row_in_its_output_once(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    def by_parity(batch: "DataFrame") -> "Mapping[str, DataFrame]":
        from pyspark.sql import functions as f

        rows = batch.select("word", "number", (f.col("number") % 3).alias("rest"))
        return {"": rows.where("number % 2 = 0"), "odd": rows.where("number % 2 = 1")}

    even = Parquet(str(tmp_path / "even"), partition_by=("rest",), compression="zstd", grow_to_bytes=1_000_000)
    odd = Delta(str(tmp_path / "odd"))
    pipeline = Pipeline(f"parity-{topic}", source_of(topic), transform(by_parity), even, side={"odd": odd})
    for first, end in ((0, 300), (300, 400)):
        produce(address, topic, words(first, end))
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    found = pyarrow.dataset.dataset(even.path, format="parquet", partitioning="hive").to_table()
    assert sorted(zip(found["number"].to_pylist(), found["rest"].to_pylist(), strict=True)) == [
        (number, number % 3) for number in range(0, 400, 2)
    ]
    assert sorted(spark.read.parquet(even.path).toArrow()["number"].to_pylist()) == list(range(0, 400, 2))
    assert sorted(DeltaTable(odd.path).to_pyarrow_table()["number"].to_pylist()) == list(range(1, 400, 2))


def test_transform__rows_staged_by_several_tasks__published_once_in_partition_directories(
    spark: "SparkSession", tmp_path: Path
) -> None:
    files, layout = LocalFiles(), Layout.of(GroupId("g"), str(tmp_path))
    sinks = {"": ParquetFiles(partition_by=("rest",))}
    job = Job(layout, json("n long"), pass_rows, partial(fetch_arrow, "nowhere:1"), sinks=sinks)
    lane = Lane((TopicName("t"),), PartitionId(3))
    ranges = (Range(lane.topics[0], lane.partition, 0, 7),)
    begun = Manifest("i" * 22, GroupId("g"), lane, 1, ranges, 4, Writer(MemberId("m"), GenerationId(1)), "r" * 22)
    prepare(files, layout, begun)
    rows = TaskStagedRows(job, files, begun)
    rows.write("", spark.range(0, 60, numPartitions=3).selectExpr("id as n", "id % 2 as rest"))
    manifest = rows.add_outputs(replace(begun, ranges=(replace(ranges[0], end_offset=5),)))
    assert (
        len({output.staged for output in manifest.outputs}) == len({output.final for output in manifest.outputs}) == 6
    )
    assert all(f"t-3-{0:020d}-{5:020d}-{begun.id}" in output.final for output in manifest.outputs)
    DirectoryPublisher().publish(files, layout, manifest, manifest.outputs)
    found = pyarrow.dataset.dataset(str(tmp_path), format="parquet", partitioning="hive").to_table()
    assert sorted(zip(found["n"].to_pylist(), found["rest"].to_pylist(), strict=True)) == [
        (number, number % 2) for number in range(60)
    ]


def test_grow_to_bytes__reader_listed_the_file_before_it_grew__reads_the_earlier_rows(
    spark: "SparkSession", tmp_path: Path
) -> None:
    def put(*ends: int) -> None:
        starts = (0, *ends)
        groups = [pa.table({"n": list(range(start, end))}) for start, end in zip(starts, ends, strict=False)]
        (tmp_path / "_longer").write_bytes(ParquetFiles().encode(*groups))
        (tmp_path / "_longer").replace(tmp_path / "rows.parquet")

    put(1_000)
    first = spark.read.parquet(str(tmp_path))
    put(1_000, 300_000)
    second = spark.read.parquet(str(tmp_path))
    put(1_000, 300_000, 900_000)
    assert [first.count(), second.count()] == [1_000, 300_000]
    assert spark.read.parquet(str(tmp_path)).count() == 900_000


def test_sql__column_missing__pipeline_stops_and_continues_after_it_was_added(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/seen.db"
    make_table(url, "create table seen (word varchar(9), number integer)")
    produce(address, topic, words(0, 50))
    work = stateful(count, state="seen long")
    state = str(tmp_path / "state")
    pipeline = Pipeline(f"count-{topic}", source_of(topic), work, Sql(url, "seen"), state_directory=state)
    with pytest.raises(
        PipelineStopped, match=r"it has no column 'seen'.*then writes these rows, whose offsets are committed already"
    ) as stopped:
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert stopped.value.code is Code.SINK_REFUSED
    make_table(url, "alter table seen add column seen integer")
    pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    engine = sql.create_engine(url)
    with engine.connect() as connection:
        rows = connection.execute(sql.text("select word, number, seen from seen")).all()
    engine.dispose()
    assert sorted(map(tuple, rows)) == expected(words(0, 50))


def test_user_function__returns_an_undeclared_output__pipeline_stops_and_error_names_the_output(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 50))
    pipeline = Pipeline(
        f"count-{topic}", source_of(topic), stateful(sorted_out, state="seen long"), Parquet(str(tmp_path))
    )
    with pytest.raises(PipelineStopped, match="unknown side output 'short' \\(known: none\\)") as stopped:
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert stopped.value.code is Code.BAD_FUNCTION
    assert list(tmp_path.glob("*.parquet")) == []


def test_sql__table_missing__refused_before_spark_starts(address: str, topic: str, tmp_path: Path) -> None:
    work = stateful(count, state="seen long")
    sink = Sql(f"sqlite:///{tmp_path}/seen.db", "seen")
    pipeline = Pipeline(f"count-{topic}", source_of(topic), work, sink, state_directory=str(tmp_path / "state"))
    with pytest.raises(PipelineConfigError, match=r"There is no table seen at sqlite.*create it"):
        pipeline.run(bootstrap_servers=address, until="caught-up")


@pytest.mark.timeout(900)  # many pipelines run one after the other, and many tests may share the machine
@pytest.mark.usefixtures("spark")
def test_page_sinks__all_snippets_in_order__run_without_errors() -> None:
    """The snippets use the active session."""
    run("sinks.md", 8)
