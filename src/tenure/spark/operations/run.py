"""Run of a pipeline by its name, with an exit status for supervisors (`tenure pipeline run`)."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.exit_status import ExitStatus
from tenure.pipeline.errors import PipelineConfigError, PipelineStopped
from tenure.pipeline.values.progress import Observer
from tenure.spark.operations.pipeline_reference import pipeline_named
from tenure.spark.reporting.console_reporter import ConsoleReporter
from tenure.spark.reporting.progress_lines import batch_lines

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
        lambda: pipeline_named(reference, options.get("py_files", ())).run(
            **cluster_arguments(cluster), **options, observer=PROGRESS[progress]()
        )
    )


def cluster_arguments(cluster: Mapping[str, str]) -> dict[str, Any]:
    """Return Kafka's configuration keys as arguments of `Pipeline.run`."""
    security = {key: value for key, value in cluster.items() if key != BOOTSTRAP_SERVERS}
    return {"bootstrap_servers": cluster[BOOTSTRAP_SERVERS], "security": security}


def run_and_report(work: Callable[[], object]) -> ExitStatus:
    """Run `work`, print its error as one sentence on standard error, and return the exit status."""
    try:
        work()
    except (PipelineConfigError, PipelineStopped) as error:
        print_error(str(error))
        return error.exit_status
    except SystemExit:  # The application was fenced, and has printed the error.
        return ExitStatus.FENCED
    return ExitStatus.DONE


def print_error(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(f"tenure: {sentence}", file=sys.stderr)
