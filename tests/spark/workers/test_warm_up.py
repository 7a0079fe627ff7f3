"""Python workers: their state at start, and the end of the warm-up."""

import gc
import resource
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenure.limits.client import FETCH_BYTES
from tenure.spark.reporting.streaming_tab import has_viewers
from tenure.spark.spark_session import RunningSpark, worker_allocator_settings
from tenure.spark.workers.daemon import NEEDED, print_error_of_worker, without_archives
from tenure.spark.workers.warm_up import GROUP, warm_up, warming_up

if TYPE_CHECKING:
    from pyspark import StatusTracker
    from pyspark.sql import SparkSession

RUNNING = "RUNNING"
THREAD = "spark-warm-up"
PATIENCE_MS = 60_000


@pytest.mark.spark
def test_python_worker__local_session__needed_modules_imported_at_start(spark: "SparkSession") -> None:
    def found(_: Iterator[int]) -> Iterator[tuple[set[str], list[str], int]]:
        archives = [place for place in sys.path if Path(place).name.startswith(("pyspark.zip", "py4j-"))]
        yield set(needed) - sys.modules.keys(), archives, gc.get_freeze_count()

    needed = NEEDED
    ((lacking, archives, frozen),) = spark.sparkContext.parallelize([0], 1).mapPartitions(found).collect()
    assert (lacking, archives) == (set(), [])
    assert frozen


@pytest.mark.spark
def test_python_worker__local_session__freed_memory_is_reused(spark: "SparkSession") -> None:
    """The pieces have the size of a fetch, a few at once; by default glibc would return them to the system."""

    def faults(_: Iterator[int]) -> Iterator[tuple[int, int]]:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(20):
            [bytearray(FETCH_BYTES) for _ in range(3)]
        yield resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before, 3 * FETCH_BYTES // resource.getpagesize()

    ((found, once),) = spark.sparkContext.parallelize([0], 1).mapPartitions(faults).collect()
    assert found < 3 * once


def test_worker_allocator_settings__environment_variable_set_by_the_user__its_value_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "3")
    assert worker_allocator_settings()["spark.executorEnv.MALLOC_ARENA_MAX"] == "3"


@pytest.mark.parametrize(
    ("error", "is_printed"), [(BrokenPipeError(), False), (EOFError(), False), (ValueError("of ours"), True)]
)
def test_python_worker_error__of_the_job_or_caused_by_the_end_of_spark__only_that_of_the_job_printed(
    capsys: pytest.CaptureFixture[str], error: Exception, is_printed: bool
) -> None:
    try:
        raise error
    except Exception:
        print_error_of_worker()
    assert ("Traceback" in capsys.readouterr().err) == is_printed


def test_without_archives__pyspark_installed_as_files__zip_archives_removed_from_the_path(tmp_path: Path) -> None:
    home = tmp_path / "site-packages" / "pyspark"
    archives = [f"{home}/python/lib/{name}" for name in ("pyspark.zip", "py4j-0.10.9.9-src.zip")]
    path = ["", *archives, "/of/the/user.zip", str(home.parent)]
    assert without_archives(path) == path  # The modules are not installed there.
    home.mkdir(parents=True)
    (home / "__init__.py").touch()
    assert without_archives(path) == ["", "/of/the/user.zip", str(home.parent)]
    assert without_archives(path[:-1]) == path[:-1]


def status_after_all_events(spark: "SparkSession") -> "StatusTracker":
    """Return Spark's status of jobs, after all events have arrived."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(PATIENCE_MS)
    return spark.sparkContext.statusTracker()


@pytest.mark.spark
def test_warm_up__with_block_ends__no_spark_job_or_thread_left(spark: "SparkSession") -> None:
    for thread in threading.enumerate():
        if thread.name == THREAD:  # the session's own warm-up
            thread.join()
    with warming_up(spark.sparkContext, workers=2):
        pass
    assert THREAD not in {thread.name for thread in threading.enumerate()}
    tracker = status_after_all_events(spark)
    found = [tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup(GROUP)]
    assert RUNNING not in {job.status for job in found if job is not None}


@pytest.mark.spark
def test_warm_up__more_workers_requested_than_cores__one_per_core(spark: "SparkSession") -> None:
    warm_up(spark.sparkContext, workers=1_000)
    tracker = status_after_all_events(spark)
    job = tracker.getJobInfo(max(tracker.getJobIdsForGroup(GROUP)))
    assert job is not None
    (stage,) = map(tracker.getStageInfo, job.stageIds)
    assert stage is not None
    assert (job.status, stage.numTasks) == ("SUCCEEDED", spark.sparkContext.defaultParallelism)


@pytest.mark.spark
def test_has_viewers__streaming_query_listener_added__true_until_removed(spark: "SparkSession") -> None:
    from pyspark.sql.streaming import StreamingQueryListener

    class Listener(StreamingQueryListener):
        def onQueryStarted(self, event: object) -> None: ...  # noqa: N802
        def onQueryProgress(self, event: object) -> None: ...  # noqa: N802
        def onQueryTerminated(self, event: object) -> None: ...  # noqa: N802

    listener = Listener()
    spark.streams.addListener(listener)
    try:
        assert has_viewers(RunningSpark(spark.sparkContext, spark))
    finally:
        spark.streams.removeListener(listener)
    assert not has_viewers(RunningSpark(spark.sparkContext, spark))
