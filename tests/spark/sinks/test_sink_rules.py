"""Errors of each sink, and its behaviour after changes from outside."""

import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from deltalake import DeltaTable, write_deltalake

from tenure.pipeline.engine.recover import OnDisagreement
from tenure.pipeline.errors import Code, PipelineStopped, SinkFailed
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.values.progress import ProgressStep
from tenure.spark import Pipeline, PipelineConfigError, Topic, json, stateful
from tenure.spark.declarations.sink import Sink
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.delta_table import DeltaTableLocation, DeltaTablePublisher
from tenure.spark.sinks.for_each_batch import CommittedBatch, for_each_batch
from tenure.spark.sinks.parquet_sink import Parquet
from tenure.spark.sinks.sql_sink import Sql
from tests.pipeline.harness import Harness, Killed, counted, killed_at
from tests.spark.sinks.sink_harness import (
    TABLE,
    BatchRecorder,
    found_in,
    harness_of,
    job_of,
    make_table,
    oddly_counted,
    selected,
)

KEYED = 'create table counts (partition integer, "offset" integer, key varchar(20) primary key, count integer)'


def sqlite(directory: Path, **options: Any) -> Sql:
    made = Sql(f"sqlite:///{directory}/counts.db", "counts", **options)
    make_table(made.url, KEYED if options else 'create table counts (partition, "offset", key, count)')
    made.check()
    return made


def executed(url: str, *statements: str) -> None:
    for statement in statements:
        make_table(url, statement)


def published_by_many_at_once(harness: Harness) -> None:
    """Publish the first committed batch from several threads."""
    manifest, publisher = harness.accepted[0], harness.publishers[""]

    def publish(_: int) -> None:
        while True:
            try:
                publisher.publish(harness.files, harness.layout, manifest, manifest.outputs)
                return
            except SinkFailed:  # Retry, as the engine does.
                continue

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(publish, range(20)))


# --- a group that was reset -------------------------------------------------------------------------------------------


def reset_to_seven(harness: Harness, sink: Sink) -> None:
    """Reset the group as an operator would do."""
    harness.produce(20)
    harness.start("a", job=job_of(harness, sink)).run().membership.close(leave=True)
    harness.coordinator.reset(0, 7)
    harness.start("a", job=job_of(harness, sink), on_disagreement=OnDisagreement.TRUST_OFFSETS).run()


