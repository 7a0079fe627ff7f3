"""Staging of rows by the tasks of a cluster, without a cluster."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark import TaskContext

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.staging import prepare
from tenure.pipeline.task.job import Job
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tenure.spark import json
from tenure.spark.jobs.transform_rows import outputs_in, stage_partition, stage_with
from tenure.spark.workers.task import pass_rows


@pytest.fixture
def task() -> Iterator[None]:
    """Set the context of a task, as in a Spark worker."""
    TaskContext._getOrCreate()._taskAttemptId = 7
    yield
    TaskContext._setTaskContext(None)


def staged(tmp_path: Path, *batches: pa.RecordBatch) -> list[tuple[Output, ...]]:
    files, layout = LocalFiles(), Layout.of(GroupId("g"), str(tmp_path))
    sinks = {"": ParquetFiles(partition_by=("rest",))}
    job = Job(layout, json("n long"), pass_rows, partial(fetch_arrow, "nowhere:1"), sinks=sinks)
    lane = Lane((TopicName("t"),), PartitionId(3))
    ranges = (Range(lane.topics[0], lane.partition, 0, 7),)
    begun = Manifest("i" * 22, GroupId("g"), lane, 1, ranges, 4, Writer(MemberId("m"), GenerationId(1)), "r" * 22)
    prepare(files, layout, begun)
    told = stage_with(partial(stage_partition, job, files, begun, ""))(iter(batches))
    return [outputs_in(outputs) for batch in told for outputs in batch["outputs"].to_pylist()]


@pytest.mark.usefixtures("task")
def test_stage_partition__rows_of_several_batches__one_file_per_partition_value(tmp_path: Path) -> None:
    batches = [pa.record_batch({"n": [number], "rest": [number % 2]}) for number in range(4)]
    [outputs] = staged(tmp_path, *batches)
    assert [output.rows for output in outputs] == [2, 2]
    assert staged(tmp_path, batches[0][:0]) == []


@pytest.mark.usefixtures("task")
def test_stage_partition__partition_column_missing__driver_gets_the_error_message(tmp_path: Path) -> None:
    with pytest.raises(BadFunction, match="partitioned by 'rest', but the function's rows have only n"):
        staged(tmp_path, pa.record_batch({"n": [1]}))
