"""Reads return the same records if files beside the segments are missing or changed."""

from collections.abc import Callable
from typing import Any

import pytest

from tenure.protocol.batches import encode_batch
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.protocol.batches import NOW_MS, rows
from tests.quick import quick_first
from tests.storage.logs import NAME, SMALL, after_kill, fill, offsets_of, on, opened
from tests.storage.test_transactions import end, write

DIRECTORY = f"/data/{NAME}"
Damager = Callable[[bytearray], None]


def stopped_disk(*, clean: bool) -> ForgetfulDisk:
    """Return the disk of a broker that was stopped or killed: transactions in several segments, three leader epochs."""
    disk = ForgetfulDisk()
    directory = on(disk)
    partition = opened(directory)
    for epoch in range(12):
        fill(partition, 2)
        write(partition, 7, epoch=epoch)
        write(partition, 8, 2, epoch=epoch)
        fill(partition, 1)
        end(partition, 8, epoch=epoch, commit=epoch % 3 == 0)
        end(partition, 7, epoch=epoch, commit=epoch % 4 == 0)
        if epoch in (4, 8):
            partition.begin_leader_epoch()
    partition.sync()
    if clean:
        partition.close()
        directory.close()
    return after_kill(disk)


def view(partition: Partition) -> list[Any]:
    """Return everything that readers can ask for."""
    end_offset = partition.log_end_offset
    return [
        offsets_of(partition),
        [partition.aborted_between(offset, offset + 3) for offset in range(end_offset)],
        partition.aborted_between(0, end_offset),
        [partition.offset_for_timestamp(NOW_MS + n) for n in range(-1, end_offset + 2)],
        partition.offset_of_max_timestamp(),
        [segment.max_timestamp_ms for segment in partition.segments.all],
        [partition.end_offset_for_epoch(epoch) for epoch in range(6)],
        partition.last_stable_offset,
        partition.log_start_offset,
    ]


def names(disk: ForgetfulDisk, *suffixes: str) -> list[str]:
    return [name for name in ForgetfulFiles(disk).listdir(DIRECTORY) if name.endswith(suffixes)]


def flip(at: int) -> Damager:
    def damage(content: bytearray) -> None:
        if content:
            content[at % len(content)] ^= 1 << at % 7

    return damage


