"""Iceberg tables: concurrent publishers, processes that are killed, and changes from outside."""

import pickle
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog
from pyiceberg.table import Table

from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.values.manifest import Manifest
from tenure.pipeline.values.progress import ProgressStep
from tenure.spark.sinks.iceberg_sink import Iceberg
from tenure.spark.sinks.iceberg_table import IcebergTableLocation, IcebergTablePublisher
from tests.pipeline.harness import Harness, Killed, counted, killed_at
from tests.spark.sinks.sink_harness import found_in, harness_of, iceberg, job_of

COLUMNS = pa.schema([("partition", pa.int32()), ("offset", pa.int64()), ("key", pa.string()), ("count", pa.int64())])


@contextmanager
def catalog_of(sink: Iceberg) -> Iterator[Catalog]:
    location = sink.location()
    try:
        yield location.catalog
    finally:
        location.close()


def run_to_commit(harness: Harness, sink: Iceberg) -> Manifest:
    """Run until a batch is committed, and kill the process before it is published."""
    harness.produce(5)
    with pytest.raises(Killed):
        harness.start(job=job_of(harness, sink), observer=killed_at(ProgressStep.COMMITTED)).run()
    return harness.accepted[0]


class LatePublisher(IcebergTablePublisher):
    """Publisher for a race: after it has read the table, another process publishes the same batch first."""

    def __init__(self, sink: Iceberg) -> None:
        super().__init__(sink.location(), "")
        self.others = IcebergTableLocation(sink.table, sink.catalog, sink.properties or {})
        self.commits = 0

    def commit(self, table: Table, manifest: Manifest, rows: pa.Table) -> None:
        if not self.commits:
            other = self.others.load()
            assert other is not None
            IcebergTablePublisher(self.others, "").commit(other, manifest, rows)
            self.others.close()
        self.commits += 1
        super().commit(table, manifest, rows)