def test_sql__offsets_of_the_group_reset__pipeline_stops_until_table_and_position_are_reset(tmp_path: Path) -> None:
    sink = sqlite(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        with pytest.raises(
            PipelineStopped, match=r"has the rows of words-0 up to offset 20 .* rows start at 7"
        ) as stopped:
            reset_to_seven(harness, sink)
        assert stopped.value.code is Code.SINK_MOVED
        assert found_in(sink) == harness.expected_rows()
        executed(
            sink.url,
            'delete from counts where partition = 0 and "offset" >= 7',
            "update tenure_positions set next_offset = 7 where partition_id = 0",
        )
        harness.start("a", job=job_of(harness, sink)).run()
    again = selected(sink)
    assert sorted(row[:2] for row in again) == sorted(row[:2] for row in harness.expected_rows())


def test_delta_sink__offsets_of_the_group_reset__rows_written_again(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"))
    with harness_of(tmp_path, sink) as harness:
        reset_to_seven(harness, sink)
    offsets = Counter(row[:2] for row in found_in(sink).elements())
    assert {at for at, times in offsets.items() if times == 2} == {(0, offset) for offset in range(7, 20)}
    assert set(offsets.values()) == {1, 2}


def test_delta_sink__state_lost_and_all_records_processed_again__rows_written_a_second_time(
    tmp_path: Path,
) -> None:
    sink = Delta(str(tmp_path / "out"))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        harness.start("a", job=job_of(harness, sink)).run().membership.close(leave=True)
        shutil.rmtree(tmp_path / "state")
        for partition in (0, 1):
            harness.coordinator.reset(partition, 0)
        harness.start("a", job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows() + harness.expected_rows()


# --- a function -------------------------------------------------------------------------------------------------------


def test_for_each_batch__function_fails__pipeline_stops_and_repeats_the_batch_after_a_restart(tmp_path: Path) -> None:
    given: list[CommittedBatch] = []
    remembering = BatchRecorder()

    def refusing(_: pa.Table, batch: CommittedBatch) -> None:
        given.append(batch)
        raise ValueError("disk full")

    sink = for_each_batch(remembering)
    with harness_of(tmp_path, sink) as harness:
        harness.produce(5)
        harness.publishers = {"": for_each_batch(refusing).publisher("")}
        with pytest.raises(PipelineStopped, match=r"failed on batch .*disk full.*called with it again") as stopped:
            harness.start(job=job_of(harness, sink)).run()
        assert stopped.value.code is Code.SINK_FAILED
        assert len({batch.token for batch in given if batch.lane == "words-0"}) == 1
        harness.publishers = {"": sink.publisher("")}
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()
    assert given[0].token in remembering.batches
    assert [part.end_offset for part in given[0].ranges] == [5]


def test_for_each_batch__killed_after_the_call__called_again_with_the_same_rows_and_token(tmp_path: Path) -> None:
    sink = for_each_batch(BatchRecorder())  # Raises if it gets a token again with other rows.
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        for nth in (1, 2):
            with pytest.raises(Killed):
                harness.start(job=job_of(harness, sink), observer=killed_at(ProgressStep.COMMITTED, nth)).run()
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


# --- a database -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_sql__key_declared__only_the_last_row_of_each_key(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if kind == "postgres":
        url = request.getfixturevalue("server")
        executed(url, "drop table if exists counts, tenure_positions", KEYED)
        sink = Sql(url, "public.counts", key=("key",))
        sink.check()
    else:
        sink = sqlite(tmp_path, key="key")
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        harness.start(job=job_of(harness, sink)).run()
    expected: dict[str, tuple[int, int, str, int]] = {}
    for row in sorted(harness.expected_rows()):
        expected[row[2]] = row
    assert sorted(selected(Sql(sink.url, "counts"))) == sorted(expected.values())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_sql__concurrent_publishers__each_row_once(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if kind == "postgres":
        sink = Sql(request.getfixturevalue("server"), "counts")
        executed(sink.url, "drop table if exists counts, tenure_positions", TABLE)
    else:
        sink = Sql(f"sqlite:///{tmp_path}/counts.db", "counts", options={"connect_args": {"timeout": 60}})
        executed(sink.url, TABLE)
    sink.check()
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        with pytest.raises(Killed):
            harness.start(job=job_of(harness, sink), observer=killed_at(ProgressStep.COMMITTED)).run()
        published_by_many_at_once(harness)
        assert sum(found_in(sink).values()) == 10
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


def test_sql__database_refuses_a_row__pipeline_stops_with_its_message_and_no_row_of_the_batch(tmp_path: Path) -> None:
    sink = sqlite(tmp_path)
    executed(sink.url, "create unique index once on counts (count)")
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        with pytest.raises(
            PipelineStopped, match=r"UNIQUE constraint failed: counts\.count\): change the table"
        ) as stopped:
            harness.start(job=job_of(harness, sink)).run()
    assert stopped.value.code is Code.SINK_REFUSED
    assert found_in(sink) == {}


def test_sql__database_down__retried_and_then_pipeline_stops(tmp_path: Path) -> None:
    sink = sqlite(tmp_path)
    with harness_of(tmp_path, sink) as harness:
        harness.produce(5)
        (tmp_path / "counts.db").rename(tmp_path / "away.db")
        (tmp_path / "counts.db").mkdir()
        with pytest.raises(PipelineStopped, match=r"did not accept the rows.*unable to open.*\(9 times") as stopped:
            harness.start(job=job_of(harness, sink)).run()
        assert stopped.value.code is Code.SINK_FAILED
        (tmp_path / "counts.db").rmdir()
        (tmp_path / "away.db").rename(tmp_path / "counts.db")
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


def test_sql__two_outputs_of_a_pipeline_in_one_table__separate_positions(tmp_path: Path) -> None:
    sink = sqlite(tmp_path)
    with harness_of(tmp_path, sink, odd=sink) as harness:
        harness.produce(50)
        harness.start(job=job_of(harness, sink, oddly_counted, odd=sink)).run()
        assert found_in(sink) == harness.expected_rows()


@pytest.mark.parametrize(
    ("url", "options", "error", "sentence"),
    [
        ("nothing", {}, PipelineConfigError, r"table counts cannot be opened \(ArgumentError"),
        ("oracle9://x", {}, PipelineConfigError, r"cannot be opened \(NoSuchModuleError"),
        ("postgresql+psycopg://u:secret@/x?host=/nowhere", {}, PipelineStopped, r"SINK_FAILED: .*u:\*\*\*@"),
        ("sqlite://", {}, PipelineConfigError, "There is no table counts at sqlite"),
        ("sqlite:///{}/counts.db", {"key": "nokey"}, PipelineConfigError, "lacks the column 'nokey'"),
    ],
)
def test_sql__database_not_usable__refused_before_the_pipeline_starts(
    url: str, options: Mapping[str, Any], error: type[Exception], sentence: str, tmp_path: Path
) -> None:
    make_table(f"sqlite:///{tmp_path}/counts.db")
    with pytest.raises(error, match=sentence) as refused:
        Sql(url.format(tmp_path), "counts", **options).check()
    assert "secret" not in str(refused.value)


def test_sql__repr__without_the_password() -> None:
    assert "secret" not in repr(Sql("postgresql://u:secret@h/d", "counts"))


# --- a Delta table ----------------------------------------------------------------------------------------------------


class LatePublisher(DeltaTablePublisher):
    """Publisher for a race: another process publishes the same batch first."""

    def __init__(self, files: Files, directory: str) -> None:
        super().__init__("", ())
        self.files = files
        self.at = DeltaTableLocation(directory)
        self.commits = 0

    def commit(self, table: DeltaTable, manifest: Any, outputs: Any) -> None:
        if not self.commits:
            DeltaTablePublisher(self.side, self.partition_by).add(self.files, self.at, manifest, outputs)
        self.commits += 1
        super().commit(table, manifest, outputs)


def test_delta_sink__two_concurrent_publishers__each_row_once(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"))
    with harness_of(tmp_path, sink) as harness:
        publisher = LatePublisher(harness.files, sink.path)
        harness.publishers = {"": publisher}
        harness.produce(5)
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()
    assert publisher.commits == 2  # The first commit was refused; the second one has the other lane's rows.
    assert DeltaTable(sink.path).version() == 2


def test_delta_sink__table_created_and_published_to_concurrently__each_row_once(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        with pytest.raises(Killed):
            harness.start(job=job_of(harness, sink), observer=killed_at(ProgressStep.COMMITTED)).run()
        published_by_many_at_once(harness)
        assert sum(found_in(sink).values()) == 10
        assert DeltaTable(sink.path).version() == 1
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


def test_delta_sink__table_optimised_and_vacuumed_between_batches__each_row_once(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"), partition_by=("key",))
    with harness_of(tmp_path, sink) as harness:
        for _ in range(2):
            harness.produce(20)
            harness.start("a", job=job_of(harness, sink)).run()
            table = DeltaTable(sink.path)
            table.optimize.compact()
            table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
            assert found_in(sink) == harness.expected_rows()


def test_delta_sink__key_declared__only_the_last_row_of_each_key(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"), key="key")
    with harness_of(tmp_path, sink) as harness:
        for _ in range(2):
            harness.produce(30)
            harness.start(job=job_of(harness, sink)).run()
    expected = {row[2]: row for row in sorted(harness.expected_rows())}
    assert found_in(sink) == Counter(expected.values())


def test_delta_sink__key_declared_and_many_concurrent_publishers__rows_merged_once(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"), key=("partition", "offset"))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(50)
        with pytest.raises(Killed):
            harness.start(job=job_of(harness, sink), observer=killed_at(ProgressStep.COMMITTED)).run()
        published_by_many_at_once(harness)
        assert DeltaTable(sink.path).version() == 1
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


def spanned(rows: pa.Table, state: KeyedState) -> pa.Table:
    """Return the counts with a window as part of their key."""
    counts = counted(rows, state)
    start = pa.array([0] * len(counts), pa.timestamp("us", "UTC"))
    window = pa.StructArray.from_arrays([start, start], names=["start", "end"])
    return counts.append_column("window", window)


def test_delta_sink__key_column_is_a_struct__rows_merged_by_its_fields(tmp_path: Path) -> None:
    sink = Delta(str(tmp_path / "out"), key=("key", "window"))
    with harness_of(tmp_path, sink) as harness:
        for _ in range(2):
            harness.produce(20)
            harness.start(job=job_of(harness, sink, spanned)).run()
    expected = {row[2]: row for row in sorted(harness.expected_rows())}
    assert found_in(sink) == Counter(expected.values())


@pytest.mark.parametrize(
    ("key", "says"), [("nope", "have no key column 'nope'"), ("count", "have a null in the key column 'count'")]
)
def test_delta_sink__unusable_key_column__pipeline_stops_and_continues_with_another_key_column(
    tmp_path: Path, key: str, says: str
) -> None:
    def without_count(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        return counts.set_column(3, "count", pa.nulls(len(counts), pa.int64()))

    sink = Delta(str(tmp_path / "out"), key=key)
    with harness_of(tmp_path, sink) as harness:
        harness.produce(10)
        with pytest.raises(PipelineStopped, match=says) as stopped:
            harness.start(job=job_of(harness, sink, without_count)).run()
        assert stopped.value.code is Code.SINK_REFUSED
        harness.publishers = {"": Delta(sink.path, key=("partition", "offset")).publisher("")}
        harness.start(job=job_of(harness, sink, without_count)).run()
    assert DeltaTable(sink.path).to_pyarrow_table().num_rows == 20


@pytest.mark.parametrize(
    ("there", "sentence"),
    [
        ({"count": pa.array(["1"])}, "column 'count' as int64, but the Delta table .* has it as string"),
        ({}, "column 'count' as int64, but the Delta table .* has no such column"),
    ],
)
def test_delta_sink__column_missing__pipeline_stops_and_continues_after_it_was_added(
    there: Mapping[str, pa.Array], sentence: str, tmp_path: Path
) -> None:
    sink = Delta(str(tmp_path / "out"))
    columns = {"partition": pa.array([0], pa.int32()), "offset": pa.array([0]), "key": pa.array(["k"]), **there}
    write_deltalake(sink.path, pa.table(columns))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(5)
        with pytest.raises(PipelineStopped, match=sentence) as stopped:
            harness.start(job=job_of(harness, sink)).run()
        assert stopped.value.code is Code.SINK_REFUSED
        right = columns | {"count": pa.array([0], pa.int64())}
        write_deltalake(sink.path, pa.table(right).slice(0, 0), mode="overwrite", schema_mode="overwrite")
        harness.start(job=job_of(harness, sink)).run()
        assert found_in(sink) == harness.expected_rows()


def test_delta_sink__unsupported_types__converted(tmp_path: Path) -> None:
    def oddly_typed(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        zero = pa.array([0] * len(counts))
        odd = {
            "unsigned": zero.cast(pa.uint32()),
            "nanos": zero.cast(pa.timestamp("ns", "Europe/Berlin")),
            "millis": zero.cast(pa.timestamp("ms")),
            "words": counts["key"].dictionary_encode(),
            "list": pa.array([[1]] * len(counts), pa.list_(pa.uint8())),
        }
        for name, values in odd.items():
            counts = counts.append_column(name, values)
        return counts

    sink = Delta(str(tmp_path / "out"))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(20)
        harness.start(job=job_of(harness, sink, oddly_typed)).run()
        assert found_in(sink) == harness.expected_rows()
    rows = DeltaTable(sink.path).to_pyarrow_table()
    assert rows["unsigned"].type == pa.int64()
    assert pc.all(pc.equal(rows["words"], rows["key"])).as_py()
    assert rows["list"].to_pylist() == [[1]] * len(rows)


def test_delta_sink__column_type_not_convertible__pipeline_stops_and_names_the_column(tmp_path: Path) -> None:
    def timed(rows: pa.Table, state: KeyedState) -> pa.Table:
        counts = counted(rows, state)
        return counts.append_column("since", pa.array([0] * len(counts), pa.duration("s")))

    sink = Delta(str(tmp_path / "out"))
    with harness_of(tmp_path, sink) as harness:
        harness.produce(5)
        with pytest.raises(
            PipelineStopped, match=r"column 'since' has the type duration\[s\], which Delta does not support"
        ) as stopped:
            harness.start(job=job_of(harness, sink, timed)).run()
    assert stopped.value.code is Code.BAD_FUNCTION


# --- declarations -----------------------------------------------------------------------------------------------------


def test_side_output__removed_from_the_declaration_with_unpublished_rows__pipeline_stops(tmp_path: Path) -> None:
    sink, odd = Parquet(str(tmp_path / "even")), Parquet(str(tmp_path / "odd"))
    with harness_of(tmp_path, sink, odd=odd) as harness:
        harness.produce(5)
        with pytest.raises(Killed):
            harness.start(
                job=job_of(harness, sink, oddly_counted, odd=odd), observer=killed_at(ProgressStep.COMMITTED)
            ).run()
        whole = harness.publishers
        harness.publishers = {"": whole[""]}
        with pytest.raises(PipelineStopped, match="side output 'odd' are committed but not published") as stopped:
            harness.start(job=job_of(harness, sink, oddly_counted, odd=odd)).run()
        assert stopped.value.code is Code.OUTPUT_UNDECLARED
        harness.publishers = whole
        harness.start(job=job_of(harness, sink, oddly_counted, odd=odd)).run()
        assert found_in(sink) + found_in(odd) == harness.expected_rows()


def declared(sink: Any, side: Any = None, **others: Any) -> Pipeline:
    source = Topic("words", json("word string")).keyed_by("word")
    return Pipeline("count", source, stateful(lambda rows, _: rows, state="n long"), sink, side=side or {}, **others)


@pytest.mark.parametrize(
    ("declare", "sentence"),
    [
        (lambda: Parquet("out", partition_by=("a", "a")), "partition_by must be a list of different column names"),
        (lambda: Parquet("out", partition_by=7), "partition_by must be a list of different column names"),  # type: ignore[arg-type]
        (
            lambda: Parquet("out", compression="lz5"),
            "Unknown Parquet compression 'lz5': use one of snappy, zstd, gzip, none",
        ),  # type: ignore[arg-type]
        (lambda: Parquet("out", grow_to_bytes=0), "grow_to_bytes must be a positive number of bytes, not 0"),
        (lambda: Parquet("s3://b/out", grow_to_bytes=9), "grow_to_bytes needs a local directory"),
        (lambda: Delta(""), "Delta sink needs a directory"),
        (lambda: Sql("", "t"), "URL of a database and the name of a table"),
        (lambda: for_each_batch("print"), "needs a function, not 'print'"),  # type: ignore[arg-type]
        (lambda: declared("out"), r"The sink of pipeline count must be a sink, such as Parquet\("),
        (
            lambda: declared(Parquet("out"), {"late": "late"}),
            r"side output 'late' of pipeline count must be a sink, such as Parquet\(",
        ),
        (lambda: declared(Parquet("out"), {"a/b": Parquet("b")}), "Invalid name 'a/b' of a side output"),
        (lambda: declared(Parquet("out"), {"": Parquet("b")}), "Invalid name '' of a side output"),
        (
            lambda: declared(Parquet("out"), {"b": Delta("./out")}),
            "Two outputs of pipeline count have the same directory",
        ),
        (
            lambda: declared(Parquet("out"), {"late": Parquet("out/late")}),
            "Readers of .*/out, .* would find another output there, because .*/out/late is inside it",
        ),
        (
            lambda: declared(Parquet("out"), state_directory="out/state"),
            "Readers of .*/out, .* would find state there",
        ),
        (lambda: declared(for_each_batch(print)), "writes to the function print, so it needs a state directory"),
    ],
)
def test_sink__invalid_declaration__refused_at_once(declare: Callable[[], object], sentence: str) -> None:
    with pytest.raises(PipelineConfigError, match=sentence):
        declare()
