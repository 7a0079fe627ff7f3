"""Stage: what a worker does with a bundle. Fetch, decode, the user's function with the lane's state, write, seal.

Nothing that is staged matters to anybody until a commit names it. Therefore a task may be run twice, be killed
anywhere, or finish long after its driver is gone: each attempt writes under a new id and leaves orphans at worst.
"""

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from time import perf_counter
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits import BAD_RECORDS_PER_RUN_MAX
from tenure.pipeline import staging
from tenure.pipeline.digest import MAIN, BadFunction, Function, digest_rows, in_words
from tenure.pipeline.errors import BadRecordFound, Code, PipelineStopped
from tenure.pipeline.failures import of_a_store
from tenure.pipeline.files import Files
from tenure.pipeline.keys import check_keys
from tenure.pipeline.lane_state import InBackground, LaneState, Migrate
from tenure.pipeline.lanes import Range
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, StateFile
from tenure.pipeline.plan import Bundle, LanePlan
from tenure.pipeline.records import BadRecord, Fetch, KeyPartitions, Values
from tenure.pipeline.rows import Rows, Step, TopicRows, in_step, merged
from tenure.pipeline.sinks import ParquetFiles
from tenure.pipeline.stager import Failed, Result, Staged
from tenure.pipeline.state import KeyedState
from tenure.pipeline.state_cache import StateCache
from tenure.pipeline.state_files import encode_table
from tenure.pipeline.taken import taken
from tenure.pipeline.timers import first_processing_timer_us
from tenure.pipeline.transactions import Records, TopicRecords, Write

RECORDS: Final = pa.schema(
    [("offset", pa.int64()), ("timestamp", pa.timestamp("ms", "UTC")), ("key", pa.binary()), ("value", pa.binary())]
)


class OnBadRecord(Enum):
    STOP = "stop"
    SKIP = "skip"
    DEAD_LETTER = "dead-letter"


@dataclass(frozen=True, slots=True)
class Job:
    """What all runs of one pipeline have in common. Picklable when the functions in it are."""

    layout: Layout
    values: Values
    function: Function
    fetch: Fetch
    state: pa.Schema | None = None
    """What it is kept by first (`state.state_schema`); None for work without state."""
    key: str | None = None
    """The column of the rows that the state belongs to; the first of the state, where nothing is said."""
    topics: Mapping[str, TopicRows] = field(default_factory=dict)
    """How the records of each topic become rows; by `values` alone, where nothing is said."""
    key_partitions: KeyPartitions | None = None
    """Given, every key of stateful work is checked to belong to its lane."""
    on_bad_record: OnBadRecord = OnBadRecord.STOP
    sinks: Mapping[str, ParquetFiles] = field(default_factory=lambda: {MAIN: ParquetFiles()})
    """How the rows of each output become files, by its name."""
    to_topics: Mapping[str, TopicRecords] = field(default_factory=dict)
    """Outputs that are topics, by their names: none of `sinks`."""
    write: Write | None = None
    """Needed for `to_topics`."""
    state_version: int = 1
    """Of the state's declaration."""
    migrate: Migrate | None = None
    """Makes a state of this version from one of an earlier version."""
    cache: StateCache | None = None
    in_background: InBackground | None = None
    """Has snapshots of the state written; without it a run writes them itself."""

    @property
    def key_column(self) -> str | None:
        return self.key if self.state is None or self.key is not None else str(self.state.names[0])

    def topic(self, name: str) -> TopicRows:
        return self.topics.get(name) or TopicRows(self.values)

    @property
    def state_schema(self) -> pa.Schema:
        return NO_STATE if self.state is None else self.state


NO_STATE: Final = pa.schema([("key", pa.string())])


def run_bundle(job: Job, bundle: Bundle, files: Files, new_id: Callable[[], str]) -> list[Result]:
    """One result per lane. Lanes have nothing to do with one another, so one that fails leaves the others whole."""
    return [_run_lane(job, bundle, plan, files, new_id()) for plan in bundle.lanes]


