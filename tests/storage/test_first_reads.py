"""Every batch is checked when it is first read after a start, also if recovery did not read it."""

from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tenure.protocol.batches import Batch, read_batches, verify_crc
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import DamagedBatch, PartitionFailed
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability
from tenure.storage.log.verified_ranges import VerifiedRanges
from tenure.storage.memory import MemoryFile, MemoryFiles
from tenure.storage.recovery.damage import Damage
from tenure.storage.recovery.inventory import NAME as INVENTORY
from tests.forgetful import ForgetfulFiles
from tests.protocol.batches import NOW_MS, rows
from tests.storage.logs import BATCH_BYTES, after_kill, fill, offsets_of, on, opened, records_of
from tests.storage.test_damage_copies import (
    DIRECTORY,
    change_randomly,
    content,
    is_touched,
    missing,
    stopped_disk,
    stored,
)

RESTORES_MAX = 3
"""Maximum number of restores for damage at one place; more are taken for an endless loop."""


class Reader:
    """Reader that works as the broker does: it sets damage aside, and reads the same offset again."""

    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self.damages: list[Damage] = list(partition.damages)
        self._restores = 0

    def read(self, offset: int, max_bytes: int = 400) -> bytes:
        while True:
            try:
                return self.partition.read(offset, max_bytes)
            except DamagedBatch:
                self._restores += 1
                assert self._restores <= RESTORES_MAX
                self.partition.restore(is_damaged=True)
                self.damages += self.partition.damages

    def read_all(self) -> list[int]:
        offset, found = 0, list[int]()
        while data := self.read(offset):
            for batch in read_batches(data):
                verify_crc(batch)
                found += range(batch.base_offset, batch.last_offset + 1)
            offset = found[-1] + 1
        return found


@pytest.mark.long
@pytest.mark.parametrize("clean", [False, True])
@settings(max_examples=150)
@given(data=st.data())
def test_read__any_bytes_of_the_log_changed__damage_found_and_other_records_served(
    clean: bool, data: st.DataObject
) -> None:
    disk = stopped_disk(clean=clean, sealed=True)
    before = stored(disk)
    change = change_randomly(disk, data)
    last = before[-1]
    assume(not (change.name == last.name and change.begin < last.begin + 8 and change.end > last.begin))
    ForgetfulFiles(disk).remove(f"/data/{INVENTORY}")  # with an inventory, a start without synced bytes is refused
    reader = Reader(opened(on(disk)))
    answers = {}
    for offset in data.draw(st.lists(st.integers(0, 59), max_size=8), label="reads"):
        if offset < reader.partition.log_end_offset:
            answers[offset] = reader.read(offset, data.draw(st.sampled_from([1, 150, 400, 5_000])))
    offsets = reader.read_all()
    assert records_of(reader.partition) == [rows(60)[offset] for offset in offsets]
    assert {offset for batch in before if not is_touched(batch, change) for offset in batch.offsets} <= set(offsets)
    lost, named = set(range(60)) - set(offsets), missing(reader.damages)
    assert lost - named == (set(range(reader.partition.log_end_offset, 60)) if change.name == last.name else set())
    assert not named & set(offsets)
    for offset, answer in answers.items():
        following = [o for o in offsets if o >= offset]
        if following:
            first = Batch(answer, 0)
            assert first.base_offset <= following[0] <= first.last_offset
    again = Reader(opened(on(after_kill(disk))))
    assert (again.read_all(), missing(again.damages), again.partition.truncation) == (offsets, set(), None)


@pytest.mark.parametrize("clean", [False, True])
@settings(max_examples=60)
@given(data=st.data())
def test_read__any_byte_of_an_index_changed__no_record_left_out(clean: bool, data: st.DataObject) -> None:
    disk = stopped_disk(clean=clean, sealed=True)
    names = [name for name in ForgetfulFiles(disk).listdir(DIRECTORY) if name.endswith(".index")]
    changed = content(disk, data.draw(st.sampled_from(names)))
    assume(changed)
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    reader = Reader(opened(on(disk)))
    for offset in data.draw(st.lists(st.integers(0, 59), min_size=1, max_size=20), label="reads"):
        answer = reader.read(offset, data.draw(st.sampled_from([1, 150, 400, 5_000])))
        batches = list(read_batches(answer))
        assert batches[0].base_offset <= offset <= batches[0].last_offset
        assert sum(batch.size for batch in batches) == len(answer)
    assert reader.read_all() == list(range(60))
    assert reader.damages == []


