"""Runs a `transform`: the lanes of one batch as one DataFrame, all of it committed or nothing.

Tasks fetch and decode the lanes into a DataFrame of the declared columns; Spark does what the user's function asks for,
shuffles included, and writes Parquet into a scratch directory of this host. Which row came from which lane is lost on
the way, so all files are staged with the first lane's manifest: the lanes are one bundle, which one commit makes true.
"""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline import staging
from tenure.pipeline.digest import MAIN, BadFunction
from tenure.pipeline.errors import BadRecordFound, Code
from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane
from tenure.pipeline.manifest import Manifest, StateFile
from tenure.pipeline.plan import Bundle
from tenure.pipeline.records import BadRecord
from tenure.pipeline.stager import Failed, Result
from tenure.pipeline.task import Job, LaneRun, OnBadRecord
from tenure.spark.declare import TransformFunction
from tenure.spark.stager import failed, in_a_sentence

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class Read:
    """What a task says of a lane that it read."""

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
        layout = self.job.layout
        begun = {plan.lane: staging.begin_manifest(layout, bundle, plan, self.new_id()) for plan in bundle.lanes}
        with TemporaryDirectory(prefix="tenure-") as scratch:
            try:
                self.write_rows(self.frame(bundle, begun, scratch), scratch)
                for manifest in begun.values():
                    staging.prepare(self.files, layout, manifest)
                first = bundle.lanes[0].lane
                begun[first] = self.with_outputs(begun[first], scratch)
            except Exception as error:
                return given_up(bundle, reports(begun, scratch), error)
            read = zip(begun.values(), reports(begun, scratch), strict=True)
            return [staging.seal(self.files, layout, finished(*parts)) for parts in read]

    def frame(self, bundle: Bundle, begun: Mapping[Lane, Manifest], scratch: str) -> "DataFrame":
        """The batch's rows: one task for as many lanes as there are cores for."""
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

        columns = from_arrow_schema(self.columns)
        arrow = to_arrow_schema(columns, timezone=self.spark.conf.get("spark.sql.session.timeZone"))
        tasks = min(len(bundle.lanes), self.spark.sparkContext.defaultParallelism)
        read = reader(self.job, bundle, begun, self.files, scratch, tasks, arrow)
        return self.spark.range(tasks, numPartitions=tasks).mapInArrow(read, columns)

    def write_rows(self, batch: "DataFrame", scratch: str) -> None:
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
            compression = self.job.sinks[side].compression
            try:
                rows.write.parquet(f"{scratch}/rows-{side}", compression=compression)
            except AnalysisException as error:
                raise BadFunction(f"what transform(…) returned cannot be written: {in_a_sentence(error)}") from error

    def with_outputs(self, manifest: Manifest, scratch: str) -> Manifest:
        """What Spark wrote is taken as it is, unless the sink needs it otherwise."""
        for side, sink in self.job.sinks.items():
            for path in sorted(Path(scratch, f"rows-{side}").glob("part-*")):
                rows = pyarrow.parquet.read_metadata(path).num_rows
                if rows and sink.takes_any_file:
                    manifest = staging.stage_output(
                        self.files, self.job.layout, manifest, path.read_bytes(), rows, side
                    )
                elif rows:
                    table = pyarrow.parquet.read_table(path)
                    manifest = staging.stage_rows(self.files, self.job.layout, manifest, side, sink, table)
        return manifest


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
        report(lane, Read(0, [], None, BadRecord(found.offset, found.reason)), scratch)
        raise
    letters = None
    if lane.bad and lane.job.on_bad_record is OnBadRecord.DEAD_LETTER:
        staging.prepare(lane.files, lane.job.layout, lane.begun)
        letters = lane.written_letters(steps)
    report(lane, Read(sum(len(step.records) for step in steps), lane.bad, letters), scratch)
    return rows


def report(lane: LaneRun, read: Read, scratch: str) -> None:
    path = Path(scratch, f"{lane.begun.id}.read")
    draft = path.with_suffix(".draft")
    draft.write_bytes(pickle.dumps(read))
    draft.replace(path)


def reports(begun: Mapping[Lane, Manifest], scratch: str) -> list[Read | None]:
    """What the tasks said of each lane; None where they did not come to it."""
    paths = [Path(scratch, f"{manifest.id}.read") for manifest in begun.values()]
    return [pickle.loads(path.read_bytes()) if path.exists() else None for path in paths]


def finished(manifest: Manifest, read: Read | None) -> Manifest:
    read = read or Read(0, [], None)  # Spark found that it needs no row of this lane.
    return replace(
        manifest,
        records=read.records,
        bad_records=len(read.bad),
        dead_letters=read.letters,
    )


def given_up(bundle: Bundle, reads: Sequence[Read | None], error: Exception) -> list[Result]:
    """All lanes failed, because one did: by its bad record where there is one."""
    for plan, read in zip(bundle.lanes, reads, strict=True):
        if read is not None and read.stopped_at is not None:
            offset, reason, _ = read.stopped_at
            topic = plan.ranges[0].topic
            return [Failed(plan.lane, Code.BAD_RECORD, reason, topic, offset, undecodable=True)]
    code = Code.BAD_FUNCTION if isinstance(error, BadFunction) else Code.LANE_FAILED
    return failed(bundle, error, code)
