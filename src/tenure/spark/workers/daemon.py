"""The process that Spark forks its Python workers from, as sessions of our own have it: with everything imported that
a bundle needs.

Spark's own daemon imports next to nothing, so each new worker pays for all of it, in the first batch after a start most
of all. And it reads PySpark from an archive, which Python compiles anew in every process. Here that is done once, while
the Java machine gets its first job ready; what was imported is shared by all workers, and their garbage collector,
which Spark calls after each task, does not look at it.

`spark.python.daemon.module` names it. What is imported starts no thread of its own that a fork could tear from its
work: Arrow's and numpy's libraries know of forks.
"""

import gc
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Final

from tenure.client.net.connection import software_version
from tenure.pipeline.output.staging import installed_version
from tenure.spark.workers.warm_up import JOB_MODULE

NEEDED: Final = (
    "pyspark.daemon",
    "pyspark.worker",
    JOB_MODULE,
    "tenure.spark.workers.task",
    "tenure.protocol.columnar",
    "pandas",
    *(
        f"tenure.protocol.generated.{way}.{api}"
        for way in ("readers", "writers")
        for api in ("api_versions", "metadata", "fetch")
    ),
)
"""By a worker: Spark's side of it, and what a bundle's task unpickles and calls. PyArrow imports pandas by itself where
it first hands out an array, in each worker, and what is imported there is looked through after each task."""

ARCHIVES: Final = ("pyspark.zip", "py4j-")


def without_archives(path: list[str]) -> list[str]:
    """The same places to import from, without Spark's archives of what is installed beside them as files."""
    archives = {place for place in path if place.endswith(".zip") and Path(place).name.startswith(ARCHIVES)}
    homes = {Path(place).parent.parent.parent for place in archives}  # SPARK_HOME/python/lib/pyspark.zip
    if not all((home / "__init__.py").is_file() and str(home.parent) in path for home in homes):
        return path  # A Spark of its own, not the one that pip has installed.
    return [place for place in path if place not in archives]


SPARK_ENDED: Final = (ConnectionError, EOFError)
"""Errors of a worker's or the daemon's connection to Spark's Java process, once that process has ended."""


def print_error_of_worker() -> None:
    """Print the error that ends a worker, as `traceback.print_exc` does, unless Spark has ended.

    A worker that still has something to say when the Java process goes away fails to write it. The driver reports the
    end of Spark in one sentence; a traceback of each worker would add nothing. Errors of the user's functions never
    come here: the worker sends them to the driver.
    """
    if not isinstance(sys.exc_info()[1], SPARK_ENDED):
        traceback.print_exc()


def main() -> None:
    sys.path[:] = without_archives(sys.path)
    for name in NEEDED:
        import_module(name)
    software_version()  # To look for it costs more than all else that a connection needs.
    installed_version()
    gc.collect()
    gc.freeze()

    daemon = import_module("pyspark.daemon")
    daemon.traceback = SimpleNamespace(print_exc=print_error_of_worker, format_exc=traceback.format_exc)  # type: ignore[attr-defined]
    with suppress(*SPARK_ENDED):
        daemon.manager()


if __name__ == "__main__":
    main()
