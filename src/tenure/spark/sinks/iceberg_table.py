"""Publisher of rows to an Iceberg table, exactly once.

One commit of the table adds the rows, or replaces those with the same key (`iceberg_upsert.py`). It also sets a table
property: the name is the lane's line of manifests, and the value is the manifest's sequence number. A second publisher
reads this property, and does not add rows that are in the table. If two publishers commit at the same time, the catalog
accepts one, because each commit names its parent snapshot. The other one reads the property again.

A property of the table remains when its snapshots expire. A property of the snapshot would be lost.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from threading import Lock
from typing import Final

import pyarrow as pa

from tenure.limits.spark import ICEBERG_ATTEMPTS_MAX
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped, SinkFailed, describe_error
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import rows_text, staged_rows
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.spark.sinks.iceberg_upsert import upsert

try:
    from pyiceberg.catalog import Catalog, load_catalog
    from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, TableAlreadyExistsError
    from pyiceberg.table import Table

    from tenure.spark.sinks.iceberg_columns import difference
except ImportError:
    raise PipelineConfigError("An Iceberg sink needs the package pyiceberg: pip install 'tenure[iceberg]'.") from None

RETRIES: Final = "commit.retry.num-retries"
LOCAL: Final = ("file:", "/")


class IcebergTableLocation:
    """Name of the table, and its catalog, which is opened on first use."""

    def __init__(self, table: str, catalog: str, properties: Mapping[str, str]) -> None:
        self.table = table
        self.catalog_name = catalog
        self.properties = properties

    @property
    def name(self) -> str:
        """Description of the table in error messages."""
        return f"the Iceberg table {self.table} of catalog {self.catalog_name}"

    @cached_property
    def catalog(self) -> Catalog:
        return load_catalog(self.catalog_name, **self.properties)

    def check(self) -> None:
        """Check that the catalog answers and has the namespace.

        Raises:
            PipelineConfigError: There is no such catalog or namespace.
            PipelineStopped: The catalog does not answer.
        """
        namespace = self.table.rpartition(".")[0]
        with self.translate_errors():
            is_there = self.catalog.namespace_exists(namespace)
        if not is_there:
            raise PipelineConfigError(
                f"The catalog {self.catalog_name} has no namespace {namespace}: create it, or change the table"
                f" {self.table}."
            )

    def check_columns(self, columns: pa.Schema) -> None:
        """If the table exists, check that it can store rows with these columns.

        Raises:
            PipelineConfigError: The table cannot store such rows.
            PipelineStopped: The catalog does not answer.
        """
        with self.translate_errors():
            table = self.load()
        if table is not None and (problem := difference(table.schema(), columns)) is not None:
            raise PipelineConfigError(
                f"The pipeline's rows {problem} in {self.name}: change the table or the last step."
            )

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Convert errors of the catalog to those of `check`, and close the catalog after the block."""
        try:
            yield
        except (ImportError, TypeError, ValueError) as error:
            raise PipelineConfigError(
                f"{self.name} cannot be opened ({describe_error(error)}): check the name and properties of the catalog."
            ) from error
        except Exception as error:  # Each kind of catalog has its own exceptions.
            raise PipelineStopped(
                Code.SINK_FAILED, f"{self.name} cannot be reached: {describe_error(error)}"
            ) from error
        finally:
            self.close()

    def load(self) -> Table | None:
        """Read the current table from the catalog; None if it does not exist."""
        try:
            return self.catalog.load_table(self.table)
        except NoSuchTableError:
            return None

    def load_or_create(self, columns: pa.Schema) -> Table:
        """Read the current table from the catalog. If it does not exist, create it with these columns."""
        try:
            return self.load() or self.catalog.create_table(self.table, columns)
        except TableAlreadyExistsError:  # Another application has just created it.
            return self.catalog.load_table(self.table)

    def close(self) -> None:
        """Close the connections to the catalog. The next use opens new ones."""
        if (catalog := self.__dict__.pop("catalog", None)) is not None:
            catalog.close()


class IcebergTablePublisher:
    """Publisher of one output to an Iceberg table."""

    def __init__(self, location: IcebergTableLocation, side: str, key: Sequence[str] = ()) -> None:
        self.location = location
        self.side = side
        self.key = key
        self.committing = Lock()
        """Lock, so that the lanes of this process commit one after the other. The catalog would reject one of two
        concurrent commits, and this commit would have to be repeated."""

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        if outputs:
            with self.committing, self.translate_errors():
                self.add(files, layout, manifest, outputs)
        return [f"{rows_text(outputs)} of {self.location.table}"] if outputs else []

    def close(self) -> None:
        self.location.close()

    def add(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> None:
        """Add the staged rows to the table, unless they are in the table already."""
        if (existing := self.location.load()) is not None and has_rows_of(existing, manifest, self.side):
            return sync(existing)  # The publisher that added the rows may have ended before it synced the files.
        rows = staged_rows(files, layout, manifest, outputs)
        for _ in range(ICEBERG_ATTEMPTS_MAX):
            table = self.location.load_or_create(rows.schema)
            try:
                if not has_rows_of(table, manifest, self.side):
                    self.commit(table, manifest, rows)
                return sync(table)
            except CommitFailedException as error:
                conflict = error
        raise SinkFailed(f"{self.location.name} has too many concurrent writers: {describe_error(conflict)}")

    def commit(self, table: Table, manifest: Manifest, rows: pa.Table) -> None:
        """Write the rows, and the manifest's sequence number as a table property, in one commit.

        Raises:
            CommitFailedException: The table has changed since it was loaded.
            PipelineStopped: The table cannot store these rows.
        """
        # After a conflict, pyiceberg would repeat the commit without reading the property again. But the other commit
        # may have added the same rows. pyiceberg gets the number of attempts from this copy of the metadata, which is
        # not written to the table.
        properties = {**table.metadata.properties, RETRIES: "0"}
        table.metadata = table.metadata.model_copy(update={"properties": properties})
        transaction = table.transaction()
        try:
            if self.key:
                upsert(table, transaction, rows, self.key)
            else:
                transaction.append(rows)
        except ValueError as error:
            raise PipelineStopped(
                Code.SINK_REFUSED,
                f"{self.location.name} refuses the rows of lane {manifest.lane} ({describe_error(error)}): change the"
                " table and start the pipeline again. It then adds these rows, whose offsets are committed already",
                manifest.lane,
            ) from error
        transaction.set_properties({property_name(manifest, self.side): str(manifest.sequence)})
        transaction.commit_transaction()

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Convert errors of the catalog, of its database and of the table's files to SinkFailed."""
        try:
            yield
        except (PipelineStopped, SinkFailed):
            raise
        except Exception as error:  # Each kind of catalog and of store has its own exceptions.
            raise SinkFailed(f"{self.location.name} cannot be written: {describe_error(error)}") from error


def property_name(manifest: Manifest, side: str) -> str:
    """Return the name of the table property for an output and the manifest's line of manifests.

    A reset lane has a new line, whose sequence numbers begin again.
    """
    return "/".join(["tenure", manifest.group, str(manifest.lane), manifest.line, side])


def has_rows_of(table: Table, manifest: Manifest, side: str) -> bool:
    """Return whether the rows of the manifest are in the table already."""
    return int(table.properties.get(property_name(manifest, side), -1)) >= manifest.sequence


def sync(table: Table) -> None:
    """Sync the files of a local table, because pyiceberg does not sync them."""
    if table.location().startswith(LOCAL):
        os.sync()
