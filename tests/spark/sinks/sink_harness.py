"""Pipelines of the test engine that write to real sinks, and the rows in these sinks."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import sqlalchemy as sql

from tenure.pipeline.output.files import Files, LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import Publisher
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.spark.declarations.sink import Sink
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.for_each_batch import CommittedBatch, ForEachBatch
from tenure.spark.sinks.iceberg_sink import Iceberg
from tenure.spark.sinks.parquet_sink import Parquet
from tenure.spark.sinks.sql_sink import Sql
from tests.pipeline.coordinator import GROUP
from tests.pipeline.harness import Harness, Killed, counted

Rows = Counter[tuple[int, int, str, int]]
"""Partition, offset, key, count of the key so far."""

COLUMNS = ("partition", "offset", "key", "count")


@contextmanager
def harness_of(directory: Path, sink: Sink, **side: Sink) -> Iterator[Harness]:
    harness = Harness(files=LocalFiles())  # type: ignore[arg-type]
    sides = {name: beside.path for name, beside in side.items()}
    harness.layout = Layout.of(GROUP, sink.path, str(directory / "state"), sides)
    publishers = {name: each.publisher(name) for name, each in {"": sink, **side}.items()}
    harness.publishers = publishers
    try:
        yield harness
    finally:
        for publisher in publishers.values():
            publisher.close()


def job_of(harness: Harness, sink: Sink, function: Any = counted, **side: Sink) -> Any:
    return harness.job(function, sinks={name: each.staged for name, each in {"": sink, **side}.items()})


def oddly_counted(rows: pa.Table, state: KeyedState) -> Mapping[str, pa.Table]:
    """Count words. Rows at odd offsets go to the side output."""
    counts = counted(rows, state)
    odd = pa.compute.bit_wise_and(counts["offset"], 1)
    return {"": counts.filter(pa.compute.equal(odd, 0)), "odd": counts.filter(pa.compute.equal(odd, 1))}


class KilledPublisher:
    """Publisher whose process is killed at its `nth` call, before or after the call takes effect."""

    def __init__(self, publisher: Publisher, nth: int, *, before: bool) -> None:
        self.publisher = publisher
        self.left = nth
        self.before = before

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        self.left -= 1
        if self.left == 0 and self.before:
            raise Killed("before it was published")
        published = self.publisher.publish(files, layout, manifest, outputs)
        if self.left == 0:
            raise Killed("after it was published")
        return published

    def close(self) -> None:
        self.publisher.close()


def once(step: ProgressStep, act: Callable[[], Any]) -> Callable[[Progress], None]:
    """Return an observer that acts when its process first reaches `step`."""
    acted: list[Any] = []

    def observe(progress: Progress) -> None:
        if progress.step is step and not acted:
            acted.append(None)
            act()

    return observe


class BatchRecorder:
    """Function of a user that stores each batch under its token."""

    def __init__(self) -> None:
        self.batches: dict[str, Rows] = {}
        self.calls = 0

    def __call__(self, rows: pa.Table, batch: CommittedBatch) -> None:
        self.calls += 1
        given = counter(rows)
        assert self.batches.setdefault(batch.token, given) == given, f"{batch.token} came with other rows"

    @property
    def rows(self) -> Rows:
        return sum(self.batches.values(), Counter())


TABLE = 'create table counts (partition integer, "offset" integer, key varchar(20), count integer)'


def make_table(url: str, statement: str = TABLE) -> None:
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sql.text(statement))
    engine.dispose()


def iceberg(directory: Path, table: str = "db.counts") -> Iceberg:
    """Return a sink in a new catalog, which has the namespace."""
    from pyiceberg.catalog import load_catalog

    warehouse = directory / "warehouse"
    warehouse.mkdir(exist_ok=True)
    properties = {"type": "sql", "uri": f"sqlite:///{directory}/catalog.db", "warehouse": f"file://{warehouse}"}
    catalog = load_catalog("tests", **properties)
    catalog.create_namespace_if_not_exists(table.rpartition(".")[0])
    catalog.close()
    return Iceberg(table, "tests", properties)


def found_in(sink: Sink) -> Rows:
    """Return the rows that any reader of the sink sees."""
    match sink:
        case Parquet():
            return counter(pyarrow.dataset.dataset(sink.path, format="parquet", partitioning="hive").to_table())
        case Delta():
            from deltalake import DeltaTable

            return counter(DeltaTable(sink.path).to_pyarrow_table())
        case Iceberg():
            location = sink.location()
            rows = location.catalog.load_table(sink.table).scan().to_arrow()
            location.close()
            return counter(rows)
        case Sql():
            return selected(sink)
        case ForEachBatch():
            assert isinstance(sink.function, BatchRecorder)
            return sink.function.rows
        case _:
            raise AssertionError(sink)


def selected(sink: Sql) -> Rows:
    engine = sql.create_engine(sink.url)
    with engine.connect() as connection:
        table = sql.Table(sink.table, sql.MetaData(), autoload_with=connection)
        rows = connection.execute(sql.select(*(table.c[name] for name in COLUMNS))).all()
    engine.dispose()
    return Counter(map(tuple, rows))


def counter(rows: pa.Table) -> Rows:
    columns = [
        rows[name].cast(pa.string()).to_pylist() if name == "key" else rows[name].to_pylist() for name in COLUMNS
    ]
    return Counter(zip(*columns, strict=True))
