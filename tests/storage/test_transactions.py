"""Transactions in a partition: offsets that readers of committed records may see, and records to skip."""

import pytest

from tenure.protocol.batches import encode_batch
from tenure.protocol.types import Marker
from tenure.storage.errors import InvalidProducerEpoch, InvalidTransactionState, TransactionCoordinatorFenced
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.log.transactions import Aborted
from tests.forgetful import ForgetfulDisk
from tests.protocol.batches import NOW_MS, rows
from tests.storage.logs import SMALL, fill, in_memory, on, opened

ONE_SEGMENT = LogSettings()
BYTES_MAX = 1 << 20


def write(partition: Partition, producer_id: int, count: int = 1, *, epoch: int = 0, sequence: int = 0) -> int:
    """Append a batch of a transaction; return its base offset."""
    batch = encode_batch(
        rows(count), producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence, is_transactional=True
    )
    return partition.append(batch, now_ms=NOW_MS).base_offset


def end(partition: Partition, producer_id: int, *, commit: bool, epoch: int = 0, coordinator_epoch: int = 0) -> int:
    marker = Marker(producer_id, epoch, commit, coordinator_epoch)
    return partition.append_marker(marker, now_ms=NOW_MS).base_offset


def test_last_stable_offset__overlapping_transactions__start_of_the_first_open_one() -> None:
    partition = in_memory(ONE_SEGMENT)
    fill(partition, 2)
    assert partition.last_stable_offset == 2
    write(partition, 7)
    write(partition, 8)
    assert partition.last_stable_offset == 2
    end(partition, 7, commit=True)
    assert partition.last_stable_offset == 3
    end(partition, 8, commit=False)
    assert partition.last_stable_offset == partition.log_end_offset == 6


def test_last_stable_offset__commit_marker_not_synced_yet__start_of_the_transaction() -> None:
    partition = opened(on(ForgetfulDisk()), Durability.FSYNC, ONE_SEGMENT)
    write(partition, 7)
    partition.sync()
    end(partition, 7, commit=True)
    assert partition.last_stable_offset == 0
    partition.sync()
    assert partition.last_stable_offset == 2


def test_ended_transactions__many_in_turn__only_those_not_synced_yet_stay_in_memory() -> None:
    partition = in_memory(ONE_SEGMENT)
    for epoch in range(50):
        write(partition, 7, epoch=epoch)
        end(partition, 7, commit=True, epoch=epoch)
    assert len(partition.producers.unsettled) == 1


def test_read__limited_to_the_last_stable_offset__only_batches_before_it() -> None:
    partition = in_memory(ONE_SEGMENT)
    fill(partition, 3)
    write(partition, 7)
    fill(partition, 2)
    assert (
        partition.read(0, BYTES_MAX, partition.last_stable_offset)
        == partition.read(0, BYTES_MAX)[: 3 * len(encode_batch(rows(1)))]
    )
    assert partition.read(3, BYTES_MAX, partition.last_stable_offset) == b""


def test_aborted_between__range_of_offsets__aborted_transactions_that_overlap_it() -> None:
    partition = in_memory(ONE_SEGMENT)
    write(partition, 7)
    write(partition, 8)
    end(partition, 7, commit=False)
    end(partition, 8, commit=True)
    write(partition, 7, sequence=1)
    end(partition, 7, commit=False)
    assert partition.aborted_between(0, 6) == [Aborted(7, 0, 2, 1), Aborted(7, 4, 5, 6)]
    assert partition.aborted_between(3, 4) == []
    assert partition.aborted_between(3, 6) == [Aborted(7, 4, 5, 6)]
    assert partition.aborted_between(0, 1) == [Aborted(7, 0, 2, 1)]


def test_append__plain_batch_of_a_producer_with_an_open_transaction__refused() -> None:
    partition = in_memory(ONE_SEGMENT)
    write(partition, 7)
    plain = encode_batch(rows(1), producer_id=7, producer_epoch=0, base_sequence=1)
    with pytest.raises(InvalidTransactionState):
        partition.append(plain, now_ms=NOW_MS)
    end(partition, 7, commit=True)
    assert partition.append(plain, now_ms=NOW_MS).base_offset == 2


def test_append__marker_raised_the_producer_epoch__old_epoch_fenced_and_new_sequence_starts_at_0() -> None:
    partition = in_memory(ONE_SEGMENT)
    write(partition, 7, 3)
    end(partition, 7, commit=True, epoch=1)
    with pytest.raises(InvalidProducerEpoch):
        write(partition, 7, epoch=0, sequence=3)
    assert write(partition, 7, epoch=1, sequence=0) == 4


@pytest.mark.parametrize(
    ("epoch", "coordinator_epoch", "error"), [(0, 5, InvalidProducerEpoch), (2, 4, TransactionCoordinatorFenced)]
)
def test_append_marker__older_producer_epoch_or_coordinator_epoch__refused(
    epoch: int, coordinator_epoch: int, error: type[Exception]
) -> None:
    partition = in_memory(ONE_SEGMENT)
    write(partition, 7, epoch=1)
    end(partition, 7, commit=False, epoch=1, coordinator_epoch=5)
    before = partition.log_end_offset
    with pytest.raises(error):
        end(partition, 7, commit=True, epoch=epoch, coordinator_epoch=coordinator_epoch)
    assert partition.log_end_offset == before


@pytest.mark.parametrize("stops_cleanly", [True, False])
@pytest.mark.parametrize("settings", [ONE_SEGMENT, SMALL])
def test_open_log__log_with_open_and_aborted_transactions__same_ones_open_and_aborted(
    settings: LogSettings, stops_cleanly: bool
) -> None:
    disk = ForgetfulDisk()
    directory = on(disk)
    partition = opened(directory, Durability.FSYNC, settings)
    for turn in range(6):
        write(partition, 7, 3, epoch=turn)
        write(partition, 8, 1, epoch=turn)
        fill(partition, 4)
        end(partition, 7, commit=turn % 2 == 0, epoch=turn)
        end(partition, 8, commit=False, epoch=turn)
        partition.sync()
    write(partition, 9)
    fill(partition, 2)
    partition.sync()
    before = partition.last_stable_offset, partition.aborted_between(0, BYTES_MAX), dict(partition.producers.open)
    if stops_cleanly:
        partition.close()
    directory.close(clean=stops_cleanly)
    again = opened(on(disk.crash()), Durability.FSYNC, settings)
    assert (again.last_stable_offset, again.aborted_between(0, BYTES_MAX), dict(again.producers.open)) == before
    assert len(before[1]) == 9
    assert before[0] < again.durable_offset


def test_expire_producers__producer_with_an_open_transaction__not_removed() -> None:
    partition = in_memory(ONE_SEGMENT)
    write(partition, 7)
    list(partition.producers.expire(NOW_MS + 1_000_000))
    assert partition.last_stable_offset == 0
    assert 7 in partition.producers.by_id
