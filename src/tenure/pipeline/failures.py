"""Which failures of a lane may pass, and what is said of those that end a pipeline."""

from typing import Final

from tenure.pipeline.digest import in_words
from tenure.pipeline.errors import BadRecordFound, Code, PipelineStopped, SinkFailed
from tenure.pipeline.layout import Layout
from tenure.pipeline.stager import Failed

MAY_PASS: Final = frozenset({Code.LANE_FAILED, Code.FILES_FAILED, Code.STATE_MISSING})
"""Brokers and disks come back. And state that was there when the run was planned is missing where another owner has
gone on and swept it meanwhile: then the next poll says that the seat was lost. If not, `recover` finds the true
reason."""


def check_may_pass(failure: Failed) -> None:
    """Raises what the pipeline stops with, where it is no use to try again."""
    if failure.code is Code.BAD_RECORD and failure.topic is not None and failure.offset is not None:
        raise BadRecordFound(
            failure.lane, failure.topic, failure.offset, failure.reason, undecodable=failure.undecodable
        )
    if failure.code not in MAY_PASS:
        raise PipelineStopped(failure.code, failure.reason, failure.lane)


def of_a_store(error: OSError | SinkFailed, layout: Layout) -> tuple[Code, str]:
    if isinstance(error, SinkFailed):
        return Code.SINK_FAILED, str(error)
    places = " and ".join(dict.fromkeys(place for place in (layout.sink, layout.state) if place))
    return Code.FILES_FAILED, f"{in_words(error)}: see that there is room at {places}, and that it may be written to"


def run_timed_out(limit_s: float) -> PipelineStopped:
    return PipelineStopped(
        Code.RUN_TIMED_OUT,
        f"a run did not end within {limit_s:.0f} s and is taken to hang: look at its tasks, lower"
        " target_batch_time_s or max_records, or raise max_poll_interval_ms",
    )


def publishing_timed_out(limit_s: float) -> PipelineStopped:
    return PipelineStopped(
        Code.SINK_FAILED,
        f"what is committed was not published within {limit_s:.0f} s, and its sink is taken to hang:"
        " look at it, or raise max_poll_interval_ms",
    )
