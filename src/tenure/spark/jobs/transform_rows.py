"""Staging of the rows of a `transform`: from DataFrames to staged files.

On one host Spark writes Parquet files into a scratch directory. These files are staged unchanged, unless the sink needs
another format. On a cluster there is no shared scratch directory, so each task stages its own rows under the pipeline's
URL, like tasks of stateful pipelines.
"""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.output import staging
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import final_name
from tenure.pipeline.output.parquet_files import SUFFIX
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import StoreFailed, store_errors
from tenure.pipeline.values.manifest import Manifest, Output

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class StagedRows(Protocol):
    """Interface: writer of the rows of one batch into staged files."""

    def write(self, side: str, rows: "DataFrame") -> None:
        """Write the rows of one output.

        Raises:
            BadFunction: The rows do not fit the sink.
            PySparkException: Spark failed.
        """

    def add_outputs(self, manifest: Manifest) -> Manifest:
        """Return the manifest with the files of all outputs."""


class SparkWrittenRows:
    """Writer for one host: Spark writes the rows to a scratch directory, and the driver stages the files."""

    def __init__(self, job: Job, files: Files, scratch: str) -> None:
        self.job = job
        self.files = files
        self.scratch = scratch

    def write(self, side: str, rows: "DataFrame") -> None:
        rows.write.parquet(f"{self.scratch}/rows-{side}", compression=self.job.sinks[side].compression)

    def add_outputs(self, manifest: Manifest) -> Manifest:
        files, layout = self.files, self.job.layout
        for side, sink in self.job.sinks.items():
            for path in sorted(Path(self.scratch, f"rows-{side}").glob("part-*")):
                rows = pyarrow.parquet.read_metadata(path).num_rows
                if rows and sink.takes_any_file:
                    manifest = staging.stage_output(files, layout, manifest, path.read_bytes(), rows, side)
                elif rows:
                    table = pyarrow.parquet.read_table(path)
                    manifest = staging.stage_rows(files, layout, manifest, side, sink, table)
        return manifest


class TaskStagedRows:
    """Writer for a cluster: each task stages its own rows."""

    def __init__(self, job: Job, files: Files, begun: Manifest) -> None:
        self.job = job
        self.files = files
        self.begun = begun
        """Manifest of the lane that the rows are attributed to."""
        self.outputs: list[Output] = []

    def write(self, side: str, rows: "DataFrame") -> None:
        stage = partial(stage_partition, self.job, self.files, self.begun, side)
        for row in rows.mapInArrow(stage_with(stage), "outputs binary").collect():
            self.outputs += outputs_in(row.outputs)

    def add_outputs(self, manifest: Manifest) -> Manifest:
        """Return the manifest with all files, under their final names.

        The driver chooses the final names, because they contain the number of the file and the offset range of the
        batch. A task knows neither of them.
        """
        named = []
        for part, output in enumerate(self.outputs):
            directory, slash, _ = output.final.rpartition("/")
            name = final_name(manifest.lane, manifest.ranges, manifest.id, part, SUFFIX)
            named.append(replace(output, final=f"{directory}{slash}{name}"))
        return replace(manifest, outputs=tuple(named))


StageRows = Callable[[int, pa.Table], tuple[Output, ...]]
"""Function of attempt id and rows that returns the staged files."""


def stage_with(stage: StageRows) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that each task runs: it stages the rows of a partition, if there are any.

    A failure is returned as a value. If the function raised it, Spark would retry the task, and return only a text.
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        if found := [batch for batch in batches if len(batch)]:
            staged: tuple[Output, ...] | BadFunction | StoreFailed
            try:
                with store_errors():
                    staged = stage(context.taskAttemptId(), pa.Table.from_batches(found))
            except (BadFunction, StoreFailed) as error:
                staged = error
            yield pa.record_batch([pa.array([pickle.dumps(staged)], pa.binary())], ["outputs"])

    return run


def outputs_in(staged: bytes) -> tuple[Output, ...]:
    """Return the files that a task has staged, or raise its failure.

    `staged` is a pickle. Loading it is safe: it is the result of a task of this job, and never comes from a file.
    """
    outputs: tuple[Output, ...] | BadFunction | StoreFailed = pickle.loads(staged)
    if isinstance(outputs, BadFunction | StoreFailed):
        raise outputs
    return outputs


def stage_partition(
    job: Job, files: Files, begun: Manifest, side: str, attempt: int, rows: pa.Table
) -> tuple[Output, ...]:
    """Stage the rows of a Spark partition under names that contain the task attempt id `attempt`.

    The sweep removes the files of failed attempts.
    """
    own = replace(begun, id=f"{begun.id}-{attempt}")
    return staging.stage_rows(files, job.layout, own, side, job.sinks[side], rows).outputs
