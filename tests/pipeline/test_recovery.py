"""Disagreements between the group's offsets and the state directory: the message and both remedies."""

from collections.abc import Callable, Collection
from typing import Any

import pytest

from tenure.pipeline.engine.recover import OnDisagreement
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output import sweep
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.keyed_state import state_schema
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import parse_pointer
from tenure.pipeline.values.membership import CommitOutcome
from tenure.pipeline.values.progress import ProgressStep
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.pipeline.coordinator import part
from tests.pipeline.harness import Harness, Killed, counted, killed_at

Disagreement = Callable[[Harness], None]


def group_was_reset(harness: Harness) -> None:
    harness.coordinator.reset(0, 7)


def offsets_expired(harness: Harness) -> None:
    harness.coordinator.log.clear()
    harness.coordinator.restart()


def state_directory_is_gone(harness: Harness) -> None:
    for path in [path for path in harness.files.now if "/_tenure/" in path]:
        del harness.files.now[path]


def state_file_is_torn(harness: Harness) -> None:
    path = next(path for path in harness.files.now if "base" in path and "words-0" in path)
    harness.files.now[path] = harness.files.now[path][:-1]


def state_file_is_changed(harness: Harness) -> None:
    path = next(path for path in harness.files.now if "base" in path and "words-0" in path)
    harness.files.now[path] = harness.files.now[path][:-1] + b"?"


def manifest_is_changed(harness: Harness) -> None:
    path = next(path for path in harness.files.now if path.endswith(".json") and "words-0" in path)
    harness.files.now[path] += b" "


def topic_is_replaced(harness: Harness) -> None:
    harness.log.topic_id = "another"


def worked(harness: Harness) -> Harness:
    """Let a pipeline process all records and end; return the harness with its files and its group."""
    harness.produce(20)
    process = harness.start("a").run()
    process.membership.close(leave=True)
    return harness


DISAGREEMENTS = [
    (group_was_reset, Code.POSITION_MOVED),
    (offsets_expired, Code.STATE_ROOT_MISSING),
    (state_directory_is_gone, Code.STATE_MISSING),
    (state_file_is_torn, Code.STATE_DAMAGED),
    (state_file_is_changed, Code.STATE_DAMAGED),
    (manifest_is_changed, Code.STATE_DAMAGED),
]


@pytest.mark.parametrize(("disagreement", "code"), DISAGREEMENTS)
def test_recovery__committed_offset_and_state_disagree__stops_without_a_change(
    disagreement: Disagreement, code: Code
) -> None:
    harness = worked(Harness())
    disagreement(harness)
    harness.produce(10)
    before = harness.visible_names()
    with pytest.raises(PipelineStopped, match="on_disagreement") as stopped:
        harness.start("a").run()
    assert stopped.value.code is code
    assert stopped.value.lane is not None
    assert [name for name in harness.visible_names() if "words-0" in name] == [n for n in before if "words-0" in n]


@pytest.mark.parametrize(("disagreement", "code"), DISAGREEMENTS)
def test_recovery__trust_offsets__continues_at_the_committed_offset_with_empty_state(
    disagreement: Disagreement, code: Code
) -> None:
    harness = worked(Harness(1))
    disagreement(harness)
    harness.produce(10)
    start = {Code.POSITION_MOVED: 7, Code.STATE_ROOT_MISSING: 0}.get(code, 20)
    process = harness.start("a", on_disagreement=OnDisagreement.TRUST_OFFSETS).run()
    assert process.progress_at(ProgressStep.PLANNED)[0].lanes[0].ranges[0].start_offset == start
    (manifest,) = harness.committed_manifests().values()
    counted_records = sum(count for count, _ in harness.state(manifest).values())
    assert counted_records == 30 - start
    harness.start("a").run()


@pytest.mark.parametrize("disagreement", [*(disagreement for disagreement, _ in DISAGREEMENTS), topic_is_replaced])
def test_recovery__started_again_after_trust_offsets__no_disagreement_any_more(
    disagreement: Disagreement,
) -> None:
    harness = worked(Harness(1))
    disagreement(harness)
    at = harness.coordinator.committed([part(0)])[part(0)]
    del harness.log.partitions[0][0 if at is None or disagreement is topic_is_replaced else at.offset :]
    harness.start("a", on_disagreement=OnDisagreement.TRUST_OFFSETS).run()
    harness.start("a").run()
    harness.produce(5)
    assert harness.start("a").run().progress_at(ProgressStep.COMMITTED)


