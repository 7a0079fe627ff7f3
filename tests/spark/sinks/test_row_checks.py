"""Output columns that do not fit the sink are refused before Spark starts, and before the pipeline joins its group."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, Schema

from tenure.spark import (
    Delta,
    Iceberg,
    Parquet,
    Pipeline,
    PipelineConfigError,
    Sql,
    Stream,
    Topic,
    json,
    map_batches,
    map_with_state,
    tumbling,
)
from tenure.spark.declarations.sink import Sink
from tenure.spark.sinks.output_checks import check_rows
from tenure.testing import Broker
from tests.spark.sinks.sink_harness import iceberg, make_table

CLICKS = Topic("clicks", json("user string, n long, at timestamp")).keyed_by("user").with_watermark("at")
COUNTS = CLICKS.windowed(tumbling("1 hour"), "sum(n) as total").select("user", "window.start as hour", "total")


def delta(directory: Path, *columns: tuple[str, pa.DataType], **options: str) -> Delta:
    DeltaTable.create(directory, Schema.from_arrow(pa.schema(columns)))
    return Delta(str(directory), **options)


def iceberg_table(directory: Path, *columns: pa.Field, key: str | tuple[str, ...] = ()) -> Iceberg:
    sink = replace(iceberg(directory), key=key)
    location = sink.location()
    location.load_or_create(pa.schema(columns))
    location.close()
    return sink


def sql(directory: Path, columns: str, **options: str) -> Sql:
    directory.mkdir(exist_ok=True)
    url = f"sqlite:///{directory}/counts.db"
    make_table(url, f"create table counts ({columns})")
    return Sql(url, "counts", **options)


USER, HOUR = ("user", pa.string()), ("hour", pa.timestamp("us", "UTC"))
USER_FIELD, HOUR_FIELD, TOTAL = pa.field(*USER), pa.field(*HOUR), pa.field("total", pa.int64())
TEXT, DAY = pa.field("total", pa.string()), pa.field("day", pa.date32(), nullable=False)


@pytest.mark.parametrize(
    ("sink", "says"),
    [
        (lambda at: Parquet(str(at), partition_by="day"), r"have no column 'day' \(partition_by\)"),
        (lambda at: Delta(str(at), key="day"), r"have no column 'day' \(key\), only user, hour, total"),
        (lambda at: delta(at, USER, HOUR), "the column 'total' as int64, but the Delta table .* has no such column"),
        (lambda at: delta(at, USER, HOUR, ("total", pa.string())), "Delta table .* has it as string"),
        (lambda at: sql(at, "user, hour"), "the column 'total', but the table counts has only user, hour"),
        (lambda at: sql(at, "user, hour, total, day", key="day"), r"have no column 'day' \(key\)"),
        (lambda at: replace(iceberg(at), key="day"), r"have no column 'day' \(key\)"),
        (lambda at: iceberg_table(at, USER_FIELD), "the column 'hour', but there is only user in the Iceberg table"),
        (
            lambda at: iceberg_table(at, USER_FIELD, HOUR_FIELD, TEXT),
            "'total' as int64, but it is a string in the Iceb",
        ),
        (lambda at: iceberg_table(at, DAY, USER_FIELD, HOUR_FIELD, TOTAL), "have no column 'day', which is required"),
        (lambda _: Topic("out", json("user string, sum long")), "is declared with the column 'sum', but the rows have"),
        (lambda _: Topic("out", json("user struct<a: int>")), "is declared with 'user' as struct<a: int32>"),
        (lambda _: Topic("out", json("user string, day int")).keyed_by("day"), "declared with the column 'day'"),
    ],
)
def test_check_rows__columns_do_not_fit_sink__refused(
    sink: Callable[[Path], "Sink | Topic"], says: str, tmp_path: Path
) -> None:
    pipeline = Pipeline("p", COUNTS, sink=sink(tmp_path), state_directory=str(tmp_path / "_state"))
    with pytest.raises(PipelineConfigError, match=says):
        check_rows(pipeline)


@pytest.mark.parametrize(
    "sink",
    [
        lambda at: Parquet(str(at), partition_by="user"),
        lambda at: Delta(str(at), key="user"),
        lambda at: delta(at, USER, HOUR, ("total", pa.int64()), ("more", pa.int64()), key="user"),
        lambda at: sql(at, "user, hour, total, more", key="user"),
        lambda at: iceberg(at),
        lambda at: iceberg_table(at, TOTAL, USER_FIELD, HOUR_FIELD, pa.field("more", pa.date32()), key="user"),
        lambda _: Topic("out", json("user string, total int")).keyed_by("user"),
    ],
)
def test_check_rows__columns_fit_sink__accepted(sink: Callable[[Path], "Sink | Topic"], tmp_path: Path) -> None:
    check_rows(Pipeline("p", COUNTS, sink=sink(tmp_path), state_directory=str(tmp_path / "_state")))


@pytest.mark.parametrize(
    "stream",
    [
        CLICKS.map_batches(lambda rows: rows, output="user string"),
        CLICKS.map(lambda record: record, output="user string"),
        CLICKS.filter("n > 1"),
        CLICKS.then(map_with_state(lambda record, _: record, state="n long", output="user string")),
    ],
)
def test_check_rows__every_kind_of_step_with_known_columns__columns_compared_with_the_sink(
    stream: Stream, tmp_path: Path
) -> None:
    pipeline = Pipeline("p", stream, sink=Parquet(str(tmp_path), partition_by="nope"))
    with pytest.raises(PipelineConfigError, match="have no column 'nope'"):
        check_rows(pipeline)


@pytest.mark.parametrize(
    ("stream", "sink", "says"),
    [
        (
            CLICKS.filter("n > 1", side="rest"),
            lambda at: Parquet(str(at), partition_by="day"),
            r"have no column 'day' \(partition_by\), only user, n, at",
        ),
        (
            CLICKS.side_output("rest", "n > 1"),
            lambda at: sql(at, "user, n, at"),
            "the column '_key', but the table counts has only user, n, at",
        ),
        (
            CLICKS.map(lambda record: record, output="user string", side={"rest": "user int"}),
            lambda at: delta(at, USER),
            "the column 'user' as int32, but the Delta table .* has it as string",
        ),
        (
            CLICKS.map_with_state(lambda record, _: record, state="n long", output="n long", side={"rest": "n long"}),
            lambda _: Topic("out", json("user string")),
            "is declared with the column 'user', but the rows have",
        ),
        (
            CLICKS.windowed(tumbling("1 hour"), "sum(n) as total", late="rest"),
            lambda at: Delta(str(at), key="day"),
            r"have no column 'day' \(key\), only user, n, at",
        ),
    ],
)
def test_check_rows__columns_do_not_fit_side_output__refused(
    stream: Stream, sink: Callable[[Path], "Sink | Topic"], says: str, tmp_path: Path
) -> None:
    pipeline = Pipeline("p", stream, sink=Parquet(str(tmp_path / "main")), side={"rest": sink(tmp_path / "side")})
    with pytest.raises(PipelineConfigError, match=says):
        check_rows(pipeline)


def test_pipeline__steps_write_different_types_to_a_side_output__refused() -> None:
    stream = CLICKS.filter("n > 1", side="rest").map(
        lambda record: record, output="user string", side={"rest": "n string"}
    )
    with pytest.raises(PipelineConfigError, match=r"write different types into the side output 'rest'.*Field n has"):
        Pipeline("p", stream, sink=Parquet("/nowhere"), side={"rest": Parquet("/side")})


def test_check_rows__iceberg_key_column_of_an_unsuitable_type__refused(tmp_path: Path) -> None:
    stream = CLICKS.windowed(tumbling("1 hour"), "avg(n) as mean")
    for key in ("mean", "window"):
        sink = replace(iceberg(tmp_path), key=("user", key))
        with pytest.raises(PipelineConfigError, match=f"have the key column '{key}' of type .*: use another column"):
            check_rows(Pipeline("p", stream, sink=sink, state_directory=str(tmp_path / "_state")))


def test_check_rows__columns_of_the_last_step_unknown__accepted(tmp_path: Path) -> None:
    check_rows(Pipeline("p", CLICKS, map_batches(lambda rows: rows), Parquet(str(tmp_path), partition_by="nope")))


def test_run__columns_do_not_fit_the_sink__refused_before_the_group_is_created(tmp_path: Path) -> None:
    with Broker() as broker:
        broker.create_topic("clicks", partitions=1)
        pipeline = Pipeline("counts", COUNTS, sink=delta(tmp_path / "out", USER))
        with pytest.raises(PipelineConfigError, match="the column 'hour'") as refused:
            pipeline.run(bootstrap_servers=broker.address)
        assert refused.value.exit_status == 2
        assert broker.committed("counts") == {}
