"""Warm-up: start of Python workers before the first batch needs them.

Spark starts its workers when a job first needs Python, which takes longer than a short batch. So an empty job runs
while Spark creates the rest of the session, or while the application joins the group.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tenure.limits.pipeline import RUNNING_BATCHES

if TYPE_CHECKING:
    from pyspark import SparkContext

GROUP: Final = "tenure-warm-up"
"""Job group of the warm-up."""


JOB_MODULE: Final = "tenure.spark.jobs.job"
"""Module that imports everything that the task of a batch unpickles. A string, because it is in a higher layer."""


def import_job_modules(_: Iterator[int]) -> Iterator[int]:
    """Import the modules that this worker's first batch needs. This is the task of the warm-up."""
    import_module(JOB_MODULE)
    yield from ()


def warm_up(context: "SparkContext", workers: int = RUNNING_BATCHES) -> None:
    """Run the warm-up on `workers` Python workers, or on as many as Spark has cores if that is fewer. Ignore errors.

    An error of Spark occurs again in the first batch, which reports it.
    """
    with suppress(Exception):  # A stopped context raises many kinds of errors.
        context.setJobGroup(GROUP, "Tenure: start Python workers", interruptOnCancel=True)
        tasks = min(workers, context.defaultParallelism)
        context.parallelize(range(tasks), tasks).mapPartitions(import_job_modules).collect()


def begin_warm_up(context: "SparkContext", workers: int = RUNNING_BATCHES) -> threading.Thread:
    """Start the warm-up in a background thread."""
    thread = threading.Thread(target=warm_up, args=(context, workers), name="spark-warm-up", daemon=True)
    thread.start()
    return thread


@contextmanager
def warming_up(context: "SparkContext", workers: int) -> Iterator[None]:
    """Run the warm-up while the block runs; cancel its job at the end of the block."""
    thread = begin_warm_up(context, workers)
    try:
        yield
    finally:
        while thread.is_alive():
            with suppress(Exception):  # The call fails if Spark has ended; then the job has ended too.
                context.cancelJobGroup(GROUP)
            thread.join(CANCEL_AGAIN_S)


CANCEL_AGAIN_S: Final = 0.2
"""Seconds between two attempts to cancel: Spark ignores a cancellation that comes before the job."""
