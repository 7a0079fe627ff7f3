"""How a pipeline fails: each in one sentence that names the cause and the remedy.

`PipelineConfigError`s come before anything runs. A `PipelineStopped` ends a pipeline that ran: nothing is lost, and
what was committed stays committed. Its `code` is what programs look at.
"""

from enum import Enum

from tenure.limits import REASON_CHARACTERS_MAX
from tenure.pipeline.values.lanes import Lane


class PipelineConfigError(ValueError):
    """A pipeline is declared in a way that cannot work; raised before anything runs."""


class BadSchema(PipelineConfigError):
    """A DDL string does not describe columns."""


class Code(Enum):
    NO_BROKER = "NO_BROKER"
    """Nobody answers at the bootstrap servers."""
    NO_SPARK = "NO_SPARK"
    """Spark cannot run here: pyspark or a fitting Java runtime is missing."""
    UNKNOWN_TOPIC = "UNKNOWN_TOPIC"
    REFUSED_BY_BROKER = "REFUSED_BY_BROKER"
    """The brokers do not let this application in, or not in this way."""
    FENCED = "FENCED"
    """Another process has this member's seat."""
    BAD_RECORD = "BAD_RECORD"
    """A record could not be decoded or digested, and the pipeline is to stop at such."""
    LANE_FAILED = "LANE_FAILED"
    """A batch of a lane failed for a reason that is no record's: a broker, a disk, a bug in the function."""
    BAD_FUNCTION = "BAD_FUNCTION"
    """The pipeline's function fails on everything, or returns what is no table."""
    FILES_FAILED = "FILES_FAILED"
    """The output or state directory cannot be read or written: full, read-only, gone."""
    COMMIT_REFUSED = "COMMIT_REFUSED"
    """The coordinator refused one commit after the other."""
    POSITION_MOVED = "POSITION_MOVED"
    """The group's committed offset is not where the lane's state ends: somebody reset the group."""
    STATE_ROOT_MISSING = "STATE_ROOT_MISSING"
    """The group has no committed offset for a lane that has state: it expired or was deleted."""
    STATE_MISSING = "STATE_MISSING"
    """The committed pointer names files that are not there."""
    STATE_DAMAGED = "STATE_DAMAGED"
    """The committed pointer names files that are not what they were when they were written."""
    STATE_SCHEMA_CHANGED = "STATE_SCHEMA_CHANGED"
    """The state was written under other columns than are declared now."""
    FOREIGN_POINTER = "FOREIGN_POINTER"
    """The manifest belongs to another group, topic or partition."""
    RECORDS_DELETED = "RECORDS_DELETED"
    """The log no longer has, or does not yet have, the records that come next."""
    PARTITIONS_CHANGED = "PARTITIONS_CHANGED"
    """The topic has another number of partitions: keys may have moved to another lane than their state."""
    NOT_CO_PARTITIONED = "NOT_CO_PARTITIONED"
    """Topics that are read together differ in their partitions, or these do not stand with one member."""
    TOPIC_RECREATED = "TOPIC_RECREATED"
    """The topic was deleted, and another one has its name."""
    KEY_IS_NOT_PARTITIONING = "KEY_IS_NOT_PARTITIONING"
    """A keyed state's key is not what the topic is partitioned by."""
    RUN_TIMED_OUT = "RUN_TIMED_OUT"
    """A batch took longer than the group allows between two polls."""
    DEAD_LETTERS_UNSENT = "DEAD_LETTERS_UNSENT"
    """Bad records were put aside for a dead-letter topic, and the pipeline runs without one now."""
    OUTPUT_MISSING = "OUTPUT_MISSING"
    """A committed file is neither staged nor visible."""
    OUTPUT_UNDECLARED = "OUTPUT_UNDECLARED"
    """Rows were committed for a side output that the pipeline does not have any more."""
    SINK_FAILED = "SINK_FAILED"
    """A sink did not take what is committed, however often it was asked."""
    SINK_REFUSED = "SINK_REFUSED"
    """A sink has no place for rows like these: it lacks a column, say."""
    SINK_MOVED = "SINK_MOVED"
    """A sink that keeps the lane's position itself stands elsewhere than where the committed rows begin."""


class PipelineStopped(RuntimeError):
    def __init__(self, code: Code, message: str, lane: Lane | None = None) -> None:
        super().__init__(f"{code.value}: {message}")
        self.code = code
        self.sentence = message
        self.lane = lane


class SinkFailed(Exception):
    """A sink cannot take committed rows just now; asked again later, it may. One sentence."""


class BadRecordFound(PipelineStopped):
    """Carries where the record is; it is not committed, so the pipeline meets it again after a restart."""

    def __init__(self, lane: Lane, topic: str, offset: int, reason: str, *, undecodable: bool = False) -> None:
        """`undecodable`: the pipeline's function never saw the record, so it is not to blame."""
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
    """The function fails on everything, or returns what is no table."""


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
