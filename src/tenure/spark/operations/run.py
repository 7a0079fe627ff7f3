"""`tenure pipeline run`: a pipeline by its name, and an exit status for whoever supervises it."""

import sys
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, Final

from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.values.progress import Observer
from tenure.spark.application.run_options import FENCED_EXIT_STATUS
from tenure.spark.operations.reference import pipeline_named
from tenure.spark.reporting.console_reporter import ConsoleReporter
from tenure.spark.reporting.progress_lines import batch_lines


class Exit(IntEnum):
    """What a supervisor goes by. systemd: `RestartPreventExitStatus=2 3 4`."""

    DONE = 0
    FAILED = 1
    """A broker, a disk, Spark or a worker: started again, it may get further."""
    MISUSED = 2
    FENCED = FENCED_EXIT_STATUS
    """Another application has its seats: started again, the two would fence each other for ever."""
    STUCK = 4
    """It would stop in the same place again: somebody has to decide, or to mend something."""


MAY_PASS: Final = frozenset(
    {
        Code.NO_BROKER,
        Code.NO_SPARK,
        Code.LANE_FAILED,
        Code.FILES_FAILED,
        Code.COMMIT_REFUSED,
        Code.RUN_TIMED_OUT,
        Code.SINK_FAILED,
        Code.STATE_MISSING,
    }
)
"""Brokers, disks, databases and shared directories come back."""


PROGRESS: Final[Mapping[str, Callable[[], Observer | None]]] = {
    "summary": lambda: None,
    "batches": lambda: ConsoleReporter(each_batch=True),
    "json": batch_lines,
}
"""What is told while it runs: some lines a minute, a line for each batch, or one for programs on standard output."""


def run_named(
    reference: str, cluster: Mapping[str, str], options: Mapping[str, Any], progress: str = "summary"
) -> Exit:
    return run_to_the_end(
        lambda: pipeline_named(reference).run(**in_cluster(cluster), **options, observer=PROGRESS[progress]())
    )


def in_cluster(cluster: Mapping[str, str]) -> dict[str, Any]:
    """Kafka's keys of a command line, as `Pipeline.run` takes them."""
    security = {key: value for key, value in cluster.items() if key != BOOTSTRAP_SERVERS}
    return {"bootstrap_servers": cluster[BOOTSTRAP_SERVERS], "security": security}


def run_to_the_end(work: Callable[[], object]) -> Exit:
    """Tells on standard error why it ended, in one sentence, where it was not asked to."""
    try:
        work()
    except PipelineConfigError as error:
        say(str(error))
        return Exit.MISUSED
    except PipelineStopped as stopped:
        say(str(stopped))
        return status_of(stopped.code)
    except SystemExit:  # Fenced: told already.
        return Exit.FENCED
    return Exit.DONE


def status_of(code: Code) -> Exit:
    if code is Code.FENCED:
        return Exit.FENCED
    return Exit.FAILED if code in MAY_PASS else Exit.STUCK


def say(sentence: str) -> None:
    print(f"tenure: {sentence}", file=sys.stderr)
