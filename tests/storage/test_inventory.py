"""A start reports exactly the files that were removed since the last process ended."""

import random
from binascii import crc32
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from tenure.protocol.batches import encode_batch
from tenure.protocol.records import Record
from tenure.protocol.types import TopicId, topic_id_text
from tenure.storage.compaction.compaction import compact
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import AppendFailed, PartitionFailed
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.recovery.inventory import NAME as INVENTORY
from tenure.storage.recovery.inventory import decode
from tenure.storage.recovery.inventory_check import DataMissing
from tests.forgetful import ForgetfulDisk, ForgetfulFile, ForgetfulFiles
from tests.protocol.batches import NOW_MS
from tests.storage.logs import NAME, SMALL, fill, offsets_of, on

BOOT_ID = "/proc/sys/kernel/random/boot_id"
TOPIC_ID = TopicId(b"\1" * 16)
COMPACTED = LogSettings(segment_bytes=500, index_interval_bytes=150, compacts=True, deletes=False)
FIRST = f"/data/{NAME}/{0:020d}.log"


def disk_with_boot_id() -> ForgetfulDisk:
    """Return a disk with a boot id, by which a start sees whether the machine has stopped since the last one."""
    disk = ForgetfulDisk()
    files = ForgetfulFiles(disk)
    for path in ("/proc", "/proc/sys", "/proc/sys/kernel", "/proc/sys/kernel/random", "/data"):
        files.mkdir(path)
        files.sync_directory(path.rpartition("/")[0])
    files.write(BOOT_ID, b"first life", sync=True)
    return disk


def after_power_failure(disk: ForgetfulDisk, kept: Callable[[int], int], *, names_survive: bool) -> ForgetfulDisk:
    found = disk.crash(kept, names_survive=names_survive)
    ForgetfulFiles(found).write(BOOT_ID, b"next life", sync=True)
    return found


def opened(directory: DataDirectory, name: str = NAME, settings: LogSettings = SMALL) -> Partition:
    return Partition.open(directory, name, settings, durability=Durability.FSYNC, topic_id=TOPIC_ID)


def stopped_cleanly(records: int = 60) -> ForgetfulDisk:
    disk = disk_with_boot_id()
    directory = on(disk)
    partition = opened(directory)
    fill(partition, records)
    partition.close()
    directory.close()
    return disk


def killed(records: int = 60) -> ForgetfulDisk:
    disk = disk_with_boot_id()
    directory = on(disk)
    directory.mark_recovered()
    fill(opened(directory), records)
    return disk


def findings(disk: ForgetfulDisk) -> list[str]:
    with pytest.raises(DataMissing) as raised:
        on(disk)
    return [str(finding) for finding in raised.value.findings]


def bases(disk: ForgetfulDisk) -> list[int]:
    names = ForgetfulFiles(disk).listdir(f"/data/{NAME}")
    return [int(name[:20]) for name in names if name.endswith(".log")]


# --- missing data -----------------------------------------------------------------------------------------------------


def test_start__partition_directory_missing_after_a_clean_stop__error_names_the_lost_offsets() -> None:
    disk = stopped_cleanly()
    del disk.directory("/data").entries[NAME]
    expected = [f"{NAME} is missing (topic id {topic_id_text(TOPIC_ID)}): offsets 0 to 59 are lost"]
    assert findings(disk) == expected
    assert findings(disk) == expected  # a refused start does not change the directory
    with pytest.raises(
        DataMissing, match=r"data directory /data is incomplete.*: restore what is missing from a backup"
    ):
        on(disk)


def test_start__partition_directory_missing_after_kill_9__refused() -> None:
    disk = killed()
    del disk.directory("/data").entries[NAME]
    assert findings(disk) == [f"{NAME} is missing (topic id {topic_id_text(TOPIC_ID)}): offsets from 0 on are lost"]


