"""Declaration of the audit's pipeline."""

from collections.abc import Mapping
from typing import Final

from tenure.audit.audit_directory import STATE_DIRECTORY, AuditDirectory
from tenure.audit.collector import STATE, collect
from tenure.audit.reading import DELTA, FORMAT_FILE, PARQUET
from tenure.audit.records.coordinator_records import GROUP, TOPIC, CoordinatorRecords
from tenure.audit.records.group_partitions import group_partitions
from tenure.audit.tables import COLLECTED, COMMITS
from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.declarations.processing import stateful
from tenure.spark.declarations.topics import Topic
from tenure.spark.pipeline import Pipeline
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.parquet_sink import Parquet

NAME: Final = "tenure-audit"

SINKS: Final[Mapping[str, type[Parquet | Delta]]] = {PARQUET: Parquet, DELTA: Delta}
"""Sinks by format of the tables."""


def audit_pipeline(directory: AuditDirectory, topic: str = TOPIC, table_format: str = PARQUET) -> Pipeline:
    """Return the pipeline that writes its tables below `directory`.

    Args:
        directory: Directory or URL of the tables.
        topic: Topic with the records of `__consumer_offsets`.
        table_format: Format of the tables.

    Raises:
        PipelineConfigError: The directory has tables in another format.
    """
    check_format(directory, table_format)
    sink = SINKS[table_format]
    sinks = {table.name: sink(directory.path(table.name), partition_by="log_partition") for table in COLLECTED}
    return Pipeline(
        NAME,
        source=Topic(topic, value=CoordinatorRecords(), key=GROUP, partitioner=group_partitions),
        process=stateful(collect, state=STATE),
        sink=sinks.pop(COMMITS.name),
        side=sinks,
        state_directory=directory.path(STATE_DIRECTORY),
        storage_options=directory.storage_options,
    )


def check_format(directory: AuditDirectory, table_format: str) -> None:
    """Store the format of a new directory. For an existing one, raise PipelineConfigError if its format differs.

    The format cannot be detected from the tables, because files of a Delta table exist before its log.
    """
    if table_format not in SINKS:
        raise PipelineConfigError(f"Unknown format {table_format!r}: an audit writes {' or '.join(SINKS)}.")
    has_tables = any(directory.names(table.name) for table in COLLECTED)
    present = directory.read(*FORMAT_FILE).decode() if directory.has(*FORMAT_FILE) else PARQUET if has_tables else None
    if present is None:
        directory.write(table_format.encode(), *FORMAT_FILE)
    elif present != table_format:
        raise PipelineConfigError(
            f"Directory {directory.location} has tables in the format {present}: use --format {present}, or another"
            " directory."
        )
