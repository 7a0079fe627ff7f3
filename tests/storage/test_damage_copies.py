"""Damage other than a torn tail: its bytes are copied, and all other records stay readable at their offsets."""

from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tenure.protocol.batches import Batch, encode_batch, read_batches
from tenure.protocol.types import Marker
from tenure.storage.errors import DirectoryUnusable, LogDamaged, PartitionFailed
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability
from tenure.storage.recovery.damage import Damage
from tenure.storage.recovery.damage_copies import damage_copies
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.protocol.batches import NOW_MS, rows
from tests.storage.logs import BATCH_BYTES, NAME, SMALL, after_kill, fill, offsets_of, on, opened, records_of

DIRECTORY = f"/data/{NAME}"
BASE_OFFSET_BYTES = 8
"""First field of a batch."""


def stopped_disk(*, records: int = 60, clean: bool = False, sealed: bool = False) -> ForgetfulDisk:
    """Return the disk of a broker that was killed or has stopped."""
    disk = ForgetfulDisk()
    directory = on(disk)
    partition = opened(directory)
    for batch_records in (1, 3, 2) * records:
        if partition.log_end_offset >= records:
            break
        fill(partition, batch_records, per_batch=batch_records)
    if sealed:
        partition.sync()
    if clean:
        partition.close()
        directory.close()
    return after_kill(disk)


def logs(disk: ForgetfulDisk) -> list[str]:
    return [name for name in ForgetfulFiles(disk).listdir(DIRECTORY) if name.endswith(".log")]


def content(disk: ForgetfulDisk, name: str) -> bytearray:
    return disk.file(f"{DIRECTORY}/{name}").content


def missing(damages: list[Damage]) -> set[int]:
    return {offset for damage in damages for offset in range(damage.first_offset, damage.next_offset)}


class Stored(NamedTuple):
    """A batch as it was appended."""

    name: str
    begin: int
    end: int
    offsets: range


def stored(disk: ForgetfulDisk) -> list[Stored]:
    return [
        Stored(name, batch.position, batch.position + batch.size, range(batch.base_offset, batch.last_offset + 1))
        for name in logs(disk)
        for batch in read_batches(bytes(content(disk, name)))
    ]


# --- random damage ----------------------------------------------------------------------------------------------------

KINDS = st.sampled_from(["flip", "overwrite", "zero", "insert", "delete"])


class Change(NamedTuple):
    """Replaced bytes of a file, from `begin` to `end`."""

    name: str
    begin: int
    end: int


def change_randomly(disk: ForgetfulDisk, data: st.DataObject) -> Change:
    name = data.draw(st.sampled_from(logs(disk)), label="file")
    found = content(disk, name)
    begin = data.draw(st.integers(0, len(found) - 1), label="position")
    kind = data.draw(KINDS, label="kind")
    size = 1 if kind == "flip" else data.draw(st.integers(1, 3 * BATCH_BYTES), label="size")
    end = min(len(found), begin + size)
    if kind == "flip":
        found[begin] ^= 1 << data.draw(st.integers(0, 7), label="bit")
    elif kind == "overwrite":
        noise = data.draw(st.binary(min_size=end - begin, max_size=end - begin), label="noise")
        found[begin:end] = noise
    elif kind == "zero":
        found[begin:end] = bytes(end - begin)
    elif kind == "delete":
        borders = {0, *(batch.end for batch in stored(disk) if batch.name == name)}

        def leaves_whole_batches(begin: int, end: int) -> bool:
            """Return whether no checksum can show the deletion: it does not cover the base offset of a batch."""
            offsets = {begin - BASE_OFFSET_BYTES, end - BASE_OFFSET_BYTES}
            return offsets <= borders or ({begin, end} <= borders and end != len(found))

        while begin and found[begin - 1] == found[end - 1]:  # a deletion further ahead leaves the same bytes
            begin, end = begin - 1, end - 1
        assume(not leaves_whole_batches(begin, end))  # the remaining bytes look like the result of a compaction
        while end < len(found) and found[begin] == found[end]:
            begin, end = begin + 1, end + 1
            assume(not leaves_whole_batches(begin, end))
        del found[begin:end]
    else:
        noise = data.draw(st.binary(min_size=size, max_size=size), label="noise")
        found[begin:begin] = noise
        while begin + size < len(found) and found[begin] == found[begin + size]:
            begin += 1
        end = begin
    return Change(name, begin, end)


def is_touched(batch: Stored, change: Change) -> bool:
    """Return whether a batch is damaged; an insertion between two batches damages neither."""
    if batch.name != change.name:
        return False
    if change.begin == change.end:
        return batch.begin < change.begin < batch.end
    return batch.begin < change.end and change.begin < batch.end


