"""An audit in small batches without Spark, which kills itself at a step: `python -m tests.audit.without_spark …`.

Arguments: address, directory, number of records of a batch, number of the step at which the process is killed,
format of the tables.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.audit_pipeline import audit_pipeline
from tenure.audit.local_membership import LocalMemberships
from tenure.audit.log_end_samples import present_ends
from tenure.audit.positions import positions_in
from tenure.audit.reading import PARQUET
from tenure.audit.records.coordinator_records import TOPIC
from tenure.pipeline.engine.background_threads import BackgroundThreads
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.output.files import Files
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import Progress
from tenure.pipeline.values.stager import Result
from tenure.run_options import RunOptions
from tenure.spark.application.members import log_of, settings_of
from tenure.spark.jobs.job import job_of
from tenure.spark.sinks.outputs import publishers_of
from tenure.spark.workers.task import new_id


class Stager:
    """Stages a bundle in this thread, when the engine asks for its results."""

    def __init__(self, job: Job, files: Files) -> None:
        self.job = job
        self.files = files

    def start(self, bundle: Bundle) -> Staging:
        return Staging(self.job, self.files, bundle)


class Staging:
    def __init__(self, job: Job, files: Files, bundle: Bundle) -> None:
        self.job = job
        self.files = files
        self.bundle = bundle

    def wait(self, timeout_s: float) -> list[Result]:
        del timeout_s
        return run_bundle(self.job, self.bundle, self.files, new_id)

    def cancel(self) -> None: ...


class Killer:
    """Observer that kills the process at a step."""

    def __init__(self, kill_at: int) -> None:
        self.left = kill_at

    def __call__(self, progress: Progress) -> None:
        del progress
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def audit(
    address: str,
    directory: AuditDirectory,
    max_records: int,
    kill_at: int = 0,
    table_format: str = PARQUET,
    security: Mapping[str, Any] | None = None,
) -> None:
    """Audit up to the present end of the log."""
    pipeline = audit_pipeline(directory, table_format=table_format)
    options = RunOptions(bootstrap_servers=address, security=security, max_records=max_records, tasks=1)
    options = replace(options, ending_offsets={TOPIC: present_ends(options.cluster)})
    job = job_of(pipeline, options.cluster)
    membership = LocalMemberships(positions_in(directory)).create(pipeline, options, "audit", None)
    engine = Engine(
        settings_of(pipeline, options),
        job.layout,
        membership,
        log_of(options),
        Stager(job, directory.files),
        directory.files,
        new_id=new_id,
        clock_s=time.monotonic,
        observer=Killer(kill_at),
        publishers=publishers_of(pipeline),
        lane_state=partial(job.lane_state, directory.files),
        background_tasks=BackgroundThreads("audit"),
    )
    membership.start()
    try:
        engine.run("caught-up")
    finally:
        membership.close()


if __name__ == "__main__":
    audit(sys.argv[1], AuditDirectory.at(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
