"""Preparation of executors before an application joins its group.

The driver sends the user's modules to the executors, and a job unpickles on every executor the objects that tasks need.
So a missing module, a missing Python or a directory that is not shared stops the application before it takes partitions
from working members. An executor that starts later is checked by its first task.
"""

import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tenure.limits.spark import EXECUTOR_CHECK_PAUSE_S, EXECUTOR_CHECK_ROUNDS, EXECUTOR_CHECK_TOLD_S
from tenure.pipeline.errors import Code, PipelineStopped, module_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.shared_files import sharing_problem
from tenure.spark.errors import SparkSetupError
from tenure.spark.jobs.shipped_modules import ship_modules
from tenure.spark.jobs.stager import CANCEL_AGAIN_S, error_summary, missing_module
from tenure.spark.spark_session import enter_job_group

if TYPE_CHECKING:
    from pyspark import SparkContext

ExecutorProcess: TypeAlias = tuple[str, int]
"""Host name and process id of the daemon that forks the Python workers of one executor."""

GROUP: Final = "tenure-executor-check"

NO_PYTHON: Final = re.compile(r'Cannot run program "([^"]+)"')
OTHER_PYTHON: Final = "PYTHON_VERSION_MISMATCH"


def prepare_executors(
    context: "SparkContext",
    needed: Sequence[tuple[Any, Files]],
    py_files: Sequence[str],
    is_ending: Callable[[], bool],
    log_line: Callable[[str], object],
) -> None:
    """Send modules to the executors, and check that they can run tasks. Waits until there is an executor.

    Args:
        context: Context with the executors.
        needed: For each pipeline, the objects that its tasks unpickle, and its file access.
        py_files: Files of the user to send.
        is_ending: Function that returns whether the application is ending. If so, the check is cancelled.
        log_line: Function that logs a line if the check takes long.

    Raises:
        PipelineStopped: MODULE_MISSING, NOT_SHARED or NO_SPARK.
    """
    from pyspark.cloudpickle import dumps

    ship_modules(context, dumps(needed), py_files)
    with ThreadPoolExecutor(1, thread_name_prefix="tenure-executor-check") as threads:
        checked = threads.submit(check_executors, context, needed)
        told_s = time.monotonic() + EXECUTOR_CHECK_TOLD_S
        while not wait([checked], CANCEL_AGAIN_S).done:
            if is_ending():
                cancel(context)
            elif time.monotonic() > told_s:
                log_line(f"waiting for executors of {context.master}: if none starts, check its cores and memory")
                told_s = inf
        if not is_ending():
            raise_problem(checked)


def cancel(context: "SparkContext") -> None:
    """Cancel the check's Spark jobs."""
    with suppress(Exception):  # The call fails if Spark has ended; then the jobs have ended too.
        context.cancelJobGroup(GROUP)


def check_executors(context: "SparkContext", needed: Sequence[tuple[Any, Files]]) -> list[str]:
    """Run tasks until every registered executor has run one; return the problems that the tasks found.

    Spark counts the cores of an executor when the executor registers, but sends tasks to it only after it has started.
    Therefore one job may miss an executor, and more executors may register while the job runs. So jobs are repeated, at
    most EXECUTOR_CHECK_ROUNDS times. Errors of a job are raised.
    """
    problems, checked = set[str](), set[ExecutorProcess]()
    enter_job_group(context, GROUP, GROUP, "Tenure: check executors")
    for _ in range(EXECUTOR_CHECK_ROUNDS):
        tasks = context.defaultParallelism  # The number of cores of all registered executors.
        for process, found in context.runJob(context.parallelize(range(tasks), tasks), executor_task(needed)):
            checked.add(process)
            problems.update(found)
        if problems or len(checked) >= registered_executors(context):
            break
        time.sleep(EXECUTOR_CHECK_PAUSE_S)
    return sorted(problems)


def registered_executors(context: "SparkContext") -> int:
    """Return the number of executors; 0 in local mode, where the driver runs the tasks."""
    scala_context = context._jsc.sc()
    return 0 if scala_context.isLocal() else int(scala_context.getExecutorIds().size())


def executor_task(
    needed: Sequence[tuple[Any, Files]],
) -> Callable[[Iterator[int]], Iterator[tuple[ExecutorProcess, list[str]]]]:
    """Return the function that each task of the check runs: it yields its executor and the problems that it found.

    An executor that lacks a module cannot unpickle this function, so its task fails.
    """

    def run(_: Iterator[int]) -> Iterator[tuple[ExecutorProcess, list[str]]]:
        problems = [problem for _, files in needed if (problem := sharing_problem(files)) is not None]
        yield (socket.gethostname(), os.getppid()), problems

    return run


def raise_problem(checked: "Future[list[str]]") -> None:
    """Raise the first problem that the check found.

    Other errors of the check's job are ignored. They may be temporary, and batches are retried.
    """
    error = checked.exception()
    if error is None:
        for problem in checked.result():
            raise PipelineStopped(Code.NOT_SHARED, problem)
        return
    if (name := missing_module(error_summary(error))) is not None:
        raise PipelineStopped(Code.MODULE_MISSING, module_missing(name))
    if (match := NO_PYTHON.search(str(error))) is not None:
        raise SparkSetupError(
            f"executors have no Python at {match[1]}: set spark.pyspark.python (--conf) or PYSPARK_PYTHON to the one"
            " that has Tenure on every host"
        )
    if OTHER_PYTHON in str(error):
        raise SparkSetupError(
            "executors have another minor version of Python than the driver: set spark.pyspark.python (--conf) or"
            " PYSPARK_PYTHON to the same version on every host"
        )
