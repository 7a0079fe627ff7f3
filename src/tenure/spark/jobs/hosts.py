"""Check that every host that runs tasks can reach output and state.

Any host may continue a lane. On a cluster, output and state therefore need URLs, or directories of a file system that
all hosts have mounted. By default a path counts as a different directory on each host.
"""

from collections.abc import Iterable
from typing import Final

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import is_url
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.sinks.outputs import layout_of, outputs_of

ONE_HOST: Final = "local"
"""Prefix of the masters of Spark that run tasks on the driver's host."""


def check_master(pipeline: PipelineDeclaration, master: str, *, shared_directory: bool = False) -> None:
    """Raise PipelineConfigError if this master runs tasks on several hosts that do not share output or state.

    Set `shared_directory` if all hosts have mounted the file system of the directories.
    """
    if is_one_host(master) or shared_directory:
        return
    for directory in local_directories(pipeline):
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} runs on the cluster {master}, but {directory} is a different directory on"
            " each host: use a URL such as s3://bucket/path, set shared_directory=True (--shared-directory) if all"
            " hosts have mounted it, or start the pipeline with a local master."
        )


def is_one_host(master: str) -> bool:
    """Return whether this master runs tasks on the driver's host."""
    return master.startswith(ONE_HOST)


def local_directories(pipeline: PipelineDeclaration) -> list[str]:
    """Return the directories of output and state that are paths, not URLs."""
    return list(dict.fromkeys(location for location in storage_locations(pipeline) if not is_url(location)))


def storage_locations(pipeline: PipelineDeclaration) -> Iterable[str]:
    """Return the directories and URLs of output and state. A database sink has none."""
    layout = layout_of(pipeline)
    return [layout.state, *(sink.path for sink in outputs_of(pipeline).values() if sink.path)]