@pytest.mark.parametrize("disagreement", [group_was_reset, offsets_expired])
def test_recovery__trust_state__continues_at_the_end_of_the_state(disagreement: Disagreement) -> None:
    harness = worked(Harness())
    disagreement(harness)
    harness.produce(10)
    harness.start("a", on_disagreement=OnDisagreement.TRUST_STATE).run()
    harness.check()


def test_recovery__offset_reset_to_the_end_of_the_state__continues_and_commits_the_pointer() -> None:
    harness = worked(Harness(1))
    harness.coordinator.reset(0, 20)
    harness.start("a").run()
    harness.produce(10)
    harness.start("a").run()
    harness.check()


def test_recovery__offset_committed_by_another_consumer_and_no_state__begins_at_this_offset() -> None:
    harness = Harness(1)
    harness.produce(10)
    harness.coordinator.reset(0, 4)
    process = harness.start("a").run()
    assert process.progress_at(ProgressStep.PLANNED)[0].lanes[0].ranges[0].start_offset == 4


@pytest.mark.parametrize("consumed_without_us", [0, 4])
def test_recovery__another_owner_commits_meanwhile__stops_as_fenced(
    consumed_without_us: int,
) -> None:
    harness = Harness(1)
    harness.produce(20)
    if consumed_without_us:
        harness.coordinator.reset(0, consumed_without_us)
    late = harness.start("a")

    def committed_before_another_run(
        partitions: Collection[TopicPartition],
    ) -> dict[TopicPartition, OffsetAndMetadata | None]:
        found = harness.coordinator.committed(partitions)
        monkeypatch.undo()
        harness.start("a").run()
        return found

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(late.membership, "committed", committed_before_another_run)
        with pytest.raises(PipelineStopped) as stopped:
            late.run()
    assert stopped.value.code is Code.FENCED
    assert [manifest.end for manifest in harness.accepted] == [{part(0): 20}]


def test_recovery__committed_pointer_of_another_version__error() -> None:
    harness = worked(Harness(1))
    writer = harness.start("a").run().engine.writer
    assert writer is not None
    assert harness.coordinator.commit({part(0): OffsetAndMetadata(20, "")}, writer).outcome is CommitOutcome.ACCEPTED
    harness.coordinator.after_commit = lambda _: None
    harness.coordinator.commit({part(0): OffsetAndMetadata(20, "tenure9:what:ever")}, writer)
    with pytest.raises(PipelineStopped, match="another version") as stopped:
        harness.start("a").run()
    assert stopped.value.code is Code.FOREIGN_POINTER


def test_recovery__partitions_added_and_pipeline_has_state__stops() -> None:
    harness = worked(Harness())
    harness.log.partitions.append([])
    harness.log.starts.append(0)
    with pytest.raises(PipelineStopped, match=r"had 2 partitions .* has 3 now") as stopped:
        harness.start("a").run()
    assert stopped.value.code is Code.PARTITIONS_CHANGED


def test_recovery__partitions_added_and_pipeline_has_no_state__continues() -> None:
    harness = Harness()
    job = harness.job(function=lambda rows, _: rows, state=None)
    harness.coordinator.after_commit = lambda _: None
    harness.produce(20)
    harness.start("a", job=job, stateful=False).run().membership.close(leave=True)
    harness.log.partitions.append([])
    harness.log.starts.append(0)
    harness.produce(10)
    harness.start("a", job=job, stateful=False).run()
    assert len(harness.visible_rows()) == 70


def test_plan__records_deleted_before_they_were_processed__pipeline_stops() -> None:
    harness = worked(Harness(1))
    harness.produce(20)
    harness.log.starts[0] = 25
    with pytest.raises(PipelineStopped, match="words-0 has only the offsets 25 to 40") as stopped:
        harness.start("a").run()
    assert stopped.value.code is Code.RECORDS_DELETED


def test_recovery__committed_output_file_lost_before_publication__stops() -> None:
    harness = Harness(1)
    harness.produce(20)
    with pytest.raises(Killed):
        harness.start("a", observer=killed_at(ProgressStep.COMMITTED)).run()
    for path in [path for path in harness.files.now if "_staged" in path]:
        del harness.files.now[path]
    with pytest.raises(PipelineStopped) as stopped:
        harness.start("a").run()
    assert stopped.value.code is Code.OUTPUT_MISSING


