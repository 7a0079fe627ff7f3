"""Tenure's pipeline as a measured application: `python -m bench.pipelines.ours OPTIONS`."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, Literal

import psutil

from bench.pipelines.application import serve
from bench.pipelines.functions import count, keep
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.audit_pipeline import audit_pipeline
from tenure.audit.local_membership import LocalMemberships
from tenure.audit.positions import LockedPositions
from tenure.pipeline.values.progress import Observer, Progress, ProgressStep, ignore_progress
from tenure.run_options import RunOptions
from tenure.spark import Parquet, Pipeline, Topic, raw, stateful
from tenure.spark.application.runner import run as run_audit
from tenure.spark.spark_session import local_session

CORES = 2
MAX_RECORDS = 1_000_000
"""Records in the running batches of an audit."""
PATIENCE_S = 300.0
FUNCTIONS = {
    "count": stateful(count, state="records long"),
    "keep": stateful(keep, state="value binary"),
}


class Watch:
    """Times at which each bundle was planned and published, by the clock that all processes share."""

    def __init__(self) -> None:
        self.begun_s: dict[str, float] = {}
        self.batch_s: list[float] = []
        """Duration of each bundle, from the lookup of the log end until its output was visible."""
        self.published: list[tuple[float, int]] = []

    def __call__(self, progress: Progress) -> None:
        now_s = time.monotonic()
        match progress.step:
            case ProgressStep.PLANNED:
                self.begun_s[progress.bundle] = now_s - progress.seconds
            case ProgressStep.PUBLISHED:
                self.batch_s.append(now_s - self.begun_s[progress.bundle])
                self.published.append((now_s, progress.records))
            case ProgressStep.DROPPED:
                raise AssertionError(progress.reason)

    @property
    def told(self) -> dict[str, Any]:
        return {
            "records": sum(records for _, records in self.published),
            "wall_s": self.published[-1][0] - min(self.begun_s.values()),
            "batch_s": self.batch_s,
            "published": self.published,
        }


class Ours:
    def __init__(self, directory: str, address: str, temporary: str | None = None) -> None:
        if temporary is not None:  # Files that belong to this host are there.
            Path(temporary).mkdir(exist_ok=True)
            os.environ["TMPDIR"] = temporary
        self.directory = Path(directory)
        self.address = address
        self.spark = local_session("bench", cores=CORES)

    def run_python(self) -> int:
        """Run Python workers, as the session's user would have done before."""
        counted: int = self.spark.sparkContext.parallelize(range(CORES), CORES).map(lambda number: number).count()
        return counted

    # --- from a topic's beginning to its end --------------------------------------------------------------------------

    def counted(self, topic: str, **how: Any) -> dict[str, Any]:
        """Run the pipeline to the end of a topic; return the times of the bundles."""
        watch = Watch()
        self.run(topic, watch, until="caught-up", **how)
        return watch.told

    def audited(self, topic: str) -> dict[str, Any]:
        """Audit a topic to its end; return the times of the bundles."""
        watch, directory = Watch(), self.directory / f"audit-{topic}"
        options = RunOptions(
            bootstrap_servers=self.address, until="caught-up", observer=watch, tasks=CORES, max_records=MAX_RECORDS
        )
        run_audit(
            audit_pipeline(AuditDirectory.at(directory), topic),
            options,
            LocalMemberships(LockedPositions(directory / "positions")),
        )
        return watch.told

    def watched(self, topic: str, every: int, **how: Any) -> list[tuple[int, int, int]]:
        """Return number of batches, resident memory of Python and heap of Java in bytes, after each `every` batches."""
        machine = self.spark._jvm.java.lang
        heap = machine.management.ManagementFactory.getMemoryMXBean()
        held: list[tuple[int, int, int]] = []
        batches = 0

        def look(progress: Progress) -> None:
            nonlocal batches
            batches += progress.step is ProgressStep.PUBLISHED
            if progress.step is ProgressStep.PUBLISHED and batches % every == 0:
                machine.System.gc()
                held.append((batches, psutil.Process().memory_info().rss, heap.getHeapMemoryUsage().getUsed()))

        self.run(topic, look, until="caught-up", tasks=1, **how)
        return held

    # --- until it is killed -------------------------------------------------------------------------------------------

    def followed(self, topic: str, records: int, **how: Any) -> dict[str, Any]:
        """Start the pipeline, and report when `records` records are committed; it continues."""
        done, committed = threading.Event(), 0

        def look(progress: Progress) -> None:
            nonlocal committed
            if progress.step is ProgressStep.COMMITTED:
                committed += progress.records
            if committed >= records:
                done.set()

        started = time.monotonic()
        threading.Thread(target=self.run, args=(topic, look), kwargs=how, daemon=True).start()
        if not done.wait(PATIENCE_S):
            raise TimeoutError(f"{committed} records were committed within {PATIENCE_S:g} s, of {records}")
        return {"seconds": time.monotonic() - started, "group": self.group(topic)}

    # --- as one of two hosts of a streams group -----------------------------------------------------------------------

    def joined(self, topic: str, **how: Any) -> None:
        """Start the pipeline as a dynamic member of a streams group; it continues."""
        how |= {"group_protocol": "streams", "instance": None}
        threading.Thread(target=self.run, args=(topic, ignore_progress), kwargs=how, daemon=True).start()

    # --- the pipeline -------------------------------------------------------------------------------------------------

    def run(
        self,
        topic: str,
        observer: Observer,
        until: Literal["stopped", "caught-up"] = "stopped",
        function: str = "count",
        max_records: int = 1_000_000,
        tasks: int = CORES,
        group_protocol: Literal["streams"] | None = None,
        instance: str | None = "bench",
    ) -> None:
        Pipeline(
            self.group(topic),
            source=Topic(topic, value=raw()).keyed_by("key"),
            process=FUNCTIONS[function],
            sink=Parquet(str(self.directory / topic)),
        ).run(
            bootstrap_servers=self.address,
            group_instance_id=instance,
            group_protocol=group_protocol,
            until=until,
            tasks=tasks,
            max_records=max_records,
            spark=self.spark,
            observer=observer,
        )

    def group(self, topic: str) -> str:
        return f"{topic}-{self.directory.name}"


def main() -> None:
    ours = Ours(**json.loads(sys.argv[1]))
    serve(
        {
            "run_python": ours.run_python,
            "counted": ours.counted,
            "audited": ours.audited,
            "watched": ours.watched,
            "followed": ours.followed,
            "joined": ours.joined,
        }
    )
    ours.spark.stop()


if __name__ == "__main__":
    main()
