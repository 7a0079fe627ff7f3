"""Sink that calls a function of the user with committed batches, to write to any other system.

The function is called after the commit, with rows from staged files. After a failure this process, or another one,
calls it again with the same rows and the same token.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError, SinkFailed
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher, staged_rows
from tenure.pipeline.user_errors import describe_user_error
from tenure.pipeline.values.lanes import Range
from tenure.pipeline.values.manifest import Manifest, Output


@dataclass(frozen=True, slots=True)
class CommittedBatch:
    """Second argument of the user's function: token, lane and offsets of the batch."""

    token: str
    """Unique id of the batch; the same in each call."""
    pipeline: str
    """Name of the pipeline."""
    lane: str
    """Lane, such as `flights-3`. A `transform` mixes the rows of several lanes; then this is the first of them."""
    ranges: tuple[Range, ...]
    """Offsets of the records that the rows were computed from, by topic and partition."""


BatchFunction = Callable[[pa.Table, CommittedBatch], object]


class BatchPublisher:
    """Publisher of one output that calls the user's function."""

    def __init__(self, side: str, function: BatchFunction) -> None:
        self.side = side
        self.function = function

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        if not outputs:
            return []
        rows = staged_rows(files, layout, manifest, outputs)
        token = f"{manifest.id}-{self.side}" if self.side else manifest.id
        try:
            self.function(rows, CommittedBatch(token, manifest.group, str(manifest.lane), manifest.ranges))
        except Exception as error:
            raise SinkFailed(
                f"the function of for_each_batch(…) failed on batch {token} of lane {manifest.lane}"
                f" ({describe_user_error(error)}): the batch is committed, and the function is called with it again"
            ) from error
        return [f"batch {token}"]

    def close(self) -> None:
        """Do nothing: the user's function has to close the connections and files that it opens."""


@dataclass(frozen=True, slots=True)
class ForEachBatch:
    """Sink that calls a function with committed batches. Created by `for_each_batch`."""

    function: BatchFunction

    @property
    def path(self) -> str:
        return ""

    @property
    def where(self) -> str:
        return f"the function {getattr(self.function, '__name__', self.function)}"

    @property
    def staged(self) -> ParquetFiles:
        return ParquetFiles()

    def check(self) -> None:
        """Do nothing: a function cannot be checked before the pipeline runs."""

    def check_rows(self, columns: pa.Schema) -> None:
        """Do nothing: rows with any columns can be passed to a function."""

    def publisher(self, side: str) -> Publisher:
        return BatchPublisher(side, self.function)


def for_each_batch(function: BatchFunction) -> ForEachBatch:
    """Call `function(rows, batch)` in the driver for each committed batch, to write to any other system.

    A batch may be repeated after a failure, always with the same rows and the same `batch.token`. For exactly-once
    results, store the token together with the rows and ignore a token that is already stored.

    Raises:
        PipelineConfigError: `function` is not callable.
    """
    if not callable(function):
        raise PipelineConfigError(f"for_each_batch(…) needs a function, not {function!r}.")
    return ForEachBatch(function)
