"""Check that output and state can be reached from every host that runs tasks.

Any host may continue a lane. On a cluster, output and state therefore need URLs: a path is a different directory on
each host.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import is_url
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.sinks.outputs import layout_of, outputs_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


ONE_HOST: Final = "local"
"""Prefix of the masters of Spark that run tasks on the driver's host."""


def check_hosts(pipeline: PipelineDeclaration, spark: "SparkSession") -> None:
    """Raise PipelineConfigError if output or state have paths and the session runs tasks on several hosts."""
    check_master(pipeline, spark.sparkContext.master)


def check_master(pipeline: PipelineDeclaration, master: str) -> None:
    """Raise PipelineConfigError if output or state have paths and this master has several hosts."""
    if is_one_host(master):
        return
    for location in storage_locations(pipeline):
        if not is_url(location):
            raise PipelineConfigError(
                f"Pipeline {pipeline.name} runs on the cluster {master}, but {location} is a different directory on"
                " each host: use a URL such as s3://bucket/path, or start the pipeline with a local master."
            )


def is_one_host(master: str) -> bool:
    """Return whether this master runs tasks on the driver's host."""
    return master.startswith(ONE_HOST)


def storage_locations(pipeline: PipelineDeclaration) -> Iterable[str]:
    """Return the directories and URLs of output and state. Tables of a database have none."""
    layout = layout_of(pipeline)
    return [layout.state, *(sink.path for sink in outputs_of(pipeline).values() if sink.path)]
