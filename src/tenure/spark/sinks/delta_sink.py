"""Declaration of a Delta table as a sink. Its publishers are in `delta_table.py` and `delta_merge.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.files import absolute
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher
from tenure.spark.declarations.sink import check_has_columns, checked_names


@dataclass(frozen=True, slots=True)
class Delta:
    """Sink that writes to a Delta table. The first rows create a missing table. Needs the extra `delta`.

    An object store must support conditional puts, as S3, Azure and Google Cloud Storage do.
    """

    directory: str
    """Path or URL of the table."""
    partition_by: str | Sequence[str] = ()
    """Partition columns of the table."""
    storage_options: Mapping[str, str] | None = field(default=None, repr=False)
    """Options of deltalake for a URL. The pipeline's `storage_options` are for its own files."""
    key: str | Sequence[str] = ()
    """Columns by which rows are merged: a row replaces the existing row with the same values in these columns."""

    def __post_init__(self) -> None:
        if not self.directory:
            raise PipelineConfigError("A Delta sink needs a directory.")
        checked_names("partition_by", self.partition_by)
        checked_names("key", self.key)

    @property
    def path(self) -> str:
        return absolute(self.directory)

    @property
    def where(self) -> str:
        return f"the Delta table {self.path}"

    @property
    def staged(self) -> ParquetFiles:
        from tenure.pipeline.output.delta_columns import delta_columns

        if self.key:  # The merge writes new, partitioned files, so the staged files need no partitions.
            return ParquetFiles(convert=delta_columns)
        return ParquetFiles(partition_by=checked_names("partition_by", self.partition_by), convert=delta_columns)

    def check(self) -> None:
        from tenure.spark.sinks.delta_table import DeltaTableLocation, check_table

        check_table(
            DeltaTableLocation(self.path, self.storage_options), checked_names("partition_by", self.partition_by)
        )

    def check_rows(self, columns: pa.Schema) -> None:
        from tenure.spark.sinks.delta_table import DeltaTableLocation, check_table_columns

        partition_by = checked_names("partition_by", self.partition_by)
        check_has_columns(self.where, columns, "partition_by", partition_by)
        check_has_columns(self.where, columns, "key", checked_names("key", self.key))
        check_table_columns(DeltaTableLocation(self.path, self.storage_options), columns)

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.sinks.delta_merge import DeltaMergePublisher
        from tenure.spark.sinks.delta_table import DeltaTablePublisher

        partition_by = checked_names("partition_by", self.partition_by)
        if self.key:
            return DeltaMergePublisher(side, checked_names("key", self.key), partition_by, self.storage_options)
        return DeltaTablePublisher(side, partition_by, self.storage_options)
