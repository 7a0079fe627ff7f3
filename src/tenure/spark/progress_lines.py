"""Progress for programs: one JSON object a line."""

import json
import sys
import time
from typing import Any, TextIO

from tenure.pipeline.progress import LaneProgress, Observer, Progress


def json_lines(out: TextIO = sys.stdout) -> Observer:
    """An observer that writes each step as a line, at once: what is read there has happened."""

    def write(progress: Progress) -> None:
        out.write(json.dumps(as_json(progress, time.time_ns() // 1_000_000)) + "\n")
        out.flush()

    return write


def as_json(progress: Progress, wall_ms: int) -> dict[str, Any]:
    return {
        "time_ms": wall_ms,
        "step": progress.step.value,
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
        "seconds": {name: round(seconds, 4) for name, seconds in lane.seconds.items()},
    }