@pytest.mark.long
@settings(max_examples=300)
@given(st.data())
def test_open_log__any_bytes_of_the_log_changed__other_records_served_and_missing_ones_reported(
    data: st.DataObject,
) -> None:
    disk = stopped_disk()
    before = stored(disk)
    change = change_randomly(disk, data)
    last = before[-1]
    assume(not (change.name == last.name and change.begin < last.begin + 8 and change.end > last.begin))
    partition = opened(on(disk))
    served = records_of(partition)
    offsets = [record.offset for record in served]
    assert served == [rows(60)[offset] for offset in offsets]
    intact = {offset for batch in before if not is_touched(batch, change) for offset in batch.offsets}
    assert intact <= set(offsets)
    lost = set(range(60)) - set(offsets)
    named = missing(partition.damages)
    assert lost - named == (set(range(partition.log_end_offset, 60)) if change.name == last.name else set())
    assert not named & set(offsets)
    copies = damage_copies(ForgetfulFiles(disk), DIRECTORY)
    assert len(copies) == len(partition.damages)
    assert sum(len(content(disk, copy.name)) for copy in copies) == sum(d.size_bytes for d in partition.damages)
    again = opened(on(after_kill(disk)))
    assert (records_of(again), again.truncation, again.damages) == (served, None, [])
    assert again.log_end_offset == partition.log_end_offset


def test_open_log__base_offset_of_a_batch_damaged__its_records_do_not_get_other_offsets() -> None:
    disk = stopped_disk()
    first, second, third = stored(disk)[:3]
    content(disk, first.name)[: second.begin + 8] = bytes(second.begin + 8)
    partition = opened(on(disk))
    assert offsets_of(partition) == list(range(third.offsets[0], 60))
    assert missing(partition.damages) == set(range(third.offsets[0]))


def test_open_log__last_segment_has_the_bytes_of_another_one__loss_without_known_end_reported() -> None:
    disk = stopped_disk()
    last = stored(disk)[-1].name
    begin = int(last[:20])
    content(disk, last)[:] = content(disk, logs(disk)[1])
    (damage,) = opened(on(disk)).damages
    assert f"offsets from {begin} on are missing" in str(damage)


def test_open_log__damaged_bytes__copied_into_a_file_of_their_own() -> None:
    disk = stopped_disk()
    name = logs(disk)[1]
    _, victim, *_ = [batch for batch in stored(disk) if batch.name == name]
    content(disk, name)[victim.begin + 70] ^= 1
    damaged = bytes(content(disk, name)[victim.begin : victim.end])
    partition = opened(on(disk))
    (damage,) = partition.damages
    assert str(damage) == (
        f"{DIRECTORY}/{name} is damaged at byte {victim.begin}: "
        f"the batch at byte {victim.begin} fails its checksum; {victim.end - victim.begin} bytes, "
        f"offsets {victim.offsets[0]} to {victim.offsets[-1]} are missing"
    )
    (copy,) = damage_copies(ForgetfulFiles(disk), DIRECTORY)
    assert copy == (
        f"{name}.damaged-{victim.begin}-{victim.offsets[0]}-{victim.offsets[-1] + 1}",
        victim.begin,
        victim.offsets[0],
        victim.offsets[-1] + 1,
    )
    assert bytes(content(disk, copy.name)) == damaged


def test_read__offset_of_a_record_that_was_set_aside__continues_at_the_next_batch() -> None:
    disk = stopped_disk()
    first, *_, last = [batch for batch in stored(disk) if batch.name == logs(disk)[1]]
    for victim in (first, last):
        content(disk, victim.name)[victim.begin + 70] ^= 1
    partition = opened(on(disk))
    for victim in (first, last):
        for offset in victim.offsets:
            assert Batch(partition.read(offset, 1_000), 0).base_offset == victim.offsets[-1] + 1


def test_open_log__all_batches_of_a_middle_segment_damaged__other_segments_served() -> None:
    disk = stopped_disk()
    name = logs(disk)[1]
    content(disk, name)[:] = b"\xff" * len(content(disk, name))
    gone = {offset for batch in stored(stopped_disk()) if batch.name == name for offset in batch.offsets}
    partition = opened(on(disk))
    assert offsets_of(partition) == [offset for offset in range(60) if offset not in gone]
    assert missing(partition.damages) == gone
    again = opened(on(after_kill(disk)))
    assert (offsets_of(again), again.damages) == (offsets_of(partition), [])


def test_open_log__garbage_at_the_end_of_a_middle_segment__no_record_lost() -> None:
    disk = stopped_disk()
    content(disk, logs(disk)[1])[:] += b"garbage" * 30
    partition = opened(on(disk))
    assert offsets_of(partition) == list(range(60))
    assert missing(partition.damages) == set()
    assert [damage.size_bytes for damage in partition.damages] == [210]


def test_open_log__end_of_a_middle_segment_missing__lost_offsets_reported_once() -> None:
    disk = stopped_disk()
    *_, last = [batch for batch in stored(disk) if batch.name == logs(disk)[1]]
    del content(disk, last.name)[last.begin :]
    partition = opened(on(disk))
    assert missing(partition.damages) == set(last.offsets)
    assert offsets_of(partition) == [offset for offset in range(60) if offset not in last.offsets]
    assert opened(on(after_kill(disk))).damages == []