def test_recovery__files_of_one_lane_cannot_be_listed__output_of_the_other_lane_still_published(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    harness = Harness(2)
    harness.produce(20)
    with pytest.raises(Killed):
        harness.start("a", observer=killed_at(ProgressStep.COMMITTED)).run()
    list_lane, failed = sweep.list_lane, []

    def fail_once(files: Files, layout: Layout, lane: Lane, writer: Writer) -> sweep.Listing:
        if lane.partition == 1 and not failed:
            failed.append(lane)
            raise OSError(5, "Input/output error")
        return list_lane(files, layout, lane, writer)

    monkeypatch.setattr(sweep, "list_lane", fail_once)
    process = harness.start("a").run()
    assert failed
    assert len(process.progress_at(ProgressStep.ROLLED_FORWARD)) == 1
    harness.check()


def test_recovery__published_output_file_removed_by_a_reader__no_error() -> None:
    harness = worked(Harness(1))
    for name in harness.visible_names():
        del harness.files.now[f"/out/{name}"]
    harness.start("a").run()


def test_idle_lane__committed_offset_near_its_expiry__committed_again() -> None:
    harness = worked(Harness(1))
    process = harness.start("a").run()
    before = len(harness.coordinator.log)
    for _ in range(10):
        harness.coordinator.advance(9_000_000)
        process.turn()
        process.turn()
    assert len(harness.coordinator.log) > before
    harness.check()


def test_disk__full_during_a_publication__published_later() -> None:
    harness = Harness(1)
    harness.produce(20)

    def filled(progress: object) -> None:
        if getattr(progress, "step", None) is ProgressStep.COMMITTED:
            harness.files.full = True

    process = harness.start("a", observer=filled)
    process.turn()
    process.turn()
    assert process.progress_at(ProgressStep.PUBLISHED) == []
    harness.files.full = False
    process.run()
    assert len(process.progress_at(ProgressStep.ROLLED_FORWARD)) == 1
    harness.check()


def test_disk__stays_full__pipeline_stops_with_the_cause() -> None:
    harness = Harness(1)
    harness.produce(20)
    harness.files.full = True
    with pytest.raises(PipelineStopped, match="No space left on device") as stopped:
        harness.start("a").run()
    assert stopped.value.code is Code.FILES_FAILED


def test_parse_pointer__commit_metadata_of_other_tools__none() -> None:
    assert parse_pointer("") is None
    assert parse_pointer("spark offset 7") is None


def test_state__declared_schema_changed__pipeline_stops() -> None:
    harness = worked(Harness(1))
    harness.produce(5)
    job = harness.job(
        counted, state=harness.job().state_schema.set(1, harness.job().state_schema.field(0).with_name("n"))
    )
    with pytest.raises(PipelineStopped, match="count int64") as stopped:
        harness.start("a", job=job).run()
    assert stopped.value.code is Code.STATE_SCHEMA_CHANGED


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"state": state_schema("key", "times long, total long")}, "was written as .key string, count int64"),
        ({"state_version": 2}, r"has version 1 \(key, count, total\), but version 2 is declared"),
        ({"state_version": 0}, "run the newer application"),
    ],
)
def test_state__declared_schema_changed_without_new_records__pipeline_stops_before_recovery(
    changes: dict[str, Any], message: str
) -> None:
    harness = worked(Harness(1))
    process = harness.start("a", job=harness.job(**changes))
    with pytest.raises(PipelineStopped, match=message) as stopped:
        process.run()
    assert stopped.value.code is Code.STATE_SCHEMA_CHANGED
    assert not process.progress_at(ProgressStep.RECOVERED)


def test_state__earlier_version_and_a_migrate_function__recovered() -> None:
    harness = worked(Harness(1))
    job = harness.job(state_version=2, migrate=lambda rows, _: rows)
    assert harness.start("a", job=job).run().progress_at(ProgressStep.RECOVERED)


def test_recovery__lanes_of_another_member__progress_has_lag_and_state_size() -> None:
    harness = worked(Harness())
    harness.produce(7)
    told = harness.start("b").run().progress_at(ProgressStep.RECOVERED)[0]
    assert [lane.lag for lane in told.lanes] == [7, 7]
    assert all(lane.state_rows and lane.state_bytes for lane in told.lanes)
