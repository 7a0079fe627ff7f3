"""Rows for a Delta table, exactly once by its own means.

The files that a task has left become the table's: they are renamed into its directory and added in one transaction of
its log. That carries an application transaction (Delta's protocol: `txn`): the lane's row of manifests as the
application, the manifest's sequence as the version. So whoever comes twice reads that it is done; and of two who come
at once the log lets in one, the other is told of the conflict and reads the same.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from tenure.limits import DELTA_ATTEMPTS_MAX
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped, SinkFailed, describe_error
from tenure.pipeline.output.files import Files, LocalFiles, is_url
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.partitioning import values_of, whole_schema
from tenure.pipeline.output.publish import rename_into
from tenure.pipeline.values.manifest import Manifest, Output

if TYPE_CHECKING:
    from deltalake import DeltaTable


@dataclass(frozen=True, slots=True)
class DeltaTableLocation:
    """Where it is. It is opened for each transaction, as others write to it too."""

    directory: str
    options: Mapping[str, str] | None = None
    """deltalake's own, for URLs."""

    def open(self) -> "DeltaTable | None":
        """None where there is no table. Raises SinkFailed where nobody can say."""
        try:
            from deltalake import DeltaTable
            from deltalake.exceptions import DeltaError, TableNotFoundError
        except ImportError:
            raise PipelineConfigError(
                "A Delta sink needs the package deltalake: pip install 'tenure[delta]'."
            ) from None
        try:  # Its `is_deltatable` would hold up every thread of this process for as long as a store takes.
            return DeltaTable(self.directory, storage_options=self.given)
        except TableNotFoundError:
            return None
        except (DeltaError, OSError) as error:
            raise SinkFailed(f"the Delta table {self.directory} cannot be read: {describe_error(error)}") from error

    @property
    def given(self) -> dict[str, str] | None:
        return None if self.options is None else dict(self.options)


def check_table(at: DeltaTableLocation, partition_by: Sequence[str]) -> None:
    try:
        table = at.open()
    except SinkFailed as failed:
        raise PipelineStopped(Code.SINK_FAILED, str(failed)) from failed
    if table is not None and table.metadata().partition_columns != list(partition_by):
        there = ", ".join(table.metadata().partition_columns) or "nothing"
        raise PipelineConfigError(
            f"The Delta table {at.directory} is partitioned by {there}: set partition_by to the same columns."
        )


class DeltaTablePublisher:
    def __init__(self, side: str, partition_by: Sequence[str], options: Mapping[str, str] | None = None) -> None:
        self.side = side
        self.partition_by = list(partition_by)
        self.options = options

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        if not outputs:
            return []
        at = DeltaTableLocation(layout.directory(self.side), self.options)
        paths = [f"{at.directory}/{output.final}" for output in outputs]
        table = at.open()
        if table is not None and is_done(table, manifest, self.side):
            if not is_url(at.directory):
                os.sync()  # Whoever did it may have come to its end before the log was on the disk.
            return paths
        rename_into(files, layout, manifest, outputs)
        self.add(files, at, manifest, outputs)
        return paths

    def close(self) -> None:
        """Nothing is open."""

    def add(self, files: Files, at: DeltaTableLocation, manifest: Manifest, outputs: Sequence[Output]) -> None:
        from deltalake.exceptions import CommitFailedError, DeltaError

        with files.open(f"{at.directory}/{outputs[0].final}") as file:
            columns = whole_schema(pyarrow.parquet.read_schema(file))
        for _ in range(DELTA_ATTEMPTS_MAX):
            table = self.table(at, columns)
            if is_done(table, manifest, self.side):
                return None
            check_columns(at.directory, table, columns, manifest)
            version = table.version()  # Perhaps it was made just now.
            try:
                self.commit(table, manifest, outputs)
                return None if is_url(at.directory) else sync_log(at.directory, version)
            except CommitFailedError as error:
                conflict = error
            except (DeltaError, OSError) as error:
                raise SinkFailed(
                    f"rows cannot be added to the Delta table {at.directory}: {describe_error(error)}"
                ) from error
        raise SinkFailed(f"the Delta table {at.directory} has too many concurrent writers: {describe_error(conflict)}")

    def commit(self, table: "DeltaTable", manifest: Manifest, outputs: Sequence[Output]) -> None:
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
        done = Transaction(application(manifest, self.side), manifest.sequence, now_ms)
        properties = CommitProperties(app_transactions=[done], max_commit_retries=DELTA_ATTEMPTS_MAX)
        table.create_write_transaction(
            actions, "append", table.schema(), self.partition_by or None, commit_properties=properties
        )

    def table(self, at: DeltaTableLocation, columns: pa.Schema) -> "DeltaTable":
        """Made where it is missing."""
        from deltalake import CommitProperties, DeltaTable, Schema
        from deltalake.exceptions import DeltaError

        table = at.open()
        if table is not None:
            return table
        try:
            return DeltaTable.create(
                at.directory,
                Schema.from_arrow(columns),
                partition_by=self.partition_by or None,
                storage_options=at.given,
                commit_properties=CommitProperties(max_commit_retries=0),  # Tried again, it would be made twice.
            )
        except (DeltaError, OSError) as error:
            if (made := at.open()) is not None:
                return made
            raise SinkFailed(f"the Delta table {at.directory} cannot be created: {describe_error(error)}") from error


def sync_log(directory: str, version: int) -> None:
    """The transactions from `version` on: deltalake leaves them to the page cache."""
    log = f"{directory}/_delta_log"
    while os.path.exists(path := f"{log}/{version:020d}.json"):
        with open(path, "rb") as transaction:
            os.fsync(transaction.fileno())
        version += 1
    LocalFiles().sync_directory(log)


def application(manifest: Manifest, side: str) -> str:
    """One for each row of manifests of a lane: a lane that begins anew counts from the beginning."""
    return "/".join(["tenure", manifest.group, str(manifest.lane), manifest.line, side])


def is_done(table: "DeltaTable", manifest: Manifest, side: str) -> bool:
    version = table.transaction_version(application(manifest, side))
    return version is not None and version >= manifest.sequence


def check_columns(directory: str, table: "DeltaTable", columns: pa.Schema, manifest: Manifest) -> None:
    known = {column.name: column.type for column in pa.schema(table.schema().to_arrow())}
    for column in columns:
        if known.get(column.name) == column.type:
            continue
        there = f"has it as {known[column.name]}" if column.name in known else "has no such column"
        raise PipelineStopped(
            Code.SINK_REFUSED,
            f"rows of lane {manifest.lane} have the column '{column.name}' as {column.type}, but the Delta table"
            f" {directory} {there}: change the table and start the pipeline again; it adds the committed rows then",
            manifest.lane,
        )
