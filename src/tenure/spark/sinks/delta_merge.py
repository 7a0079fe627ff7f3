"""Publisher that merges rows into a Delta table by key, exactly once: a row replaces the one with the same key.

The driver reads the staged rows, and merges them in one transaction of the table's log. Like the transaction that adds
files (`delta_table.py`), this transaction contains the manifest's sequence number. So a second publisher of the same
manifest does nothing. The merge reads the whole table. If another transaction changes the table during the merge, the
merge is repeated.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.spark import DELTA_ATTEMPTS_MAX
from tenure.pipeline.errors import Code, PipelineStopped, SinkFailed, describe_error
from tenure.pipeline.output.files import Files, is_url
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import rows_text, staged_rows
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.spark.sinks.delta_table import (
    DeltaTableLocation,
    check_columns,
    has_rows_of,
    open_or_create,
    transaction_app_id,
)
from tenure.spark.sinks.upsert_rows import last_row_of_each_key

if TYPE_CHECKING:
    from deltalake import DeltaTable


class DeltaMergePublisher:
    """Publisher of one output that merges rows into a Delta table by key."""

    def __init__(
        self,
        side: str,
        key: Sequence[str],
        partition_by: Sequence[str],
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.side = side
        self.key = key
        self.partition_by = list(partition_by)
        self.options = options

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        if not outputs:
            return []
        location = DeltaTableLocation(layout.directory(self.side), self.options)
        if not self.has_rows_of(location, manifest):
            try:
                rows = staged_rows(files, layout, manifest, outputs)
            except PipelineStopped:
                # Another publisher may have merged the staged rows meanwhile.
                if not self.has_rows_of(location, manifest):
                    raise
            else:
                self.merge(location, manifest, rows)
        if not is_url(location.directory):
            os.sync()  # deltalake does not sync its files. A publisher that died may have left some unsynced, too.
        for output in outputs:
            files.remove(layout.staged(manifest.lane, self.side, output.staged))
        return [f"{rows_text(outputs)} of {location.directory}"]

    def has_rows_of(self, location: DeltaTableLocation, manifest: Manifest) -> bool:
        """Return whether the rows of the manifest are in the table already."""
        table = location.open()
        return table is not None and has_rows_of(table, manifest, self.side)

    def close(self) -> None:
        """Do nothing: no file is open."""

    def merge(self, location: DeltaTableLocation, manifest: Manifest, rows: pa.Table) -> None:
        """Merge the rows into the table, unless they are in the table already."""
        from deltalake.exceptions import CommitFailedError, DeltaError

        leaves = self.key_leaves(location, manifest, rows)
        rows = last_row_of_each_key(rows, [values_at(rows, path) for path in leaves])
        for _ in range(DELTA_ATTEMPTS_MAX):
            table = open_or_create(location, rows.schema, self.partition_by)
            if has_rows_of(table, manifest, self.side):
                return None
            check_columns(location.directory, table, rows.schema, manifest)
            try:
                return self.commit(table, manifest, rows, leaves)
            except CommitFailedError as error:
                conflict = error
            except (DeltaError, OSError) as error:
                raise SinkFailed(
                    f"rows cannot be merged into the Delta table {location.directory}: {describe_error(error)}"
                ) from error
        raise SinkFailed(
            f"the Delta table {location.directory} has too many concurrent writers: {describe_error(conflict)}"
        )

    def commit(
        self, table: "DeltaTable", manifest: Manifest, rows: pa.Table, leaves: Sequence[tuple[str, ...]]
    ) -> None:
        """Merge the rows in one transaction, which also stores the manifest's sequence number.

        `leaves` are the paths of the key's columns and struct fields.
        """
        from deltalake import CommitProperties, Transaction

        done = Transaction(transaction_app_id(manifest, self.side), manifest.sequence, time.time_ns() // 1_000_000)
        properties = CommitProperties(app_transactions=[done], max_commit_retries=0)
        updates = {quote((name,)): f"source.{quote((name,))}" for name in rows.column_names}
        (
            table.merge(
                rows,
                " and ".join(f"target.{quote(path)} = source.{quote(path)}" for path in leaves),
                source_alias="source",
                target_alias="target",
                commit_properties=properties,
            )
            .when_matched_update(updates=updates)
            .when_not_matched_insert(updates=updates)
            .execute()
        )

    def key_leaves(self, location: DeltaTableLocation, manifest: Manifest, rows: pa.Table) -> list[tuple[str, ...]]:
        """Return the paths of the key's columns and struct fields. Raises PipelineStopped if a row has no key."""
        for name in self.key:
            if name not in rows.column_names:
                raise self.refusal(
                    location, manifest, f"have no key column '{name}', only {', '.join(rows.column_names)}"
                )
        leaves = [path for name in self.key for path in leaf_paths(rows.schema.field(name))]
        for path in leaves:
            if values_at(rows, path).null_count:
                raise self.refusal(location, manifest, f"have a null in the key column '{'.'.join(path)}'")
        return leaves

    def refusal(self, location: DeltaTableLocation, manifest: Manifest, reason: str) -> PipelineStopped:
        return PipelineStopped(
            Code.SINK_REFUSED,
            f"rows of lane {manifest.lane} {reason}, so they cannot be merged into the Delta table"
            f" {location.directory}: set key= of the sink to columns that every row has, and start the pipeline again."
            " It then merges these rows, whose offsets are committed already",
            manifest.lane,
        )


def leaf_paths(field: pa.Field) -> Iterator[tuple[str, ...]]:
    """Yield the path of the column, or the paths of all fields of a struct column."""
    if not pa.types.is_struct(field.type):
        yield (field.name,)
        return
    for part in field.type:
        for path in leaf_paths(part):
            yield field.name, *path


def values_at(rows: pa.Table, path: Sequence[str]) -> pa.ChunkedArray:
    """Return the values of a column, or of a field of a struct column."""
    column = rows[path[0]]
    for name in path[1:]:
        column = pc.struct_field(column, name)
    return column


def quote(path: Sequence[str]) -> str:
    return ".".join(f"`{name}`" for name in path)
