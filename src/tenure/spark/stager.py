"""Runs bundles as Spark tasks: one job for a run, one task for each of its bundles, one row of results from each task.

Rows never enter the Java machine: a task fetches, decodes, calls the user's function and writes files, all in its
Python worker. The driver learns what was staged.
"""

import pickle
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.pipeline.errors import Code
from tenure.pipeline.plan import Bundle
from tenure.pipeline.stager import Failed, Result
from tenure.spark.session import tagged

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Stage = Callable[[Bundle], Sequence[Result]]
"""Stages every lane of a bundle, in a task; fails lane by lane, by value. Picklable by Spark's own pickler."""


class SparkStager:
    """The bundles of one member. Its jobs run one after the other, beside those of other members."""

    def __init__(self, spark: "SparkSession", stage: Stage, member: str) -> None:
        self.spark = spark
        self.stage = stage
        self.member = member
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=f"spark-jobs-{member}")

    def start(self, bundles: Sequence[Bundle]) -> "SparkRun":
        return SparkRun(self.spark, bundles, self.thread.submit(self.results, bundles))

    def results(self, bundles: Sequence[Bundle]) -> list[Result]:
        """The job; in the thread that all jobs of this member share."""
        with tagged(self.spark, bundles[0].run_id, self.member):
            try:
                return staged_by_tasks(self.spark, self.stage, bundles)
            except Exception as error:  # Whatever ends a job as a whole: a lost worker, a session that was stopped.
                return failed(bundles, error)

    def close(self) -> None:
        self.thread.shutdown(wait=False, cancel_futures=True)


class SparkRun:
    """Bundles under way as one Spark job."""

    def __init__(self, spark: "SparkSession", bundles: Sequence[Bundle], job: "Future[list[Result]]") -> None:
        self.spark = spark
        self.bundles = bundles
        self.job = job

    def wait(self, timeout_s: float) -> list[Result] | None:
        try:
            return self.job.result(timeout_s)
        except TimeoutError:
            return None

    def cancel(self) -> None:
        self.job.cancel()
        self.spark.interruptTag(self.bundles[0].run_id)


def staged_by_tasks(spark: "SparkSession", stage: Stage, bundles: Sequence[Bundle]) -> list[Result]:
    count = len(bundles)
    tasks = spark.range(count, numPartitions=count).mapInArrow(task(stage, bundles), "results binary")
    rows = tasks.toArrow()["results"].to_pylist()
    return [result for row in rows for result in pickle.loads(row)]


def task(stage: Stage, bundles: Sequence[Bundle]) -> "Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]":
    """What runs in each Python worker: its row's number says which bundle is its own."""

    def run(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows:
            results = [pickle.dumps(stage(bundles[number])) for number in row["id"].to_pylist()]
            yield pa.record_batch([pa.array(results, pa.binary())], names=["results"])

    return run


def failed(bundles: Sequence[Bundle], error: Exception) -> list[Result]:
    words = str(error).strip().splitlines() or [type(error).__name__]
    trace = traceback.format_exc()
    return [Failed(plan.lane, Code.LANE_FAILED, words[0], trace=trace) for bundle in bundles for plan in bundle.lanes]
