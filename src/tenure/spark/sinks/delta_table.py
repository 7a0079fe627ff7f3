"""Publisher of rows to a Delta table, exactly once.

The staged files are renamed into the table's directory and added in one transaction of its log. The transaction
contains an application transaction (`txn` in Delta's protocol): the id names a lane's line of manifests and the output,
and the version is the manifest's sequence number. A second publisher reads this version, and does not add rows that are
in the table. If two publishers commit at the same time, the log accepts one. The other one gets a conflict and reads
the version again.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from tenure.limits.spark import DELTA_ATTEMPTS_MAX
from tenure.pipeline.errors import BadFunction, Code, PipelineConfigError, PipelineStopped, SinkFailed, describe_error
from tenure.pipeline.output.delta_columns import delta_columns
from tenure.pipeline.output.files import Files, LocalFiles, is_url
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.partitioning import values_of, whole_schema
from tenure.pipeline.output.publish import rename_into
from tenure.pipeline.values.manifest import Manifest, Output

if TYPE_CHECKING:
    from deltalake import DeltaTable


@dataclass(frozen=True, slots=True)
class DeltaTableLocation:
    """Location of a Delta table. The table is opened for each transaction, because others write to it too."""

    directory: str
    options: Mapping[str, str] | None = None
    """Options of deltalake for URLs."""

    def open(self) -> "DeltaTable | None":
        """Return the table; None if it does not exist.

        Raises:
            PipelineConfigError: The package deltalake is missing.
            SinkFailed: The table cannot be read.
        """
        try:
            from deltalake import DeltaTable
            from deltalake.exceptions import DeltaError, TableNotFoundError
        except ImportError:
            raise PipelineConfigError(
                "A Delta sink needs the package deltalake: pip install 'tenure[delta]'."
            ) from None
        try:  # `is_deltatable` is not used: it blocks all threads of this process until the store has answered.
            return DeltaTable(self.directory, storage_options=self.deltalake_options)
        except TableNotFoundError:
            return None
        except (DeltaError, OSError) as error:
            raise SinkFailed(f"the Delta table {self.directory} cannot be read: {describe_error(error)}") from error

    @property
    def deltalake_options(self) -> dict[str, str] | None:
        return None if self.options is None else dict(self.options)


def check_table(location: DeltaTableLocation, partition_by: Sequence[str]) -> None:
    """Raise PipelineConfigError if the table has other partition columns; PipelineStopped if it cannot be read."""
    try:
        table = location.open()
    except SinkFailed as failed:
        raise PipelineStopped(Code.SINK_FAILED, str(failed)) from failed
    if table is not None and table.metadata().partition_columns != list(partition_by):
        columns = ", ".join(table.metadata().partition_columns) or "no column"
        raise PipelineConfigError(
            f"The Delta table {location.directory} is partitioned by {columns}: set partition_by to the same columns."
        )


def check_table_columns(location: DeltaTableLocation, columns: pa.Schema) -> None:
    """Raise PipelineConfigError if the table exists and cannot store rows with these columns."""
    try:
        columns = delta_columns(columns.empty_table()).schema
    except BadFunction as error:
        raise PipelineConfigError(
            f"The Delta table {location.directory} cannot take the pipeline's rows: {error}."
        ) from error
    table = location.open()
    known = {} if table is None else {column.name: column.type for column in pa.schema(table.schema().to_arrow())}
    for column in columns:
        if known and known.get(column.name) != column.type:
            raise PipelineConfigError(
                f"The pipeline's rows have the column '{column.name}' as {column.type}, but the Delta table"
                f" {location.directory} {difference(column, known)}: change the table or the last step."
            )


class DeltaTablePublisher:
    """Publisher of one output to a Delta table."""

    def __init__(self, side: str, partition_by: Sequence[str], options: Mapping[str, str] | None = None) -> None:
        self.side = side
        self.partition_by = list(partition_by)
        self.options = options

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        if not outputs:
            return []
        location = DeltaTableLocation(layout.directory(self.side), self.options)
        paths = [f"{location.directory}/{output.final}" for output in outputs]
        table = location.open()
        if table is not None and has_rows_of(table, manifest, self.side):
            if not is_url(location.directory):
                os.sync()  # The publisher that added the rows may have ended before it synced the log.
            return paths
        rename_into(files, layout, manifest, outputs)
        self.add(files, location, manifest, outputs)
        return paths

    def close(self) -> None:
        """Do nothing: no file is open."""

    def add(self, files: Files, location: DeltaTableLocation, manifest: Manifest, outputs: Sequence[Output]) -> None:
        """Add the renamed files to the table's log, unless they are in the log already."""
        from deltalake.exceptions import CommitFailedError, DeltaError

        with files.open(f"{location.directory}/{outputs[0].final}") as file:
            columns = whole_schema(pyarrow.parquet.read_schema(file))
        for _ in range(DELTA_ATTEMPTS_MAX):
            table = open_or_create(location, columns, self.partition_by)
            if has_rows_of(table, manifest, self.side):
                return None
            check_columns(location.directory, table, columns, manifest)
            version = table.version()  # Log files are synced from here on: the table may be new and unsynced.
            try:
                self.commit(table, manifest, outputs)
                return None if is_url(location.directory) else sync_log(location.directory, version)
            except CommitFailedError as error:
                conflict = error
            except (DeltaError, OSError) as error:
                raise SinkFailed(
                    f"rows cannot be added to the Delta table {location.directory}: {describe_error(error)}"
                ) from error
        raise SinkFailed(
            f"the Delta table {location.directory} has too many concurrent writers: {describe_error(conflict)}"
        )

    def commit(self, table: "DeltaTable", manifest: Manifest, outputs: Sequence[Output]) -> None:
        """Add the files to the table in one transaction, which also stores the manifest's sequence number."""
        from deltalake import CommitProperties, Transaction
        from deltalake.transaction import AddAction, RemoveAction

        now_ms = time.time_ns() // 1_000_000
        actions: list[AddAction | RemoveAction] = [
            AddAction(
                output.final,
                output.size_bytes,
                values_of(output.final),
                now_ms,
                True,
                json.dumps({"numRecords": output.rows}),
            )
            for output in outputs
        ]
        done = Transaction(transaction_app_id(manifest, self.side), manifest.sequence, now_ms)
        properties = CommitProperties(app_transactions=[done], max_commit_retries=DELTA_ATTEMPTS_MAX)
        table.create_write_transaction(
            actions, "append", table.schema(), self.partition_by or None, commit_properties=properties
        )


