"""A pipeline's function over given records, in a plain unit test: no Spark, no broker, no files.

What runs is what a task runs: values are decoded as declared, keys checked, bad records met as configured, and the
function sees its rows with the state that it left behind. One partition stands for all, as partitions share nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from json import dumps
from typing import Any, Final, TypeAlias

import pyarrow as pa

from tenure.pipeline import staging
from tenure.pipeline.digest import MAIN
from tenure.pipeline.files import LocalFiles
from tenure.pipeline.lanes import Lane, Range, Writer
from tenure.pipeline.manifest import StateVersion
from tenure.pipeline.plan import Bundle, LanePlan
from tenure.pipeline.records import BadRecord
from tenure.pipeline.state import KeyedState
from tenure.pipeline.task import RECORDS, LaneRun
from tenure.pipeline.times import NEVER
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName
from tenure.spark import Pipeline, PipelineConfigError
from tenure.spark.declare import Transform
from tenure.spark.job import job_of

Value: TypeAlias = Mapping[str, Any] | bytes | str | None
"""A record's value: a dict becomes JSON, and None is a tombstone."""

CUTS: Final = (1, 2, 7)
"""Batches that a rehearsal cuts records into: alone, in pairs, and in a length that shares no divisor with either."""


class Rehearsal:
    """Feeds records to a pipeline's function, one batch after the other.

        rehearsal = Rehearsal(pipeline)
        rows = rehearsal.run([{"tailnum": "N1", "dest": "BOS"}, {"tailnum": "N1", "dest": "JFK"}])

    Raises `BadRecordFound` where the pipeline would stop; what it would skip or set aside stands in `bad`.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        if isinstance(pipeline.process, Transform):
            raise PipelineConfigError(
                f"The function of {pipeline.name} works on Spark's DataFrames: call it with spark.createDataFrame(…)."
            )
        self.pipeline = pipeline
        self.bad: list[BadRecord] = []
        self._job = job_of(pipeline, "")
        self._state = KeyedState(self._job.state_schema.empty_table())
        self._end_offset = 0
        self._times = NEVER

    @property
    def state(self) -> pa.Table:
        """What is kept now: the key, then the state's columns."""
        return self._state.scan()

    def run(self, values: Iterable[Value], *, timestamps_ms: Iterable[int] | None = None) -> pa.Table:
        """The rows that come of these records, as one batch; a table without columns where none do.

        Their offsets go on from those of the batch before.
        """
        batch = list(values)
        times = [0] * len(batch) if timestamps_ms is None else list(timestamps_ms)
        records = self._records(batch, times)
        run = self._lane_run(records)
        rows = run.decoded(run.fetched())
        state = self._state.copy()
        outputs = run.processed(rows, state)
        self._times = run.begun.times
        self._state = KeyedState(state.layers.scan())
        self._end_offset += len(batch)
        self.bad += run.bad
        return outputs.get(MAIN, pa.table({}))

    def check_cuts(self, values: Iterable[Value]) -> pa.Table:
        """The rows of these records, which must not depend on how a log is cut into batches: a log has no cuts.

        Runs them whole, then cut in different ways from the same state, and raises AssertionError with the first
        difference. The order of the rows is free. This rehearsal goes on from the end of the whole.
        """
        batch = list(values)
        cut = [self._copy() for _ in CUTS]
        whole = self.run(batch)
        for other, size in zip(cut, CUTS, strict=True):
            pieces = [other.run(piece) for piece in pieces_of(batch, size)]
            how = f"in batches of {size}"
            check_same(f"rows come {how}", whole.to_pylist(), [row for rows in pieces for row in rows.to_pylist()])
            check_same(f"state is kept {how}", self.state.to_pylist(), other.state.to_pylist())
        return whole

    def _copy(self) -> "Rehearsal":
        other = Rehearsal(self.pipeline)
        other._state, other._end_offset, other._times = self._state.copy(), self._end_offset, self._times
        return other

    def _records(self, values: Sequence[Value], timestamps_ms: Sequence[int]) -> pa.Table:
        key = self.pipeline.source.key
        first = self._end_offset
        columns = [
            pa.array(range(first, first + len(values)), pa.int64()),
            pa.array(timestamps_ms, pa.int64()).cast(pa.timestamp("ms", "UTC")),
            pa.array([key_of(value, key) for value in values], pa.binary()),
            pa.array([bytes_of(value) for value in values], pa.binary()),
        ]
        return pa.table(columns, schema=RECORDS)

    def _lane_run(self, records: pa.Table) -> LaneRun:
        topic, partition = TopicName(self.pipeline.source.name), PartitionId(0)
        ranges = (Range(topic, partition, self._end_offset, self._end_offset + len(records)),)
        plan = LanePlan(Lane((topic,), partition), ranges, 1, 1, StateVersion(), None, times=self._times)
        bundle = Bundle("rehearsal", Writer(MemberId("rehearsal"), GenerationId(1)), (plan,))
        begun = staging.begin_manifest(self._job.layout, bundle, plan, "rehearsal")
        return LaneRun(replace(self._job, fetch=lambda *_: records.to_batches()), plan, LocalFiles(), begun)


def bytes_of(value: Value) -> bytes | None:
    match value:
        case str():
            return value.encode()
        case Mapping():
            return dumps(dict(value)).encode()
        case _:
            return value


def key_of(value: Value, key: str | None) -> bytes | None:
    """As a producer would key the record; a value that is no dict goes without."""
    if key is None or not isinstance(value, Mapping) or value.get(key) is None:
        return None
    return str(value[key]).encode()


def pieces_of(values: Sequence[Value], size: int) -> Iterator[Sequence[Value]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def check_same(what: str, whole: list[dict[str, Any]], cut: list[dict[str, Any]]) -> None:
    one, other = Counter(map(repr, whole)), Counter(map(repr, cut))
    if one != other:
        missing, extra = [next(iter(rows), "none") for rows in (one - other, other - one)]
        raise AssertionError(f"Other {what} than from the whole: {missing} is missing, {extra} is there instead.")
