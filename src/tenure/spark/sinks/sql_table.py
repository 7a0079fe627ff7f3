"""Publisher of rows to a table of a database, exactly once.

One transaction writes the rows, and the offset up to which rows are in the table. A table of positions stores this
offset for each partition. A compare-and-set moves the offset from the start to the end of the committed records. A
second or late publisher finds an offset that is not the start, and writes nothing. If the group or the table was reset,
the stored offset fits no committed batch, and the pipeline stops with a message.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import pyarrow as pa

from tenure.limits.spark import SQL_ROWS_PER_STATEMENT
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped, SinkFailed, describe_error
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import rows_text, staged_rows
from tenure.pipeline.values.lanes import Range
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.spark.sinks.upsert_rows import last_row_of_each_key

try:
    import sqlalchemy as sql
    from sqlalchemy import exc
    from sqlalchemy.dialects import postgresql, sqlite
except ImportError:
    raise PipelineConfigError("An Sql sink needs the package sqlalchemy: pip install 'tenure[sql]'.") from None

UPSERTS: dict[str, Any] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}

RETRIABLE_ERRORS = (exc.OperationalError, exc.InterfaceError, exc.TimeoutError)
"""Errors of a database that does not answer, is locked, or has aborted this transaction because of another one."""


class Database:
    """The two tables of an Sql sink: the user's table, and the table of positions. Names may begin with a schema."""

    def __init__(
        self,
        url: str,
        table: str,
        *,
        key: Sequence[str],
        positions: str,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.url = url
        self.table_name = table
        self.key = key
        self.positions_name = positions
        self.options = options or {}

    @cached_property
    def engine(self) -> sql.Engine:
        try:
            return sql.create_engine(self.url, pool_pre_ping=True, **self.options)
        except (exc.ArgumentError, ImportError, TypeError) as error:
            raise PipelineConfigError(
                f"The table {self.table_name} cannot be opened ({describe_error(error)}): check url= and options= of"
                " the sink."
            ) from None

    @property
    def name(self) -> str:
        """Description for messages, without the password."""
        return f"the table {self.table_name} at {self.engine.url.render_as_string(hide_password=True)}"

    @cached_property
    def table(self) -> sql.Table:
        """The user's table with its columns, read from the database. Raises NoSuchTableError."""
        schema, _, name = self.table_name.rpartition(".")
        return sql.Table(name, sql.MetaData(schema=schema or None), autoload_with=self.engine)

    @cached_property
    def positions(self) -> sql.Table:
        """The table of positions with its columns."""
        schema, _, name = self.positions_name.rpartition(".")
        return sql.Table(
            name,
            sql.MetaData(schema=schema or None),
            sql.Column("pipeline", sql.String(249), primary_key=True),
            sql.Column("output", sql.String(249), primary_key=True),
            sql.Column("topic", sql.String(249), primary_key=True),
            sql.Column("partition_id", sql.Integer, primary_key=True, autoincrement=False),
            sql.Column("next_offset", sql.BigInteger, nullable=False),
            sql.Column("line", sql.String(22), nullable=False),
            sql.Column("sequence", sql.BigInteger, nullable=False),
            sql.Column("manifest", sql.String(22), nullable=False),
        )

    def check(self) -> None:
        """Check both tables; create the table of positions if it is missing.

        Raises:
            PipelineConfigError: A table or key column does not exist, or the database does not support keys.
            PipelineStopped: The database cannot be used.
        """
        known = self.columns(create=True)
        if unknown := [column for column in self.key if column not in known]:
            raise PipelineConfigError(
                f"The table {self.table_name} lacks the column '{unknown[0]}' of the sink's key: change the table or"
                " the key."
            )
        if self.key and self.engine.dialect.name not in UPSERTS:
            databases = " and ".join(UPSERTS)
            raise PipelineConfigError(
                f"An Sql sink with a key supports only {databases}, not {self.engine.dialect.name}: leave the key out."
            )

    def check_rows(self, names: Sequence[str]) -> None:
        """Raise PipelineConfigError if the table lacks one of these columns."""
        known = self.columns()
        if unknown := [name for name in names if name not in known]:
            raise PipelineConfigError(
                f"The pipeline's rows have the column '{unknown[0]}', but the table {self.table_name} has only"
                f" {', '.join(known)}: change the table, or leave the column out in the last step."
            )

    def columns(self, *, create: bool = False) -> Sequence[str]:
        """Return the columns of the user's table. With `create`, create the table of positions if it is missing.

        Raises:
            PipelineConfigError: The table does not exist.
            PipelineStopped: The database cannot be used.
        """
        try:
            if create:
                self.create_positions()
            return [column.name for column in self.table.columns]
        except exc.NoSuchTableError:
            raise PipelineConfigError(
                f"There is no {self.name.removeprefix('the ')}: create it with the columns of the pipeline's rows."
            ) from None
        except exc.SQLAlchemyError as error:
            raise PipelineStopped(Code.SINK_FAILED, f"{self.name} cannot be used: {database_message(error)}") from None
        finally:
            self.engine.dispose()

    def create_positions(self) -> None:
        """Create the table of positions if it is missing."""
        try:
            self.positions.create(self.engine, checkfirst=True)
        except exc.SQLAlchemyError:  # Another application may create it at the same time.
            if not sql.inspect(self.engine).has_table(self.positions.name, schema=self.positions.schema):
                raise

    def insert(self) -> sql.Insert:
        """Return the statement that inserts one row. With a key, it replaces the existing row with the same key."""
        if not self.key:
            return self.table.insert()
        statement = UPSERTS[self.engine.dialect.name](self.table)
        rest = {
            column.name: statement.excluded[column.name] for column in self.table.columns if column.name not in self.key
        }
        upsert: sql.Insert = statement.on_conflict_do_update(index_elements=self.key, set_=rest)
        return upsert


class TablePublisher:
    """Publisher of one output to a table of a database."""

    def __init__(self, database: Database, side: str) -> None:
        self.database = database
        self.output = f"{database.table_name}/{side}" if side else database.table_name

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        """Write the rows and move the position in one transaction, also for batches without rows."""
        with self.translate_errors(manifest), self.database.engine.begin() as connection:
            if self.advance(connection, manifest) and outputs:
                self.write(connection, manifest, staged_rows(files, layout, manifest, outputs))
        return [f"{rows_text(outputs)} of {self.database.table_name}"] if outputs else []

    def close(self) -> None:
        self.database.engine.dispose()

    def advance(self, connection: sql.Connection, manifest: Manifest) -> bool:
        """Move the position of each partition of the lane to the end of the manifest's records.

        Return False if a publisher has already moved a position for this manifest or a later one. Raises
        PipelineStopped if a position contradicts the manifest.
        """
        moved = {self.advance_one(connection, manifest, committed) for committed in manifest.ranges}
        return moved == {True}

    def advance_one(self, connection: sql.Connection, manifest: Manifest, committed: Range) -> bool:
        """Move the position of one partition to the end of `committed`. Result and errors are those of `advance`."""
        positions = self.database.positions
        key = {
            "pipeline": manifest.group,
            "output": self.output,
            "topic": committed.topic,
            "partition_id": committed.partition,
        }
        of_partition = sql.and_(*(positions.c[name] == value for name, value in key.items()))
        older = sql.or_(positions.c.line != manifest.line, positions.c.sequence < manifest.sequence)
        new = {
            "next_offset": committed.end_offset,
            "line": manifest.line,
            "sequence": manifest.sequence,
            "manifest": manifest.id,
        }
        moved = (
            positions.update().where(of_partition, positions.c.next_offset == committed.start_offset, older).values(new)
        )
        if connection.execute(moved).rowcount == 1:
            return True
        stored = connection.execute(positions.select().where(of_partition)).one_or_none()
        if stored is None:
            self.insert_position(connection, key | new)
            return True
        if stored.line == manifest.line and stored.sequence >= manifest.sequence:
            return False
        raise self.position_error(manifest, committed, stored.next_offset)

    def insert_position(self, connection: sql.Connection, position: dict[str, Any]) -> None:
        """Insert the position of a partition for which the table has none."""
        try:
            connection.execute(self.database.positions.insert().values(position))
        except exc.IntegrityError as error:
            raise SinkFailed(
                f"{self.database.name} has another writer for the same rows: {database_message(error)}"
            ) from error

    def position_error(self, manifest: Manifest, committed: Range, next_offset: int) -> PipelineStopped:
        """Return the error for a position that contradicts the committed records."""
        positions = self.database.positions_name
        return PipelineStopped(
            Code.SINK_MOVED,
            f"{self.database.name} has the rows of {committed.topic_partition} up to offset {next_offset} (table"
            f" {positions}), but the next committed rows start at {committed.start_offset}: the group or the table was"
            f" reset; make the table hold exactly the rows before offset {committed.start_offset}, set next_offset in"
            f" {positions} to that offset, and start the pipeline again",
            manifest.lane,
        )

    def write(self, connection: sql.Connection, manifest: Manifest, rows: pa.Table) -> None:
        """Insert the rows; with a key, replace the rows with the same key."""
        known = self.database.table.columns
        if unknown := [name for name in rows.column_names if name not in known]:
            raise refusal(self.database, manifest, f"it has no column '{unknown[0]}'")
        if missing := [name for name in self.database.key if name not in rows.column_names]:
            raise refusal(self.database, manifest, f"the rows have no key column '{missing[0]}'")
        rows = in_microseconds(rows)
        rows = last_row_of_each_key(rows, [rows[name] for name in self.database.key])
        for batch in rows.to_batches(SQL_ROWS_PER_STATEMENT):
            connection.execute(self.database.insert(), batch.to_pylist())

    @contextmanager
    def translate_errors(self, manifest: Manifest) -> Iterator[None]:
        """Convert errors of the database to SinkFailed or PipelineStopped."""
        try:
            yield
        except RETRIABLE_ERRORS as error:
            raise SinkFailed(
                f"{self.database.name} did not accept the rows of lane {manifest.lane}: {database_message(error)}"
            ) from error
        except exc.SQLAlchemyError as error:
            raise refusal(self.database, manifest, database_message(error)) from error


def refusal(database: Database, manifest: Manifest, reason: str) -> PipelineStopped:
    """Return the error for rows that the database rejects. `reason` is the database's reason."""
    return PipelineStopped(
        Code.SINK_REFUSED,
        f"{database.name} refuses the rows of lane {manifest.lane} ({reason}): change the table and start the pipeline"
        " again. It then writes these rows, whose offsets are committed already",
        manifest.lane,
    )


def database_message(error: exc.SQLAlchemyError) -> str:
    """Return the database's error message. SQLAlchemy's own message also contains the statement and the rows."""
    return describe_error(error.orig if isinstance(error, exc.DBAPIError) and error.orig is not None else error)


def in_microseconds(rows: pa.Table) -> pa.Table:
    """Convert timestamps to microseconds, because Python's datetime has no nanoseconds."""
    fields = [
        pa.field(column.name, pa.timestamp("us", column.type.tz)) if pa.types.is_timestamp(column.type) else column
        for column in rows.schema
    ]
    return rows.cast(pa.schema(fields), safe=False)
