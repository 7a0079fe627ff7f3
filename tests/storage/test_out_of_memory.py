"""After an append ran out of memory, files and offsets of the restored log agree."""

from collections.abc import Callable, Iterator

import pytest

from tenure.protocol.batches import encode_batch
from tenure.protocol.records import Record
from tenure.storage.errors import AppendFailed, PartitionFailed
from tenure.storage.log.partition import Partition
from tenure.storage.log.segment import Segment
from tenure.storage.log.settings import Durability
from tenure.storage.log.verified_ranges import VerifiedRanges
from tests.forgetful import ForgetfulDisk, ForgetfulFile
from tests.protocol.batches import NOW_MS
from tests.storage.logs import after_kill, fill, offsets_of, on, opened

PRODUCER_ID = 7


class ComparedOnce:
    """Key in place of a producer id: its first comparison succeeds, all others raise MemoryError."""

    compared = 0

    def __hash__(self) -> int:
        return hash(PRODUCER_ID)

    def __eq__(self, _: object) -> bool:
        self.compared += 1
        if self.compared > 1:
            raise MemoryError
        return False


class UncopyableSegments(list[Segment]):
    """Segments that cannot be copied."""

    def __iter__(self) -> Iterator[Segment]:
        raise MemoryError


def fail_after_the_write(patch: pytest.MonkeyPatch, _: Partition) -> None:
    def append(file: ForgetfulFile, data: bytes | bytearray) -> None:
        file._inode.content += data[:-3]
        raise MemoryError

    patch.setattr(ForgetfulFile, "append", append)


class FullRanges(VerifiedRanges):
    """Ranges to which none can be added."""

    def add(self, *_: int) -> None:
        raise MemoryError


def fail_in_the_index(patch: pytest.MonkeyPatch, partition: Partition) -> None:
    patch.setattr(partition.segments.active, "_verified", FullRanges())


def fail_in_the_producers(patch: pytest.MonkeyPatch, partition: Partition) -> None:
    patch.setattr(partition.producers, "by_id", {ComparedOnce(): None})


def without_memory(*_: object) -> None:
    raise MemoryError


@pytest.mark.parametrize("durability", [Durability.OS, Durability.FSYNC])
@pytest.mark.parametrize("fail", [fail_after_the_write, fail_in_the_index, fail_in_the_producers])
def test_append__out_of_memory_after_the_write__append_refused_and_log_restored(
    durability: Durability, fail: Callable[[pytest.MonkeyPatch, Partition], None]
) -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), durability)
    fill(partition, 5)
    if durability is Durability.FSYNC:
        partition.sync()
    record = Record(0, NOW_MS, None, b"x" * 50)
    of_producer = encode_batch([record], producer_id=PRODUCER_ID, producer_epoch=0, base_sequence=0)
    with pytest.MonkeyPatch.context() as patch:
        fail(patch, partition)
        with pytest.raises(AppendFailed, match="there was no memory left"):
            partition.append(of_producer, now_ms=NOW_MS)
    assert partition.has_failed
    assert partition.log_end_offset == 5
    with pytest.raises(PartitionFailed):
        partition.append(of_producer, now_ms=NOW_MS)

    assert partition.restore() == 5
    assert partition.append(of_producer, now_ms=NOW_MS).base_offset == 5
    fill(partition, 3)
    if durability is Durability.FSYNC:
        partition.sync()
    assert offsets_of(partition) == list(range(9))
    again = opened(on(after_kill(disk)), durability)
    assert (again.truncation, again.damages, offsets_of(again)) == (None, [], list(range(9)))


def test_sync_of_a_log__out_of_memory_after_the_disk_has_synced__log_fails_and_no_durable_record_lost() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition._inventory, "set_segment", without_memory)
        with pytest.raises(MemoryError):
            partition.sync()
    assert partition.has_failed
    assert partition.restore() == 5
    fill(partition, 2)
    partition.sync()
    assert offsets_of(opened(on(disk.crash()))) == list(range(7))


def test_sync_of_a_log__out_of_memory_before_the_disk_has_synced__records_not_synced_are_removed() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition.segments, "_unsealed", UncopyableSegments())
        with pytest.raises(MemoryError):
            partition.sync()
    with pytest.raises(PartitionFailed):
        partition.sync()
    assert partition.restore() == 0
    fill(partition, 2)
    partition.sync()
    assert offsets_of(opened(on(disk.crash()))) == [0, 1]
