"""Scenarios that stop or delay a pipeline, each with the message to its user.

`docs/when-pipelines-stop.md` quotes the messages; `test_when_pipelines_stop.py` compares each row of the page.
"""

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.operators.map_with_state import MapWithState
from tenure.pipeline.operators.record_rows import RecordRows
from tenure.pipeline.state.keyed_state import KeyedState, state_schema
from tenure.pipeline.values.ddl import schema
from tenure.pipeline.values.membership import Unreachable
from tenure.pipeline.values.progress import Progress, ProgressStep
from tests.pipeline.harness import FAILING, UNDECODABLE, Harness, Killed, Process, killed_at
from tests.pipeline.test_publications import slow_harness, slowly_published
from tests.pipeline.test_recovery import (
    group_was_reset,
    offsets_expired,
    state_directory_is_gone,
    state_file_is_changed,
    worked,
)

StopMessage = str
Scenario = Callable[[], StopMessage]
"""Function that runs a scenario and returns the message. If the pipeline should recover by itself, it checks that."""


def stopped(run: Callable[[], object]) -> StopMessage:
    """Return the message of the PipelineStopped that `run` raises; it begins with the code."""
    try:
        run()
    except PipelineStopped as stop:
        return str(stop)
    raise AssertionError("it did not stop")


def caught_up(harness: Harness) -> Process:
    """Let another application catch up, and check that no record is lost or duplicated."""
    process = harness.start("a").run()
    harness.check()
    return process


# --- the pipeline waits or retries, and continues by itself -----------------------------------------------------------


def broker_does_not_answer() -> StopMessage:
    harness = Harness(1)
    harness.produce(20)
    process, bounds, silence = harness.start("a"), harness.log.bounds, [True] * 20

    def held(partitions: Any) -> Any:
        if silence:
            silence.pop()
            raise Unreachable("127.0.0.1:9092: no answer within 30 s")
        return bounds(partitions)

    harness.log.bounds = held  # type: ignore[method-assign]
    process.run()
    harness.check()
    return f"waiting for the broker: {process.progress_at(ProgressStep.WAITING)[-1].reason}"


def answer_of_a_commit_is_lost() -> StopMessage:
    harness = Harness(1)
    harness.produce(40)
    process = harness.start("a")
    process.membership.commit_faults = ["lost-answer"]
    process.run()
    harness.check()
    return dropped(process)


def disk_is_full_for_a_moment() -> StopMessage:
    harness = Harness(1)
    harness.produce(20)

    moments = [True]

    def filled(progress: Progress) -> None:
        harness.files.full = progress.step is ProgressStep.PLANNED and bool(moments) and moments.pop()

    process = harness.start("a", observer=filled).run()
    harness.check()
    return dropped(process)


def store_is_slow_and_the_group_rebalances() -> StopMessage:
    harness = Harness()
    harness.produce(50)
    others: list[Process] = []

    def joined(progress: Progress) -> None:
        if progress.step is ProgressStep.PLANNED and not others:
            others.append(harness.start("b"))

    process = harness.start("a", observer=joined)
    process.stager.slow_s = 30
    while not process.progress_at(ProgressStep.DROPPED):
        process.turn()
    process.stager.slow_s = 0
    for _ in range(40):
        for each in (process, *others):
            each.turn()
    harness.check()
    return dropped(process)


def dropped(process: Process) -> StopMessage:
    (progress,) = process.progress_at(ProgressStep.DROPPED)
    return f"nothing of it is committed: {progress.reason}"


# --- the pipeline stops -----------------------------------------------------------------------------------------------


def disk_stays_full() -> StopMessage:
    harness = Harness(1)
    harness.produce(20)
    harness.files.full = True
    told = stopped(harness.start("a").run)
    harness.files.full = False
    caught_up(harness)
    return told


def store_is_slower_than_a_run_may_be() -> StopMessage:
    harness = Harness(1)
    harness.produce(20)
    process = harness.start("a", batch_timeout_s=300.0)
    process.stager.slow_s = 1_000
    told = stopped(process.run)
    caught_up(harness)
    return told


def sink_hangs() -> StopMessage:
    harness, sink = slow_harness(0)
    told = stopped(slowly_published(harness, batch_timeout_s=300.0).run)
    sink.slow.clear()
    caught_up(harness)
    return told


def offsets_have_expired() -> StopMessage:
    return disagreed(offsets_expired)