def open_or_create(location: DeltaTableLocation, columns: pa.Schema, partition_by: Sequence[str]) -> "DeltaTable":
    """Return the table; create it with these columns if it is missing."""
    from deltalake import CommitProperties, DeltaTable, Schema
    from deltalake.exceptions import DeltaError

    table = location.open()
    if table is not None:
        return table
    try:
        return DeltaTable.create(
            location.directory,
            Schema.from_arrow(columns),
            partition_by=list(partition_by) or None,
            storage_options=location.deltalake_options,
            commit_properties=CommitProperties(max_commit_retries=0),  # A retry would create the table again.
        )
    except (DeltaError, OSError) as error:
        if (made := location.open()) is not None:
            return made
        raise SinkFailed(f"the Delta table {location.directory} cannot be created: {describe_error(error)}") from error


def sync_log(directory: str, version: int) -> None:
    """Sync the files of the table's log from `version` up to the newest one. deltalake does not sync them."""
    log = f"{directory}/_delta_log"
    while os.path.exists(path := f"{log}/{version:020d}.json"):
        with open(path, "rb") as transaction:
            os.fsync(transaction.fileno())
        version += 1
    LocalFiles().sync_directory(log)


def transaction_app_id(manifest: Manifest, side: str) -> str:
    """Return the `appId` of the transaction (`txn` in Delta's protocol) for one output (`side`) of a lane.

    The id contains the line of manifests, because sequence numbers (the versions of `txn`) begin again after a reset.
    """
    return "/".join(["tenure", manifest.group, str(manifest.lane), manifest.line, side])


def has_rows_of(table: "DeltaTable", manifest: Manifest, side: str) -> bool:
    """Return whether the rows of the manifest are in the table already."""
    version = table.transaction_version(transaction_app_id(manifest, side))
    return version is not None and version >= manifest.sequence


def check_columns(directory: str, table: "DeltaTable", columns: pa.Schema, manifest: Manifest) -> None:
    """Raise PipelineStopped if the table lacks a column of the rows, or has it with another type."""
    known = {column.name: column.type for column in pa.schema(table.schema().to_arrow())}
    for column in columns:
        if known.get(column.name) != column.type:
            raise PipelineStopped(
                Code.SINK_REFUSED,
                f"rows of lane {manifest.lane} have the column '{column.name}' as {column.type}, but the Delta table"
                f" {directory} {difference(column, known)}: change the table and start the pipeline again. It"
                " then adds these rows, whose offsets are committed already",
                manifest.lane,
            )


def difference(column: pa.Field, known: Mapping[str, pa.DataType]) -> str:
    return f"has it as {known[column.name]}" if column.name in known else "has no such column"
