"""With `fsync`, a crash loses no acknowledged append (AckedOffsetSurvives, PrefixRecovery)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.protocol.records import Record
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import AppendFailed, DiskFull, PartitionFailed
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability
from tests.forgetful import ForgetfulDisk
from tests.protocol.batches import NOW_MS, rows
from tests.storage.logs import BATCH_BYTES, NAME, SMALL, after_kill, fill, offsets_of, on, opened, records_of

STEPS = st.sampled_from(
    ["append", "append", "append", "sync", "sync", "retention", "epoch", "restart", "crash", "harsh"]
)


class PartitionHistory:
    """Partition with its history, and the invariants that each step and crash must keep."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data
        self.disk = ForgetfulDisk()
        self.appended: list[Record] = []
        self.durable_offset = 0
        self.directory, self.partition = self._start()

    def _start(self) -> tuple[DataDirectory, Partition]:
        directory = on(self.disk)
        return directory, opened(directory)

    def take(self, step: str) -> None:
        getattr(self, step)()
        assert self.partition.durable_offset >= self.durable_offset
        assert self.partition.durable_offset <= self.partition.log_end_offset
        self.durable_offset = self.partition.durable_offset

    def append(self) -> None:
        count = self._data.draw(st.integers(1, 25))
        made = rows(count, first=self.partition.log_end_offset)
        fill(self.partition, count)
        self.appended += made

    def sync(self) -> None:
        end = self.partition.log_end_offset
        assert self.partition.sync() == end

    def retention(self) -> None:
        self.partition.settings = self.partition.settings._replace(
            retention_bytes=self._data.draw(st.integers(0, 5_000))
        )
        self.partition.enforce_retention(NOW_MS)

    def epoch(self) -> None:
        self.partition.begin_leader_epoch()

    def restart(self) -> None:
        self.partition.close()
        self.directory.close()
        self.directory, self.partition = self._start()
        assert self.partition.truncation is None

    def crash(self) -> None:
        self._crash_with(lambda _: 0, names_survive=False)

    def harsh(self) -> None:
        draw, names_survive = self._data.draw, self._data.draw(st.booleans())
        self._crash_with(lambda tail: draw(st.integers(0, tail)), names_survive=names_survive)

    def _crash_with(self, kept_bytes: object, *, names_survive: bool) -> None:
        start = self.partition.log_start_offset
        self.disk = self.disk.crash(kept_bytes, names_survive=names_survive)  # type: ignore[arg-type]
        self.directory, self.partition = self._start()
        assert not self.directory.was_clean
        assert self.partition.log_end_offset >= self.durable_offset
        assert self.partition.log_start_offset <= max(start, self.durable_offset)
        self.appended = self.appended[: self.partition.log_end_offset]

    def check(self) -> None:
        self.partition.sync()
        found = records_of(self.partition)
        assert found == self.appended[self.partition.log_start_offset :]
        assert self.partition.log_end_offset == len(self.appended)


@settings(max_examples=150)
@given(steps=st.lists(STEPS, min_size=1, max_size=14), data=st.data())
def test_crash__unsynced_bytes_lost__log_is_a_prefix_with_all_acknowledged_records(
    steps: list[str], data: st.DataObject
) -> None:
    story = PartitionHistory(data)
    for step in steps:
        story.take(step)
    story.check()


def test_crash__later_segment_files_are_empty_afterwards__log_ends_after_the_last_surviving_record() -> None:
    """End the log at its last bytes: retention makes file names durable while appended bytes are not synced."""
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 10)
    partition.sync()
    fill(partition, 11)
    partition.settings = partition.settings._replace(retention_bytes=0)
    assert partition.enforce_retention(NOW_MS) == 1
    again = opened(on(disk.crash()))
    assert (again.log_start_offset, again.log_end_offset) == (10, 10)
    assert again.truncation is not None
    fill(again, 1)
    again.sync()
    assert offsets_of(again) == [10]


def test_crash__records_appended_but_not_synced__lost_and_were_never_visible() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 3)
    partition.sync()
    fill(partition, 4)
    assert offsets_of(partition) == [0, 1, 2]
    assert opened(on(disk.crash())).log_end_offset == 3


def test_broken_rule__disk_ignores_syncs__loss_of_acknowledged_records_is_detected() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 3)
    disk.sync_file = lambda _: None  # type: ignore[method-assign]
    assert partition.sync() == 3
    assert opened(on(disk.crash())).log_end_offset < 3


def test_durability_os__records_appended__no_sync() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), Durability.OS)
    before = disk.syncs
    fill(partition, 5)
    assert partition.durable_offset == 5
    assert disk.syncs == before


def test_durability_os__segment_full__segment_is_synced() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), Durability.OS)
    fill(partition, 3)
    assert not partition.needs_sync
    fill(partition, 30)
    assert partition.needs_sync
    partition.sync()
    assert not partition.needs_sync


# --- a disk that is full, a disk that fails


