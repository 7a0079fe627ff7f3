"""Job of a `transform`: all lanes of a batch as one DataFrame, committed together or not at all.

Tasks fetch and decode the lanes into a DataFrame with the declared columns. Spark executes the user's function,
including shuffles. After that it is unknown which row came from which lane, so the first lane's manifest lists all
files (`transform_rows.py`). All lanes are in one bundle, with one commit.
"""

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.pipeline.errors import BadFunction, BadRecordFound, Code
from tenure.pipeline.failures import storage_failure
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.output import staging
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import LaneAttempt, StoreFailed, store_errors
from tenure.pipeline.user_errors import raised_at
from tenure.pipeline.values.decoded_records import BadRecord
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import Failed, Result
from tenure.spark.declarations.processing import TransformFunction
from tenure.spark.jobs.hosts import is_one_host
from tenure.spark.jobs.lane_reports import BadReport, LaneReport, LaneReports, report_path
from tenure.spark.jobs.stager import error_summary, fail_all_lanes
from tenure.spark.jobs.transform_rows import SparkWrittenRows, StagedRows, TaskStagedRows
from tenure.spark.spark_versions import arrow_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class TransformJob:
    """Function that stages a bundle of a pipeline with `transform`. The driver calls it, and it starts Spark jobs."""

    spark: "SparkSession"
    job: Job
    columns: pa.Schema
    """Columns of the decoded values."""
    function: TransformFunction
    files: Files
    new_id: Callable[[], str]

    def __call__(self, bundle: Bundle) -> list[Result]:
        layout, files = self.job.layout, self.files
        manifests = {plan.lane: staging.begin_manifest(layout, bundle, plan, self.new_id()) for plan in bundle.lanes}
        first = manifests[bundle.lanes[0].lane]
        with self.scratch(manifests) as scratch:
            reports = LaneReports(files, scratch)
            try:
                with store_errors():
                    for manifest in manifests.values():
                        staging.prepare(files, layout, manifest)
                rows = self.rows(first, scratch)
                self.write(self.frame(bundle, manifests, reports), rows)
                done = [complete_manifest(manifest, reports.read(manifest)) for manifest in manifests.values()]
                with store_errors():
                    done[0] = rows.add_outputs(done[0])
                    return [staging.seal(files, layout, manifest) for manifest in done]
            except Exception as error:
                return fail_bundle(layout, bundle, bad_records_of(reports, manifests), error)

    def rows(self, first: Manifest, scratch: str) -> StagedRows:
        """Return the writer of the result. On one host Spark writes the rows, on a cluster each task stages its own.

        `first` is the manifest of the bundle's first lane, to which all rows are attributed.
        """
        if self.is_one_host:
            return SparkWrittenRows(self.job, self.files, scratch)
        return TaskStagedRows(self.job, self.files, first)

    @property
    def is_one_host(self) -> bool:
        return is_one_host(self.spark.sparkContext.master)

    @contextmanager
    def scratch(self, manifests: Mapping[Lane, Manifest]) -> Iterator[str]:
        """Yield a directory for this batch that every task can write to."""
        if self.is_one_host:
            with TemporaryDirectory(prefix="tenure-") as directory:
                yield directory
            return
        # After a crash, the sweep removes the report files from this directory.
        directory = self.job.layout.state_directory(next(iter(manifests)))
        try:
            yield directory
        finally:
            for manifest in manifests.values():
                self.files.remove(report_path(directory, manifest))

    def frame(self, bundle: Bundle, manifests: Mapping[Lane, Manifest], reports: LaneReports) -> "DataFrame":
        """Return the batch's rows as a DataFrame. Each task reads several lanes if there are more lanes than cores."""
        from pyspark.sql.pandas.types import from_arrow_schema

        columns = from_arrow_schema(self.columns)
        arrow = arrow_schema(columns, self.spark.conf.get("spark.sql.session.timeZone"))
        tasks = min(len(bundle.lanes), self.spark.sparkContext.defaultParallelism)
        read = lane_reader(self.job, bundle, manifests, self.files, reports, tasks, arrow)
        return self.spark.range(tasks, numPartitions=tasks).mapInArrow(read, columns)

    def write(self, batch: "DataFrame", written: StagedRows) -> None:
        """Call the user's function, and write the rows that it returns.

        Raises:
            BadFunction: The function failed, or its result is not valid.
        """
        from pyspark.errors import AnalysisException
        from pyspark.sql import DataFrame

        try:
            answer = self.function(batch)
        except Exception as error:
            raise BadFunction(
                f"the function of transform(…) failed: {error_summary(error)}{raised_at(error)}"
            ) from error
        frames = answer if isinstance(answer, Mapping) else {MAIN: answer}
        staging.check_declared(frames, self.job.sinks)
        for side, rows in frames.items():
            if not isinstance(rows, DataFrame):
                raise BadFunction(f"the function of transform(…) returned {type(rows).__name__}, not a DataFrame")
            try:
                written.write(side, rows)
            except AnalysisException as error:
                raise BadFunction(
                    f"the rows that transform(…) returned cannot be written: {error_summary(error)}"
                ) from error


