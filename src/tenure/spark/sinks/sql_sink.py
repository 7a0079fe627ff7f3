"""Declaration of a database table as a sink. Its publisher is in `sql_table.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher
from tenure.spark.declarations.sink import check_has_columns, checked_names

if TYPE_CHECKING:
    from tenure.spark.sinks.sql_table import Database

POSITIONS: Final = "tenure_positions"


@dataclass(frozen=True, slots=True)
class Sql:
    """Sink that writes to an existing table of a database. Needs the extra `sql` and the database's driver.

    One transaction of the database writes rows and their offsets.
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
        checked_names("key", self.key)

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
        self.database().check()

    def check_rows(self, columns: pa.Schema) -> None:
        check_has_columns(self.where, columns, "key", checked_names("key", self.key))
        self.database().check_rows(columns.names)

    def publisher(self, side: str) -> Publisher:
        from tenure.spark.sinks.sql_table import TablePublisher

        return TablePublisher(self.database(), side)

    def database(self) -> "Database":
        """Return the access to the sink's tables, without connecting. Needs the package sqlalchemy."""
        from tenure.spark.sinks.sql_table import Database

        return Database(
            self.url, self.table, key=checked_names("key", self.key), positions=self.positions, options=self.options
        )
