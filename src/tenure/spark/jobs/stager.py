"""Stager that runs each bundle as one Spark job.

Rows never enter the Java process: a task fetches, decodes, calls the user's function and writes files, all in its
Python worker. The job returns one row: the results of the bundle's lanes.
"""

import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Final

from tenure.pipeline.errors import Code, module_missing
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import Failed, Result
from tenure.plural import format_count
from tenure.spark.errors import SparkEnded
from tenure.spark.spark_session import enter_job_group, has_ended

if TYPE_CHECKING:
    from pyspark import SparkContext

StageBundle = Callable[[Bundle], Sequence[Result]]
"""Function that stages every lane of a bundle in a task. It returns a result for a failed lane, too, instead of raising
an error. Spark can pickle the function and the results."""

BundleJob = Callable[[Bundle], list[Result]]
"""Function that stages a bundle as a Spark job. The driver calls it and waits for the results."""

CANCEL_AGAIN_S: Final = 0.2
"""Seconds between two attempts to cancel a job."""

MISSING_MODULE: Final = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")


class SparkStager:
    """Stager of one member, which runs at most `tasks` Spark jobs at once."""

    def __init__(self, context: "SparkContext", job: BundleJob, member: str, tasks: int = 1) -> None:
        self.context = context
        self.job = job
        self.member = member
        self.threads = ThreadPoolExecutor(tasks, thread_name_prefix=f"spark-jobs-{member}")

    def start(self, bundle: Bundle) -> "SparkStagingJob":
        """Start the job of a bundle."""
        return SparkStagingJob(self.context, bundle, self.threads.submit(self.results, bundle))

    def results(self, bundle: Bundle) -> list[Result]:
        """Run the job of a bundle in this thread, and return its results."""
        try:
            enter_job_group(self.context, bundle.run_id, self.member, job_description(bundle))
            results = self.job(bundle)
        except Exception as error:  # Errors of the whole job: a lost worker, a stopped session.
            results = fail_all_lanes(bundle, error)
        if all(isinstance(result, Failed) for result in results) and has_ended(self.context):
            ended = SparkEnded()
            return [Failed(result.lane, ended.code, ended.sentence) for result in results]
        return results

    def close(self) -> None:
        """Reject further bundles."""
        self.threads.shutdown(wait=False, cancel_futures=True)


class SparkStagingJob:
    """Running Spark job of a bundle."""

    def __init__(self, context: "SparkContext", bundle: Bundle, job: "Future[list[Result]]") -> None:
        self.context = context
        self.bundle = bundle
        self.job = job

    def wait(self, timeout_s: float) -> list[Result] | None:
        """Wait up to `timeout_s`. Return the results, or None if the job still runs."""
        try:
            return self.job.result(timeout_s)
        except TimeoutError:
            return None
        except CancelledError as error:
            return fail_all_lanes(self.bundle, error)

    def cancel(self) -> None:
        """Cancel the job, in the background if it has started."""
        if not self.job.cancel():
            Thread(target=self.cancel_job, name="spark-cancel", daemon=True).start()

    def cancel_job(self) -> None:
        """Cancel the job repeatedly until it has ended: Spark ignores a cancellation before the job's start."""
        from py4j.protocol import Py4JError

        while not self.job.done():
            with suppress(Py4JError, OSError):  # The call fails if Spark has ended; then the job has ended too.
                self.context.cancelJobGroup(self.bundle.run_id)
            wait([self.job], CANCEL_AGAIN_S)


def bundle_job(context: "SparkContext", stage: StageBundle) -> BundleJob:
    """Return a function that stages a bundle in a Spark job with one task.

    The job does not use Spark SQL, because Spark SQL plans and compiles each query again. For a short batch this takes
    longer than all other work, especially for the first batch after a start. The job calls `runJob` and not `collect`,
    because `collect` first makes Spark analyse the bytecode of a large class.
    """
    one = context.parallelize([0], 1)

    def run(bundle: Bundle) -> list[Result]:
        (results,) = one.context.runJob(one, bundle_task(stage, bundle), [0])
        return list(results)

    return run


def bundle_task(stage: StageBundle, bundle: Bundle) -> "Callable[[Iterator[int]], Iterator[Sequence[Result]]]":
    """Return the function of the job's only task. It gets one row, stages the bundle, and yields the results."""

    def run(rows: Iterator[int]) -> Iterator[Sequence[Result]]:
        for _ in rows:
            yield stage(bundle)

    return run


def job_description(bundle: Bundle) -> str:
    """Return the description of the job for Spark's web UI."""
    records = sum(len(part) for plan in bundle.lanes for part in plan.ranges)
    return f"{format_count(records, 'record')} of {', '.join(str(plan.lane) for plan in bundle.lanes)}"


def fail_all_lanes(bundle: Bundle, error: BaseException, code: Code = Code.LANE_FAILED) -> list[Result]:
    """Return a failed result for every lane of the bundle, with the same error."""
    reason, trace = error_summary(error), traceback.format_exc()
    if (name := missing_module(reason)) is not None:
        code, reason = Code.MODULE_MISSING, module_missing(name)
    return [Failed(plan.lane, code, reason, trace=trace) for plan in bundle.lanes]


def error_summary(error: BaseException) -> str:
    """Return a one-line summary of an error.

    Spark's messages contain the traceback of the worker, then that of the Java process. The line between them is the
    cause.
    """
    words = str(error).partition("SQLSTATE")[0].partition("\n\tat ")[0].replace("Driver stacktrace:", "")
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    if "Traceback (most recent call last)" in words:
        return lines[-1]
    if words.startswith("An error occurred while calling"):  # From py4j, for a job without SQL: ends with the cause.
        return lines[-1].rpartition("Exception: ")[2]
    return lines[0] if lines else type(error).__name__


def missing_module(summary: str) -> str | None:
    """Return the name of the module that a task could not import; None if the error has another cause.

    Args:
        summary: Text of the job's error. Spark transfers only the text of a task's exception.
    """
    found = MISSING_MODULE.match(summary)
    return None if found is None else found[1]
