"""Where a pipeline's rows go. Plain values, checked at once; and what takes a disk, a database or a package to be
checked, before Spark starts.

Whatever the sink, a task leaves its rows as files of Parquet, and the commit of the group is what makes them count.
Then the lane's owner publishes them (`pipeline/publish.py`): each sink says here how. Only a topic needs none of that
(`topic_sink.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, get_args

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.files import absolute, is_url
from tenure.pipeline.publish import Directory, Publisher
from tenure.pipeline.sinks import Compression, ParquetFiles

if TYPE_CHECKING:
    from tenure.spark.batches import Batch

BatchFunction = Callable[[pa.Table, "Batch"], object]

POSITIONS: Final = "tenure_positions"


class Sink(Protocol):
    @property
    def path(self) -> str:
        """The absolute directory of its files; empty for a sink that has none."""

    @property
    def where(self) -> str:
        """What people call it."""

    @property
    def staged(self) -> ParquetFiles:
        """How a task leaves the rows."""

    def check(self) -> None:
        """Raises PipelineConfigError or PipelineStopped where it cannot work, before anything runs."""

    def publisher(self, side: str) -> Publisher:
        """For the output of this name."""


@dataclass(frozen=True, slots=True)
class Parquet:
    """A directory of Parquet files, in which any tool sees committed rows and nothing else: a path, or a URL.

    With `partition_by`, rows go into directories by the values of these columns (`day=2026-11-21/…`), as Spark reads
    and writes them. With `grow_to_bytes` a batch's rows are added to the lane's last file while that is smaller: fewer
    files, each of which a reader sees as it was or as it is, and rows that are written more than once.
    """

    directory: str
    partition_by: str | Sequence[str] = ()
    compression: Compression = "snappy"
    grow_to_bytes: int | None = None

    def __post_init__(self) -> None:
        if not self.directory:
            raise PipelineConfigError("A Parquet sink needs a directory.")
        columns("partition_by", self.partition_by)
        if self.compression not in get_args(Compression):
            known = ", ".join(get_args(Compression))
            raise PipelineConfigError(f"Parquet files are compressed by one of {known}, not {self.compression!r}.")
        if self.grow_to_bytes is not None and self.grow_to_bytes < 1:
            raise PipelineConfigError(f"grow_to_bytes is a number of bytes, not {self.grow_to_bytes!r}.")
        if self.grow_to_bytes is not None and is_url(self.directory):
            raise PipelineConfigError(
                f"Files grow where a rename replaces one at once, not at {self.directory}: leave grow_to_bytes out."
            )

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
        """Its directory is, with the others."""

    def publisher(self, side: str) -> Publisher:
        del side
        return Directory()


@dataclass(frozen=True, slots=True)
class Delta:
    """A Delta table in a directory, or at a URL; made by the first rows where there is none. Needs the extra `delta`.

    At a URL, `storage_options` are deltalake's own, beside those of the pipeline for its files. The store has to refuse
    to put what is there already, as S3, Azure and Google Cloud Storage do: two writers of one version notice by it.
    """

    directory: str
    partition_by: str | Sequence[str] = ()
    storage_options: Mapping[str, str] | None = field(default=None, repr=False)

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
        from tenure.pipeline.delta_columns import delta_columns

        return ParquetFiles(partition_by=columns("partition_by", self.partition_by), convert=delta_columns)

    def check(self) -> None:
        from tenure.spark.delta_table import Table, check_table

        check_table(Table(self.path, self.storage_options), columns("partition_by", self.partition_by))

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.delta_table import DeltaTablePublisher

        return DeltaTablePublisher(side, columns("partition_by", self.partition_by), self.storage_options)


@dataclass(frozen=True, slots=True)
class Sql:
    """A table of a database, by SQLAlchemy's URL. It must be there. Needs the extra `sql`, and the database's driver.

    Rows and the lane's offset are written in one transaction: the offset stands in `positions`, a table that is made
    beside it where it is missing. With `key` a row replaces the one that has the same values in these columns.
    """

    url: str = field(repr=False)
    table: str
    key: str | Sequence[str] = ()
    positions: str = POSITIONS
    options: Mapping[str, Any] | None = field(default=None, repr=False)
    """For SQLAlchemy's `create_engine`."""

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
        """Nobody knows what a function will do."""

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.batches import BatchPublisher

        return BatchPublisher(side, self.function)


def for_each_batch(function: BatchFunction) -> ForEachBatch:
    """Give each committed batch to `function(rows, batch)`, in the driver: for sinks that Tenure does not know.

    At least once, and always the same rows under the same `batch.token`: store the token with the rows, or refuse one
    that you have seen, and it is exactly once.
    """
    if not callable(function):
        raise PipelineConfigError(f"for_each_batch(…) takes a function, not {function!r}.")
    return ForEachBatch(function)


SINKS: Final = (Parquet, Delta, Sql, ForEachBatch)


def columns(what: str, given: object) -> tuple[str, ...]:
    """Names of columns, of which one may be given alone. Raises PipelineConfigError."""
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, list | tuple) else None
    if names is None or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise PipelineConfigError(f"{what} names columns, each once, not {given!r}.")
    return names
