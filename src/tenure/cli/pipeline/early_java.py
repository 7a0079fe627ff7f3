"""Start of Java for `tenure pipeline run` before the command line is imported and parsed, which takes as long as Java.

Options decide with which settings Java starts, if at all. So this applies only to command lines without these options;
`run` starts Java for the others.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

WITH_OTHER_JAVA: Final = frozenset({"--conf", "--master", "--spark-ui", "--restart", "--help"})
"""Options with which Java gets other settings, or with which this process starts no Spark."""


def is_plain_run(arguments: Sequence[str]) -> bool:
    """Return whether these arguments of `tenure` run a pipeline in this process, on a local Spark without settings."""
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
