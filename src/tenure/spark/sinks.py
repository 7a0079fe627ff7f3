"""Sinks of a pipeline.

A declaration is checked when it is created; disks, databases and packages are checked before Spark starts. For each
sink but a topic (`topic_sink.py`), a task writes its rows as Parquet files. After the group's commit the owner of the
lane publishes these files (`pipeline/output/publish.py`) with the sink's `publisher`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, get_args

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import absolute, is_url
from tenure.pipeline.output.parquet_files import Compression, ParquetFiles
from tenure.pipeline.output.publish import DirectoryPublisher, Publisher

if TYPE_CHECKING:
    from tenure.spark.batches import Batch

BatchFunction = Callable[[pa.Table, "Batch"], object]

POSITIONS: Final = "tenure_positions"


class Sink(Protocol):
    """Interface of all sinks but topics."""

    @property
    def path(self) -> str:
        """Absolute directory or URL of the sink's files; empty for a sink without files."""

    @property
    def where(self) -> str:
        """Description for messages."""

    @property
    def staged(self) -> ParquetFiles:
        """Format of the files in which tasks stage rows."""

    def check(self) -> None:
        """Check that the sink is usable, before anything runs.

        Raises:
            PipelineConfigError: The sink does not fit the declaration.
            PipelineStopped: The sink is not reachable.
        """

    def publisher(self, side: str) -> Publisher:
        """Return the publisher for the output with the name `side`; "" is the main output."""


@dataclass(frozen=True, slots=True)
class Parquet:
    """A directory of Parquet files. Readers see only committed rows."""

    directory: str
    """Path or URL."""
    partition_by: str | Sequence[str] = ()
    """Columns whose values become directories (`day=2026-11-21/…`), as in Spark."""
    compression: Compression = "snappy"
    grow_to_bytes: int | None = None
    """Rewrite the last file of a partition with the rows of the next batch while it is smaller than this. This gives
    fewer files, but writes rows several times. Only for local directories."""

    def __post_init__(self) -> None:
        if not self.directory:
            raise PipelineConfigError("A Parquet sink needs a directory.")
        columns("partition_by", self.partition_by)
        if self.compression not in get_args(Compression):
            known = ", ".join(get_args(Compression))
            raise PipelineConfigError(f"Unknown Parquet compression {self.compression!r}: use one of {known}.")
        if self.grow_to_bytes is not None and self.grow_to_bytes < 1:
            raise PipelineConfigError(f"grow_to_bytes must be a positive number of bytes, not {self.grow_to_bytes!r}.")
        if self.grow_to_bytes is not None and is_url(self.directory):
            raise PipelineConfigError(f"grow_to_bytes needs a local directory, not {self.directory}: leave it out.")

    @property
    def path(self) -> str:
        return absolute(self.directory)

    @property
    def where(self) -> str:
        return self.path

    @property
    def staged(self) -> ParquetFiles:
        return ParquetFiles(
            self.compression, columns("partition_by", self.partition_by), grow_to_bytes=self.grow_to_bytes
        )

    def check(self) -> None:
        """Do nothing: the directory is checked together with the state directory."""

    def publisher(self, side: str) -> Publisher:
        del side
        return DirectoryPublisher()


@dataclass(frozen=True, slots=True)
class Delta:
    """A Delta table, created with the first rows if it does not exist. Needs the extra `delta`.

    An object store must support conditional puts, as S3, Azure and Google Cloud Storage do.
    """

    directory: str
    """Path or URL of the table."""
    partition_by: str | Sequence[str] = ()
    """Partition columns of the table."""
    storage_options: Mapping[str, str] | None = field(default=None, repr=False)
    """Options of deltalake for a URL. The pipeline's `storage_options` are for its own files."""

    def __post_init__(self) -> None:
        if not self.directory:
            raise PipelineConfigError("A Delta sink needs a directory.")
        columns("partition_by", self.partition_by)

    @property
    def path(self) -> str:
        return absolute(self.directory)

    @property
    def where(self) -> str:
        return f"the Delta table {self.path}"

    @property
    def staged(self) -> ParquetFiles:
        from tenure.pipeline.output.delta_columns import delta_columns

        return ParquetFiles(partition_by=columns("partition_by", self.partition_by), convert=delta_columns)

    def check(self) -> None:
        from tenure.spark.delta_table import Table, check_table

        check_table(Table(self.path, self.storage_options), columns("partition_by", self.partition_by))

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.delta_table import DeltaTablePublisher

        return DeltaTablePublisher(side, columns("partition_by", self.partition_by), self.storage_options)


@dataclass(frozen=True, slots=True)
class Sql:
    """An existing table of a database. Needs the extra `sql` and the driver of the database.

    Rows and their offsets are written in one transaction.
    """

    url: str = field(repr=False)
    """URL of the database, as for SQLAlchemy."""
    table: str
    """Name of the table."""
    key: str | Sequence[str] = ()
    """Columns of a unique index. A row replaces the existing row with the same values in these columns."""
    positions: str = POSITIONS
    """Name of the table with the offsets; created if it does not exist."""
    options: Mapping[str, Any] | None = field(default=None, repr=False)
    """Arguments for SQLAlchemy's `create_engine`."""

    def __post_init__(self) -> None:
        if not self.url or not self.table:
            raise PipelineConfigError("An Sql sink needs the URL of a database and the name of a table.")
        columns("key", self.key)

    @property
    def path(self) -> str:
        return ""

    @property
    def where(self) -> str:
        return f"the table {self.table}"

    @property
    def staged(self) -> ParquetFiles:
        return ParquetFiles()

    def check(self) -> None:
        from tenure.spark.sql_table import Database

        Database(self).check()

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.sql_table import Database, TablePublisher

        return TablePublisher(Database(self), side)


@dataclass(frozen=True, slots=True)
class ForEachBatch:
    """A function that receives committed batches. Created by `for_each_batch`."""

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
        """Do nothing: a function cannot be checked."""

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.batches import BatchPublisher

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


SINKS: Final = (Parquet, Delta, Sql, ForEachBatch)


def columns(what: str, given: object) -> tuple[str, ...]:
    """Return column names given as one string or as a list. Raises PipelineConfigError if they are invalid."""
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, list | tuple) else None
    if names is None or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise PipelineConfigError(f"{what} must be a list of different column names, not {given!r}.")
    return names