def test_open_log__last_batch_damaged_after_a_clean_stop__its_offsets_are_not_assigned_again() -> None:
    """Never use the offset again: after a clean stop no tail is torn, and readers may have seen the record."""
    disk = stopped_disk(clean=True)
    last = stored(disk)[-1]
    content(disk, last.name)[last.end - 1] ^= 1
    partition = opened(on(disk))
    assert missing(partition.damages) == set(last.offsets)
    assert partition.log_end_offset == 60
    fill(partition, 2)
    partition.sync()
    assert offsets_of(partition) == [*range(last.offsets[0]), 60, 61]
    again = opened(on(after_kill(disk)))
    assert (offsets_of(again), again.damages) == (offsets_of(partition), [])


def test_open_log__disk_full_while_damage_is_set_aside__log_unchanged_and_next_start_completes_it() -> None:
    disk = stopped_disk()
    victim = stored(disk)[4]
    content(disk, victim.name)[victim.begin + 70] ^= 1
    before = {name: bytes(content(disk, name)) for name in logs(disk)}
    for free_bytes in (0, 10, BATCH_BYTES + 10, 4 * BATCH_BYTES):
        disk.free_bytes = free_bytes
        with pytest.raises(DirectoryUnusable, match="no space left"):
            opened(on(disk))
        assert {name: bytes(content(disk, name)) for name in logs(disk)} == before
    disk.free_bytes = None
    assert missing(opened(on(disk)).damages) == set(victim.offsets)


def test_open_log__crash_while_damage_is_set_aside__next_start_completes_it() -> None:
    victim = stored(stopped_disk(sealed=True))[4]
    wanted = [offset for offset in range(60) if offset not in victim.offsets]
    for crash_after in range(40):
        disk = stopped_disk(sealed=True)
        damaged = disk.file(f"{DIRECTORY}/{victim.name}")
        damaged.content[victim.end - 1] ^= 1
        disk.sync_file(damaged)
        ForgetfulFiles(disk).remove(f"{DIRECTORY}/{victim.name.replace('.log', '.index')}")
        disk.sync_directory(DIRECTORY)
        disk.syncs_until_failure = crash_after
        with suppress(DirectoryUnusable, PartitionFailed):
            opened(on(disk))
        disk.syncs_until_failure = None
        for kept in (lambda _: 0, lambda tail: tail):
            again = opened(on(disk.crash(kept, names_survive=crash_after % 2 == 0)))
            assert offsets_of(again) == wanted
            assert len(damage_copies(again._files, DIRECTORY)) == 1


def test_open_log__damage_while_setting_it_aside_is_forbidden__refused_and_unchanged() -> None:
    disk = stopped_disk()
    victim = stored(disk)[4]
    content(disk, victim.name)[victim.begin + 70] ^= 1
    content(disk, logs(disk)[-1])[:] += b"torn"
    before = {name: bytes(content(disk, name)) for name in logs(disk)}
    with pytest.raises(LogDamaged, match=f"damaged at byte {victim.begin}: .*tenure storage repair"):
        Partition.open(on(disk), NAME, SMALL, durability=Durability.FSYNC, may_set_aside=False)
    assert {name: bytes(content(disk, name)) for name in logs(disk)} == before


def test_open_log__torn_tail_while_setting_damage_aside_is_forbidden__truncated() -> None:
    disk = stopped_disk()
    content(disk, logs(disk)[-1])[:] += b"torn"
    partition = Partition.open(on(disk), NAME, SMALL, durability=Durability.FSYNC, may_set_aside=False)
    assert partition.truncation is not None
    assert offsets_of(partition) == list(range(60))


def test_open_log__power_failure_damaged_an_unsynced_segment__later_segments_set_aside() -> None:
    """Set later segments aside: they were not durable, and the log must be a prefix of what was appended."""
    disk = stopped_disk().crash(lambda tail: tail, names_survive=True)
    ForgetfulFiles(disk).remove("/data/.boot")
    names = logs(disk)
    later = {name: bytes(content(disk, name)) for name in names[3:] if content(disk, name)}
    content(disk, names[2])[-1] ^= 1
    partition = opened(on(disk))
    assert partition.truncation is not None
    assert "fails its checksum" in partition.truncation.reason
    assert logs(disk) == names[:3]
    assert offsets_of(partition) == list(range(partition.log_end_offset))
    copies = damage_copies(ForgetfulFiles(disk), DIRECTORY)
    assert {copy.name.split(".damaged")[0]: bytes(content(disk, copy.name)) for copy in copies} == later


def test_open_log__damage_in_a_segment_with_an_aborted_transaction__readers_still_skip_the_aborted_records() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    batch = encode_batch(rows(2), producer_id=7, producer_epoch=0, base_sequence=0, is_transactional=True)
    partition.append(batch, now_ms=NOW_MS)
    fill(partition, 1)
    partition.append_marker(Marker(7, 0, is_commit=False, coordinator_epoch=0), now_ms=NOW_MS)
    fill(partition, 40)
    partition.sync()
    before = partition.aborted_between(0, 44)
    assert len(before) == 1
    disk = after_kill(disk)
    victim = stored(disk)[1]
    content(disk, victim.name)[victim.begin + 70] ^= 1
    for each in (opened(on(disk)), opened(on(after_kill(disk)))):
        assert each.aborted_between(0, 44) == before
        assert each.last_stable_offset == 44
