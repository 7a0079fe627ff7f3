"""What a batch of `transform` says where its store has no room, whoever notices: a task, or the driver."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tenure.pipeline.errors import Code
from tenure.pipeline.files import LocalFiles
from tenure.pipeline.layout import Layout
from tenure.pipeline.records import Decoded
from tenure.pipeline.stager import Failed
from tenure.pipeline.task import Job
from tenure.protocol.types import GroupId
from tenure.spark.task import new_id, untouched
from tenure.spark.transform_job import TransformJob
from tests.spark.patience import TOO_LATE, patiently
from tests.spark.test_stager import bundle

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


class OnACluster(TransformJob):
    @property
    def is_one_host(self) -> bool:
        return False


class Full(LocalFiles):
    """No room for files whose paths have these words."""

    def __init__(self, words: str) -> None:
        self.words = words

    def write(self, path: str, data: bytes | memoryview) -> None:
        if self.words in path:
            raise OSError(28, "No space left on device", path)
        super().write(path, data)


class Numbers:
    def decode(self, records: pa.Table, partition: int) -> Decoded:
        del partition
        return Decoded(records.select(["offset"]), [])


def fetch(_topic: str, _partition: int, start: int, end: int) -> Iterator[pa.RecordBatch]:
    offsets = pa.array(range(start, end), pa.int64())
    at = pa.array([1_700_000_000_000] * (end - start), pa.timestamp("ms", "UTC"))
    value = pa.array([b"1"] * (end - start), pa.binary())
    yield pa.record_batch([offsets, at, value, value], names=["offset", "timestamp", "key", "value"])


@pytest.mark.parametrize("cluster", [True, False], ids=["cluster", "one host"])
@pytest.mark.parametrize("words", [".read", ".parquet", ".json"], ids=["what was read", "rows", "manifest"])
def test_store__has_no_room__every_lane_says_which_places_need_it(
    spark: "SparkSession", tmp_path: Path, words: str, cluster: bool
) -> None:
    layout = Layout.of(GroupId("g"), str(tmp_path / "out"), str(tmp_path / "state"))
    job = Job(layout, Numbers(), untouched, fetch)
    kind = OnACluster if cluster else TransformJob
    columns = pa.schema([("offset", pa.int64())])
    stage = kind(spark, job, columns, lambda batch: batch, Full(words), new_id)

    def staged() -> list[Failed]:
        results = stage(bundle(new_id(), 0, 1))
        found = [result for result in results if isinstance(result, Failed)]
        assert len(found) == len(results) == 2
        assert TOO_LATE not in found[0].reason, found[0].reason
        return found

    for failed in patiently(staged):
        assert failed.code is Code.FILES_FAILED, failed
        assert "No space left on device" in failed.reason
        assert failed.reason.endswith(
            f": see that there is room at {layout.sink} and {layout.state}, and that it may be written to"
        )