def test_iceberg__two_concurrent_publishers__each_row_once(tmp_path: Path) -> None:
    sink = iceberg(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        publisher = LatePublisher(sink)
        harness.publishers = {"": publisher}
        harness.produce(5)
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()
        publisher.close()
    assert publisher.commits == 2  # The first commit was refused; the second one has the other lane's rows.
    with catalog_of(sink) as catalog:
        assert len(catalog.load_table(sink.table).history()) == 2


def test_iceberg__several_applications_create_the_table_and_publish_at_once__each_row_once(tmp_path: Path) -> None:
    sink = iceberg(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        manifest = run_to_commit(harness, sink)

        def publish(_: int) -> None:
            publisher = sink.publisher("")  # With a lock of its own, as in another process.
            try:
                publisher.publish(harness.files, harness.layout, manifest, manifest.outputs)
            finally:
                publisher.close()

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(publish, range(8)))
        assert sum(found_in(sink).values()) == 5
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


@pytest.mark.long
@pytest.mark.parametrize("moment", ["data written", "metadata written", "committed"])
def test_iceberg__process_killed_during_the_table_commit__next_process_finishes_and_each_row_once(
    moment: str, tmp_path: Path
) -> None:
    sink = iceberg(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        manifest = run_to_commit(harness, sink)
        batch = tmp_path / "batch"
        batch.write_bytes(pickle.dumps((sink, harness.files, harness.layout, manifest)))
        command = [sys.executable, "-m", "tests.spark.sinks.killed_publisher", str(batch), moment]
        assert subprocess.run(command, check=False, timeout=120).returncode == -signal.SIGKILL
        assert sum(found_in(sink).values()) == (5 if moment == "committed" else 0)
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


def test_iceberg__table_snapshots_expired_before_a_late_publication__each_row_once(tmp_path: Path) -> None:
    sink = iceberg(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        manifest = run_to_commit(harness, sink)
        harness.start(job=job_of(harness, sink)).run()
        with catalog_of(sink) as catalog:
            table = catalog.load_table(sink.table)
            table.append(pa.Table.from_pylist([], schema=COLUMNS))
            for snapshot in table.snapshots()[:-1]:
                table.maintenance.expire_snapshots().by_id(snapshot.snapshot_id).commit()
            assert len(table.snapshots()) == 1
        harness.publishers[""].publish(harness.files, harness.layout, manifest, manifest.outputs)
        assert found_in(sink) == harness.expected_rows()


def test_iceberg__table_created_with_partitions_by_the_user__rows_in_their_partitions(tmp_path: Path) -> None:
    sink = iceberg(tmp_path)
    with catalog_of(sink) as catalog:
        table = catalog.create_table(sink.table, COLUMNS)
        with table.update_spec() as spec:
            spec.add_identity("key")
    with harness_of(tmp_path, sink) as harness:
        harness.produce(20)
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()
    assert list((tmp_path / "warehouse").glob("**/key=k0-1/*.parquet"))


def test_iceberg__column_missing__pipeline_stops_and_continues_after_it_was_added(tmp_path: Path) -> None:
    sink = iceberg(tmp_path)
    with catalog_of(sink) as catalog:
        catalog.create_table(sink.table, pa.schema([field for field in COLUMNS if field.name != "count"]))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(5)
        with pytest.raises(
            PipelineStopped, match=r"refuses the rows of lane words-\d .*count.*change the table"
        ) as stopped:
            harness.start(job=job_of(harness, sink)).run()
        assert stopped.value.code is Code.SINK_REFUSED
        with catalog_of(sink) as catalog, catalog.load_table(sink.table).update_schema() as update:
            update.union_by_name(COLUMNS)
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


@pytest.mark.long
@pytest.mark.parametrize(("key", "partitioned"), [("key", False), (("key", "half"), True)])
def test_iceberg__key_declared__only_the_last_row_of_each_key(
    key: str | tuple[str, str], partitioned: bool, tmp_path: Path
) -> None:
    def with_half(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        half = pa.compute.bit_wise_and(counts["offset"], 1)
        return counts.append_column("half", half).append_column("list", pa.array([[1]] * len(counts)))

    sink = replace(iceberg(tmp_path), key=key)
    if partitioned:
        with catalog_of(sink) as catalog:
            table = catalog.create_table(sink.table, pa.schema([*COLUMNS, ("half", pa.int64()), ("more", pa.int64())]))
            with table.update_schema() as update:
                update.union_by_name(pa.schema([("list", pa.list_(pa.int64()))]))
            with table.update_spec() as spec:
                spec.add_identity("key")
    with harness_of(tmp_path, sink) as harness:
        for _ in range(3):
            harness.produce(30)
            harness.start(job=job_of(harness, sink, with_half)).run()
    expected = {(row[2], row[1] % 2 if "half" in key else 0): row for row in sorted(harness.expected_rows())}
    assert found_in(sink) == Counter(expected.values())


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("nope", "have no key column 'nope'"),
        ("count", "has a null in the key column 'count'"),
        ("share", "have the key column 'share' of type double"),
    ],
)
def test_iceberg__unusable_key_column__pipeline_stops_and_continues_with_another_key_column(
    key: str, says: str, tmp_path: Path
) -> None:
    def without_count(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        nothing = pa.nulls(len(counts), pa.int64())
        return counts.set_column(3, "count", nothing).append_column("share", nothing.cast(pa.float64()))

    sink = replace(iceberg(tmp_path), key=key)
    with harness_of(tmp_path, sink) as harness:
        harness.produce(10)
        with pytest.raises(PipelineStopped, match=f"refuses the rows of lane words-.*{says}") as stopped:
            harness.start(job=job_of(harness, sink, without_count)).run()
        assert stopped.value.code is Code.SINK_REFUSED
        harness.publishers[""].close()
        harness.publishers = {"": replace(sink, key=("partition", "offset")).publisher("")}
        harness.start(job=job_of(harness, sink, without_count)).run()
        harness.publishers[""].close()
    assert sum(found_in(sink).values()) == 20


def test_iceberg__unsupported_types__converted_or_refused(tmp_path: Path) -> None:
    def oddly_typed(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        zero = pa.array([0] * len(counts))
        odd = {
            "unsigned": zero.cast(pa.uint32()),
            "nanos": zero.cast(pa.timestamp("ns", "Europe/Berlin")),
            "words": counts["key"].dictionary_encode(),
            "list": pa.array([[1]] * len(counts), pa.list_(pa.uint8())),
        }
        for name, values in odd.items():
            counts = counts.append_column(name, values)
        return counts

    def timed(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        return counts.append_column("since", pa.array([0] * len(counts), pa.duration("s")))

    sink = iceberg(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        harness.produce(20)
        harness.start(job=job_of(harness, sink, oddly_typed)).run()
        assert found_in(sink) == harness.expected_rows()
        harness.produce(1)
        with pytest.raises(PipelineStopped, match=r"type duration\[s\], which Iceberg does not support") as stopped:
            harness.start(job=job_of(harness, sink, timed)).run()
    assert stopped.value.code is Code.BAD_FUNCTION


@pytest.mark.parametrize(
    ("declare", "error", "message"),
    [
        (
            lambda _: Iceberg("counts"),
            PipelineConfigError,
            "needs a table with its namespace, such as 'flights.delays', not 'counts'",
        ),
        (lambda _: Iceberg("db.counts", "nowhere"), PipelineConfigError, "catalog nowhere cannot be opened .*: check"),
        (
            lambda at: Iceberg("other.counts", "tests", at.properties),
            PipelineConfigError,
            "catalog tests has no namespace other: create it",
        ),
        (
            lambda _: Iceberg("db.counts", "tests", {"type": "sql", "uri": "sqlite:////nowhere/x.db"}),
            PipelineStopped,
            "SINK_FAILED: .*cannot be reached: OperationalError",
        ),
    ],
)
def test_iceberg__catalog_not_usable__refused_before_the_pipeline_starts(
    declare: Any, error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        declare(iceberg(tmp_path)).check()


def test_iceberg__repr__without_the_catalog_properties() -> None:
    assert "secret" not in repr(Iceberg("db.t", "tests", {"credential": "id:secret"}))