def truncate(content: bytearray) -> None:
    del content[len(content) // 24 * 12 :]


def double(content: bytearray) -> None:
    content += bytes(content)


DAMAGERS = [*map(flip, (0, 3, 6, 7, 10, 11, 13, 18, 25, -1, -4, -6)), truncate, bytearray.clear, double]


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("damage", quick_first(DAMAGERS))
def test_open_log__index_files_changed__same_records_read(damage: Damager, clean: bool) -> None:
    pristine = stopped_disk(clean=clean)
    expected = view(opened(on(after_kill(pristine))))
    for name in names(pristine, ".index", ".timeindex", ".txnindex"):
        disk = after_kill(pristine)
        damage(disk.file(f"{DIRECTORY}/{name}").content)
        assert view(opened(on(disk))) == expected, name


@pytest.mark.parametrize("clean", [True, False])
def test_open_log__index_file_deleted__same_records_read_after_this_start_and_the_next(clean: bool) -> None:
    pristine = stopped_disk(clean=clean)
    expected = view(opened(on(after_kill(pristine))))
    deleted = names(pristine, ".index", ".timeindex", ".txnindex")
    assert len(names(pristine, ".txnindex")) > 3
    for name in deleted:
        disk = after_kill(pristine)
        ForgetfulFiles(disk).remove(f"{DIRECTORY}/{name}")
        directory = on(disk)
        partition = opened(directory)
        assert view(partition) == expected, name
        partition.close()
        directory.close()
        assert set(deleted) <= set(names(disk, "index"))
        assert view(opened(on(disk))) == expected, name


@pytest.mark.parametrize("kind", [".index", ".timeindex", ".txnindex"])
def test_open_log__index_files_of_two_segments_swapped__same_records_read(kind: str) -> None:
    disk = stopped_disk(clean=True)
    expected = view(opened(on(after_kill(disk))))
    one, other = (disk.file(f"{DIRECTORY}/{name}") for name in names(disk, kind)[1:3])
    one.content, other.content = other.content, one.content
    assert view(opened(on(disk))) == expected


@pytest.mark.parametrize("content", [b"", b"0\n1\n0 0\n", b"0\n3\n0 0\n1 9\n2 60\n", b"0\n3\n0 0\n7 30\n9 60\n", b"x"])
def test_open_log__leader_epoch_checkpoint_changed_after_a_clean_stop__same_records_and_epochs_read(
    content: bytes,
) -> None:
    disk = stopped_disk(clean=True)
    expected = view(opened(on(after_kill(disk))))
    assert [ended.leader_epoch for ended in expected[-3]] == [0, 1, 2, -1, -1, -1]
    disk.file(f"{DIRECTORY}/leader-epoch-checkpoint").content[:] = content
    directory = on(disk)
    partition = opened(directory)
    assert view(partition) == expected
    partition.close()
    directory.close()
    assert view(opened(on(disk))) == expected


@pytest.mark.parametrize("content", [b"", b"0\n1\n0 0\n", b"0\n2\n1 0\n0 60\n", b"0\n2\n0 60\n1 0\n"])
def test_open_log__leader_epoch_checkpoint_lost_after_kill_9__next_leader_epoch_was_never_used_before(
    content: bytes,
) -> None:
    disk = stopped_disk(clean=False)
    disk.file(f"{DIRECTORY}/leader-epoch-checkpoint").content[:] = content
    assert opened(on(disk)).leader_epoch == 2


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("kind", ["leader-epoch-checkpoint", ".txnindex"])
def test_open_log__damaged_batch_and_an_index_or_checkpoint_missing__damage_set_aside(kind: str, clean: bool) -> None:
    disk = stopped_disk(clean=clean)
    first = names(disk, ".log")[1]
    ForgetfulFiles(disk).remove(f"{DIRECTORY}/{names(disk, kind)[0]}")
    disk.file(f"{DIRECTORY}/{first}").content[8:12] = bytes(4)  # the length of the first batch
    partition = opened(on(disk))
    (damage,) = partition.damages
    assert damage.path == f"{DIRECTORY}/{first}"
    assert partition.leader_epoch == 2


def test_close__disk_too_full_for_the_transaction_index__index_rebuilt_at_the_next_start() -> None:
    disk = ForgetfulDisk()
    directory = on(disk)
    partition = opened(directory)
    write(partition, 7)
    end(partition, 7, commit=False)
    expected = partition.aborted_between(0, 2)
    disk.free_bytes = 0
    partition.close()
    disk.free_bytes = None
    directory.close()
    assert not names(disk, ".txnindex")
    again = on(disk)
    assert again.was_clean
    assert opened(again).aborted_between(0, 2) == expected != []


def test_retention__time_index_changed__young_segments_not_removed() -> None:
    disk = stopped_disk(clean=True)
    name = names(disk, ".timeindex")[0]
    disk.file(f"{DIRECTORY}/{name}").content[:] = (1_000).to_bytes(8, "big") + bytes(4)
    partition = opened(on(disk), settings=SMALL._replace(retention_ms=3_600_000))
    assert partition.enforce_retention(NOW_MS + 60_000) == 0


def test_is_cached__index_must_be_rebuilt_first__false() -> None:
    """Return False, so that a read of the whole segment runs on a thread."""
    disk = stopped_disk(clean=True)
    flip(3)(disk.file(f"{DIRECTORY}/{names(disk, '.index')[0]}").content)
    partition = opened(on(disk))
    first = partition.segments.all[0]
    first.load_indexes()
    assert not partition.is_cached(3, 100)
    partition.read(3, 100)
    assert partition.is_cached(3, 100)


def test_close__index_files_rebuilt__same_content_as_before() -> None:
    disk = stopped_disk(clean=True)
    before = {name: bytes(disk.file(f"{DIRECTORY}/{name}").content) for name in names(disk, "index")}
    for name in names(disk, ".timeindex"):
        disk.file(f"{DIRECTORY}/{name}").content.clear()
    directory = on(disk)
    partition = opened(directory)
    view(partition)
    partition.close()
    directory.close()
    assert {name: bytes(disk.file(f"{DIRECTORY}/{name}").content) for name in names(disk, "index")} == before


def test_append__after_a_start_with_emptied_index_files__same_log_after_the_next_start() -> None:
    disk = stopped_disk(clean=True)
    for name in names(disk, "index"):
        disk.file(f"{DIRECTORY}/{name}").content.clear()
    directory = on(disk)
    partition = opened(directory)
    end_offset = partition.log_end_offset
    partition.append(encode_batch(rows(2, first=end_offset)), now_ms=NOW_MS)
    partition.sync()
    expected = view(partition)
    partition.close()
    directory.close()
    assert view(opened(on(disk), Durability.FSYNC)) == expected
