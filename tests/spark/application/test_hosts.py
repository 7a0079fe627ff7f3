"""Directories of a pipeline on a cluster with several hosts."""

import re
from typing import Any

import pytest

from tenure.pipeline.errors import PipelineConfigError
from tenure.run_options import RunOptions
from tenure.spark import Parquet, Pipeline, Topic, json, map_with_state, transform
from tenure.spark.jobs.hosts import check_master

CLUSTERS = ["spark://master:7077", "yarn", "k8s://https://api:6443"]
SOURCE = Topic("words", value=json("word string")).keyed_by("word")
COUNT = map_with_state(lambda _, __: None, state="seen long", output="word string")


@pytest.mark.parametrize("master", ["local[2]", "local[*]", "local-cluster[2,1,1024]"])
def test_check_master__local_master_and_a_local_path__accepted(master: str) -> None:
    check_master(Pipeline("count", SOURCE, COUNT, Parquet("out")), master)


@pytest.mark.parametrize("master", CLUSTERS)
def test_check_master__cluster_and_urls__accepted(master: str) -> None:
    check_master(Pipeline("count", SOURCE, COUNT, Parquet("s3://bucket/out")), master)


@pytest.mark.parametrize("master", CLUSTERS)
@pytest.mark.parametrize(
    ("sink", "state"),
    [("out", None), ("file:///out", None), ("s3://bucket/out", "state"), ("out", "s3://bucket/state")],
)
def test_check_master__cluster_and_a_local_path__refused_with_the_remedy(
    master: str, sink: str, state: str | None
) -> None:
    pipeline = Pipeline("count", SOURCE, COUNT, Parquet(sink), state_directory=state)
    with pytest.raises(PipelineConfigError, match=r"is a different directory on each host: use a URL"):
        check_master(pipeline, master)


def test_check_master__cluster_and_a_side_output_at_a_local_path__refused() -> None:
    pipeline = Pipeline("count", SOURCE, COUNT, Parquet("s3://bucket/out"), side={"late": Parquet("late")})
    with pytest.raises(PipelineConfigError, match=r"but \S+/late is a different directory"):
        check_master(pipeline, "yarn")


def test_check_master__transform_on_a_cluster__accepted() -> None:
    check_master(Pipeline("rare", SOURCE, transform(lambda rows: rows), Parquet("s3://bucket/out")), "yarn")


@pytest.mark.parametrize("master", CLUSTERS)
def test_check_master__cluster_and_a_shared_directory__accepted(master: str) -> None:
    check_master(Pipeline("count", SOURCE, COUNT, Parquet("/mnt/out")), master, shared_directory=True)


@pytest.mark.parametrize("master", [*CLUSTERS, "local", "local[4]", "local[*]", "local-cluster[2,1,1024]"])
def test_run_options__any_master_url_of_spark__accepted(master: str) -> None:
    assert RunOptions(bootstrap_servers="broker:9092", master=master).master == master


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"master": "sprk://host:7077"}, "Unknown master 'sprk://host:7077': use spark://HOST:PORT"),
        ({"master": "yarn-cluster"}, "Unknown master 'yarn-cluster'"),
        ({"master": "yarn", "spark": object()}, "leave out master and conf"),
        ({"conf": {"executor.memory": "1g"}}, "Unknown Spark setting 'executor.memory': keys of conf begin with spark"),
        ({"conf": {"spark.master": "yarn"}}, "spark.master cannot be in conf: use master"),
        ({"conf": {"spark.submit.deployMode": "cluster"}}, "use spark-submit --deploy-mode cluster"),
        ({"py_files": ["gone.py"]}, "There is no file gone.py: correct py_files"),
        ({"py_files": ["lib.jar"]}, "lib.jar in py_files is not a .py, .zip or .egg file"),
    ],
)
def test_run_options__invalid_option__refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PipelineConfigError, match=re.escape(message)):
        RunOptions(bootstrap_servers="broker:9092", **options)
