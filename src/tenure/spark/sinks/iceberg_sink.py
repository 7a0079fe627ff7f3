"""Sink that writes to an Iceberg table. `iceberg_table.py` has its publisher."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher

if TYPE_CHECKING:
    from tenure.spark.sinks.iceberg_table import IcebergTableLocation


@dataclass(frozen=True, slots=True)
class Iceberg:
    """An Iceberg table, created with the first rows if it does not exist. Needs the extra `iceberg`."""

    table: str
    """Name of the table with its namespace, such as `flights.delays`."""
    catalog: str = "default"
    """Name of the catalog, as in the configuration of pyiceberg."""
    properties: Mapping[str, str] | None = field(default=None, repr=False)
    """Properties of the catalog, such as `type`, `uri` and `warehouse`. Default: those of pyiceberg's configuration."""

    def __post_init__(self) -> None:
        if not all(self.table.rpartition(".")):
            raise PipelineConfigError(f"An Iceberg sink needs a table with its namespace, not {self.table!r}.")

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
        """Do nothing: the first batch compares its columns with the table."""

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.sinks.iceberg_table import IcebergTablePublisher

        return IcebergTablePublisher(self.location(), side)

    def location(self) -> "IcebergTableLocation":
        """Return the location of the table. Needs the package pyiceberg."""
        from tenure.spark.sinks.iceberg_table import IcebergTableLocation

        return IcebergTableLocation(self.table, self.catalog, self.properties or {})
