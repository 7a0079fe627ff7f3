"""Repair of accepted losses: they are reported, wrong files are set aside, and offsets are not assigned again."""

import pytest

from tenure.storage.recovery.repair import Repair
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.storage.logs import NAME, offsets_of, on
from tests.storage.test_inventory import (
    FIRST,
    Countdown,
    DataDirectory,
    KillableFiles,
    Killed,
    bases,
    fill,
    opened,
    stopped_cleanly,
)


def repaired(disk: ForgetfulDisk) -> dict[str, str]:
    return repaired_with(ForgetfulFiles(disk))


def repaired_with(files: ForgetfulFiles) -> dict[str, str]:
    repair = Repair(DataDirectory.open("/data", must_be_complete=False, files=files))
    actions = {finding.object: repair.accept(finding) for finding in repair.findings}
    repair.close()
    return actions


@pytest.mark.parametrize("which", [0, 2])
def test_accepted_loss__first_or_middle_segment_missing__other_segments_stay(which: int) -> None:
    disk = stopped_cleanly()
    base, following = bases(disk)[which : which + 2]
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
    assert repaired(disk) == {f"{NAME}/{base:020d}.log": f"{NAME} continues without it"}
    partition = opened(on(disk))
    assert offsets_of(partition) == [offset for offset in range(60) if not base <= offset < following]
    assert partition.leader_epoch == 0


def test_accepted_loss__last_segment_missing__its_offsets_are_not_assigned_again() -> None:
    disk = stopped_cleanly()
    base = bases(disk)[-1]
    ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
    assert repaired(disk) == {f"{NAME}/{base:020d}.log": f"{NAME} continues at offset 60"}
    partition = opened(on(disk))
    assert (partition.log_end_offset, partition.leader_epoch) == (60, 1)
    fill(partition, 1)
    partition.sync()
    assert offsets_of(partition) == [*range(base), 60]


def test_accepted_loss__file_with_the_log_start_offset_wrong__set_aside_and_all_records_served() -> None:
    disk = stopped_cleanly()
    ForgetfulFiles(disk).write(f"/data/{NAME}/log-start-offset", b"7\n", sync=True)
    (action,) = repaired(disk).values()
    assert action == f"set aside as {NAME}/log-start-offset.damaged; records from offset 0 on are served"
    assert offsets_of(opened(on(disk))) == list(range(60))
    assert disk.file(f"/data/{NAME}/log-start-offset.damaged").content == b"7\n"


def test_accepted_loss__repair_killed_before_each_of_its_changes__next_repair_completes_it() -> None:
    changes, left = 0, []
    while not left:
        disk = stopped_cleanly()
        directory = on(disk)
        other = opened(directory, "other-0")
        fill(other, 5)
        other.close()
        directory.close()
        base = bases(disk)[-1]
        ForgetfulFiles(disk).remove(f"/data/{NAME}/{base:020d}.log")
        del disk.file(FIRST).content[-10:]
        del disk.directory("/data").entries["other-0"]
        before = disk.file(FIRST).content[:]
        try:
            left = list(repaired_with(KillableFiles(disk, Countdown(changes))))
        except Killed:
            changes += 1
        repaired(disk)
        directory = on(disk)
        assert opened(directory, "other-0").log_end_offset == 5
        partition = opened(directory)
        assert partition.log_end_offset == 60
        missing = [offset for offset in range(base) if offset not in offsets_of(partition)]
        assert len(missing) == 1
        kept = bytes(disk.file(FIRST).content)
        aside = disk.file(f"{FIRST}.damaged-{len(kept)}").content
        assert kept + aside == before
    assert changes > 20
