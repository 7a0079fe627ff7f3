"""Directories of a pipeline on a cluster with several hosts."""

import pytest

from tenure.pipeline.errors import PipelineConfigError
from tenure.spark import Parquet, Pipeline, Topic, json, map_with_state, transform
from tenure.spark.jobs.hosts import check_master

CLUSTERS = ["spark://master:7077", "yarn", "k8s://https://api:6443"]
SOURCE = Topic("words", value=json("word string")).keyed_by("word")
COUNT = map_with_state(lambda _, __: None, state="seen long", output="word string")


@pytest.mark.parametrize("master", ["local[2]", "local[*]", "local-cluster[2,1,1024]"])
def test_check_master__local_master__any_path_accepted(master: str) -> None:
    check_master(Pipeline("count", SOURCE, COUNT, Parquet("out")), master)


@pytest.mark.parametrize("master", CLUSTERS)
def test_check_master__cluster_and_urls__accepted(master: str) -> None:
    check_master(Pipeline("count", SOURCE, COUNT, Parquet("s3://bucket/out")), master)


@pytest.mark.parametrize("master", CLUSTERS)
@pytest.mark.parametrize(
    ("sink", "state"),
    [("out", None), ("file:///out", None), ("s3://bucket/out", "state"), ("out", "s3://bucket/state")],
)
def test_check_master__cluster_and_a_path__refused_with_the_remedy(master: str, sink: str, state: str | None) -> None:
    pipeline = Pipeline("count", SOURCE, COUNT, Parquet(sink), state_directory=state)
    with pytest.raises(PipelineConfigError, match=r"is a different directory on each host: use a URL"):
        check_master(pipeline, master)


def test_check_master__cluster_and_a_side_output_at_a_path__refused() -> None:
    pipeline = Pipeline("count", SOURCE, COUNT, Parquet("s3://bucket/out"), side={"late": Parquet("late")})
    with pytest.raises(PipelineConfigError, match=r"but \S+/late is a different directory"):
        check_master(pipeline, "yarn")


def test_check_master__transform_on_a_cluster__accepted() -> None:
    check_master(Pipeline("rare", SOURCE, transform(lambda rows: rows), Parquet("s3://bucket/out")), "yarn")
