"""Check that the directories of a pipeline are the same file system on every host of a cluster.

The driver writes a probe, a file with a random name, into each directory. When a worker unpickles the file access, it
looks for the probes. Therefore every worker has checked the directories before it uses them, also on hosts that join
the cluster later. A killed driver leaves its probes behind; readers skip these names.
"""

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NoReturn, cast

from tenure.limits.spark import PROBE_LOOK_S, PROBE_TIMEOUT_S
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files

CONTENT: Final = b"This may be removed when no pipeline runs.\n"


@contextmanager
def shared_files(files: Files, directories: Sequence[str], probe_id: str) -> Iterator[Files]:
    """Write a probe into each directory, and yield a file access that looks for the probes in every worker.

    The probes are removed at the end of the block.
    """
    probes = {directory: f"{directory}/_tenure-probe-{probe_id}" for directory in directories}
    try:
        for directory, probe in probes.items():
            files.write(probe, CONTENT)
            files.sync_directory(directory)
        yield cast("Files", SharedFiles(files, probes))
    finally:
        for probe in probes.values():
            files.remove(probe)


class SharedFiles:
    """File access that looks for the probes when it is unpickled."""

    def __init__(self, files: Files, probes: dict[str, str]) -> None:
        self._files: Final = files
        self._probes: Final = probes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return checked_files, (self._files, self._probes)


class UnsharedFiles:
    """File access on a host whose directories are not those of the driver. Every use stops the pipeline."""

    def __init__(self, sentence: str) -> None:
        self.sentence: Final = sentence

    def __getattr__(self, name: str) -> NoReturn:
        raise PipelineStopped(Code.NOT_SHARED, self.sentence)


_checked: Final[set[str]] = set()
"""Probes that this process has read: a few for each pipeline whose tasks have run in this process."""


def checked_files(files: Files, probes: dict[str, str]) -> Files:
    """Look for all probes, and return `files`. If a probe is missing on this host, return `UnsharedFiles` instead.

    `UnsharedFiles` stops the pipeline at the first use. `probes` has the path of each directory's probe.
    """
    deadline_s = time.monotonic() + PROBE_TIMEOUT_S
    for directory, probe in probes.items():
        while probe not in _checked:
            if files.size(probe) is not None:
                _checked.add(probe)
            elif time.monotonic() > deadline_s:
                return cast(
                    "Files",
                    UnsharedFiles(
                        f"host {socket.gethostname()} does not have the file that the driver wrote to {directory}:"
                        " mount the same file system there on every host, or use a URL such as s3://bucket/path"
                    ),
                )
            else:
                time.sleep(PROBE_LOOK_S)
    return files


def sharing_problem(files: Files) -> str | None:
    """Return the reason why this host does not share the pipeline's directories with the driver; None if it does."""
    return files.sentence if isinstance(files, UnsharedFiles) else None
