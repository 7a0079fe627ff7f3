"""Progress for programs, as one JSON object per line."""

import json
import sys
import time
from dataclasses import asdict
from typing import Any, Final, TextIO

from tenure.pipeline.values.progress import LaneProgress, Observer, Progress, ProgressStep
from tenure.spark.reporting.finished_batches import BatchCollector, FinishedBatch

BATCH_STEPS: Final = frozenset(
    {ProgressStep.PLANNED, ProgressStep.STAGED, ProgressStep.COMMITTED, ProgressStep.PUBLISHED, ProgressStep.SWEPT}
)
"""Steps of a batch that `batch_lines` sums up."""


def json_lines(out: TextIO = sys.stdout) -> Observer:
    """Return an observer that immediately writes each step as a JSON line."""

    def write(progress: Progress) -> None:
        out.write(json.dumps(as_json(progress, time.time_ns() // 1_000_000)) + "\n")
        out.flush()

    return write


def batch_lines(out: TextIO = sys.stdout) -> Observer:
    """Return an observer that writes one JSON line for each published batch: records, rows, lag, and seconds by phase.

    Other steps (`recovered`, `dropped`, `revoked`, `idle`, …) are written as by `json_lines`.
    """

    def write(line: dict[str, Any]) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    batches = BatchCollector(lambda batch: write(batch_as_json(batch, time.time_ns() // 1_000_000)))

    def observe(progress: Progress) -> None:
        batches(progress)
        if progress.step not in BATCH_STEPS:
            write(as_json(progress, time.time_ns() // 1_000_000))

    return observe


def batch_as_json(batch: FinishedBatch, wall_ms: int) -> dict[str, Any]:
    """Return the line for a batch. `wall_ms` is the time in ms since the epoch."""
    fields = asdict(batch)
    fields["seconds"] = {phase: round(seconds, 4) for phase, seconds in batch.seconds.items()}
    return {"time_ms": wall_ms, "step": "batch", **fields, "total_s": round(batch.total_s, 4)}


def as_json(progress: Progress, wall_ms: int) -> dict[str, Any]:
    """Return the line for a step. `wall_ms` is the time in ms since the epoch."""
    return {
        "time_ms": wall_ms,
        "step": progress.step.value,
        "group": progress.group,
        "member": progress.member,
        "member_id": progress.member_id,
        "generation_id": progress.generation_id,
        "bundle": progress.bundle,
        "seconds": round(progress.seconds, 4),
        "records": progress.records,
        "rows": progress.rows,
        "lanes": [lane_as_json(lane) for lane in progress.lanes],
        "files": list(progress.files),
        "reason": progress.reason,
    }


def lane_as_json(lane: LaneProgress) -> dict[str, Any]:
    """Return the JSON object of one lane, which is part of the line for a progress step."""
    return {
        "lane": str(lane.lane),
        "partition": lane.lane.partition,
        "ranges": [[part.topic, part.start_offset, part.end_offset] for part in lane.ranges],
        "manifest_id": lane.manifest_id,
        "sequence": lane.sequence,
        "records": lane.records,
        "rows": lane.rows,
        "bad_records": lane.bad_records,
        "state_rows": lane.state_rows,
        "state_bytes": lane.state_bytes,
        "lag": lane.lag,
        "seconds": {name: round(seconds, 4) for name, seconds in lane.seconds.items()},
    }
