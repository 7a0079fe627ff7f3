"""Applications with Spark as forks of a process that has imported what they import (`tests/fork_server.py`)."""

import atexit
import os
import runpy
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module

from tests.fork_server import ForkServer
from tests.forked_client import import_messages


@cache
def spark_server() -> ForkServer:
    """Return the fork server of this process, which ends with it. Its calls have a `module` and `arguments`."""
    found = ForkServer(__name__)
    atexit.register(found.close)
    return found


def warm_up() -> None:
    """Import what applications import, at their start and later."""
    import_messages()
    for name in (
        "encodings.idna",
        "pandas",
        "pyspark",
        "tenure.spark.application.runner",
        "tests.pipeline.crashes.crash_points",
        "tests.spark.counting",
    ):
        import_module(name)


def run(module: str, arguments: Sequence[str]) -> None:
    """Run `python -m MODULE ARGUMENTS` in the child, in a process group of its own."""
    os.setsid()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__")
