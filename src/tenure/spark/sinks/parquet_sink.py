"""Sink that writes a directory of Parquet files."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import absolute, is_url
from tenure.pipeline.output.parquet_files import Compression, ParquetFiles
from tenure.pipeline.output.publish import DirectoryPublisher, Publisher
from tenure.spark.declarations.sink import check_has_columns, checked_names


@dataclass(frozen=True, slots=True)
class Parquet:
    """Sink that writes a directory of Parquet files. Readers see only committed rows."""

    directory: str
    """Directory of the Parquet files, as a path or URL."""
    partition_by: str | Sequence[str] = ()
    """Columns whose values become directories (`day=2026-11-21/…`), as in Spark."""
    compression: Compression = "snappy"
    grow_to_bytes: int | None = None
    """Size in bytes up to which files grow: while the last file of a Kafka partition is smaller, the next batch
    replaces it by a file with the rows of both. This gives fewer files, but writes rows several times. Only for local
    directories."""

    def __post_init__(self) -> None:
        if not self.directory:
            raise PipelineConfigError("A Parquet sink needs a directory.")
        checked_names("partition_by", self.partition_by)
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
            self.compression, checked_names("partition_by", self.partition_by), grow_to_bytes=self.grow_to_bytes
        )

    def check(self) -> None:
        """Do nothing: the directory is checked together with the state directory."""

    def check_rows(self, columns: pa.Schema) -> None:
        check_has_columns(self.where, columns, "partition_by", checked_names("partition_by", self.partition_by))

    def publisher(self, side: str) -> Publisher:
        del side
        return DirectoryPublisher()
