"""Declaration of an Iceberg table as a sink. Its publisher is in `iceberg_table.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.pipeline.errors import BadFunction, PipelineConfigError
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher
from tenure.spark.declarations.sink import check_has_columns, checked_names

if TYPE_CHECKING:
    from tenure.spark.sinks.iceberg_table import IcebergTableLocation


@dataclass(frozen=True, slots=True)
class Iceberg:
    """Sink that writes to an Iceberg table. The first rows create a missing table. Needs the extra `iceberg`."""

    table: str
    """Name of the table with its namespace, such as `flights.delays`."""
    catalog: str = "default"
    """Name of the catalog, as in the configuration of pyiceberg."""
    properties: Mapping[str, str] | None = field(default=None, repr=False)
    """Properties of the catalog, such as `type`, `uri` and `warehouse`. Default: those of pyiceberg's configuration."""
    key: str | Sequence[str] = ()
    """Columns by which rows are merged: a row replaces the existing row with the same values in these columns."""

    def __post_init__(self) -> None:
        if not all(self.table.rpartition(".")):
            raise PipelineConfigError(
                f"An Iceberg sink needs a table with its namespace, such as 'flights.delays', not {self.table!r}."
            )
        checked_names("key", self.key)

    @property
    def path(self) -> str:
        return ""

    @property
    def where(self) -> str:
        return f"the Iceberg table {self.table}"

    @property
    def staged(self) -> ParquetFiles:
        from tenure.pipeline.output.delta_columns import iceberg_columns

        return ParquetFiles(convert=iceberg_columns)

    def check(self) -> None:
        self.location().check()

    def check_rows(self, columns: pa.Schema) -> None:
        from tenure.pipeline.output.delta_columns import iceberg_columns
        from tenure.spark.sinks.iceberg_upsert import unfit_key

        key = checked_names("key", self.key)
        check_has_columns(self.where, columns, "key", key)
        try:
            kinds = iceberg_columns(columns.empty_table()).schema
        except BadFunction as error:
            raise PipelineConfigError(f"{self.where} cannot take the pipeline's rows: {error}.") from error
        if unfit := unfit_key(kinds, key):
            raise PipelineConfigError(f"The pipeline's rows for {self.where} {unfit}: use another column.")
        self.location().check_columns(kinds)

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.sinks.iceberg_table import IcebergTablePublisher

        return IcebergTablePublisher(self.location(), side, checked_names("key", self.key))

    def location(self) -> "IcebergTableLocation":
        """Return the location of the table. Needs the package pyiceberg."""
        from tenure.spark.sinks.iceberg_table import IcebergTableLocation

        return IcebergTableLocation(self.table, self.catalog, self.properties or {})
