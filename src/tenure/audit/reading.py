"""Tables of an audit as DataFrames and as Arrow tables."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from tenure.audit.findings.tables import FOUND
from tenure.audit.tables import COLLECTED, LOG_PARTITION, SAMPLED, AuditTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET, DELTA = "parquet", "delta"
"""Formats of the tables that the pipeline writes."""

FORMAT_FILE: Final = Path("_audit", "format")
"""File with the format; without it the format is `PARQUET`."""

TABLES = (*COLLECTED, *SAMPLED, *FOUND)


def read(spark: "SparkSession", directory: "str | Path") -> "Mapping[str, DataFrame]":
    """Return the tables of an audit by name. A table without rows is an empty DataFrame.

    Args:
        spark: Spark session.
        directory: Directory that `tenure audit --out` wrote.

    Raises:
        FileNotFoundError: The directory has no audit.
    """
    check_directory(Path(directory))
    return MappingProxyType({table.name: _data_frame(spark, Path(directory), table) for table in TABLES})


def _data_frame(spark: "SparkSession", directory: Path, table: AuditTable) -> "DataFrame":
    from pyspark.sql.pandas.types import from_arrow_schema

    files = files_of(directory, table)
    schema = from_arrow_schema(table.schema)
    if not files:
        return spark.createDataFrame([], schema)
    root = str(directory.absolute() / table.name)
    named = map(str, files) if is_delta(directory, table) else [root]
    return spark.read.schema(schema).option("basePath", root).parquet(*named).select(*table.schema.names)


def check_directory(directory: Path) -> None:
    """Raise FileNotFoundError if the directory has no audit."""
    if not any((directory / table.name).is_dir() for table in TABLES):
        raise FileNotFoundError(f"{directory} has no audit: write one with `tenure audit --out {directory}`.")


def is_delta(directory: Path, table: AuditTable) -> bool:
    """Return whether a table is a Delta table. Only tables that the pipeline writes can be one."""
    marker = directory / FORMAT_FILE
    return table in COLLECTED and marker.is_file() and marker.read_text("utf-8") == DELTA


def files_of(directory: Path, table: AuditTable) -> list[Path]:
    """Return the visible files of a table; for a Delta table, those of its newest version."""
    root = directory / table.name
    if is_delta(directory, table):
        return _files_of_delta_table(root) if (root / "_delta_log").is_dir() else []
    found = [file for pattern in ("*.parquet", "log_partition=*/*.parquet") for file in root.glob(pattern)]
    return sorted(file for file in found if not file.name.startswith(("_", ".")))


def _files_of_delta_table(root: Path) -> list[Path]:
    from deltalake import DeltaTable

    return sorted(Path(unquote(urlsplit(uri).path)) for uri in DeltaTable(str(root)).file_uris())


def log_partitions(directory: Path) -> list[int]:
    """Return the partitions of `__consumer_offsets` that have rows in a table."""
    found = {
        int(place.name.partition("=")[2])
        for table in COLLECTED
        for place in (directory / table.name).glob("log_partition=*")
    }
    return sorted(found)


def arrow_table(directory: Path, table: AuditTable, log_partition: int | None = None) -> pa.Table:
    """Return the rows of a table, or those of one partition of `__consumer_offsets`."""
    files = files_of(directory, table)
    if log_partition is not None:
        files = [file for file in files if file.parent.name == f"log_partition={log_partition}"]
    parts = [_with_partition(file, table.schema) for file in files]
    return pa.concat_tables(parts) if parts else table.schema.empty_table()


def _with_partition(file: Path, schema: pa.Schema) -> pa.Table:
    """Return the rows of a file, with a column for the partition from its directory name."""
    rows = pyarrow.parquet.ParquetFile(file).read()
    name = file.parent.name
    if LOG_PARTITION.name not in rows.column_names and name.startswith(f"{LOG_PARTITION.name}="):
        partition = pa.scalar(int(name.partition("=")[2]), LOG_PARTITION.type)
        rows = rows.append_column(LOG_PARTITION.name, pa.repeat(partition, len(rows)))
    return rows.select(schema.names).cast(schema)
