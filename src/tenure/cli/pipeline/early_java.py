"""Start of Java for `tenure pipeline run` before the command line is imported and parsed.

The import takes as long as the start of Java, so both happen at the same time. Some options change the settings of
Java, or prevent its start. If the command line has one of these options, `run` starts Java later, if at all.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

WITH_OTHER_JAVA: Final = frozenset({"--conf", "--master", "--spark-ui", "--restart", "--help"})
"""Options with which Java gets other settings, or with which this process starts no Spark."""


def is_plain_run(arguments: Sequence[str]) -> bool:
    """Return whether these arguments of `tenure` run a pipeline in this process, on a local Spark with its defaults."""
    named = {argument.partition("=")[0] for argument in arguments}
    return list(arguments[:2]) == ["pipeline", "run"] and not named & WITH_OTHER_JAVA


@contextmanager
def early_java(arguments: Sequence[str]) -> Iterator[None]:
    """Start Java before the block if these arguments run a pipeline. After the block, end it if no session uses it."""
    if not is_plain_run(arguments):
        yield
        return
    from tenure.spark.spark_session import starting_java

    with starting_java(None, {}, ui=False):
        yield
