"""Task that stages a bundle in a worker: fetch, decode, run the user's function with the lane's state, write, seal.

Staged files have no effect until a commit names them. Therefore a task may run twice, be killed at any point, or end
long after its driver: each attempt writes files with a new id, and at worst leaves some of them behind.
"""

import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import perf_counter

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import BAD_RECORDS_PER_BATCH_MAX, LANE_PIECE_BYTES
from tenure.pipeline.errors import BadFunction, BadRecordFound, Code, PipelineStopped, describe_error, module_missing
from tenure.pipeline.failures import storage_failure
from tenure.pipeline.operators.rows import (
    Rows,
    TopicRows,
    TopicSlice,
    idle_times,
    merge_slices,
    mergeable_slices,
    watermark_before_us,
)
from tenure.pipeline.operators.timers import first_processing_timer_us
from tenure.pipeline.operators.user_function import FunctionResult, run_function
from tenure.pipeline.output import staging
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.transactions import Records
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.state.layers import Layers
from tenure.pipeline.state.state_files import encode_table
from tenure.pipeline.task.job import Job, OnBadRecord
from tenure.pipeline.task.key_check import check_keys
from tenure.pipeline.task.range_records import RECORDS, RangePart, pieces
from tenure.pipeline.values.decoded_records import BadRecord
from tenure.pipeline.values.lanes import Range
from tenure.pipeline.values.manifest import Manifest, StateFile, TransactionHandle
from tenure.pipeline.values.plan import Bundle, LanePlan
from tenure.pipeline.values.stager import Failed, Result, Staged


def run_bundle(job: Job, bundle: Bundle, files: Files, new_id: Callable[[], str]) -> list[Result]:
    """Stage all lanes of a bundle; return one result for each lane. A failed lane does not affect the others."""
    return [_run_lane(job, bundle, plan, files, new_id()) for plan in bundle.lanes]


def _run_lane(job: Job, bundle: Bundle, plan: LanePlan, files: Files, manifest_id: str) -> Result:
    begun = staging.begin_manifest(job.layout, bundle, plan, manifest_id)
    try:
        return LaneAttempt(job, plan, files, begun).stage()
    except BadRecordFound as found:
        return Failed(plan.lane, found.code, found.reason, found.topic, found.offset, found.undecodable)
    except PipelineStopped as stopped:
        return Failed(plan.lane, stopped.code, stopped.sentence)
    except BadFunction as error:
        return Failed(plan.lane, Code.BAD_FUNCTION, str(error))
    except ModuleNotFoundError as error:
        return Failed(plan.lane, Code.MODULE_MISSING, module_missing(error.name or str(error)))
    except StoreFailed as failed:
        return Failed(plan.lane, *storage_failure(failed.error, job.layout), trace=traceback.format_exc())
    except Exception as error:
        return Failed(plan.lane, Code.LANE_FAILED, describe_error(error), trace=traceback.format_exc())


