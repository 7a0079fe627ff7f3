"""Records that cannot be decoded or processed: stop at their place, skip them, or send them to a dead-letter topic."""

import re

import pyarrow as pa
import pytest

from tenure.limits.pipeline import BAD_RECORDS_PER_BATCH_MAX
from tenure.pipeline.errors import BadRecordFound, Code, PipelineStopped
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.task.job import OnBadRecord
from tenure.pipeline.values.progress import ProgressStep
from tests.pipeline.harness import FAILING, UNDECODABLE, Harness, Killed, expected_state, killed_at


def spoiled(number: int, *offsets: int) -> Harness:
    harness = Harness(1)
    harness.produce(20)
    for offset in offsets:
        harness.log.partitions[0][offset] = ("k0-0", number)
    return harness


@pytest.mark.parametrize("number", [UNDECODABLE, FAILING])
def test_on_bad_record_stop__bad_record__error_names_topic_partition_and_offset(number: int) -> None:
    harness = spoiled(number, 13, 17)
    with pytest.raises(BadRecordFound, match="words-0@13") as found:
        harness.start().run()
    assert (found.value.topic, found.value.partition, found.value.offset) == ("words", 0, 13)
    assert found.value.code is Code.BAD_RECORD
    assert harness.visible_names() == []


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (
            UNDECODABLE,
            "cannot be decoded, its value is no number: fix the producer that wrote it, or set on_bad_record",
        ),
        (
            FAILING,
            r"function failed on record words-\d@\d+ \(ValueError: indigestible, at \S+harness\.py:\d+ in \w+\): fix",
        ),
    ],
)
def test_on_bad_record_stop__undecodable_value_or_failing_function__error_says_which(
    number: int, sentence: str
) -> None:
    with pytest.raises(BadRecordFound, match=sentence):
        spoiled(number, 13).start().run()


@pytest.mark.parametrize("number", [UNDECODABLE, FAILING])
def test_on_bad_record_stop__function_corrected_and_restarted__continues_at_the_bad_record(number: int) -> None:
    harness = spoiled(number, 13)
    with pytest.raises(BadRecordFound):
        harness.start().run()
    harness.log.partitions[0][13] = ("k0-0", 5)
    harness.start().run()
    harness.check()


def test_on_bad_record_stop__bad_record_in_one_lane__other_lane_of_the_bundle_committed() -> None:
    harness = Harness(2)
    harness.produce(10)
    harness.log.partitions[1][3] = ("k1-0", FAILING)
    with pytest.raises(BadRecordFound, match="words-1@3"):
        harness.start().run()
    assert len(harness.visible_names()) == 1


@pytest.mark.parametrize("number", [UNDECODABLE, FAILING])
def test_on_bad_record_skip__bad_records_between_others__others_processed_in_order(number: int) -> None:
    harness = spoiled(number, 0, 13, 14, 19)
    process = harness.start(job=harness.job(on_bad_record=OnBadRecord.SKIP)).run()
    good = [record for record in harness.log.partitions[0] if record[1] != number]
    (manifest,) = harness.committed_manifests().values()
    assert harness.state(manifest) == expected_state(good)
    assert sorted(offset for _, offset, *_ in harness.visible_rows()) == [*range(1, 13), *range(15, 19)]
    assert process.progress_at(ProgressStep.COMMITTED)[0].lanes[0].bad_records == 4


def test_dead_letter__undecodable_and_failed_records__sent_once_with_their_reasons() -> None:
    harness = spoiled(UNDECODABLE, 13)
    harness.log.partitions[0][4] = ("k0-1", FAILING)
    process = harness.start(job=harness.job(on_bad_record=OnBadRecord.DEAD_LETTER)).run()
    ((manifest, letters),) = process.letters
    table = pa.ipc.open_file(letters).read_all()
    assert table["offset"].to_pylist() == [4, 13]
    assert table["key"].to_pylist() == [b"k0-1", b"k0-0"]
    indigestible, undecodable = table["reason"].to_pylist()
    assert re.fullmatch(r"ValueError: indigestible, at \S+harness\.py:\d+ in \w+", indigestible)
    assert undecodable == "its value is no number"
    assert manifest.dead_letters is not None


def test_dead_letter__application_killed_between_commit_and_publish__sent_after_the_restart() -> None:
    harness = spoiled(UNDECODABLE, 13)
    job = harness.job(on_bad_record=OnBadRecord.DEAD_LETTER)
    with pytest.raises(Killed):
        harness.start(job=job, observer=killed_at(ProgressStep.COMMITTED)).run()
    assert len(harness.start(job=job).run().letters) == 1


def test_dead_letter__topic_deleted_before_the_records_were_sent__pipeline_stops() -> None:
    harness = spoiled(UNDECODABLE, 13)
    job = harness.job(on_bad_record=OnBadRecord.DEAD_LETTER)
    with pytest.raises(Killed):
        harness.start(job=job, observer=killed_at(ProgressStep.COMMITTED)).run()
    process = harness.start(dead_letters=None)
    with pytest.raises(PipelineStopped, match="1 bad records of lane words-0") as stopped:
        process.run()
    assert stopped.value.code is Code.DEAD_LETTERS_UNSENT


def test_on_bad_record_skip__function_fails_on_every_record__pipeline_stops() -> None:
    harness = Harness(1)
    harness.produce(BAD_RECORDS_PER_BATCH_MAX + 10)
    for offset in range(len(harness.log.partitions[0])):
        harness.log.partitions[0][offset] = ("k0-0", FAILING)
    with pytest.raises(PipelineStopped, match="failed on 1,000 records") as stopped:
        harness.start(job=harness.job(on_bad_record=OnBadRecord.SKIP), max_records=5000).run()
    assert stopped.value.code is Code.BAD_FUNCTION


def test_function__returns_no_table__pipeline_stops_with_an_error() -> None:
    harness = Harness(1)
    harness.produce(3)

    def forgetful(rows: pa.Table, state: KeyedState) -> pa.Table:
        del rows, state

    with pytest.raises(PipelineStopped, match="returned NoneType") as stopped:
        harness.start(job=harness.job(forgetful)).run()
    assert stopped.value.code is Code.BAD_FUNCTION


def test_key_column__differs_from_the_record_key_of_the_topic__pipeline_stops_and_names_the_record() -> None:
    harness = Harness(2)
    harness.produce(5)
    job = harness.job(key_partitions=lambda keys, count: pa.array([count - 1] * len(keys), pa.int32()))
    with pytest.raises(PipelineStopped, match="words-0@0 belongs to partition 1") as stopped:
        harness.start(job=job).run()
    assert stopped.value.code is Code.KEY_IS_NOT_PARTITIONING


def test_on_bad_record_skip__function_imports_a_missing_module__pipeline_stops() -> None:
    def importing(_: pa.Table, __: KeyedState) -> pa.Table:
        import not_on_this_host

        return not_on_this_host

    harness = Harness(1)
    harness.produce(20)
    with pytest.raises(PipelineStopped, match="MODULE_MISSING: Spark's workers have no module not_on_this_host: name"):
        harness.start(job=harness.job(importing, on_bad_record=OnBadRecord.SKIP)).run()
