"""Sequences of idempotent producers."""

import pytest

from tenure.protocol.batches import encode_batch
from tenure.storage.errors import (
    DuplicateSequence,
    InvalidProducerEpoch,
    InvalidRecord,
    OutOfOrderSequence,
)
from tenure.storage.log.partition import Appended, Partition
from tenure.storage.log.producers import ImplausibleSnapshot, Producers
from tenure.storage.log.settings import LogSettings
from tests.protocol.batches import NOW_MS, rows
from tests.storage.logs import in_memory

A_DAY_MS = 86_400_000


def send(partition: Partition, sequence: int, count: int = 1, *, epoch: int = 0, producer_id: int = 7) -> Appended:
    batch = encode_batch(rows(count), producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)
    return partition.append(batch, now_ms=NOW_MS)


def partition_with(*sequences: int) -> Partition:
    partition = in_memory(LogSettings())
    for sequence in sequences:
        send(partition, sequence)
    return partition


def test_append__sequences_in_order__accepted() -> None:
    partition = in_memory()
    assert [send(partition, at, 3).base_offset for at in (0, 3, 6)] == [0, 3, 6]


@pytest.mark.parametrize("back", [1, 2, 3, 4, 5])
def test_append__one_of_the_last_five_batches_repeated__offsets_of_the_first_append_returned(back: int) -> None:
    partition = partition_with(0, 1, 2, 3, 4, 5, 6)
    with pytest.raises(DuplicateSequence) as duplicate:
        send(partition, 7 - back)
    assert (duplicate.value.base_offset, duplicate.value.last_offset) == (7 - back, 7 - back)
    assert partition.log_end_offset == 7


def test_append__sixth_last_batch_repeated__out_of_order_sequence() -> None:
    with pytest.raises(OutOfOrderSequence, match="sequences 1 to 1, but its last batch in this partition ended with 6"):
        send(partition_with(0, 1, 2, 3, 4, 5, 6), 1)


@pytest.mark.parametrize("sequence", [2, 4, 100])
def test_append__gap_between_sequences__out_of_order_sequence(sequence: int) -> None:
    partition = partition_with(0)
    with pytest.raises(OutOfOrderSequence):
        send(partition, sequence)
    send(partition, 1)


def test_append__same_first_sequence_but_other_record_count__out_of_order_sequence() -> None:
    with pytest.raises(OutOfOrderSequence):
        send(partition_with(0, 1, 2), 2, 2)


def test_append__unknown_producer__any_first_sequence_accepted() -> None:
    assert send(in_memory(), 500).base_offset == 0


def test_append__new_producer_epoch__sequence_starts_at_0_and_old_epoch_is_fenced() -> None:
    partition = partition_with(0, 1)
    with pytest.raises(OutOfOrderSequence, match="a new epoch begins at 0"):
        send(partition, 2, epoch=1)
    send(partition, 0, epoch=1)
    with pytest.raises(InvalidProducerEpoch, match="newer producer with this id is active"):
        send(partition, 2, epoch=0)
    send(partition, 1, epoch=1)


def test_append__sequence_exceeds_the_largest_int32__continues_at_0() -> None:
    partition = in_memory()
    send(partition, 2**31 - 3, 4)
    assert send(partition, 1).base_offset == 4


def test_append__several_producers__sequences_are_independent() -> None:
    partition = in_memory()
    for sequence in range(3):
        for producer_id in (1, 2):
            send(partition, sequence, producer_id=producer_id)
    assert partition.log_end_offset == 6


def test_append__two_idempotent_batches_in_one_request__refused() -> None:
    batch = encode_batch(rows(1), producer_id=7, producer_epoch=0, base_sequence=0)
    with pytest.raises(InvalidRecord, match="one batch at a time"):
        in_memory().append(batch + batch, now_ms=NOW_MS)


def test_append__batch_refused__expected_sequence_unchanged() -> None:
    partition = partition_with(0)
    for _ in range(2):
        with pytest.raises(OutOfOrderSequence):
            send(partition, 5)
    assert send(partition, 1).base_offset == 1


def test_expire_producers__producer_inactive_for_a_day__removed() -> None:
    partition = partition_with(0, 1, 2)
    list(partition.expire_producers(NOW_MS + A_DAY_MS - 1))
    with pytest.raises(OutOfOrderSequence):
        send(partition, 9)
    list(partition.expire_producers(NOW_MS + A_DAY_MS))
    send(partition, 9)


def test_producer_snapshot__written_and_read__same_last_batch_of_each_producer() -> None:
    partition = partition_with(0, 1, 2)
    send(partition, 2**31 - 1, 3, producer_id=8, epoch=4)
    found = Producers.decode(partition.producers.encode())
    assert {i: (p.epoch, p.batches[-1]) for i, p in found.by_id.items()} == {
        i: (p.epoch, p.batches[-1]) for i, p in partition.producers.by_id.items()
    }


@pytest.mark.parametrize("at", [0, 3, 9, 20, -1])
def test_producer_snapshot__any_byte_changed__refused(at: int) -> None:
    snapshot = bytearray(partition_with(0, 1).producers.encode())
    snapshot[at] ^= 1
    with pytest.raises(ImplausibleSnapshot):
        Producers.decode(bytes(snapshot))
    with pytest.raises(ImplausibleSnapshot):
        Producers.decode(bytes(snapshot[:at]))
