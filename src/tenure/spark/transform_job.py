"""Runs a `transform`: the lanes of one batch as one DataFrame, all of it committed or nothing.

Tasks fetch and decode the lanes into a DataFrame of the declared columns; Spark does what the user's function asks for,
shuffles included. Which row came from which lane is lost on the way, so all files are staged with the first lane's
manifest (`transform_rows.py`): the lanes are one bundle, which one commit makes true.
"""

import pickle
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.pipeline import staging
from tenure.pipeline.digest import MAIN, BadFunction
from tenure.pipeline.errors import BadRecordFound, Code
from tenure.pipeline.failures import of_a_store
from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane, Range
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, StateFile
from tenure.pipeline.plan import Bundle
from tenure.pipeline.records import BadRecord
from tenure.pipeline.stager import Failed, Result
from tenure.pipeline.task import Job, LaneRun, OnBadRecord, StoreFailed, in_the_store
from tenure.spark.declare import TransformFunction
from tenure.spark.hosts import is_one_host
from tenure.spark.stager import failed, in_a_sentence
from tenure.spark.transform_rows import Rows, StagedByTasks, WrittenBySpark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class Read:
    """What a task says of a lane that it read."""

    ranges: tuple[Range, ...]
    records: int
    bad: list[BadRecord]
    letters: StateFile | None
    stopped_at: BadRecord | None = None


@dataclass(frozen=True, slots=True)
class TransformJob:
    """`stager.Job` of work on DataFrames."""

    spark: "SparkSession"
    job: Job
    columns: pa.Schema
    """Of the job's values."""
    function: TransformFunction
    files: Files
    new_id: Callable[[], str]

    def __call__(self, bundle: Bundle) -> list[Result]:
        layout, files = self.job.layout, self.files
        begun = {plan.lane: staging.begin_manifest(layout, bundle, plan, self.new_id()) for plan in bundle.lanes}
        first = begun[bundle.lanes[0].lane]
        with self.scratch(begun) as scratch:
            try:
                with in_the_store():
                    for manifest in begun.values():
                        staging.prepare(files, layout, manifest)
                rows = self.rows(first, scratch)
                self.write(self.frame(bundle, begun, scratch), rows)
                read = zip(begun.values(), self.reports(begun, scratch), strict=True)
                done = [finished(*parts) for parts in read]
                with in_the_store():
                    done[0] = rows.staged(done[0])
                    return [staging.seal(files, layout, manifest) for manifest in done]
            except Exception as error:
                return given_up(layout, bundle, self.reports(begun, scratch), error)

    def rows(self, begun: Manifest, scratch: str) -> Rows:
        if self.is_one_host:
            return WrittenBySpark(self.job, self.files, scratch)
        return StagedByTasks(self.job, self.files, begun)

    @property
    def is_one_host(self) -> bool:
        return is_one_host(self.spark.sparkContext.master)

    @contextmanager
    def scratch(self, begun: Mapping[Lane, Manifest]) -> Iterator[str]:
        """A directory that every task can write to, for the time of this batch."""
        if self.is_one_host:
            with TemporaryDirectory(prefix="tenure-") as directory:
                yield directory
            return
        directory = self.job.layout.state_directory(next(iter(begun)))  # What is left there after a crash is swept.
        try:
            yield directory
        finally:
            for manifest in begun.values():
                self.files.remove(report_of(manifest, directory))

    def frame(self, bundle: Bundle, begun: Mapping[Lane, Manifest], scratch: str) -> "DataFrame":
        """The batch's rows: one task for as many lanes as there are cores for."""
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

        columns = from_arrow_schema(self.columns)
        arrow = to_arrow_schema(columns, timezone=self.spark.conf.get("spark.sql.session.timeZone"))
        tasks = min(len(bundle.lanes), self.spark.sparkContext.defaultParallelism)
        read = reader(self.job, bundle, begun, self.files, scratch, tasks, arrow)
        return self.spark.range(tasks, numPartitions=tasks).mapInArrow(read, columns)

    def write(self, batch: "DataFrame", written: Rows) -> None:
        from pyspark.errors import AnalysisException
        from pyspark.sql import DataFrame

        try:
            answer = self.function(batch)
        except Exception as error:
            raise BadFunction(f"the function of transform(…) failed: {in_a_sentence(error)}") from error
        frames = answer if isinstance(answer, Mapping) else {MAIN: answer}
        staging.check_declared(frames, self.job.sinks)
        for side, rows in frames.items():
            if not isinstance(rows, DataFrame):
                raise BadFunction(f"the function of transform(…) returned {type(rows).__name__}, not a DataFrame")
            try:
                written.write(side, rows)
            except AnalysisException as error:
                raise BadFunction(f"what transform(…) returned cannot be written: {in_a_sentence(error)}") from error

    def reports(self, begun: Mapping[Lane, Manifest], scratch: str) -> list[Read | None]:
        """What the tasks said of each lane; None where they did not come to it."""
        return [self.report(report_of(manifest, scratch)) for manifest in begun.values()]

    def report(self, path: str) -> Read | None:
        return None if self.files.size(path) is None else pickle.loads(self.files.read(path))


