"""Each row is in each sink once, wherever a process is killed. The tests use the engine without Spark."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.progress import ProgressStep
from tenure.spark.declarations.sink import Sink
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.for_each_batch import for_each_batch
from tenure.spark.sinks.parquet_sink import Parquet
from tenure.spark.sinks.sql_sink import Sql
from tests.pipeline.harness import Harness, Killed, killed_at
from tests.spark.sinks.sink_harness import (
    BatchRecorder,
    KilledPublisher,
    found_in,
    harness_of,
    iceberg,
    job_of,
    make_table,
    oddly_counted,
    once,
)


@pytest.fixture
def harness(sink: Sink, tmp_path: Path) -> Iterator[Harness]:
    with harness_of(tmp_path, sink) as made:
        made.produce(50)
        yield made


@pytest.fixture(
    params=[
        "parquet",
        "partitioned",
        "delta",
        "partitioned-delta",
        "merged-delta",
        "iceberg",
        "merged-iceberg",
        "sqlite",
        "postgres",
        "function",
    ]
)
def sink(request: pytest.FixtureRequest, tmp_path: Path) -> Sink:
    match request.param:
        case "parquet":
            return Parquet(str(tmp_path / "out"))
        case "partitioned":
            return Parquet(str(tmp_path / "out"), partition_by=("key",))
        case "delta":
            return Delta(str(tmp_path / "out"))
        case "partitioned-delta":
            return Delta(str(tmp_path / "out"), partition_by=("key",))
        case "merged-delta":
            return Delta(str(tmp_path / "out"), partition_by="key", key=("partition", "offset"))
        case "iceberg":
            return iceberg(tmp_path)
        case "merged-iceberg":
            return replace(iceberg(tmp_path), key=("partition", "offset"))
        case "function":
            return for_each_batch(BatchRecorder())
        case kind:
            url = f"sqlite:///{tmp_path}/counts.db" if kind == "sqlite" else request.getfixturevalue("server")
            if kind == "postgres":
                make_table(url, "drop table if exists counts, tenure_positions")
            make_table(url)
            made = Sql(url, "counts")
            made.check()
            return made


def test_sink__no_failure__each_row_once_and_no_leftover_files(sink: Sink, harness: Harness, tmp_path: Path) -> None:
    process = harness.start(job=job_of(harness, sink)).run()
    assert found_in(sink) == harness.expected_rows()
    assert len(process.progress_at(ProgressStep.PUBLISHED)) == 5
    staged = [path for path in tmp_path.rglob("_staged/**/*.parquet") if path.is_file()]
    assert len(staged) == (0 if sink.path else 2)  # Files of each lane's last run stay until the next sweep.


@pytest.mark.long
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_sink__killed_while_publishing__next_owner_publishes_each_row_once(
    sink: Sink, harness: Harness, before: bool
) -> None:
    whole = harness.publishers
    harness.publishers = {"": KilledPublisher(whole[""], 3, before=before)}
    with pytest.raises(Killed):
        harness.start("a", job=job_of(harness, sink)).run()
    harness.publishers = whole
    harness.coordinator.advance(100_000)
    harness.start("b", job=job_of(harness, sink)).run()
    assert found_in(sink) == harness.expected_rows()


@pytest.mark.long
@pytest.mark.parametrize("step", [ProgressStep.STAGED, ProgressStep.COMMITTED, ProgressStep.PUBLISHED])
def test_sink__killed_at_any_progress_step__each_row_once_after_a_restart(
    sink: Sink, harness: Harness, step: ProgressStep
) -> None:
    for nth in (1, 2):
        with pytest.raises(Killed):
            harness.start(job=job_of(harness, sink), observer=killed_at(step, nth)).run()
    harness.start(job=job_of(harness, sink)).run()
    assert found_in(sink) == harness.expected_rows()


@pytest.mark.long
def test_sink__zombie_publishes_after_its_successor__no_row_twice(sink: Sink, harness: Harness) -> None:
    job = job_of(harness, sink)
    zombie = harness.start(
        "a", job=job, observer=once(ProgressStep.COMMITTED, lambda: harness.start("a", job=job).run())
    )
    with pytest.raises(PipelineStopped) as stopped:
        zombie.run()
    assert stopped.value.code is Code.FENCED
    assert found_in(sink) == harness.expected_rows()


@pytest.mark.long
def test_side_output__killed_at_the_commit__every_row_in_exactly_one_output_after_a_restart(
    sink: Sink, tmp_path: Path
) -> None:
    main = Parquet(str(tmp_path / "even"))
    with harness_of(tmp_path, main, odd=sink) as harness:
        harness.produce(50)
        job = job_of(harness, main, oddly_counted, odd=sink)
        with pytest.raises(Killed):
            harness.start(job=job, observer=killed_at(ProgressStep.COMMITTED, 2)).run()
        harness.start(job=job).run()
    assert found_in(main) + found_in(sink) == harness.expected_rows()
    assert {offset % 2 for _, offset, _, _ in found_in(sink)} == {1}


def test_side_outputs__different_sinks__every_row_in_exactly_one_output(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/counts.db"
    make_table(url)
    sink, odd = Delta(str(tmp_path / "even")), Sql(url, "counts")
    odd.check()
    with harness_of(tmp_path, sink, odd=odd) as harness:
        harness.produce(50)
        job = job_of(harness, sink, oddly_counted, odd=odd)
        with pytest.raises(Killed):
            harness.start(job=job, observer=killed_at(ProgressStep.COMMITTED, 2)).run()
        harness.start(job=job).run()
    evenly, oddly = found_in(sink), found_in(odd)
    assert evenly + oddly == harness.expected_rows()
    assert {offset % 2 for _, offset, _, _ in evenly} == {0}
    assert {offset % 2 for _, offset, _, _ in oddly} == {1}
