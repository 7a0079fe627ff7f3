"""Start of a pipeline by its name, with an exit status for supervisors (`tenure pipeline run`)."""

import sys
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, Final

from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.values.progress import Observer
from tenure.spark.application.supervised import FENCED_EXIT_STATUS
from tenure.spark.operations.pipeline_reference import pipeline_named
from tenure.spark.reporting.console_reporter import ConsoleReporter
from tenure.spark.reporting.progress_lines import batch_lines


class ExitStatus(IntEnum):
    """Exit status of a pipeline. For systemd: `RestartPreventExitStatus=2 3 4`."""

    DONE = 0
    FAILED = 1
    """A broker, a disk, Spark or a worker failed: a restart may help."""
    MISUSED = 2
    FENCED = FENCED_EXIT_STATUS
    """Another application has taken over its members: after a restart the two would fence each other repeatedly."""
    STUCK = 4
    """A restart would stop at the same place: the user has to decide or to repair something."""


RETRIABLE_CODES: Final = frozenset(
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
"""Failures that end by themselves: of brokers, disks, databases and shared directories."""


PROGRESS: Final[Mapping[str, Callable[[], Observer | None]]] = {
    "summary": lambda: None,
    "batches": lambda: ConsoleReporter(each_batch=True),
    "json": batch_lines,
}
"""Observers by the value of `--progress`: some lines a minute, a line per batch, or JSON on standard output."""


def run_pipeline_by_name(
    reference: str, cluster: Mapping[str, str], options: Mapping[str, Any], progress: str = "summary"
) -> ExitStatus:
    """Run the named pipeline, and return the exit status."""
    return run_and_report(
        lambda: pipeline_named(reference).run(**cluster_arguments(cluster), **options, observer=PROGRESS[progress]())
    )


def cluster_arguments(cluster: Mapping[str, str]) -> dict[str, Any]:
    """Return Kafka's configuration keys as arguments of `Pipeline.run`."""
    security = {key: value for key, value in cluster.items() if key != BOOTSTRAP_SERVERS}
    return {"bootstrap_servers": cluster[BOOTSTRAP_SERVERS], "security": security}


def run_and_report(work: Callable[[], object]) -> ExitStatus:
    """Run `work`, print its error as one sentence on standard error, and return the exit status."""
    try:
        work()
    except PipelineConfigError as error:
        print_error(str(error))
        return ExitStatus.MISUSED
    except PipelineStopped as stopped:
        print_error(str(stopped))
        return exit_status_of(stopped.code)
    except SystemExit:  # Fenced; already printed.
        return ExitStatus.FENCED
    return ExitStatus.DONE


def exit_status_of(code: Code) -> ExitStatus:
    """Return the exit status for a code."""
    if code is Code.FENCED:
        return ExitStatus.FENCED
    return ExitStatus.FAILED if code in RETRIABLE_CODES else ExitStatus.STUCK


def print_error(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(f"tenure: {sentence}", file=sys.stderr)