def reader(
    job: Job, bundle: Bundle, begun: Mapping[Lane, Manifest], files: Files, scratch: str, tasks: int, columns: pa.Schema
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What runs in each Python worker: it reads every `tasks`-th lane."""

    def read(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows:
            for number in row["id"].to_pylist():
                for plan in bundle.lanes[number::tasks]:
                    lane = LaneRun(job, plan, files, begun[plan.lane])
                    yield from read_lane(lane, scratch).cast(columns).to_batches()

    return read


def read_lane(lane: LaneRun, scratch: str) -> pa.Table:
    """The lane's rows. Spark may read a lane more than once: it says the same each time."""
    try:
        steps = lane.fetched()
        rows = lane.decoded(steps).table
    except BadRecordFound as found:
        report(lane, Read((), 0, [], None, BadRecord(found.offset, found.reason)), scratch)
        raise
    letters = None
    records = sum(len(step.records) for step in steps)
    with in_the_store():
        if lane.bad and lane.job.on_bad_record is OnBadRecord.DEAD_LETTER:
            letters = lane.written_letters(steps)
        report(lane, Read(lane.begun.ranges, records, lane.bad, letters), scratch)
    return rows


def report(lane: LaneRun, read: Read, scratch: str) -> None:
    lane.files.write(report_of(lane.begun, scratch), pickle.dumps(read))


def report_of(manifest: Manifest, scratch: str) -> str:
    return f"{scratch}/{manifest.id}.read"


def finished(manifest: Manifest, read: Read | None) -> Manifest:
    if read is None:
        return manifest  # Spark found that it needs no row of this lane.
    return replace(
        manifest, ranges=read.ranges, records=read.records, bad_records=len(read.bad), dead_letters=read.letters
    )


def given_up(layout: Layout, bundle: Bundle, reads: Sequence[Read | None], error: Exception) -> list[Result]:
    """All lanes failed, because one did: by its bad record where there is one."""
    for plan, read in zip(bundle.lanes, reads, strict=True):
        if read is not None and read.stopped_at is not None:
            offset, reason, _ = read.stopped_at
            topic = plan.ranges[0].topic
            return [Failed(plan.lane, Code.BAD_RECORD, reason, topic, offset, undecodable=True)]
    if (full := of_the_store(error)) is not None:
        code, reason = of_a_store(full, layout)
        return [Failed(plan.lane, code, reason, trace=traceback.format_exc()) for plan in bundle.lanes]
    code = Code.BAD_FUNCTION if isinstance(error, BadFunction) else Code.LANE_FAILED
    return failed(bundle, error, code)


def of_the_store(error: Exception) -> OSError | None:
    """What output or state failed by. Of what a task raised there are words only."""
    if isinstance(error, StoreFailed):
        return error.error
    kind, _, words = in_a_sentence(error).partition(": ")
    return OSError(words) if kind == f"{StoreFailed.__module__}.{StoreFailed.__name__}" else None
