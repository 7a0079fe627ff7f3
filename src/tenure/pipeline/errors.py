"""Errors of a pipeline. Each message is one sentence with the cause and the remedy.

A `PipelineConfigError` is raised before the pipeline runs. A `PipelineStopped` ends a running pipeline; committed
batches stay committed, and no record is lost. Programs distinguish errors by `code`.
"""

from enum import Enum
from typing import Final

from tenure.exit_status import ExitStatus
from tenure.limits.pipeline import REASON_CHARACTERS_MAX
from tenure.pipeline.values.lanes import Lane


class PipelineConfigError(ValueError):
    """A declaration is invalid. Raised before the pipeline runs."""

    exit_status: Final = ExitStatus.MISUSED


class BadSchema(PipelineConfigError):
    """A DDL string cannot be parsed as columns."""


class Code(Enum):
    NO_BROKER = "NO_BROKER"
    """No broker answers at the bootstrap servers."""
    NO_SPARK = "NO_SPARK"
    """Spark cannot run here: pyspark or a suitable Java runtime is missing."""
    UNKNOWN_TOPIC = "UNKNOWN_TOPIC"
    REFUSED_BY_BROKER = "REFUSED_BY_BROKER"
    """The brokers refuse this application or one of its requests."""
    FENCED = "FENCED"
    """Another process has taken over this member."""
    BAD_RECORD = "BAD_RECORD"
    """A record could not be decoded or processed, and the pipeline is configured to stop then."""
    LANE_FAILED = "LANE_FAILED"
    """A batch of a lane failed, but not because of a record: a broker, a disk, a bug in the function."""
    BAD_FUNCTION = "BAD_FUNCTION"
    """The pipeline's function fails on too many records of one batch, or returns an invalid result."""
    MODULE_MISSING = "MODULE_MISSING"
    """A worker of Spark cannot import a module of the pipeline."""
    NOT_SHARED = "NOT_SHARED"
    """A host of the cluster does not see the output or state directory of the driver."""
    FILES_FAILED = "FILES_FAILED"
    """The output or state directory cannot be read or written: full, read-only, gone."""
    COMMIT_REFUSED = "COMMIT_REFUSED"
    """The coordinator refused one commit after the other."""
    POSITION_MOVED = "POSITION_MOVED"
    """The group's committed offset is not the end of the lane's state, because the group's offsets were reset."""
    STATE_ROOT_MISSING = "STATE_ROOT_MISSING"
    """A lane has state, but the group has no committed offset for it. The offset expired or was deleted."""
    STATE_MISSING = "STATE_MISSING"
    """The committed pointer names missing files."""
    STATE_DAMAGED = "STATE_DAMAGED"
    """The committed pointer names files that have changed since they were written."""
    STATE_SCHEMA_CHANGED = "STATE_SCHEMA_CHANGED"
    """The state was written with other columns than those declared now."""
    FOREIGN_POINTER = "FOREIGN_POINTER"
    """The manifest belongs to another group, topic or partition."""
    RECORDS_DELETED = "RECORDS_DELETED"
    """The log does not have the next offset of a lane: the offset is before the log's start or after its end."""
    PARTITIONS_CHANGED = "PARTITIONS_CHANGED"
    """The topic has another number of partitions: keys may have moved to another lane than their state."""
    NOT_CO_PARTITIONED = "NOT_CO_PARTITIONED"
    """The topics have different numbers of partitions, or no member owns all partitions of a lane."""
    TOPIC_RECREATED = "TOPIC_RECREATED"
    """The topic was deleted, and created again with the same name."""
    KEY_IS_NOT_PARTITIONING = "KEY_IS_NOT_PARTITIONING"
    """The key of the state is not the key by which the topic is partitioned."""
    RUN_TIMED_OUT = "RUN_TIMED_OUT"
    """A batch took longer than the group allows between two polls."""
    DEAD_LETTERS_UNSENT = "DEAD_LETTERS_UNSENT"
    """A committed batch has bad records for a dead-letter topic, but the pipeline no longer declares one."""
    OUTPUT_MISSING = "OUTPUT_MISSING"
    """A committed file is neither staged nor visible."""
    OUTPUT_UNDECLARED = "OUTPUT_UNDECLARED"
    """Rows were committed for a side output that the pipeline no longer has."""
    SINK_FAILED = "SINK_FAILED"
    """A sink failed to publish committed rows, and all retries failed."""
    SINK_REFUSED = "SINK_REFUSED"
    """A sink cannot store these rows, for example because it lacks a column."""
    SINK_MOVED = "SINK_MOVED"
    """A sink that stores positions has another position for the lane than the start of the committed records."""


