"""Runs bundles as Spark tasks: one job for a run, one task for each of its bundles, one row of results from each task.

Rows never enter the Java machine: a task fetches, decodes, calls the user's function and writes files, all in its
Python worker. The driver learns what was staged.
"""

import pickle
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from tenure.pipeline.errors import Code
from tenure.pipeline.plan import Bundle
from tenure.pipeline.stager import Failed, Result
from tenure.spark.errors import SparkEnded
from tenure.spark.session import enter_job_group, has_ended

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Stage = Callable[[Bundle], Sequence[Result]]
"""Stages every lane of a bundle, in a task; fails lane by lane, by value. Picklable by Spark's own pickler."""

Job = Callable[[Sequence[Bundle]], list[Result]]
"""Stages all bundles of a run, as one Spark job that the driver waits for."""

CANCEL_AGAIN_S: Final = 0.2


class SparkStager:
    """The jobs of one member. They run one after the other, beside those of other members."""

    def __init__(self, spark: "SparkSession", job: Job, member: str) -> None:
        self.spark = spark
        self.job = job
        self.member = member
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=f"spark-jobs-{member}")

    def start(self, bundles: Sequence[Bundle]) -> "SparkRun":
        return SparkRun(self.spark, bundles, self.thread.submit(self.results, bundles))

    def results(self, bundles: Sequence[Bundle]) -> list[Result]:
        """In the thread that all jobs of this member share."""
        try:
            enter_job_group(self.spark, bundles[0].run_id, self.member)
            results = self.job(bundles)
        except Exception as error:  # Whatever ends a job as a whole: a lost worker, a session that was stopped.
            results = failed(bundles, error)
        if all(isinstance(result, Failed) for result in results) and has_ended(self.spark):
            ended = SparkEnded()
            return [Failed(result.lane, ended.code, ended.sentence) for result in results]
        return results

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
        except CancelledError as error:
            return failed(self.bundles, error)

    def cancel(self) -> None:
        if not self.job.cancel():
            Thread(target=self.cancel_job, name="spark-cancel", daemon=True).start()

    def cancel_job(self) -> None:
        """Spark forgets a cancellation that comes before the job, so it is told again until the job has ended."""
        from py4j.protocol import Py4JError

        while not self.job.done():
            with suppress(Py4JError, OSError):  # Spark is gone: the job ends without our help.
                self.spark.sparkContext.cancelJobGroup(self.bundles[0].run_id)
            wait([self.job], CANCEL_AGAIN_S)


def staged_by_tasks(spark: "SparkSession", stage: Stage, bundles: Sequence[Bundle]) -> list[Result]:
    """The job of stateful work: `partial(staged_by_tasks, spark, stage)`."""
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


def failed(bundles: Sequence[Bundle], error: BaseException, code: Code = Code.LANE_FAILED) -> list[Result]:
    """Every lane, by one and the same error."""
    reason, trace = in_a_sentence(error), traceback.format_exc()
    return [Failed(plan.lane, code, reason, trace=trace) for bundle in bundles for plan in bundle.lanes]


def in_a_sentence(error: BaseException) -> str:
    """Spark's errors quote the worker's whole traceback, then the Java machine's: what counts is the line between."""
    lines = [line.strip() for line in str(error).partition("SQLSTATE")[0].splitlines() if line.strip()]
    if "Traceback (most recent call last)" in str(error):
        return lines[-1]
    return lines[0] if lines else type(error).__name__
