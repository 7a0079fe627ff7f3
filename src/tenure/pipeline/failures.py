"""Failures of a lane that are retried, and the errors for failures that stop the pipeline."""

from typing import Final

from tenure.pipeline.errors import BadRecordFound, Code, PipelineStopped, SinkFailed, describe_error
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.stager import Failed

RETRIABLE: Final = frozenset({Code.LANE_FAILED, Code.FILES_FAILED, Code.STATE_MISSING})
"""Codes of retriable failures. Brokers and disks recover. STATE_MISSING is retriable too: perhaps another member has
taken over the lane and has swept its old files. The next poll then reports the loss of the lane. If the lane is not
lost, `recover` runs again and raises the exact error."""


def raise_unless_retriable(failure: Failed) -> None:
    """Raise PipelineStopped if a retry of the lane cannot succeed."""
    if failure.code is Code.BAD_RECORD and failure.topic is not None and failure.offset is not None:
        raise BadRecordFound(
            failure.lane, failure.topic, failure.offset, failure.reason, undecodable=failure.undecodable
        )
    if failure.code not in RETRIABLE:
        raise PipelineStopped(failure.code, failure.reason, failure.lane)


def storage_failure(error: OSError | SinkFailed, layout: Layout) -> tuple[Code, str]:
    if isinstance(error, SinkFailed):
        return Code.SINK_FAILED, str(error)
    directories = " and ".join(dict.fromkeys(path for path in (layout.sink, layout.state) if path))
    return Code.FILES_FAILED, f"{describe_error(error)}: check free space and write permission at {directories}"


def batch_timed_out(limit_s: float) -> PipelineStopped:
    return PipelineStopped(
        Code.RUN_TIMED_OUT,
        f"a batch did not end within {limit_s:.0f} s (max_poll_interval_ms) and counts as hung: check its Spark tasks,"
        " lower target_batch_time_s or max_records, or raise max_poll_interval_ms",
    )


def publishing_timed_out(limit_s: float) -> PipelineStopped:
    return PipelineStopped(
        Code.SINK_FAILED,
        f"the sink did not publish a committed batch within {limit_s:.0f} s (max_poll_interval_ms) and counts as hung:"
        " check the sink, or raise max_poll_interval_ms",
    )
