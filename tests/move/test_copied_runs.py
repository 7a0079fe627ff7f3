"""Runs of copied records, and answers of the target to a batch."""

from __future__ import annotations

import random

import pytest

from tenure.client import TopicPartition
from tenure.client.errors import ClientError
from tenure.limits.move import RUNS_MAX
from tenure.move.batch_copy import BatchCopy
from tenure.move.copied_runs import CopiedRun, CopiedRuns, decode_runs, encode_runs
from tenure.move.errors import MoveStopped
from tenure.move.partition_copy import PartitionCopy
from tenure.move.position_search import match_copies
from tenure.move.progress import CopyProducer, PartitionProgress
from tenure.protocol.batches import pack_records
from tenure.protocol.compression import Codec
from tenure.protocol.errors import ErrorCode
from tenure.protocol.records import Record


def test_copied_runs__adjacent_records__one_exact_run() -> None:
    runs = CopiedRuns()
    for offset in range(0, 50, 5):
        runs.add(offset, offset + 7, 5)
    assert list(runs) == [CopiedRun(0, 50, 7, 57, is_exact=True)]


def test_copied_runs__many_offset_gaps__number_of_runs_bounded_and_exact_offsets_correct() -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    rng = random.Random(seed)
    runs, copies = CopiedRuns(), dict[int, int]()
    source = target = 0
    for _ in range(2_000):
        source += rng.choice((0, 0, 1, 3))
        for _ in range(rng.randint(1, 5)):
            runs.add(source, target, 1)
            copies[source] = target
            source, target = source + 1, target + 1
        assert len(list(runs)) <= RUNS_MAX
    again = decode_runs(encode_runs(runs).split())
    assert list(again) == list(runs)
    for offset, copy in copies.items():
        run = again.run_of(offset)
        assert run is not None
        assert run.target_start <= copy < run.target_end
        assert not run.is_exact or run.target_start + offset - run.source_start == copy


@pytest.mark.parametrize(
    ("error_code", "failure", "says"),
    [
        (ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, MoveStopped, "The target does not support the codec"),
        (ErrorCode.INVALID_TIMESTAMP, MoveStopped, "Raise 'message.timestamp.before.max.ms'"),
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, MoveStopped, "Grant WRITE on the topic at the target"),
        (ErrorCode.MESSAGE_TOO_LARGE, MoveStopped, "Raise 'max.message.bytes' of the topic there"),
        (ErrorCode.NOT_LEADER_OR_FOLLOWER, ClientError, "NOT_LEADER_OR_FOLLOWER"),
        (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ClientError, "OUT_OF_ORDER_SEQUENCE_NUMBER"),
    ],
)
def test_copy_of_a_batch__refused_by_the_target__error_with_the_remedy(
    error_code: ErrorCode, failure: type[ClientError], says: str
) -> None:
    progress = PartitionProgress(CopyProducer(1, 0), "a/b", 0, 0, 0)
    copy = PartitionCopy(TopicPartition("t", 0), progress)
    batch = BatchCopy(pack_records([Record(5, 0, b"k", b"v")], Codec.NONE), [5])
    copy.encode_next(batch)
    copy.handle_response(batch, error_code, -1, None)
    assert type(copy.failure) is failure
    assert says in str(copy.failure)
    assert "t-0 at offset 5 of the source" in str(copy.failure)


def test_matched_records__source_was_compacted__remaining_records_matched_by_content() -> None:
    copies = [(index, Record(100 + index, 0, b"k%d" % index, b"v")) for index in range(6)]
    originals = [Record(number, 0, b"k%d" % number, b"v") for number in (1, 4, 5, 8, 9, 10)]
    assert [(original.offset, copy.offset) for original, copy in match_copies(originals, copies)] == [
        (1, 101),
        (4, 104),
        (5, 105),
    ]


def test_matched_records__target_was_compacted__remaining_copies_matched() -> None:
    copies = [(index, Record(100 + index, 0, b"k%d" % index, b"v")) for index in (1, 4)]
    originals = [Record(number, 0, b"k%d" % number, b"v") for number in range(5)]
    assert [(original.offset, copy.offset) for original, copy in match_copies(originals, copies)] == [
        (1, 101),
        (4, 104),
    ]