@pytest.mark.parametrize("stopped", [stopped_cleanly, killed])
@pytest.mark.parametrize("which", [0, 2])
def test_start__segment_missing__error_names_the_lost_offsets(stopped: Callable[[], ForgetfulDisk], which: int) -> None:
    disk = stopped()
    base, following = bases(disk)[which : which + 2]
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
    (finding,) = findings(disk)
    assert finding.startswith(f"{NAME}/{base:020d}.log is missing")
    assert finding.endswith(f"offsets {base} to {following - 1} are lost")


def test_start__last_segment_missing_after_a_clean_stop__error_names_the_lost_offsets() -> None:
    disk = stopped_cleanly()
    base = bases(disk)[-1]
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
    assert findings(disk)[0].endswith(f"offsets {base} to 59 are lost")


def test_start__log_file_emptied_after_a_clean_stop__refused() -> None:
    disk = stopped_cleanly(5)
    size = len(disk.file(FIRST).content)
    disk.file(FIRST).content.clear()
    (finding,) = findings(disk)
    assert f"is empty, it had {size} bytes" in finding
    assert finding.endswith("offsets 0 to 4 are lost")


def test_start__log_shortened_after_a_clean_stop__error_names_the_lost_offsets() -> None:
    disk = stopped_cleanly(5)
    content = disk.file(FIRST).content
    size = len(content)
    del content[3 * size // 5 + 10 :]
    (finding,) = findings(disk)
    assert f"has {3 * size // 5 + 10} of {size} bytes" in finding
    assert finding.endswith("offsets 3 to 4 are lost")


def test_start__segments_of_two_partitions_swapped__both_reported() -> None:
    disk = disk_with_boot_id()
    directory = on(disk)
    for name, count in (("a-0", 30), ("b-0", 40)):
        partition = opened(directory, name)
        partition.append(encode_batch([Record(0, NOW_MS, None, name.encode())]), now_ms=NOW_MS)
        fill(partition, count)
        partition.close()
    directory.close()
    one, other = (disk.file(f"/data/{name}/{0:020d}.log") for name in ("a-0", "b-0"))
    one.content, other.content = other.content, one.content
    found = findings(disk)
    assert [finding.split(" ")[0] for finding in found] == [f"a-0/{0:020d}.log", f"b-0/{0:020d}.log"]
    assert "differs from the segment that was written" in found[0]


def test_start__first_batch_damaged__accepted_because_recovery_handles_damage() -> None:
    disk = stopped_cleanly()
    disk.file(FIRST).content[20] ^= 1
    on(disk).close()


def test_start__log_start_offset_raised_by_a_flipped_bit__refused() -> None:
    disk = disk_with_boot_id()
    directory = on(disk)
    partition = opened(directory)
    fill(partition, 60)
    partition.sync()
    partition.delete_records(50)
    partition.close()
    directory.close()
    disk.file(f"/data/{NAME}/log-start-offset").content[:] = b"58\n"  # of an earlier release, without a checksum
    (finding,) = findings(disk)
    assert "says 58, but records were deleted only below 50" in finding
    assert finding.endswith("offsets 50 to 57 are lost")


def test_start__several_partitions_and_records_missing__all_reported() -> None:
    disk = disk_with_boot_id()
    directory = on(disk)
    for name in ("a-0", "a-1", "b-0"):
        partition = opened(directory, name)
        fill(partition, 3)
        partition.close()
    directory.close()
    del disk.directory("/data").entries["a-0"]
    disk.file(f"/data/b-0/{0:020d}.log").content.clear()
    assert [finding.split(" ")[0] for finding in findings(disk)] == ["a-0", f"b-0/{0:020d}.log"]


def test_start__partition_was_not_opened_in_the_previous_run__still_checked() -> None:
    disk = stopped_cleanly()
    on(disk).close()
    del disk.directory("/data").entries[NAME]
    assert findings(disk)[0].endswith("offsets 0 to 59 are lost")


# --- no missing data --------------------------------------------------------------------------------------------------


def test_start__no_inventory_after_a_clean_stop__inventory_created() -> None:
    disk = stopped_cleanly()
    ForgetfulFiles(disk).remove(f"/data/{INVENTORY}")
    directory = on(disk)
    assert directory.was_clean
    directory.close()
    disk.file(FIRST).content.clear()
    assert len(findings(disk)) == 1


def test_start__earlier_release_ran_in_between__files_that_it_deleted_not_reported() -> None:
    disk = stopped_cleanly()
    del disk.directory("/data").entries[NAME]
    disk.file("/data/.kafka_cleanshutdown").content[:] = b'{"version":0,"brokerEpoch":-1}'  # of that release
    on(disk).close()
    on(disk).close()


@pytest.mark.parametrize("line", [1, 2, 5])
def test_start__inventory_damaged__damage_reported_and_inventory_rebuilt(line: int) -> None:
    disk = stopped_cleanly()
    damage_line(disk, line)
    directory = on(disk)
    assert f"/data/{INVENTORY} is damaged, line {line} is damaged" in (directory.inventory_damage or "")
    partition = opened(directory)
    assert offsets_of(partition) == list(range(60))
    directory.mark_recovered()
    partition.close()
    directory.close()
    assert on(disk).inventory_damage is None


@pytest.mark.parametrize("stopped", [stopped_cleanly, killed])
def test_start__one_line_of_the_inventory_damaged__other_lines_still_checked(
    stopped: Callable[[], ForgetfulDisk],
) -> None:
    disk = stopped()
    damage_line(disk, 2)  # the line of the partition itself
    missing = bases(disk)[2]
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{missing:020d}.log")
    (finding,) = findings(disk)
    assert finding.startswith(f"{NAME}/{missing:020d}.log is missing (topic id {topic_id_text(TOPIC_ID)})")


@pytest.mark.parametrize("size", [0, 20, 60, 200])
def test_start__inventory_truncated__damage_of_the_inventory_reported(size: int) -> None:
    disk = stopped_cleanly()
    del disk.file(f"/data/{INVENTORY}").content[size:]
    directory = on(disk)
    assert "its end is missing" in (directory.inventory_damage or "")
    assert offsets_of(opened(directory)) == list(range(60))


def test_start__inventory_truncated_before_segments_of_a_partition__their_absence_not_noticed() -> None:
    disk = stopped_cleanly()
    lines = bytes(disk.file(f"/data/{INVENTORY}").content).splitlines(keepends=True)
    disk.file(f"/data/{INVENTORY}").content[:] = b"".join(lines[:2])
    for name in ForgetfulFiles(disk).listdir(f"/data/{NAME}"):
        ForgetfulFiles(disk).remove(f"/data/{NAME}/{name}")
    assert on(disk).inventory_damage is not None


def test_start__inventory_and_a_segment_missing__gap_found_by_recovery() -> None:
    disk = stopped_cleanly()
    base, following = bases(disk)[2:4]
    ForgetfulFiles(disk).remove(f"/data/{INVENTORY}")
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
    directory = on(disk)
    assert directory.was_clean
    assert directory.must_recover
    assert f"/data/{INVENTORY} is missing" in (directory.inventory_damage or "")
    (damage,) = opened(directory).damages
    assert (damage.first_offset, damage.next_offset) == (base, following)


def test_start__inventory_missing_and_first_start_interrupted__next_start_recovers_again() -> None:
    disk = stopped_cleanly()
    base = bases(disk)[2]
    ForgetfulFiles(disk).remove(f"/data/{INVENTORY}")
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
    on(disk).close()  # without `recovered`: a repair, or a start that was refused
    directory = on(disk)
    assert directory.must_recover
    assert opened(directory).damages[0].first_offset == base


def test_start__new_data_directory__no_inventory_expected() -> None:
    assert on(disk_with_boot_id()).inventory_damage is None


def damage_line(disk: ForgetfulDisk, number: int) -> None:
    content = disk.file(f"/data/{INVENTORY}").content
    content[sum(map(len, bytes(content).splitlines(keepends=True)[: number - 1])) + 12] ^= 1


def test_decode_inventory__last_line_incomplete__no_damage() -> None:
    data = bytes(killed(5).file(f"/data/{INVENTORY}").content)
    decoded = decode(data[:-3])
    assert (decoded.is_whole, decoded.damage) == (False, None)
    assert list(decoded.entries) == [NAME]


def test_decode_inventory__format_version_without_an_end_line__no_damage() -> None:
    lines = bytes(stopped_cleanly(5).file(f"/data/{INVENTORY}").content).splitlines(keepends=True)
    decoded = decode(b"".join([line_of("version 0"), *lines[1:-1]]))
    assert (decoded.is_whole, decoded.damage) == (True, None)
    assert list(decoded.entries) == [NAME]


def line_of(text: str) -> bytes:
    return b"%08x %s\n" % (crc32(text.encode()), text.encode())


# --- deleted records --------------------------------------------------------------------------------------------------


def with_deleted_records() -> ForgetfulDisk:
    """Return the disk of a killed broker on which records below 50 were deleted."""
    disk = disk_with_boot_id()
    directory = on(disk)
    directory.mark_recovered()
    partition = opened(directory)
    fill(partition, 60)
    partition.sync()
    partition.delete_records(50)
    return disk


def test_start__inventory_line_about_deleted_records_lost__records_stay_deleted() -> None:
    disk = with_deleted_records()
    content = disk.file(f"/data/{INVENTORY}").content
    del content[content.rindex(b"\n", 0, -1) + 1 :]
    assert b" 50 ? 0" not in content
    assert opened(on(disk)).log_start_offset == 50
    assert opened(on(disk)).log_start_offset == 50


@pytest.mark.parametrize("content", [b"", b"58 11223344\n", b"3", b"50 1122", b"\xff\0"])
def test_start__file_with_the_log_start_offset_damaged__offset_of_the_inventory_applies(content: bytes) -> None:
    disk = with_deleted_records()
    disk.file(f"/data/{NAME}/log-start-offset").content[:] = content
    assert opened(on(disk)).log_start_offset == 50


def test_start__file_with_the_log_start_offset_of_another_partition__ignored() -> None:
    disk = with_deleted_records()
    directory = on(disk)
    fill(opened(directory, "other-0"), 60)
    directory.close()
    ForgetfulFiles(disk).write(
        "/data/other-0/log-start-offset", bytes(disk.file(f"/data/{NAME}/log-start-offset").content), sync=True
    )
    assert opened(on(disk), "other-0").log_start_offset == 0


def test_start__power_failure_after_records_below_45_were_deleted__new_records_are_visible() -> None:
    disk = disk_with_boot_id()
    directory = on(disk)
    partition = Partition.open(directory, NAME, SMALL, durability=Durability.OS, topic_id=TOPIC_ID)
    fill(partition, 10)
    directory.inventory.save()
    partition.sync()
    fill(partition, 40)
    partition.delete_records(45)
    disk = after_power_failure(disk, lambda _: 0, names_survive=False)
    partition = opened(on(disk))
    assert (partition.log_start_offset, partition.log_end_offset, partition.leader_epoch) == (45, 45, 1)
    fill(partition, 5)
    partition.sync()
    for _ in range(2):
        again = opened(on(disk))
        assert (again.damages, offsets_of(again)) == ([], list(range(45, 50)))


def test_retention__disk_too_full_to_save_the_inventory__segments_removed_anyway() -> None:
    disk = disk_with_boot_id()
    partition = opened(on(disk), settings=SMALL._replace(retention_bytes=1_000))
    fill(partition, 60)
    partition.sync()
    disk.free_bytes = 0
    with pytest.raises(AppendFailed):
        fill(partition, 60)
    with suppress(AppendFailed):  # the small files beside the segments cannot be written
        partition.enforce_retention(NOW_MS)
    assert partition.log_start_offset > 0
    disk.free_bytes = None
    assert opened(on(disk)).log_start_offset == partition.log_start_offset


class Killed(BaseException):
    pass


class Countdown:
    """Disk that kills the process before one of its changes, or in the middle of an append."""

    def __init__(self, changes: int) -> None:
        self.left = changes

    def change(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


class KillableFile(ForgetfulFile):
    def __init__(self, file: ForgetfulFile, countdown: Countdown) -> None:
        super().__init__(file._disk, file._inode)
        self._countdown = countdown

    def append(self, data: bytes | bytearray) -> None:
        try:
            self._countdown.change()
        except Killed:
            if self._countdown.left == -1:
                super().append(data[: len(data) // 2])
            raise
        super().append(data)

    def truncate(self, size: int) -> None:
        self._countdown.change()
        super().truncate(size)

    def sync(self) -> None:
        self._countdown.change()
        super().sync()


class KillableFiles(ForgetfulFiles):
    def __init__(self, disk: ForgetfulDisk, countdown: Countdown) -> None:
        super().__init__(disk)
        self._countdown = countdown

    def open(self, path: str) -> KillableFile:
        self._countdown.change()
        return KillableFile(super().open(path), self._countdown)

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        self._countdown.change()
        super().write(path, data, sync=sync)

    def rename(self, old: str, new: str) -> None:
        self._countdown.change()
        super().rename(old, new)

    def remove(self, path: str) -> None:
        self._countdown.change()
        super().remove(path)

    def mkdir(self, path: str) -> None:
        self._countdown.change()
        super().mkdir(path)

    def rmdir(self, path: str) -> None:
        self._countdown.change()
        super().rmdir(path)

    def sync_directory(self, path: str) -> None:
        self._countdown.change()
        super().sync_directory(path)


def run_brokers(files: ForgetfulFiles) -> None:
    """Run two processes of a broker: partitions are created, grow, lose segments, are compacted, and deleted."""
    directory = DataDirectory.open("/data", files=files)
    directory.mark_recovered()
    kept = opened(directory)
    fill(kept, 26)
    kept.sync()
    kept.delete_records(12)
    kept.settings = SMALL._replace(retention_bytes=600)
    kept.enforce_retention(NOW_MS)
    for_keys = opened(directory, "keys-0", COMPACTED)
    for n in range(30):
        record = Record(0, NOW_MS, b"k%d" % (n % 3), b"v%d" % n)
        for_keys.append(encode_batch([record]), now_ms=NOW_MS)
    for_keys.sync()
    compact(for_keys, 0, NOW_MS, memory_bytes=1 << 20, throttle=lambda _: None)
    for_keys.close()
    kept.close()
    directory.close()

    directory = DataDirectory.open("/data", files=files)
    opened(directory, "keys-0", COMPACTED).delete()
    directory.sync()
    fill(opened(directory, "keys-0", COMPACTED), 2)
    set_aside = opened(directory, "stray-0")
    fill(set_aside, 1)
    set_aside.close()
    directory.set_aside("stray-0")
    kept = opened(directory)
    fill(kept, 3)
    kept.begin_leader_epoch(start_offset=40)
    fill(kept, 25)
    files.disk.fails_to_sync = True
    with pytest.raises(PartitionFailed):
        kept.sync()
    files.disk.fails_to_sync = False
    assert kept.restore() == 40
    kept.close()


@pytest.mark.long
def test_kill_9_or_power_failure__before_every_change_to_the_disk__no_false_report_of_missing_data() -> None:
    rng = random.Random(14)
    changes = 0
    while True:
        disk = disk_with_boot_id()
        try:
            run_brokers(KillableFiles(disk, Countdown(changes)))
        except Killed:
            changes += 1
        else:
            break
        for names_survive, kept in ((False, 0.0), (True, 0.0), (True, 1.0), (True, rng.random())):
            later = after_power_failure(disk, partial(share, kept), names_survive=names_survive)
            start_and_stop(later)
        disk.fails_to_sync = False
        start_and_stop(disk)
    assert changes > 250


def share(kept: float, tail: int) -> int:
    return int(tail * kept)


def start_and_stop(disk: ForgetfulDisk) -> None:
    """Start twice; the second stop is clean."""
    for _ in range(2):
        directory = on(disk)
        partitions = [opened(directory, name) for name in directory.partition_directories()]
        directory.mark_recovered()
        for partition in partitions:
            partition.close()
        directory.close()
