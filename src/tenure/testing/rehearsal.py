"""Unit tests of a pipeline's function on given records: no Spark, no broker, no files.

A rehearsal runs the code of a Spark task: values are decoded as declared, keys are checked, bad records are handled as
configured, and the function gets its rows with the state from the previous batch. There is only one partition, because
partitions share nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from json import dumps
from typing import Any, Final, TypeAlias

import pyarrow as pa

from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.operators.windows.updates import TIMING
from tenure.pipeline.operators.windows.updating_sessions import MERGED
from tenure.pipeline.output import staging
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.step_states import ROW_ID
from tenure.pipeline.task.range_records import RECORDS
from tenure.pipeline.task.task import LaneAttempt
from tenure.pipeline.values.decoded_records import BadRecord
from tenure.pipeline.values.lane_times import NEVER
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import StateVersion
from tenure.pipeline.values.plan import Bundle, LanePlan
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName
from tenure.spark import Pipeline, PipelineConfigError
from tenure.spark.declarations.inputs import bind_operator
from tenure.spark.declarations.topics import Topic
from tenure.spark.formats.record_values import Raw
from tenure.spark.jobs.job import job_of

Value: TypeAlias = Mapping[str, Any] | bytes | str | tuple[str | bytes, Any] | None
"""A record's value: a dict becomes JSON, None is a tombstone, and a pair is a record's key and its value.

