"""Watch of Spark: it ends the application after Spark was stopped or its Java process has ended.

If Spark has ended, the next job fails. But an application without new records starts no job: it would keep its
partitions and process none of their records. Therefore this watch checks Spark at an interval.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from tenure.limits.spark import SPARK_LOOK_S
from tenure.spark.errors import SparkEnded
from tenure.spark.spark_session import has_ended, is_submitted

if TYPE_CHECKING:
    from pyspark import SparkContext

PARENT: Final = os.getppid()


@contextmanager
def watch_spark(context: "SparkContext", fail: Callable[[BaseException], None]) -> Iterator[None]:
    """Call `fail` with SparkEnded if Spark ends while the block runs."""
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(SPARK_LOOK_S):
            if has_ended(context):
                if is_submitted() and os.getppid() != PARENT:
                    discard_output()
                fail(SparkEnded())
                return

    threading.Thread(target=watch, name="tenure-spark-watch", daemon=True).start()
    try:
        yield
    finally:
        is_over.set()


def discard_output() -> None:
    """Redirect all further output of this process to /dev/null.

    Under `spark-submit` the output is a pipe to the Java process. After the end of Java, every printed line would raise
    BrokenPipeError.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        with suppress(OSError, ValueError, AttributeError):  # The process may lack standard output or error.
            os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
    os.close(nowhere)
