"""DeleteRecords: its records are invisible at once, and removed from the disk with whole segments."""

import pytest

from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import DiskFull, OffsetOutOfRange
from tenure.storage.log.settings import Durability
from tests.forgetful import ForgetfulDisk
from tests.protocol.batches import NOW_MS
from tests.storage.logs import SMALL, fill, in_memory, offsets_of, on, opened


def test_delete_records__offset_within_a_batch__log_starts_at_this_offset() -> None:
    partition = in_memory()
    fill(partition, 30, per_batch=5)
    assert partition.delete_records(12) == 12
    assert partition.log_start_offset == 12
    assert [offset for offset in offsets_of(partition) if offset >= 12] == list(range(12, 30))
    with pytest.raises(OffsetOutOfRange):
        partition.read(11, 1_000)


def test_delete_records__offset_below_the_log_start__log_start_unchanged() -> None:
    partition = in_memory()
    fill(partition, 10)
    partition.delete_records(7)
    assert partition.delete_records(3) == 7


@pytest.mark.parametrize("offset", [-1, 11])
def test_delete_records__offset_beyond_the_high_watermark__refused(offset: int) -> None:
    partition = in_memory()
    fill(partition, 10)
    with pytest.raises(OffsetOutOfRange):
        partition.delete_records(offset)
    assert partition.log_start_offset == 0


def test_delete_records__records_not_synced_yet__refused() -> None:
    partition = opened(on(ForgetfulDisk()))
    fill(partition, 4)
    with pytest.raises(OffsetOutOfRange):
        partition.delete_records(4)
    partition.sync()
    assert partition.delete_records(4) == 4


def test_delete_records__whole_segments__removed_by_the_next_retention_run() -> None:
    partition = in_memory()
    fill(partition, 60)
    before = partition.size_bytes
    third = partition.segments.all[2].base_offset
    partition.delete_records(third + 1)
    assert partition.enforce_retention(NOW_MS) == 2
    assert partition.size_bytes < before
    assert (partition.segments.log_start_offset, partition.log_start_offset) == (third, third + 1)


def test_delete_records__all_records__empty_log_continues_at_its_end() -> None:
    partition = in_memory()
    fill(partition, 10)
    partition.delete_records(10)
    partition.enforce_retention(NOW_MS)
    assert (partition.log_start_offset, partition.log_end_offset) == (10, 10)
    fill(partition, 2)
    assert offsets_of(partition) == [10, 11]


@pytest.mark.parametrize("durability", [Durability.FSYNC, Durability.OS])
def test_delete_records__power_failure_afterwards__still_deleted(durability: Durability) -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), durability)
    fill(partition, 10)
    partition.sync()
    partition.delete_records(6)
    disk = disk.crash(names_survive=True)
    again = opened(on(disk), durability)
    assert again.log_start_offset == 6
    assert offsets_of(again) == [6, 7, 8, 9]


def test_delete_records__power_failure_loses_the_remaining_records__log_continues_after_deleted_ones() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), Durability.OS)
    fill(partition, 10)
    partition.delete_records(9)
    disk = disk.crash(names_survive=True)
    again = opened(on(disk), Durability.OS)
    assert again.log_start_offset == again.log_end_offset == 9


def test_offset_for_timestamp__earlier_records_deleted__first_remaining_record() -> None:
    partition = in_memory()
    fill(partition, 30, per_batch=5)
    partition.delete_records(12)
    found = partition.offset_for_timestamp(0)
    assert found is not None
    assert found.offset == 12


def test_offset_of_max_timestamp__all_records_deleted__none() -> None:
    partition = in_memory(SMALL)
    fill(partition, 4)
    partition.delete_records(4)
    assert partition.offset_of_max_timestamp() is None


def test_delete_records__disk_full__error_and_nothing_deleted() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 10)
    partition.sync()
    disk.free_bytes = 0
    with pytest.raises(DiskFull):
        partition.delete_records(5)
    assert partition.log_start_offset == 0


def test_log_bytes__unopened_partition__size_of_its_segments() -> None:
    directory = DataDirectory.in_memory()
    partition = opened(directory, Durability.MEMORY)
    fill(partition, 20)
    assert directory.log_bytes(partition.name) == partition.size_bytes > 0
