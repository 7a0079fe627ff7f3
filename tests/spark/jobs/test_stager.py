"""Bundles as Spark jobs: results are values, and a lost task fails its own lanes only."""

import os
import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from tenure.pipeline.errors import Code
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import StateVersion
from tenure.pipeline.values.plan import Bundle, LanePlan
from tenure.pipeline.values.stager import Failed, Result
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName
from tenure.spark.jobs.stager import SparkStager, StageBundle, bundle_job

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

PATIENCE_S = 180.0


def bundle(run_id: str, *partitions: int) -> Bundle:
    plans = []
    for number in partitions:
        topic, partition = TopicName("flights"), PartitionId(number)
        part = Range(topic, partition, 0, 10)
        plans.append(LanePlan(Lane((topic,), partition), (part,), 4, 1, StateVersion(), None))
    return Bundle(run_id, Writer(MemberId("m"), GenerationId(1)), tuple(plans))


def stager_of(spark: "SparkSession", stage: StageBundle) -> SparkStager:
    return SparkStager(spark.sparkContext, bundle_job(spark.sparkContext, stage), "host-a-thread-1")


def failing_with(words: str) -> StageBundle:
    """Return a function that fails every lane with `words` and its process id."""

    def stage(bundle: Bundle) -> Sequence[Result]:
        return [
            Failed(plan.lane, Code.LANE_FAILED, f"{words} {bundle.run_id}", str(os.getpid())) for plan in bundle.lanes
        ]

    return stage


def test_stager__two_bundles_started__one_worker_each_and_one_result_per_lane(spark: "SparkSession") -> None:
    stager = SparkStager(spark.sparkContext, bundle_job(spark.sparkContext, failing_with("done")), "host-a-thread-1", 2)
    runs = [stager.start(bundle("x", 0, 1)), stager.start(bundle("y", 2))]
    results = [result for run in runs for result in run.wait(PATIENCE_S) or ()]
    assert [(result.lane.partition, result.reason) for result in results] == [
        (0, "done x"),
        (1, "done x"),
        (2, "done y"),
    ]
    assert str(os.getpid()) not in {result.topic for result in results}


def test_stager__worker_dies__every_lane_failed_and_the_next_bundle_runs(spark: "SparkSession") -> None:
    def die(_: Bundle) -> Sequence[Result]:
        os._exit(7)

    stager = stager_of(spark, die)
    results = stager.start(bundle("x", 0, 1)).wait(PATIENCE_S)
    assert results is not None
    assert {(result.lane.partition, result.code) for result in results} == {
        (0, Code.LANE_FAILED),
        (1, Code.LANE_FAILED),
    }
    assert all(result.reason.startswith("Python worker exited unexpectedly") for result in results)
    stager.job = bundle_job(spark.sparkContext, failing_with("alive"))
    assert stager.start(bundle("y", 3)).wait(PATIENCE_S)[0].reason == "alive y"


def test_stager__hanging_task_cancelled__task_ends_and_the_next_bundle_runs(spark: "SparkSession") -> None:
    def hang(_: Bundle) -> Sequence[Result]:
        time.sleep(600)
        return []

    stager = stager_of(spark, hang)
    run = stager.start(bundle("x", 0))
    assert run.wait(1.0) is None
    run.cancel()
    results = run.wait(PATIENCE_S)
    assert results is not None
    assert [result.code for result in results] == [Code.LANE_FAILED]
    stager.job = bundle_job(spark.sparkContext, failing_with("alive"))
    assert stager.start(bundle("y", 3)).wait(PATIENCE_S)[0].reason == "alive y"


def test_stager__workers_lack_a_module__failure_names_py_files(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("only_in_the_driver")
    exec("def stage(bundle): return []", vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    results = stager_of(spark, module.stage).start(bundle("x", 0)).wait(PATIENCE_S)
    assert results is not None
    assert [result.code for result in results] == [Code.MODULE_MISSING]
    assert results[0].reason.startswith("Spark's workers have no module only_in_the_driver: name its .py file or .zip")