def test_read__damage_after_intact_batches__intact_batches_returned_before_the_error() -> None:
    disk = stopped_disk(clean=True)
    first, second, third, *_ = stored(disk)
    content(disk, third.name)[third.begin + 70] ^= 1
    partition = opened(on(disk))
    assert len(partition.read(0, 10_000)) == second.end
    reports: list[None] = []
    partition.on_damage = lambda: reports.append(None)
    with pytest.raises(DamagedBatch, match=f"{third.name} is damaged at byte {third.begin}"):
        partition.read(third.offsets[0], 10_000)
    assert len(reports) == 1
    assert first.offsets[0] == 0


def test_offset_for_timestamp__record_is_in_a_damaged_batch__damage_found() -> None:
    disk = stopped_disk(clean=True)
    victim = stored(disk)[2]
    content(disk, victim.name)[victim.begin + 70] ^= 1
    partition = opened(on(disk))
    reports: list[None] = []
    partition.on_damage = lambda: reports.append(None)
    with pytest.raises(DamagedBatch):
        partition.offset_for_timestamp(NOW_MS + victim.offsets[0])
    assert len(reports) == 1
    partition.restore(is_damaged=True)
    behind = victim.offsets[-1] + 1
    assert partition.offset_for_timestamp(NOW_MS + victim.offsets[0]) == (behind, NOW_MS + behind)


def test_restore_of_a_log__one_segment_damaged__intact_segments_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files = MemoryFiles()
    directory = DataDirectory.open("/memory", files=files)
    partition = opened(directory, Durability.OS)
    fill(partition, 400)
    partition.close()
    partition = opened(directory, Durability.OS)
    files.open(f"/memory/flights-0/{0:020}.log").content[2 * BATCH_BYTES + 70] ^= 1
    with pytest.raises(DamagedBatch):
        partition.read(2, 100)
    read_bytes = 0
    pread = MemoryFile.pread

    def counted(self: MemoryFile, size: int, position: int) -> bytes:
        nonlocal read_bytes
        data = pread(self, size, position)
        read_bytes += len(data)
        return data

    monkeypatch.setattr(MemoryFile, "pread", counted)
    partition.restore(is_damaged=True)
    assert read_bytes < partition.size_bytes
    assert offsets_of(partition) == [0, 1, *range(3, 400)]


def test_restore_of_a_log__fails_after_damage_was_set_aside_and_is_repeated__loss_reported_once() -> None:
    """Report the loss once: the next attempt finds nothing to set aside."""
    for syncs in range(40):
        disk = stopped_disk(clean=True)
        victim = stored(disk)[2]
        content(disk, victim.name)[victim.begin + 70] ^= 1
        partition = opened(on(disk))
        reports: list[Damage] = []
        partition.on_losses = lambda _, damages, reports=reports: reports.extend(damages)  # type: ignore[misc]
        with pytest.raises(DamagedBatch):
            partition.read(victim.offsets[0], 400)
        disk.syncs_until_failure = syncs
        with suppress(PartitionFailed):
            partition.restore(is_damaged=True)
        disk.syncs_until_failure = None
        partition.restore(is_damaged=True)
        assert [(damage.first_offset, damage.next_offset) for damage in reports] == [
            (victim.offsets[0], victim.offsets[-1] + 1)
        ]


def test_read__batches_read_before__checksums_not_verified_again(monkeypatch: pytest.MonkeyPatch) -> None:
    partition = opened(on(stopped_disk(clean=True)))
    whole = records_of(partition)

    def fail(batch: Batch) -> None:
        raise AssertionError(batch)

    monkeypatch.setattr("tenure.storage.log.segment.verify_crc", fail)
    assert records_of(partition) == whole
    fill(partition, 3)
    partition.sync()
    assert offsets_of(partition) == list(range(63))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=12))
def test_verified_ranges__random_ranges_added__same_as_a_set_of_positions(added: list[tuple[int, int]]) -> None:
    ranges, model = VerifiedRanges(), set[int]()
    for begin, size in added:
        ranges.add(begin, begin + size, begin + size)
        model |= set(range(begin, begin + size))
    for position in range(45):
        end = position
        while end in model:
            end += 1
        assert ranges.end_of(position) == end
    for position in range(45):
        is_end = position - 1 in model and position not in model
        assert ranges.next_offset_at(position) == (position if is_end else None)