def offsets_were_reset() -> StopMessage:
    return disagreed(group_was_reset)


def state_directory_is_lost() -> StopMessage:
    return disagreed(state_directory_is_gone)


def state_is_damaged() -> StopMessage:
    return disagreed(state_file_is_changed)


def disagreed(cause: Callable[[Harness], None]) -> StopMessage:
    harness = worked(Harness(1))
    cause(harness)
    harness.produce(10)
    return stopped(harness.start("a").run)


def state_is_declared_otherwise() -> StopMessage:
    harness = worked(Harness(1))
    harness.produce(5)
    job = harness.job(state=state_schema("key", "times long, total long"))
    told = stopped(harness.start("a", job=job).run)
    caught_up(harness)
    return told


def partitions_were_added() -> StopMessage:
    harness = worked(Harness())
    harness.log.partitions.append([])
    harness.log.starts.append(0)
    return stopped(harness.start("a").run)


def topic_was_deleted_and_created_again() -> StopMessage:
    harness = worked(Harness(1))
    harness.log.topic_id = "b" * 22
    harness.log.partitions[:] = [[]]
    harness.produce(30)
    return stopped(harness.start("a").run)


def records_were_deleted() -> StopMessage:
    harness = worked(Harness(1))
    harness.produce(20)
    harness.log.starts[0] = 25
    return stopped(harness.start("a").run)


def output_was_lost_before_it_was_visible() -> StopMessage:
    harness = Harness(1)
    harness.produce(20)
    try:
        harness.start("a", observer=killed_at(ProgressStep.COMMITTED)).run()
    except Killed:
        for path in [path for path in harness.files.now if "_staged" in path]:
            del harness.files.now[path]
    return stopped(harness.start("a").run)


def record_cannot_be_decoded() -> StopMessage:
    return with_a_record(UNDECODABLE)


def function_fails_on_a_record() -> StopMessage:
    return with_a_record(FAILING)


def with_a_record(number: int) -> StopMessage:
    harness = Harness(1)
    harness.produce(5)
    harness.log.partitions[0].append(("k0-1", number))
    return stopped(harness.start("a").run)


def function_returns_no_table() -> StopMessage:
    harness = Harness(1)
    harness.produce(5)

    def forgot(rows: pa.Table, state: KeyedState) -> Any:
        del rows, state

    told = stopped(harness.start("a", job=harness.job(forgot)).run)
    caught_up(harness)
    return told


def function_returns_an_undeclared_column() -> StopMessage:
    harness = Harness(1)
    harness.produce(5)

    def misspelt(record: Any, count: dict[str, Any]) -> dict[str, Any]:
        del count
        return {"nmae": record["key"]}

    job = harness.job(MapWithState(misspelt, RecordRows(schema("name string"))))
    return stopped(harness.start("a", job=job).run)


def another_process_took_over_the_instance_id() -> StopMessage:
    harness = Harness(1)
    harness.produce(50)
    successors: list[Process] = []

    def taken_over(progress: Progress) -> None:
        if progress.step is ProgressStep.STAGED and not successors:
            successors.append(harness.start("a").run())

    told = stopped(harness.start("a", observer=taken_over).run)
    harness.check()
    return told


def broker_keeps_failing_tasks() -> StopMessage:
    harness = Harness(1)
    harness.produce(5)
    fetch = harness.fetch

    def broken(*_: object) -> Any:
        raise ConnectionError("127.0.0.1:9092: connection refused")

    harness.fetch = broken  # type: ignore[method-assign]
    told = stopped(harness.start("a").run)
    harness.fetch = fetch  # type: ignore[method-assign]
    caught_up(harness)
    return told


SCENARIOS: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        broker_does_not_answer,
        answer_of_a_commit_is_lost,
        disk_is_full_for_a_moment,
        store_is_slow_and_the_group_rebalances,
        disk_stays_full,
        store_is_slower_than_a_run_may_be,
        sink_hangs,
        offsets_have_expired,
        offsets_were_reset,
        state_directory_is_lost,
        state_is_damaged,
        state_is_declared_otherwise,
        partitions_were_added,
        topic_was_deleted_and_created_again,
        records_were_deleted,
        output_was_lost_before_it_was_visible,
        record_cannot_be_decoded,
        function_fails_on_a_record,
        function_returns_no_table,
        function_returns_an_undeclared_column,
        another_process_took_over_the_instance_id,
        broker_keeps_failing_tasks,
    )
}