For a `raw()` topic, a dict is a row. It may have the columns `key` (bytes), `value` (bytes) and `timestamp` (datetime).
"""

Values: TypeAlias = Iterable[Value] | Mapping[str, Iterable[Value]]
"""Values of the only topic; with several topics, a dict from topic name to values."""

Timestamps: TypeAlias = Iterable[int] | Mapping[str, Iterable[int]]

CUTS: Final = (1, 2, 7)
"""Batch sizes of `check_cuts`: 1, 2, and a number that is coprime to both."""


class Rehearsal:
    """Run of a pipeline's function on given records, one batch after the other.

        rehearsal = Rehearsal(pipeline)
        rows = rehearsal.run([{"tailnum": "N1", "dest": "BOS"}, {"tailnum": "N1", "dest": "JFK"}])

    For a pipeline of several topics, pass a dict from topic names to records. Raises `BadRecordFound` where the
    pipeline would stop. `bad` contains the records that the pipeline would skip or send to its dead-letter topic.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        if pipeline.transformed is not None:
            raise PipelineConfigError(
                f"The function of {pipeline.name} works on Spark's DataFrames: call it with spark.createDataFrame(…)."
            )
        self.pipeline = pipeline
        self.bad: list[BadRecord] = []
        self.sides: dict[str, pa.Table] = {}
        """Rows that the last batch wrote to each side output."""
        self.records: dict[str, pa.Table] = {}
        """Records that the last batch would write to each topic: key, value and timestamp, as columns."""
        self._job = job_of(pipeline, "")
        work = bind_operator(pipeline)
        self._updates = None if work is None else work.updates
        self._state = KeyedState(self._job.state_schema.empty_table())
        self._times = NEVER
        self._logs = {topic.name: RehearsedLog(topic) for topic in pipeline.topics}

    @property
    def state(self) -> pa.Table:
        """Present state: the key, then the state's columns. With several stateful steps, one struct column per step."""
        rows = self._state.scan()
        return rows.drop_columns([ROW_ID]) if ROW_ID in rows.column_names else rows

    def run(
        self, values: Values, *, timestamps_ms: "Timestamps | None" = None, processing_time: datetime | None = None
    ) -> pa.Table:
        """Process these records as one batch; return the result rows, or a table without columns if there are none.

        The offsets continue after those of the previous batch. Processing-time timers use `processing_time`.
        """
        for topic, batch in self._by_topic(values).items():
            self._logs[topic].append(batch, self._by_topic(timestamps_ms or {}).get(topic))
        return self._run(dict.fromkeys(self._logs, False), processing_time)

    def check_cuts(
        self, values: Values, *, timestamps_ms: "Timestamps | None" = None, processing_time: datetime | None = None
    ) -> pa.Table:
        """Check that the result rows of these records do not depend on how the log is cut into batches.

        Runs the records as one batch, then in batches of other sizes from the same state. Raises AssertionError with
        the first difference. The order of the rows may differ. In update mode only the last row of each window is
        compared. Afterwards the rehearsal has the state after the single batch.
        """
        batches = {topic: list(batch) for topic, batch in self._by_topic(values).items()}
        times = {topic: list(batch) for topic, batch in self._by_topic(timestamps_ms or {}).items()}
        cut = [self._copy() for _ in CUTS]
        whole = self.run(batches, timestamps_ms=times, processing_time=processing_time)
        for other, size in zip(cut, CUTS, strict=True):
            made = list(other._process_in_batches(batches, times, size, processing_time))
            how = f"in batches of {size}"
            check_same(f"rows {how}", self._final(whole.to_pylist()), self._final(rows_of(made, MAIN)))
            for side in sorted({*self.sides, *(name for outputs in made for name in outputs)} - {MAIN}):
                mine = self.sides[side].to_pylist() if side in self.sides else []
                check_same(f"rows for '{side}' {how}", mine, rows_of(made, side))
            check_same(f"state {how}", self.state.to_pylist(), other.state.to_pylist())
        return whole

    def _final(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows that no later row replaces or withdraws."""
        if self._updates is None:
            return rows
        last = {tuple(value_at(row, path) for path in self._updates): row for row in rows}
        return [row for row in last.values() if row.get(TIMING) != MERGED]

    def _process_in_batches(
        self,
        batches: Mapping[str, Sequence[Value]],
        times: Mapping[str, Sequence[int]],
        size: int,
        processing_time: datetime | None,
    ) -> Iterator[dict[str, pa.Table]]:
        """Process the records in batches, each with `size` records of every topic. Yield the results of each batch.

        If the pipeline merges several topics, a record is processed only after each other topic has a later record, or
        has ended.
        """
        longest = max(map(len, batches.values()), default=0)
        for start in range(0, longest, size):
            for topic, batch in batches.items():
                stamps = times[topic][start : start + size] if topic in times else None
                self._logs[topic].append(batch[start : start + size], stamps)
            rows = self._run(
                {topic: start + size < len(batches.get(topic, ())) for topic in self._logs}, processing_time
            )
            yield {MAIN: rows, **self.sides}

    def _run(self, has_more: Mapping[str, bool], processing_time: datetime | None) -> pa.Table:
        run = self._lane_run(has_more, processing_time)
        steps = run.fetch_slices()
        rows = run.decode(steps)
        state = run.keyed_state(self._state.layers)
        run.process(rows, state)
        self.sides = run.outputs()
        self.records = dict(run.records_for_topics(self.sides))
        self._state = KeyedState(state.layers.scan())
        self._times = run.begun.times
        for step in steps:
            self._logs[step.range.topic].taken_to(step.range.end_offset)
        self.bad += run.bad
        return self.sides.pop(MAIN, pa.table({}))

    def _copy(self) -> "Rehearsal":
        other = Rehearsal(self.pipeline)
        other._state, other._times = self._state.copy(), self._times
        other._logs = {topic: log.copy() for topic, log in self._logs.items()}
        return other

    def _by_topic(self, values: Any) -> "dict[str, Iterable[Any]]":
        if isinstance(values, Mapping):
            if unknown := [topic for topic in values if topic not in self._logs]:
                raise PipelineConfigError(f"Pipeline {self.pipeline.name} does not read the topic '{unknown[0]}'.")
            return dict(values)
        if len(self._logs) > 1:
            topics = " and ".join(self._logs)
            raise PipelineConfigError(f"Pipeline {self.pipeline.name} reads {topics}: give the records by topic.")
        return {next(iter(self._logs)): values}

    def _lane_run(self, has_more: Mapping[str, bool], processing_time: datetime | None) -> LaneAttempt:
        names, partition = tuple(TopicName(topic) for topic in self._logs), PartitionId(0)
        logs = self._logs
        ranges = tuple(Range(name, partition, logs[name].first, logs[name].end) for name in names)
        now_ms = 0 if processing_time is None else int(processing_time.timestamp() * 1000)
        plan = LanePlan(
            Lane(names, partition), ranges, 1, 1, StateVersion(), None,
            has_more=tuple(has_more[name] for name in names), times=self._times, now_ms=now_ms,
        )  # fmt: skip
        bundle = Bundle("rehearsal", Writer(MemberId("rehearsal"), GenerationId(1)), (plan,))
        begun = staging.begin_manifest(self._job.layout, bundle, plan, "rehearsal")
        job = replace(self._job, fetch=lambda topic, *_: logs[topic].records().to_batches())
        return LaneAttempt(job, plan, LocalFiles(), begun)


class RehearsedLog:
    """Records of a topic that are not processed yet."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.first = 0
        self.values: list[Value] = []
        self.timestamps_ms: list[int] = []

    @property
    def end(self) -> int:
        return self.first + len(self.values)

    def append(self, values: Iterable[Value], timestamps_ms: Iterable[int] | None) -> None:
        batch = list(values)
        times = [0] * len(batch) if timestamps_ms is None else list(timestamps_ms)
        if isinstance(self.topic.value, Raw):
            for number, row in enumerate(batch):
                if isinstance(row, Mapping):
                    batch[number] = raw_record(row, self.topic.name)
                    times[number] = int(row["timestamp"].timestamp() * 1000) if "timestamp" in row else times[number]
        self.values += batch
        self.timestamps_ms += times

    def taken_to(self, offset: int) -> None:
        count = offset - self.first
        self.first, self.values, self.timestamps_ms = offset, self.values[count:], self.timestamps_ms[count:]

    def copy(self) -> "RehearsedLog":
        other = RehearsedLog(self.topic)
        other.first, other.values, other.timestamps_ms = self.first, [*self.values], [*self.timestamps_ms]
        return other

    def records(self) -> pa.Table:
        columns = [
            pa.array(range(self.first, self.end), pa.int64()),
            pa.array(self.timestamps_ms, pa.int64()).cast(pa.timestamp("ms", "UTC")),
            pa.array([key_of(value, self.topic.key) for value in self.values], pa.binary()),
            pa.array([bytes_of(value) for value in self.values], pa.binary()),
        ]
        return pa.table(columns, schema=RECORDS)


def rows_of(made: Iterable[Mapping[str, pa.Table]], output: str) -> list[dict[str, Any]]:
    return [row for outputs in made if output in outputs for row in outputs[output].to_pylist()]


def value_at(row: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the value of a column, or of a field of a struct column."""
    value: Any = row
    for name in path:
        value = value[name]
    return value


def raw_record(row: Mapping[str, Any], topic: str) -> tuple[Any, Any]:
    """Return key and value of a row of a `raw()` topic. Raises PipelineConfigError for other columns."""
    if unknown := [name for name in row if name not in ("key", "value", "timestamp")]:
        raise PipelineConfigError(
            f"A row for the topic '{topic}' has the column '{unknown[0]}': use key, value and timestamp."
        )
    return row.get("key"), row.get("value")


def bytes_of(value: Value) -> bytes | None:
    match value:
        case (_, of_pair):
            return bytes_of(of_pair)
        case str():
            return value.encode()
        case Mapping():
            return dumps(dict(value)).encode()
        case _:
            return value


def key_of(value: Value, key: str | None) -> bytes | None:
    """Return the key bytes that a producer would set, from a pair or a dict; None for other values.

    The key of a pair is its first element. The key of a dict is the value of its field `key`, as text.
    """
    if isinstance(value, tuple):
        return value[0].encode() if isinstance(value[0], str) else value[0]
    if key is None or not isinstance(value, Mapping) or value.get(key) is None:
        return None
    return str(value[key]).encode()


def check_same(result: str, whole: list[dict[str, Any]], cut: list[dict[str, Any]]) -> None:
    one, other = Counter(map(repr, whole)), Counter(map(repr, cut))
    if one != other:
        missing, extra = [next(iter(rows), "none") for rows in (one - other, other - one)]
        raise AssertionError(f"Not the result of one batch ({result}): missing {missing}, unexpected {extra}.")
