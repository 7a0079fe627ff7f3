"""Where a pipeline's work is done: on this host, or on those of a cluster.

Tasks write output and state, and any host may be the next to read them. So on a cluster both must have names that mean
the same on every host, and a path does not.
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
"""How the names of Spark's masters begin whose tasks run where the driver does."""


def check_hosts(pipeline: PipelineDeclaration, spark: "SparkSession") -> None:
    check_master(pipeline, spark.sparkContext.master)


def check_master(pipeline: PipelineDeclaration, master: str) -> None:
    """Raises PipelineConfigError for what would be written where other hosts do not find it."""
    if is_one_host(master):
        return
    for place in places(pipeline):
        if not is_url(place):
            raise PipelineConfigError(
                f"Pipeline {pipeline.name} runs on the cluster {master}, but {place} is a different directory on each "
                "host: use a URL such as s3://bucket/path, or start the pipeline with a local master."
            )


def is_one_host(master: str) -> bool:
    """Whether tasks run where the driver does."""
    return master.startswith(ONE_HOST)


def places(pipeline: PipelineDeclaration) -> Iterable[str]:
    """Directories of output and state; what has none, a table of a database, is everywhere the same."""
    layout = layout_of(pipeline)
    return [layout.state, *(sink.path for sink in outputs_of(pipeline).values() if sink.path)]
