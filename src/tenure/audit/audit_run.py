"""Run of an audit, as the command line starts it."""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.audit_pipeline import NAME, audit_pipeline
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tenure.audit.local_membership import LocalMemberships
from tenure.audit.log_end_samples import LogEndSampler, now_ms, present_ends
from tenure.audit.positions import positions_in
from tenure.audit.progress_lines import LineWriter, PictureLines, ignore_line
from tenure.audit.reading import PARQUET
from tenure.audit.records.coordinator_records import TOPIC
from tenure.audit.report.report import REPORT, Forecaster, no_forecast, write_report
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.exit_status import ExitStatus
from tenure.limits.audit import (
    GROUPS_CHARTED_MAX,
    GROUPS_PICTURED_WHILE_FOLLOWING_MAX,
    REPORT_INTERVAL_S,
    SAMPLE_INTERVAL_S,
)
from tenure.pipeline.errors import Code, PipelineStopped, describe_error
from tenure.pipeline.values.progress import ignore_progress
from tenure.run_options import RunOptions
from tenure.spark.application.runner import run, translate_errors
from tenure.spark.operations.run import run_and_report
from tenure.spark.reporting.console_reporter import ConsoleReporter


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """Options of one run of an audit."""

    cluster: Mapping[str, Any]
    """Kafka's configuration keys for addresses, TLS and SASL."""
    out: str
    """Directory or URL of tables and report. A later run continues there."""
    follow: bool = False
    """True to continue until it is stopped; False to stop at the end that the log has at the start of the run."""
    json: bool = False
    """True to print the summary as JSON on standard output, without progress."""
    pictures: bool = True
    """True to write a PNG file of each chart."""
    master: str | None = None
    """Cluster that runs the tasks, as for spark-submit; None to run them on this host."""
    conf: Mapping[str, str] | None = None
    """Spark settings."""
    tasks: int = 4
    """Maximum concurrent Spark tasks."""
    max_bytes: int = 134_217_728
    """Maximum bytes in memory of the records of all tasks."""
    shared_directory: bool = False
    """True if all hosts of the cluster have mounted `out` at the same path."""
    table_format: str = PARQUET
    """`parquet` or `delta`."""
    advisor: Callable[[AuditDirectory], Forecaster] | None = None
    """Function that takes the directory of the tables and returns the function that advises a change for a group."""
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False)
    """fsspec's options for a URL. Without them, fsspec takes credentials from the environment."""

    @property
    def directory(self) -> AuditDirectory:
        return AuditDirectory.at(self.out, self.storage_options)


def audit(options: AuditOptions) -> ExitStatus:
    """Audit a cluster; return the exit status. An error is printed as one sentence."""
    return run_and_report(lambda: run_audit(options))


def run_audit(options: AuditOptions) -> None:
    """Read `__consumer_offsets`, write tables, findings and report, and print a summary.

    Raises:
        PipelineConfigError: An option is invalid.
        PipelineStopped: The audit cannot continue. The next run continues where this one stopped.
        SystemExit: Status 3: another process writes to the directory.
    """
    directory = options.directory
    sampler = LogEndSampler(options.cluster, directory)
    with store_errors(directory):
        if options.follow:
            with (
                repeating(sampler.sample, SAMPLE_INTERVAL_S),
                repeating(lambda: conclude(options, GROUPS_PICTURED_WHILE_FOLLOWING_MAX), REPORT_INTERVAL_S),
            ):
                collect_tables(options)
            sampler.sample()
        else:
            began_ms = now_ms()
            collect_tables(options)
            sampler.sample(began_ms)
        conclude(options, write_line=ignore_line if options.json else ConsoleReporter().write_line)
        summary = summary_of(directory)
    if options.json:
        print(json.dumps(summary.as_json(), indent=2))
    else:
        print(summary.as_text())
        print(f"Report: {directory.path(REPORT)}")


@contextmanager
def store_errors(directory: AuditDirectory) -> Iterator[None]:
    """Convert errors of the directory's disk or store to PipelineStopped."""
    try:
        yield
    except OSError as error:
        reason = f"{describe_error(error)}: check that {directory.location} can be read and written"
        raise PipelineStopped(Code.FILES_FAILED, reason) from error


def collect_tables(options: AuditOptions) -> None:
    """Run the pipeline that collects the tables, until it is stopped or up to the present ends of the log."""
    cluster = dict(options.cluster)
    pipeline = audit_pipeline(options.directory, table_format=options.table_format)
    with translate_errors():
        ends = None if options.follow else {TOPIC: present_ends(options.cluster)}
    run(
        pipeline,
        RunOptions(
            bootstrap_servers=cluster.pop(BOOTSTRAP_SERVERS),
            security=cluster,
            client_id=NAME,
            until="stopped" if options.follow else "caught-up",
            ending_offsets=ends,
            tasks=options.tasks,
            max_bytes=options.max_bytes,
            master=options.master,
            conf=options.conf,
            shared_directory=options.shared_directory,
            observer=ignore_progress if options.json else None,
        ),
        LocalMemberships(positions_in(options.directory)),
    )


def conclude(
    options: AuditOptions, pictured_groups: int = GROUPS_CHARTED_MAX, write_line: LineWriter = ignore_line
) -> None:
    """Write findings and report from the tables that the audit has written so far.

    Calls `write_line` with lines about the progress.
    """
    directory = options.directory
    write_line("computing causes, pauses and lag")
    write_findings(directory)
    write_line(f"writing {directory.path(REPORT)}")
    write_report(
        directory,
        pictures=options.pictures,
        pictured_groups=pictured_groups,
        forecaster=no_forecast if options.advisor is None else options.advisor(directory),
        observer=PictureLines(write_line),
    )


@contextmanager
def repeating(work: Callable[[], None], interval_s: float) -> Iterator[None]:
    """Call `work` in a thread every `interval_s` until the block ends. An error is printed, and the calls continue."""
    is_over = threading.Event()

    def loop() -> None:
        while not is_over.wait(interval_s):
            try:
                work()
            except Exception as error:  # A failed report must not stop the audit.
                print(f"tenure: {type(error).__name__}: {error}", file=sys.stderr)

    thread: Final = threading.Thread(target=loop, name="tenure-audit", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