def lane_reader(
    job: Job,
    bundle: Bundle,
    manifests: Mapping[Lane, Manifest],
    files: Files,
    reports: LaneReports,
    tasks: int,
    columns: pa.Schema,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that each task runs. Task n reads every lane whose index in the bundle modulo `tasks` is n.

    `manifests` has the manifest of each lane, without results.
    """

    def read(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows:
            for number in row["id"].to_pylist():
                for plan in bundle.lanes[number::tasks]:
                    lane = LaneAttempt(job, plan, files, manifests[plan.lane])
                    yield from read_lane(lane, reports).cast(columns).to_batches()

    return read


def read_lane(lane: LaneAttempt, reports: LaneReports) -> pa.Table:
    """Return the lane's rows, and write its report. If Spark reads a lane again, the report is the same."""
    try:
        steps = lane.fetch_slices()
        rows = lane.decode(steps).table
    except BadRecordFound as found:
        reports.write(lane.begun, LaneReport(stopped_at=BadRecord(found.offset, found.reason)))
        raise
    lane.keep_letters(steps)
    with store_errors():
        letters = lane.write_letters() if lane.letters else None
        reports.write(lane.begun, LaneReport(lane.begun.ranges, lane.records, len(lane.bad), letters))
    return rows


def complete_manifest(manifest: Manifest, report: LaneReport | None) -> Manifest:
    """Return the manifest with the counts and ranges of the task's report.

    `report` is None if Spark needed no row of the lane, so that no task has read the lane.
    """
    if report is None:
        return manifest
    return replace(
        manifest,
        ranges=report.ranges,
        records=report.records,
        bad_records=report.bad_records,
        dead_letters=report.dead_letters,
    )


def bad_records_of(reports: LaneReports, manifests: Mapping[Lane, Manifest]) -> dict[Lane, BadRecord]:
    """Return, by lane, the bad record at which the lane's task stopped."""
    found = {}
    for lane, manifest in manifests.items():
        with suppress(BadReport):  # The batch has failed already, so this error adds nothing.
            if (report := reports.read(manifest)) is not None and report.stopped_at is not None:
                found[lane] = report.stopped_at
    return found


def fail_bundle(layout: Layout, bundle: Bundle, stopped_at: Mapping[Lane, BadRecord], error: Exception) -> list[Result]:
    """Return the results of a failed bundle.

    If a lane stopped at a bad record, only this lane has a result, with the record as the reason. Otherwise every lane
    has a result with the same reason.
    """
    for plan in bundle.lanes:
        if (record := stopped_at.get(plan.lane)) is not None:
            topic = plan.ranges[0].topic
            return [Failed(plan.lane, Code.BAD_RECORD, record.reason, topic, record.offset, undecodable=True)]
    if (full := storage_error_of(error)) is not None:
        code, reason = storage_failure(full, layout)
        return [Failed(plan.lane, code, reason, trace=traceback.format_exc()) for plan in bundle.lanes]
    code = Code.BAD_FUNCTION if isinstance(error, BadFunction) else Code.LANE_FAILED
    return fail_all_lanes(bundle, error, code)


def storage_error_of(error: Exception) -> OSError | None:
    """Return the storage error of output or state that caused `error`, or None.

    Spark transfers only the text of an exception in a task, so the text is searched.
    """
    if isinstance(error, StoreFailed):
        return error.error
    kind, _, words = error_summary(error).partition(": ")
    return OSError(words) if kind == f"{StoreFailed.__module__}.{StoreFailed.__name__}" else None
