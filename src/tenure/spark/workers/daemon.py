"""Daemon from which Spark forks its Python workers, in sessions that Tenure creates.

Spark's own daemon imports almost nothing, so each new worker imports all modules again. This delays most of all the
first batch after a start. Spark's daemon also imports PySpark from an archive, so every process compiles it again. This
daemon imports the modules once, while the Java process prepares its first job. All workers share the imported modules.
The garbage collector, which Spark calls after each task, skips them.

The setting `spark.python.daemon.module` names this module. No imported module starts a thread of its own that a fork
could interrupt; the libraries of Arrow and numpy support forks.
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
    "tenure.protocol.columnar.decode",
    "pandas",
    *(
        f"tenure.protocol.generated.{way}.{api}"
        for way in ("readers", "writers")
        for api in ("api_versions", "metadata", "fetch")
    ),
)
"""Modules that a worker needs: those of Spark's worker, and those that the task of a bundle unpickles and calls.

PyArrow imports pandas when it first returns an array. The daemon imports pandas before, because otherwise each worker
would import it, and the garbage collector would examine its objects after each task."""

ARCHIVES: Final = ("pyspark.zip", "py4j-")


def without_archives(path: list[str]) -> list[str]:
    """Return the import path without the archives of PySpark and py4j, if both are also installed as files."""
    archives = {entry for entry in path if entry.endswith(".zip") and Path(entry).name.startswith(ARCHIVES)}
    homes = {Path(entry).parent.parent.parent for entry in archives}  # SPARK_HOME/python/lib/pyspark.zip
    if not all((home / "__init__.py").is_file() and str(home.parent) in path for home in homes):
        return path  # Spark was not installed by pip, so the archives are the only copy of its modules.
    return [entry for entry in path if entry not in archives]


SPARK_ENDED: Final = (ConnectionError, EOFError)
"""Errors of a worker's or the daemon's connection to Spark's Java process, once that process has ended."""


def print_error_of_worker() -> None:
    """Print the error that ends a worker, like `traceback.print_exc`, unless Spark has ended.

    After the Java process has ended, a worker fails when it writes a result. The driver reports the end of Spark in one
    sentence, so the traceback of each worker would add nothing. Errors of the user's functions are not printed here,
    because the worker sends them to the driver.
    """
    if not isinstance(sys.exc_info()[1], SPARK_ENDED):
        traceback.print_exc()


def main() -> None:
    """Import the modules that workers need, then run Spark's daemon."""
    sys.path[:] = without_archives(sys.path)
    for name in NEEDED:
        import_module(name)
    software_version()  # The version is cached: its lookup takes longer than the rest of opening a connection.
    installed_version()
    gc.collect()
    gc.freeze()

    daemon = import_module("pyspark.daemon")
    daemon.traceback = SimpleNamespace(print_exc=print_error_of_worker, format_exc=traceback.format_exc)  # type: ignore[attr-defined]
    with suppress(*SPARK_ENDED):
        daemon.manager()


if __name__ == "__main__":
    main()
