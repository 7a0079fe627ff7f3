"""Python's workers, started before the first batch needs them.

Spark starts them, and loads what a job of its own needs, when a job asks for Python first; that takes longer than a
short batch. So a job that does nothing runs while there is something else to wait for: the rest of the session, or the
group.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tenure.limits import BUNDLES_UNDER_WAY

if TYPE_CHECKING:
    from pyspark import SparkContext

GROUP: Final = "tenure-warm-up"


JOB_MODULE: Final = "tenure.spark.jobs.job"
"""Module that imports everything that the task of a batch unpickles. Named by a string: it is of a higher layer."""


def import_job_modules(_: Iterator[int]) -> Iterator[int]:
    """Task of the warm-up: import what the first batch of this worker needs."""
    import_module(JOB_MODULE)
    yield from ()


def warm_up(context: "SparkContext", workers: int = BUNDLES_UNDER_WAY) -> None:
    """Returns once as many workers have been there, or as many as run at once. What fails here fails again where it
    matters."""
    with suppress(Exception):  # A context that was stopped answers with all kinds of them.
        context.setJobGroup(GROUP, "Tenure: Python's workers are started", interruptOnCancel=True)
        tasks = min(workers, context.defaultParallelism)
        context.parallelize(range(tasks), tasks).mapPartitions(import_job_modules).collect()


def begin_warm_up(context: "SparkContext", workers: int = BUNDLES_UNDER_WAY) -> threading.Thread:
    """In the background, for as long as the context is there."""
    thread = threading.Thread(target=warm_up, args=(context, workers), name="spark-warm-up", daemon=True)
    thread.start()
    return thread


@contextmanager
def warming_up(context: "SparkContext", workers: int) -> Iterator[None]:
    """The same while the block runs: no job of it is left behind."""
    thread = begin_warm_up(context, workers)
    try:
        yield
    finally:
        while thread.is_alive():
            with suppress(Exception):  # Spark is gone: the job has ended without our help.
                context.cancelJobGroup(GROUP)
            thread.join(CANCEL_AGAIN_S)


CANCEL_AGAIN_S: Final = 0.2
"""Spark forgets a cancellation that comes before the job."""
