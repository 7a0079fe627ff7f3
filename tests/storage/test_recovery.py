"""PrefixRecovery: after a cut at any byte, the log is a prefix of what was appended, and the cut is reported."""

import pytest

from tenure.protocol.batches import encode_batch
from tenure.protocol.records import Record
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.memory import MemoryFile, MemoryFiles
from tenure.storage.recovery.inventory import NAME as INVENTORY
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.protocol.batches import NOW_MS, rows
from tests.storage.logs import BATCH_BYTES, NAME, SMALL, after_kill, fill, offsets_of, on, opened, records_of

ONE_SEGMENT = LogSettings(index_interval_bytes=150)


def left_by_a_killed_broker(records: int, settings: LogSettings = ONE_SEGMENT) -> ForgetfulDisk:
    """Return a disk with all bytes, on which no file was closed."""
    disk = ForgetfulDisk()
    fill(opened(on(disk), settings=settings), records)
    return after_kill(disk)


def remove_inventory(disk: ForgetfulDisk) -> None:
    """Remove the inventory, so that a start without synced bytes succeeds, as in a directory of an earlier release."""
    ForgetfulFiles(disk).remove(f"/data/{INVENTORY}")


def logs(disk: ForgetfulDisk) -> list[str]:
    return [name for name in ForgetfulFiles(disk).listdir(f"/data/{NAME}") if name.endswith(".log")]


@pytest.mark.parametrize("was_synced", [False, True])
def test_recovery__log_cut_at_every_byte__longest_prefix_of_whole_batches(was_synced: bool) -> None:
    disk = left_by_a_killed_broker(8)
    if was_synced:
        opened(on(disk), settings=ONE_SEGMENT).close()  # writes indexes, which show how long the log was
    whole = bytes(disk.file(f"/data/{NAME}/{0:020d}.log").content)
    size = len(whole) // 8
    for length in range(len(whole)):
        disk.file(f"/data/{NAME}/{0:020d}.log").content[:] = whole[:length]
        disk = after_kill(disk)
        remove_inventory(disk)
        disk.file(f"/data/{NAME}/{0:020d}.log").content[:] = whole[:length]
        partition = opened(on(disk), settings=ONE_SEGMENT)
        assert offsets_of(partition) == list(range(length // size)), f"cut at byte {length}"
        assert (partition.truncation is None) == (length % size == 0)
        if partition.truncation is not None:
            assert partition.truncation.lost_bytes == length % size
            assert partition.truncation.offset == length // size


def test_recovery__garbage_after_the_last_batch__truncated() -> None:
    disk = left_by_a_killed_broker(3)
    disk.file(f"/data/{NAME}/{0:020d}.log").content += bytes(500)
    partition = opened(on(disk), settings=ONE_SEGMENT)
    assert partition.truncation is not None
    assert (partition.truncation.lost_bytes, partition.log_end_offset) == (500, 3)
    fill(partition, 2)
    partition.sync()
    assert offsets_of(partition) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("suffix", [".index", ".timeindex", ".snapshot"])
@pytest.mark.parametrize("damage", [b"", b"\x00" * 24, b"rubbish", b"\xff" * 4096])
def test_recovery__index_or_producer_snapshot_damaged__rebuilt_from_the_log(suffix: str, damage: bytes) -> None:
    disk = left_by_a_killed_broker(60, SMALL)
    opened(on(disk)).close()
    files = ForgetfulFiles(disk)
    for name in files.listdir(f"/data/{NAME}"):
        if name.endswith(suffix):
            disk.file(f"/data/{NAME}/{name}").content[:] = damage
    partition = opened(on(disk))
    assert offsets_of(partition) == list(range(60))
    assert partition.truncation is None
    assert partition.offset_for_timestamp(NOW_MS + 33) == (33, NOW_MS + 33)


def test_recovery__leader_epoch_checkpoint_lost__rebuilt_from_the_batches() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 3)
    partition.begin_leader_epoch(5)
    fill(partition, 3)
    partition.close()
    ForgetfulFiles(disk).remove(f"/data/{NAME}/leader-epoch-checkpoint")
    again = opened(on(disk))
    assert again.leader_epoch == 5
    assert again.end_offset_for_epoch(0) == (0, 3)


def test_recovery__all_records_of_a_leader_epoch_lost__epoch_not_used_again() -> None:
    """Begin a higher epoch; otherwise a reader of lost records would be told that they still exist (KIP-320)."""
    disk = ForgetfulDisk()
    partition = opened(on(disk), settings=ONE_SEGMENT)
    fill(partition, 3)
    partition.begin_leader_epoch(5)
    fill(partition, 3)
    disk = disk.crash(lambda tail: tail, names_survive=True)
    del disk.file(f"/data/{NAME}/{0:020d}.log").content[2 * BATCH_BYTES :]
    remove_inventory(disk)
    again = opened(on(disk), settings=ONE_SEGMENT)
    assert again.log_end_offset == 2
    assert again.begin_leader_epoch() == 6
    fill(again, 6)
    assert again.end_offset_for_epoch(5) == (0, 2)


def test_recovery__index_file_without_its_segment__removed() -> None:
    disk = left_by_a_killed_broker(60, SMALL)
    opened(on(disk)).close()
    files = ForgetfulFiles(disk)
    first = logs(disk)[0].removesuffix(".log")
    files.remove(f"/data/{NAME}/{first}.log")
    remove_inventory(disk)
    partition = opened(on(disk))
    assert not files.exists(f"/data/{NAME}/{first}.index")
    assert partition.log_start_offset > 0


def test_recovery__crash_or_clean_stop__producer_sequences_continue() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    for i in range(30):
        batch = encode_batch(rows(2, first=2 * i), producer_id=9, producer_epoch=1, base_sequence=2 * i)
        partition.append(batch, now_ms=NOW_MS)
    before = partition.producers.by_id[9].batches[-1]
    crashed = opened(on(disk.crash(lambda tail: tail, names_survive=True)))
    assert crashed.producers.by_id[9].batches[-1] == before
    partition.close()
    assert opened(on(disk)).producers.by_id[9].batches[-1] == before


def test_recovery__segments_with_valid_indexes__only_their_last_part_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    files = MemoryFiles()
    directory = DataDirectory.open("/memory", files=files)
    partition = opened(directory, Durability.OS)
    fill(partition, 400)
    partition.sync()
    read_bytes = 0
    pread = MemoryFile.pread

    def counted(self: MemoryFile, size: int, position: int) -> bytes:
        nonlocal read_bytes
        data = pread(self, size, position)
        read_bytes += len(data)
        return data

    monkeypatch.setattr(MemoryFile, "pread", counted)
    assert opened(directory, Durability.OS).log_end_offset == 400
    assert read_bytes < partition.size_bytes


def test_recovery__records_with_keys_headers_and_timestamps__unchanged_in_every_field() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    record = Record(0, NOW_MS, b"k", None, [("h", None)])
    partition.append(encode_batch([record]), now_ms=NOW_MS)
    assert records_of(opened(on(disk.crash(lambda tail: tail, names_survive=True)))) == [record]