class StoreFailed(Exception):
    """A store of output or state cannot be read or written at the moment."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        self.error = error


@contextmanager
def store_errors() -> Iterator[None]:
    """Convert errors of disks and stores in a `with` block, except connection errors, to StoreFailed."""
    try:
        yield
    except (ConnectionError, TimeoutError):
        raise
    except OSError as error:
        raise StoreFailed(error) from error


class LaneAttempt:
    """One attempt to stage one lane of a bundle."""

    def __init__(self, job: Job, plan: LanePlan, files: Files, begun: Manifest) -> None:
        self.job = job
        self.plan = plan
        self.files = files
        self.begun = begun
        self.times = plan.times
        """Watermarks of the lane after the records that were decoded so far."""
        self.records = 0
        self.result = FunctionResult()
        self.bad: list[BadRecord] = []
        self.letters: list[pa.Table] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def stage(self) -> Staged:
        state, record_bytes = None, 0
        for slices in self.fetch_in_pieces():
            times = self.times
            with self.timed("decode"):
                rows = self.decode(slices)
            if state is None:
                with self.timed("load"), store_errors():
                    state = self.load_state()
            else:
                state.watermark_us = watermark_before_us(self.topics, times)
            with self.timed("process"):
                self.process(rows, state)
            self.keep_letters(slices)
            record_bytes += sum(part.records.get_total_buffer_size() for part in slices)
        assert state is not None  # There is at least one piece, which may be empty.
        with self.timed("process"):
            outputs = self.outputs()
        with self.timed("write"), store_errors():
            staged = self.write(outputs, state)
        return replace(staged, seconds=dict(self.seconds), record_bytes=record_bytes)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.seconds[step] += perf_counter() - started

    @property
    def topics(self) -> list[TopicRows]:
        return [self.job.topic(part.topic) for part in self.plan.ranges]

    def fetch_in_pieces(self) -> Iterator[list[TopicSlice]]:
        """Yield the records of the batch, as slices by topic.

        Records of a single topic are fetched and yielded in pieces. Records of several topics are all yielded together,
        because they have to be merged.
        """
        if len(self.plan.ranges) > 1:
            with self.timed("fetch"):
                slices = self.fetch_slices()
            yield slices
            return
        (planned,), (has_more, *_) = self.plan.ranges, self.plan.has_more or (False,)
        found = pieces(self.job.fetch, planned, self.plan.max_bytes, LANE_PIECE_BYTES)
        while True:
            with self.timed("fetch"):
                piece = next(found, None)
            if piece is None:
                return
            end = piece.range.end_offset
            self.begun = replace(self.begun, ranges=(replace(planned, end_offset=end),))
            more = has_more or end != planned.end_offset
            yield mergeable_slices([piece.table], [piece.range], [more], self.times)

    def fetch_slices(self) -> list[TopicSlice]:
        """Fetch the records of a batch of several topics, and return those that can be merged, by topic.

        Sets the manifest's ranges to the returned records.
        """
        planned = self.plan.ranges
        found = [self.fetch(part) for part in planned]
        ranges = [piece.range for piece in found]
        lefts = zip(self.plan.has_more or (False,) * len(planned), planned, ranges, strict=True)
        has_more = [has_more or part != whole for has_more, whole, part in lefts]
        slices = mergeable_slices([piece.table for piece in found], ranges, has_more, self.plan.times)
        self.begun = replace(self.begun, ranges=tuple(part.range for part in slices))
        return slices

    def fetch(self, planned: Range) -> RangePart:
        max_bytes = self.plan.max_bytes
        share = None if max_bytes is None else max_bytes // len(self.plan.ranges)
        (piece,) = pieces(self.job.fetch, planned, share)
        return piece

    def decode(self, slices: Sequence[TopicSlice]) -> Rows:
        topics = self.topics
        rows, bad, self.times = merge_slices(slices, topics, self.job.key_column, self.times)
        self.records += sum(len(part.records) for part in slices)
        times = idle_times(topics, self.plan.times, self.times, self.records, self.plan.now_ms)
        self.begun = replace(self.begun, times=times)
        self.add_bad_records(bad, undecodable=True)
        if self.job.key_column is not None:
            check_keys(rows, self.job.key_column, self.plan, self.job.key_partitions)
        return rows

    def load_state(self) -> KeyedState:
        """Load the state before the batch."""
        return self.keyed_state(self.lane_state.open(self.plan.state))

    def keyed_state(self, before: Layers) -> KeyedState:
        """Return the state with which the batch is processed, with the watermark from before the batch.

        If the batch has no records, the state has the watermark after the batch, which the clock may have advanced
        (`idle_times`).
        """
        state = KeyedState(before, now_ms=self.plan.now_ms)
        times = self.plan.times if any(map(len, self.begun.ranges)) else self.begun.times
        state.watermark_us = watermark_before_us(self.topics, times)
        return state

    @property
    def lane_state(self) -> LaneState:
        return self.job.lane_state(self.files, self.plan.lane)

    def process(self, rows: Rows, state: KeyedState) -> None:
        """Run the user's function over rows of the batch, and add its results to those of earlier rows."""
        stop_at = 1 if self.job.on_bad_record is OnBadRecord.STOP else BAD_RECORDS_PER_BATCH_MAX
        known = len(self.result.bad)
        run_function(self.job.function, rows.table, rows.bad, state, self.result, bad_records_max=stop_at)
        self.add_bad_records(self.result.bad[known:], undecodable=False)

    def outputs(self) -> dict[str, pa.Table]:
        """Return the rows of each output. An output without rows is left out."""
        outputs = self.result.tables()
        staging.check_declared(outputs, {**self.job.sinks, **self.job.to_topics})
        return outputs

    def records_for_topics(self, outputs: Mapping[str, pa.Table]) -> list[Records]:
        """Return the records of outputs that are topics. Raises BadFunction if rows do not match the declaration."""
        topics = self.job.to_topics
        return [(topics[side].topic, topics[side].encode(rows)) for side, rows in outputs.items() if side in topics]

    def write_to_topics(self, records: Sequence[Records]) -> TransactionHandle | None:
        """Write the records in the lane's transaction; return the transaction, or None if there are no records.

        `Job.write` is called even if there are no records. In a second attempt of this task it raises an error: the
        first attempt may have written rows into the transaction, and the lane's next commit would commit these rows.
        A transaction without records stays open, and the next batch of the lane uses it.
        """
        transaction = self.plan.transaction
        if transaction is None:
            assert not records
            return None
        assert self.job.write is not None
        rows = self.job.write(transaction, records)
        return replace(transaction, rows=rows) if records else None

    def add_bad_records(self, bad: Sequence[BadRecord], *, undecodable: bool) -> None:
        self.bad += bad
        if bad and self.job.on_bad_record is OnBadRecord.STOP:
            first = min(bad)
            raise BadRecordFound(self.plan.lane, first.topic, first.offset, first.reason, undecodable=undecodable)

    def write(self, outputs: Mapping[str, pa.Table], state: KeyedState) -> Staged:
        files, layout, begun = self.files, self.job.layout, self.begun
        staging.prepare(files, layout, begun)
        manifest = replace(begun, records=self.records, bad_records=len(self.bad))
        records = self.records_for_topics(outputs)
        for side, rows in outputs.items():
            if side in self.job.sinks:
                manifest = staging.stage_rows(files, layout, manifest, side, self.job.sinks[side], rows)
        manifest = replace(manifest, transaction=self.write_to_topics(records))
        if self.letters:
            manifest = replace(manifest, dead_letters=self.write_letters())
        if self.job.state is None:
            return staging.seal(files, layout, manifest)
        return self.seal_with_state(manifest, state)

    def seal_with_state(self, manifest: Manifest, state: KeyedState) -> Staged:
        lane_state, in_background = self.lane_state, self.job.in_background
        # The time is rounded up to ms, so that the lane does not wake before its timer is due.
        if (timer_us := first_processing_timer_us(state)) is not None:
            manifest = replace(manifest, times=replace(manifest.times, wake_ms=-(-timer_us // 1000)))
        after = lane_state.stage(self.begun, state, snapshots=in_background is not None)
        if after.rows == 0:  # Without state, no window, timer or row of a join waits for the watermark.
            manifest = replace(manifest, times=replace(manifest.times, idle_at_ms=None))
        staged = staging.seal(self.files, self.job.layout, replace(manifest, state=after))
        lane_state.forget_copies(self.begun.state, after)
        if in_background is not None and after.awaits == manifest.id:
            in_background(partial(lane_state.write_snapshot, staged.manifest))
        return staged

    def keep_letters(self, slices: Sequence[TopicSlice]) -> None:
        """Keep the bad records of these slices if they go to the dead-letter topic."""
        if self.bad and self.job.on_bad_record is OnBadRecord.DEAD_LETTER:
            self.letters += [self.letters_of(part.range.topic, part.records) for part in slices]

    def write_letters(self) -> StateFile:
        letters = pa.concat_tables(self.letters)
        data = memoryview(encode_table(letters))
        return staging.stage_beside_state(self.files, self.job.layout, self.begun, "letters", data, len(letters))

    def letters_of(self, topic: str, records: pa.Table) -> pa.Table:
        reasons = {record.offset: record.reason for record in self.bad if record.topic == topic}
        bad = pa.array(list(reasons), pa.int64())
        letters = records.select(RECORDS.names).cast(RECORDS).filter(pc.is_in(records["offset"], value_set=bad))
        why = pa.array([reasons[offset] for offset in letters["offset"].to_pylist()], pa.string())
        letters = letters.append_column("reason", why)
        return letters.append_column("topic", pa.repeat(pa.scalar(topic, pa.string()), len(letters)))
