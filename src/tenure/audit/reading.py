"""Tables of an audit as DataFrames and as Arrow tables."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet

from tenure.audit.audit_directory import STATE_DIRECTORY, AuditDirectory
from tenure.audit.findings.tables import ADVICE, FOUND
from tenure.audit.tables import COLLECTED, LOG_PARTITION, SAMPLED, AuditTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET, DELTA = "parquet", "delta"
"""Formats of the tables that the pipeline writes."""

FORMAT_FILE: Final = (STATE_DIRECTORY, "format")
"""File with the format; without it the format is `PARQUET`."""

TABLES = (*COLLECTED, *SAMPLED, *FOUND, ADVICE)

PARTITION_PREFIX: Final = f"{LOG_PARTITION.name}="
"""Start of the names of the directories into which the pipeline divides a table."""


def read(
    spark: "SparkSession", directory: "str | Path", storage_options: Mapping[str, Any] | None = None
) -> "Mapping[str, DataFrame]":
    """Return the tables of an audit by name. A table without rows is an empty DataFrame.

    Args:
        spark: Spark session. It reads the files, so it needs its own configuration for a URL.
        directory: Directory or URL that `tenure audit --out` wrote.
        storage_options: fsspec's options to list the files of a URL.

    Raises:
        FileNotFoundError: The directory has no audit.
    """
    audited = AuditDirectory.at(directory, storage_options)
    check_directory(audited)
    return MappingProxyType({table.name: _data_frame(spark, audited, table) for table in TABLES})


def _data_frame(spark: "SparkSession", directory: AuditDirectory, table: AuditTable) -> "DataFrame":
    from pyspark.sql.pandas.types import from_arrow_schema

    files = files_of(directory, table)
    schema = from_arrow_schema(table.schema)
    if not files:
        return spark.createDataFrame([], schema)
    root = directory.path(table.name)
    named = [f"{root}/{file}" for file in files] if is_delta(directory, table) else [root]
    return spark.read.schema(schema).option("basePath", root).parquet(*named).select(*table.schema.names)


def check_directory(directory: AuditDirectory) -> None:
    """Raise FileNotFoundError if the directory has no audit."""
    if not any(directory.names(table.name) for table in TABLES):
        place = directory.location
        raise FileNotFoundError(f"Directory {place} has no audit: write one with `tenure audit --out {place}`.")


def is_delta(directory: AuditDirectory, table: AuditTable) -> bool:
    """Return whether a table is a Delta table. Only tables that the pipeline writes can be one."""
    return table in COLLECTED and directory.has(*FORMAT_FILE) and directory.read(*FORMAT_FILE) == DELTA.encode()


def files_of(directory: AuditDirectory, table: AuditTable, log_partition: int | None = None) -> list[str]:
    """Return the paths of a table's visible files, relative to the table's directory.

    Of a Delta table, only the files of its newest version are visible. With `log_partition`, return only the files of
    that partition of `__consumer_offsets`.
    """
    if not is_delta(directory, table):
        return visible_files(directory, table, log_partition)
    files = _files_of_delta_table(directory, table) if directory.names(table.name, "_delta_log") else []
    return (
        files
        if log_partition is None
        else [file for file in files if file.startswith(f"{partition_directory(log_partition)}/")]
    )


def _files_of_delta_table(directory: AuditDirectory, table: AuditTable) -> list[str]:
    from deltalake import DeltaTable

    uris = DeltaTable(directory.path(table.name)).file_uris()
    return sorted("/".join(unquote(uri).split("/")[-2:]) for uri in uris)  # The directory of a partition, and the name.


def visible_files(directory: AuditDirectory, table: AuditTable, log_partition: int | None = None) -> list[str]:
    """Return the paths of a table's Parquet files whose names do not begin with `_` or a dot.

    Paths are relative to the table's directory. With `log_partition`, return only the files of that partition of
    `__consumer_offsets`.
    """
    if log_partition is None:
        names = directory.names(table.name)
        found = [name for name in names if not name.startswith(PARTITION_PREFIX)]
        places = [name for name in names if name.startswith(PARTITION_PREFIX)]
    else:
        found, places = [], [partition_directory(log_partition)]
    found += [f"{place}/{name}" for place in places for name in directory.names(table.name, place)]
    return sorted(file for file in found if _is_visible(file.rpartition("/")[2]))


def _is_visible(name: str) -> bool:
    return name.endswith(".parquet") and not name.startswith(("_", "."))


def partition_directory(log_partition: int) -> str:
    """Return the name of the directory with a table's files of a partition of `__consumer_offsets`."""
    return f"{PARTITION_PREFIX}{log_partition}"


def log_partitions(directory: AuditDirectory) -> list[int]:
    """Return the partitions of `__consumer_offsets` that have rows in a table."""
    found = {
        int(place.removeprefix(PARTITION_PREFIX))
        for table in COLLECTED
        for place in directory.names(table.name)
        if place.startswith(PARTITION_PREFIX)
    }
    return sorted(found)


def parquet_file(directory: AuditDirectory, table: AuditTable, file: str) -> pyarrow.parquet.ParquetFile:
    """Open a Parquet file of a table. All of its rows are read at once: a file has at most the rows of one batch."""
    return pyarrow.parquet.ParquetFile(pa.BufferReader(directory.read(table.name, file)))


def arrow_table(directory: AuditDirectory, table: AuditTable, log_partition: int | None = None) -> pa.Table:
    """Return the rows of a table; with `log_partition`, only those of this partition of `__consumer_offsets`."""
    parts = [_rows_of(directory, table, file) for file in files_of(directory, table, log_partition)]
    return pa.concat_tables(parts) if parts else table.schema.empty_table()


def _rows_of(directory: AuditDirectory, table: AuditTable, file: str) -> pa.Table:
    """Return the rows of a file, with a column for the partition from its directory name."""
    rows = parquet_file(directory, table, file).read()
    place = file.partition("/")[0]
    if LOG_PARTITION.name not in rows.column_names and place.startswith(PARTITION_PREFIX):
        partition = pa.scalar(int(place.removeprefix(PARTITION_PREFIX)), LOG_PARTITION.type)
        rows = rows.append_column(LOG_PARTITION.name, pa.repeat(partition, len(rows)))
    return rows.select(table.schema.names).cast(table.schema)
