"""Runs bundles as Spark jobs, one each, whose task gives one row: the results of the bundle's lanes.

Rows never enter the Java machine: a task fetches, decodes, calls the user's function and writes files, all in its
Python worker. The driver learns what was staged.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Final

from tenure.pipeline.errors import Code
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import Failed, Result
from tenure.spark.errors import SparkEnded
from tenure.spark.spark_session import enter_job_group, has_ended

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

StageBundle = Callable[[Bundle], Sequence[Result]]
"""Stages every lane of a bundle, in a task; fails lane by lane, by value. Picklable by Spark's own pickler, as are the
results."""

BundleJob = Callable[[Bundle], list[Result]]
"""Stages a bundle, as a Spark job that the driver waits for."""

CANCEL_AGAIN_S: Final = 0.2


class SparkStager:
    """The jobs of one member: at most `tasks` at once, beside those of other members."""

    def __init__(self, spark: "SparkSession", job: BundleJob, member: str, tasks: int = 1) -> None:
        self.spark = spark
        self.job = job
        self.member = member
        self.threads = ThreadPoolExecutor(tasks, thread_name_prefix=f"spark-jobs-{member}")

    def start(self, bundle: Bundle) -> "SparkRun":
        return SparkRun(self.spark, bundle, self.threads.submit(self.results, bundle))

    def results(self, bundle: Bundle) -> list[Result]:
        """In a thread of its own, as long as it takes."""
        try:
            enter_job_group(self.spark, bundle.run_id, self.member, job_description(bundle))
            results = self.job(bundle)
        except Exception as error:  # Whatever ends a job as a whole: a lost worker, a session that was stopped.
            results = fail_all_lanes(bundle, error)
        if all(isinstance(result, Failed) for result in results) and has_ended(self.spark):
            ended = SparkEnded()
            return [Failed(result.lane, ended.code, ended.sentence) for result in results]
        return results

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


class SparkRun:
    """A bundle under way as a Spark job."""

    def __init__(self, spark: "SparkSession", bundle: Bundle, job: "Future[list[Result]]") -> None:
        self.spark = spark
        self.bundle = bundle
        self.job = job

    def wait(self, timeout_s: float) -> list[Result] | None:
        try:
            return self.job.result(timeout_s)
        except TimeoutError:
            return None
        except CancelledError as error:
            return fail_all_lanes(self.bundle, error)

    def cancel(self) -> None:
        if not self.job.cancel():
            Thread(target=self.cancel_job, name="spark-cancel", daemon=True).start()

    def cancel_job(self) -> None:
        """Spark forgets a cancellation that comes before the job, so it is told again until the job has ended."""
        from py4j.protocol import Py4JError

        while not self.job.done():
            with suppress(Py4JError, OSError):  # Spark is gone: the job ends without our help.
                self.spark.sparkContext.cancelJobGroup(self.bundle.run_id)
            wait([self.job], CANCEL_AGAIN_S)


def bundle_job(spark: "SparkSession", stage: StageBundle) -> BundleJob:
    """The jobs of stateful work.

    They go without Spark SQL, which plans and compiles each query anew: that is dearer than all else in a short batch,
    and dearest in the first one after a start. Nor do they `collect`: before such a job Spark reads the whole code of
    its largest class, to see what the job refers to there.
    """
    one = spark.sparkContext.parallelize([0], 1)

    def run(bundle: Bundle) -> list[Result]:
        (results,) = one.context.runJob(one, bundle_task(stage, bundle), [0])
        return list(results)

    return run


def bundle_task(stage: StageBundle, bundle: Bundle) -> "Callable[[Iterator[int]], Iterator[Sequence[Result]]]":
    """What runs in a Python worker, for the one row that there is."""

    def run(rows: Iterator[int]) -> Iterator[Sequence[Result]]:
        for _ in rows:
            yield stage(bundle)

    return run


def job_description(bundle: Bundle) -> str:
    """For people who look at Spark's web interface."""
    records = sum(len(part) for plan in bundle.lanes for part in plan.ranges)
    return f"{records:,} records of {', '.join(str(plan.lane) for plan in bundle.lanes)}"


def fail_all_lanes(bundle: Bundle, error: BaseException, code: Code = Code.LANE_FAILED) -> list[Result]:
    """Every lane, by one and the same error."""
    reason, trace = error_summary(error), traceback.format_exc()
    return [Failed(plan.lane, code, reason, trace=trace) for plan in bundle.lanes]


def error_summary(error: BaseException) -> str:
    """Spark's errors quote the worker's whole traceback, then the Java machine's: what counts is the line between."""
    words = str(error).partition("SQLSTATE")[0].partition("\n\tat ")[0].replace("Driver stacktrace:", "")
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    if "Traceback (most recent call last)" in words:
        return lines[-1]
    if words.startswith("An error occurred while calling"):  # py4j, of a job without SQL: then come the causes in a row
        return lines[-1].rpartition("Exception: ")[2]
    return lines[0] if lines else type(error).__name__