@pytest.mark.parametrize("free_bytes", [0, 1, 60, BATCH_BYTES - 1])
def test_append__disk_full__log_end_unchanged_and_reads_continue(free_bytes: int) -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), Durability.OS)
    fill(partition, 4)
    disk.free_bytes = free_bytes
    with pytest.raises(DiskFull, match="no space left on device"):
        fill(partition, 1)
    assert offsets_of(partition) == [0, 1, 2, 3]
    disk.free_bytes = None
    fill(partition, 30)
    assert offsets_of(partition) == list(range(34))
    assert offsets_of(opened(on(disk.crash(lambda tail: tail, names_survive=True)))) == list(range(34))


def test_append__disk_full_when_a_new_segment_begins__no_record_lost_at_the_next_start() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), Durability.OS)
    while True:
        disk.free_bytes = BATCH_BYTES
        try:
            fill(partition, 1)
        except DiskFull:
            break
    disk.free_bytes = None
    end = partition.log_end_offset
    fill(partition, 3)
    again = opened(on(disk.crash(lambda tail: tail, names_survive=True)))
    assert offsets_of(again) == list(range(end + 3))


def test_append__disk_full_and_incomplete_append_not_removable__writes_refused_and_reads_served() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk), Durability.OS)
    fill(partition, 4)
    disk.free_bytes, disk.fails_to_truncate = 10, True
    with pytest.raises(AppendFailed):
        fill(partition, 1)
    disk.free_bytes = None
    with pytest.raises(PartitionFailed, match="repair the disk"):
        fill(partition, 1)
    with pytest.raises(PartitionFailed):
        partition.restore()
    assert offsets_of(partition) == [0, 1, 2, 3]
    disk.fails_to_truncate = False
    assert partition.restore() == 4
    assert partition.leader_epoch == 1
    assert offsets_of(partition) == [0, 1, 2, 3]
    assert opened(on(disk.crash(lambda tail: tail, names_survive=True))).log_end_offset == 4


@pytest.mark.parametrize("unsafe_records", [1, 25])
def test_sync_of_a_log__fails_once__log_truncated_to_its_durable_part_and_new_leader_epoch(unsafe_records: int) -> None:
    """Truncate the log: the kernel may have dropped the failed bytes, and the next sync would succeed without them."""
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 4)
    partition.sync()
    fill(partition, unsafe_records)
    disk.fails_to_sync = True
    with pytest.raises(PartitionFailed, match="input/output error"):
        partition.sync()
    with pytest.raises(PartitionFailed):
        partition.restore()
    disk.fails_to_sync = False
    with pytest.raises(PartitionFailed):
        partition.sync()
    with pytest.raises(PartitionFailed):
        fill(partition, 1)
    assert partition.durable_offset == 4
    assert offsets_of(partition) == [0, 1, 2, 3]
    assert partition.restore() == 4
    assert (partition.log_end_offset, partition.leader_epoch) == (4, 1)
    fill(partition, 2)
    assert partition.sync() == 6
    again = opened(on(disk.crash()))
    assert offsets_of(again) == [0, 1, 2, 3, 4, 5]
    assert again.end_offset_for_epoch(0) == (0, 4)


def test_sync_of_a_log__fails_and_log_not_restored__close_raises_an_error() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 1)
    disk.fails_to_sync = True
    with pytest.raises(PartitionFailed):
        partition.sync()
    disk.fails_to_sync = False
    with pytest.raises(PartitionFailed):
        partition.close()


def test_restore_of_a_log__changed_bytes_in_the_durable_part__set_aside_and_later_records_stay() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    fill(partition, 30)
    partition.sync()
    first = disk.file(f"/data/flights-0/{0:020}.log")
    first.content[5 * BATCH_BYTES + 70] ^= 0xFF
    assert partition.restore(is_damaged=True) == 30
    assert partition.truncation is None
    assert [(damage.first_offset, damage.next_offset) for damage in partition.damages] == [(5, 6)]
    fill(partition, 1)
    partition.sync()
    assert offsets_of(partition) == [*range(5), *range(6, 31)]


def test_delete__parent_directory_synced__log_does_not_reappear_after_a_crash() -> None:
    disk = ForgetfulDisk()
    directory = on(disk)
    partition = opened(directory)
    fill(partition, 3)
    partition.sync()
    partition.delete()
    directory.sync()
    assert on(disk.crash()).partition_directories() == []


def test_make_safe__power_failure_afterwards__recovered_records_and_new_leader_epoch_survive() -> None:
    disk = ForgetfulDisk()
    fill(opened(on(disk)), 5)
    disk = after_kill(disk)
    found = Partition.open(on(disk), NAME, SMALL, durability=Durability.FSYNC, syncs=False)
    found.begin_leader_epoch(start_offset=7, syncs=False)
    found.make_safe()
    again = opened(on(disk.crash()))
    assert offsets_of(again) == [0, 1, 2, 3, 4]
    assert (again.log_end_offset, again.end_offset_for_epoch(0)) == (7, (0, 7))
    assert again.leader_epoch == found.leader_epoch == 1


def test_make_safe__sync_fails__error_raised() -> None:
    disk = ForgetfulDisk()
    fill(opened(on(disk)), 5)
    disk = after_kill(disk)
    found = Partition.open(on(disk), NAME, SMALL, durability=Durability.FSYNC, syncs=False)
    found.begin_leader_epoch(syncs=False)
    disk.fails_to_sync = True
    with pytest.raises(AppendFailed):
        found.make_safe()
