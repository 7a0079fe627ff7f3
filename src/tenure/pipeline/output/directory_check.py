"""Check that a pipeline's directories can be written, before the pipeline joins its group.

A member that cannot work must not take partitions away from members that can.
"""

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout


def check_writable(files: Files, layout: Layout, new_id: str) -> None:
    """Create all directories, then create and remove a file in each of them."""
    sinks = [layout.directory(side) for side in ("", *dict(layout.sides)) if layout.publishes_by_rename(side)]
    outputs = [(directory, "output", "its sink") for directory in sinks]
    for directory, kind, setting in (*outputs, (layout.state, "state", "state_directory")):
        try:
            write_and_remove(files, directory, f"{directory}/_tenure-probe-{new_id}")
        except OSError as error:
            raise PipelineStopped(
                Code.FILES_FAILED,
                f"the {kind} directory {directory} cannot be written ({error.strerror or error}): make it writable for"
                f" the user that runs the pipeline, or set another directory in {setting}",
            ) from error


def write_and_remove(files: Files, directory: str, path: str) -> None:
    """Create and remove a file. If the removal fails, readers of the directory skip the file because of its name."""
    files.make_directory(directory)
    try:
        files.write(path, b"This may be removed.\n")
        files.sync_directory(directory)
    finally:
        files.remove(path)