def _run_lane(job: Job, bundle: Bundle, plan: LanePlan, files: Files, manifest_id: str) -> Result:
    begun = staging.begin_manifest(job.layout, bundle, plan, manifest_id)
    try:
        return LaneRun(job, plan, files, begun).stage()
    except BadRecordFound as found:
        return Failed(plan.lane, found.code, found.reason, found.topic, found.offset, found.undecodable)
    except PipelineStopped as stopped:
        return Failed(plan.lane, stopped.code, stopped.sentence)
    except BadFunction as error:
        return Failed(plan.lane, Code.BAD_FUNCTION, str(error))
    except StoreFailed as failed:
        return Failed(plan.lane, *of_a_store(failed.error, job.layout), trace=traceback.format_exc())
    except Exception as error:
        return Failed(plan.lane, Code.LANE_FAILED, in_words(error), trace=traceback.format_exc())


class StoreFailed(Exception):
    """Output and state cannot be read or written just now."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        self.error = error


@contextmanager
def in_the_store() -> Iterator[None]:
    """Raises StoreFailed. What a connection is cut off with is no disk's."""
    try:
        yield
    except (ConnectionError, TimeoutError):
        raise
    except OSError as error:
        raise StoreFailed(error) from error


class LaneRun:
    """One attempt at one lane's share of a bundle."""

    def __init__(self, job: Job, plan: LanePlan, files: Files, begun: Manifest) -> None:
        self.job = job
        self.plan = plan
        self.files = files
        self.begun = begun
        self.bad: list[BadRecord] = []
        self.seconds: dict[str, float] = {}

    def stage(self) -> Staged:
        with self.timed("fetch"):
            steps = self.fetched()
        with self.timed("decode"):
            rows = self.decoded(steps)
        with self.timed("load"), in_the_store():
            state = self.loaded()
        with self.timed("process"):
            outputs = self.processed(rows, state)
        with self.timed("write"), in_the_store():
            staged = self.written(steps, outputs, state)
        record_bytes = sum(step.records.get_total_buffer_size() for step in steps)
        return replace(staged, seconds=self.seconds, record_bytes=record_bytes)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.seconds[step] = perf_counter() - started

    def fetched(self) -> list[Step]:
        """The records that the run takes of each topic."""
        planned = self.plan.ranges
        records, ranges = zip(*map(self.fetch, planned), strict=True)
        lefts = zip(self.plan.goes_on or (False,) * len(planned), planned, ranges, strict=True)
        goes_on = [goes_on or part != whole for goes_on, whole, part in lefts]
        steps = in_step(records, ranges, goes_on, self.plan.times)
        self.begun = replace(self.begun, ranges=tuple(step.range for step in steps))
        return steps

    def fetch(self, part: Range) -> tuple[pa.Table, Range]:
        max_bytes = self.plan.max_bytes
        share = None if max_bytes is None else max_bytes // len(self.plan.ranges)
        batches, part = taken(self.job.fetch, part, share)
        return pa.Table.from_batches(batches) if batches else RECORDS.empty_table(), part

    def decoded(self, steps: Sequence[Step]) -> Rows:
        topics = [self.job.topic(step.range.topic) for step in steps]
        rows, bad, times = merged(steps, topics, self.job.key_column, self.plan.times)
        self.begun = replace(self.begun, times=times)
        self.note_bad(bad, undecodable=True)
        if self.job.key_column is not None:
            check_keys(rows, self.job.key_column, self.plan, self.job.key_partitions)
        return rows

    def loaded(self) -> KeyedState:
        """The state that the plan starts from."""
        return KeyedState(self.lane_state.open(self.plan.state), now_ms=self.plan.now_ms)

    @property
    def lane_state(self) -> LaneState:
        return LaneState(
            self.files,
            self.job.layout,
            self.plan.lane,
            self.job.state_schema,
            version=self.job.state_version,
            migrate=self.job.migrate,
            cache=self.job.cache,
        )

    def processed(self, rows: Rows, state: KeyedState) -> dict[str, pa.Table]:
        """The rows of each output that has any."""
        stop_at = 1 if self.job.on_bad_record is OnBadRecord.STOP else BAD_RECORDS_PER_RUN_MAX
        digested = digest_rows(self.job.function, rows.table, rows.bad, state, bad_records_max=stop_at)
        self.note_bad(digested.bad, undecodable=False)
        outputs = digested.tables()
        staging.check_declared(outputs, {**self.job.sinks, **self.job.to_topics})
        return outputs

    def records_for_topics(self, outputs: Mapping[str, pa.Table]) -> list[Records]:
        """Of the outputs that are topics. Raises BadFunction for rows that are not what a topic is declared to hold."""
        topics = self.job.to_topics
        return [(topics[side].topic, topics[side].encode(rows)) for side, rows in outputs.items() if side in topics]

    def note_bad(self, bad: Sequence[BadRecord], *, undecodable: bool) -> None:
        self.bad += bad
        if bad and self.job.on_bad_record is OnBadRecord.STOP:
            first = min(bad)
            raise BadRecordFound(self.plan.lane, first.topic, first.offset, first.reason, undecodable=undecodable)

    def written(self, steps: Sequence[Step], outputs: Mapping[str, pa.Table], state: KeyedState) -> Staged:
        files, layout, begun = self.files, self.job.layout, self.begun
        staging.prepare(files, layout, begun)
        manifest = replace(begun, records=sum(len(step.records) for step in steps), bad_records=len(self.bad))
        records = self.records_for_topics(outputs)
        for side, rows in outputs.items():
            if side in self.job.sinks:
                manifest = staging.stage_rows(files, layout, manifest, side, self.job.sinks[side], rows)
        if records:
            assert self.job.write is not None
            assert self.plan.transaction is not None
            rows = self.job.write(self.plan.transaction, records)
            manifest = replace(manifest, transaction=replace(self.plan.transaction, rows=rows))
        if self.bad and self.job.on_bad_record is OnBadRecord.DEAD_LETTER:
            manifest = replace(manifest, dead_letters=self.written_letters(steps))
        if self.job.state is None:
            return staging.seal(files, layout, manifest)
        return self.sealed_with_state(manifest, state)

    def sealed_with_state(self, manifest: Manifest, state: KeyedState) -> Staged:
        lane_state, in_background = self.lane_state, self.job.in_background
        if (timer_us := first_processing_timer_us(state)) is not None:  # Rounded up: it is not due a moment too early.
            manifest = replace(manifest, times=replace(manifest.times, wake_ms=-(-timer_us // 1000)))
        after = lane_state.stage(self.begun, state, snapshots=in_background is not None)
        staged = staging.seal(self.files, self.job.layout, replace(manifest, state=after))
        lane_state.forget_copies(self.begun.state, after)
        if in_background is not None and after.awaits == manifest.id:
            in_background(partial(lane_state.write_snapshot, staged.manifest))
        return staged

    def written_letters(self, steps: Sequence[Step]) -> StateFile:
        letters = pa.concat_tables([self.letters_of(step.range.topic, step.records) for step in steps])
        data = memoryview(encode_table(letters))
        return staging.stage_beside_state(self.files, self.job.layout, self.begun, "letters", data, len(letters))

    def letters_of(self, topic: str, records: pa.Table) -> pa.Table:
        reasons = {record.offset: record.reason for record in self.bad if record.topic == topic}
        bad = pa.array(list(reasons), pa.int64())
        letters = records.select(RECORDS.names).cast(RECORDS).filter(pc.is_in(records["offset"], value_set=bad))
        why = pa.array([reasons[offset] for offset in letters["offset"].to_pylist()], pa.string())
        letters = letters.append_column("reason", why)
        return letters.append_column("topic", pa.repeat(pa.scalar(topic, pa.string()), len(letters)))
