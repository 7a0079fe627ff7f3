"""Failures of a `transform` when its store is full, in a task or in the driver."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tenure.pipeline.errors import Code
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.task.job import Job
from tenure.pipeline.values.decoded_records import Decoded
from tenure.pipeline.values.stager import Failed
from tenure.protocol.types import GroupId
from tenure.spark.jobs.transform_job import TransformJob
from tenure.spark.workers.task import new_id, pass_rows
from tests.spark.jobs.test_stager import bundle
from tests.spark.patience import TOO_LATE, Patiently, repeats_slow_starts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, repeats_slow_starts]


class OnACluster(TransformJob):
    @property
    def is_one_host(self) -> bool:
        return False


class Full(LocalFiles):
    """Files without space for paths that contain these words."""

    def __init__(self, words: str) -> None:
        self.words = words

    def write(self, path: str, data: bytes | memoryview) -> None:
        if self.words in path:
            raise OSError(28, "No space left on device", path)
        super().write(path, data)


class Planted(LocalFiles):
    """Files in which an attacker replaces each report by a pickle that creates the file `marker`."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def read(self, path: str) -> bytes:
        return pickle.dumps(Creates(self.marker)) if path.endswith(".read") else super().read(path)


class Creates:
    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> object:
        return Path.touch, (self.file,)


class Numbers:
    def decode(self, records: pa.Table, partition: int) -> Decoded:
        del partition
        return Decoded(records.select(["offset"]), [])


def fetch(_topic: str, _partition: int, start: int, end: int) -> Iterator[pa.RecordBatch]:
    offsets = pa.array(range(start, end), pa.int64())
    at = pa.array([1_700_000_000_000] * (end - start), pa.timestamp("ms", "UTC"))
    value = pa.array([b"1"] * (end - start), pa.binary())
    yield pa.record_batch([offsets, at, value, value], names=["offset", "timestamp", "key", "value"])


def failures(stage: TransformJob) -> list[Failed]:
    """Return the failures of a bundle. Raises AssertionError if Spark did not start a task."""
    results = stage(bundle(new_id(), 0, 1))
    found = [result for result in results if isinstance(result, Failed)]
    assert len(found) == len(results) == 2
    assert TOO_LATE not in found[0].reason, found[0].reason
    return found


@pytest.mark.parametrize("cluster", [True, False], ids=["cluster", "one host"])
@pytest.mark.parametrize("words", [".read", ".parquet", ".json"], ids=["what was read", "rows", "manifest"])
def test_transform__disk_full__every_lane_fails_and_error_names_the_directories(
    spark: "SparkSession", tmp_path: Path, words: str, cluster: bool, patiently: Patiently
) -> None:
    layout = Layout.of(GroupId("g"), str(tmp_path / "out"), str(tmp_path / "state"))
    job = Job(layout, Numbers(), pass_rows, fetch)
    kind = OnACluster if cluster else TransformJob
    columns = pa.schema([("offset", pa.int64())])
    stage = kind(spark, job, columns, lambda batch: batch, Full(words), new_id)
    for failed in patiently(lambda: failures(stage)):
        assert failed.code is Code.FILES_FAILED, failed
        assert "No space left on device" in failed.reason
        assert failed.reason.endswith(f": check free space and write permission at {layout.sink} and {layout.state}")


def test_lane_report__replaced_in_the_shared_directory__no_code_runs_and_nothing_committed(
    spark: "SparkSession", tmp_path: Path, patiently: Patiently
) -> None:
    layout = Layout.of(GroupId("g"), str(tmp_path / "out"), str(tmp_path / "state"))
    columns = pa.schema([("offset", pa.int64())])
    files = Planted(tmp_path / "ran")
    job = Job(layout, Numbers(), pass_rows, fetch)
    stage = OnACluster(spark, job, columns, lambda batch: batch, files, new_id)
    results = patiently(lambda: failures(stage))
    assert not files.marker.exists()
    for result in results:
        assert result.code is Code.LANE_FAILED
        assert "was not written by a task of this batch: check the permissions of" in result.reason