RESTART_HELPS: Final = frozenset(
    {
        Code.NO_BROKER,
        Code.NO_SPARK,
        Code.LANE_FAILED,
        Code.FILES_FAILED,
        Code.COMMIT_REFUSED,
        Code.RUN_TIMED_OUT,
        Code.SINK_FAILED,
    }
)
"""Codes of failures after which a restart may succeed, because brokers, disks and databases recover. STATE_MISSING is
not one of these codes: a restart with the same state directory would stop again."""


def module_missing(name: str) -> str:
    """Return the message for a module that workers cannot import."""
    return (
        f"Spark's workers have no module {name}: name its .py file or .zip archive with --py-files (py_files=), or"
        " install it in the Python of the workers"
    )


class PipelineStopped(RuntimeError):
    def __init__(self, code: Code, message: str, lane: Lane | None = None) -> None:
        super().__init__(f"{code.value}: {message}")
        self.code = code
        self.sentence = message
        self.lane = lane

    @property
    def exit_status(self) -> ExitStatus:
        """Status with which a program should exit after this error."""
        if self.code is Code.FENCED:
            return ExitStatus.FENCED
        return ExitStatus.FAILED if self.code in RESTART_HELPS else ExitStatus.NEEDS_OPERATOR


class SinkFailed(Exception):
    """A sink failed to publish committed rows. The engine retries the publication."""


class BadRecordFound(PipelineStopped):
    """A bad record stops the pipeline, as `on_bad_record` requires. A restarted pipeline reads the record again."""

    def __init__(self, lane: Lane, topic: str, offset: int, reason: str, *, undecodable: bool = False) -> None:
        """Create the error.

        `undecodable` is true if the record could not be decoded, so that the function never got it.
        """
        which = f"record {topic}-{lane.partition}@{offset}"
        if undecodable:
            sentence = f"{which} cannot be decoded, {reason}: fix the producer that wrote it, or set"
        else:
            sentence = f"the pipeline's function failed on {which} ({reason}): fix the function, or set"
        super().__init__(Code.BAD_RECORD, f'{sentence} on_bad_record to "skip" or to a dead-letter topic', lane)
        self.topic = topic
        self.partition = lane.partition
        self.offset = offset
        self.reason = reason
        self.undecodable = undecodable


class BadFunction(Exception):
    """The user's function fails on BAD_RECORDS_PER_BATCH_MAX records of one batch, or returns an invalid result."""


def state_missing(lane: Lane, path: str) -> PipelineStopped:
    return PipelineStopped(
        Code.STATE_MISSING,
        f"a file of the committed state of lane {lane} is missing ({path}): restore the state directory, or run once"
        ' with on_disagreement="trust-offsets" to continue from the committed offset with empty state',
        lane,
    )


def state_damaged(lane: Lane, path: str) -> PipelineStopped:
    return PipelineStopped(
        Code.STATE_DAMAGED,
        f"{path} differs from what was committed for lane {lane}: restore the file, or run once with"
        ' on_disagreement="trust-offsets" to continue from the committed offset with empty state',
        lane,
    )


def describe_error(error: BaseException) -> str:
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return " ".join(words.split())[:REASON_CHARACTERS_MAX]
