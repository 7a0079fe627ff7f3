"""Log compaction: kept and removed records, and the log after a crash at any moment."""

import random
from collections.abc import Callable

import pytest

from tenure.protocol.batches import decode_records, encode_batch, read_batches, verify_crc
from tenure.protocol.compression import Codec
from tenure.protocol.records import Record
from tenure.storage.compaction.compaction import CompactionResult, cleanable, compact
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.storage.logs import NAME

SMALL = LogSettings(segment_bytes=700, index_interval_bytes=150, compacts=True, deletes=False)
ROOM_BYTES = 1 << 20
NOW_MS = 1_700_000_000_000
DAY_MS = 86_400_000
ALIVE: Callable[[int], None] = lambda _: None  # noqa: E731


def opened(directory: DataDirectory, settings: LogSettings = SMALL) -> Partition:
    return Partition.open(directory, NAME, settings, durability=Durability.FSYNC)


def on(disk: ForgetfulDisk) -> DataDirectory:
    return DataDirectory.open("/data", files=ForgetfulFiles(disk))


def write(partition: Partition, *entries: tuple[str | None, str | None], codec: Codec = Codec.NONE) -> None:
    records = [Record(0, NOW_MS, k and k.encode(), v and v.encode()) for k, v in entries]  # type: ignore[arg-type]
    partition.append(encode_batch(records, codec=codec), now_ms=NOW_MS, is_own=True)


def records_of(partition: Partition) -> list[Record]:
    """Return the records as a consumer reads them, with empty batch headers."""
    found: list[Record] = []
    offset = partition.log_start_offset
    while data := partition.read(offset, 400):
        for batch in read_batches(data):
            verify_crc(batch)
            found += decode_records(batch)
            offset = batch.last_offset + 1
    return found


def entries_of(partition: Partition) -> list[tuple[int, str, str | None]]:
    return [
        (r.offset, r.key.decode() if r.key else "", r.value.decode() if r.value else None)
        for r in records_of(partition)
    ]


def state_of(records: list[Record]) -> dict[bytes | None, bytes]:
    """Return the state that a coordinator would load from the log."""
    state: dict[bytes | None, bytes] = {}
    for record in records:
        if record.value is None:
            state.pop(record.key, None)
        else:
            state[record.key] = record.value
    return state


def compacted(
    partition: Partition, first_dirty_offset: int = 0, now_ms: int = NOW_MS, room: int = ROOM_BYTES
) -> CompactionResult:
    partition.sync()
    return compact(partition, first_dirty_offset, now_ms, memory_bytes=room, throttle=ALIVE)


def filled(disk: ForgetfulDisk, rng: random.Random, batches: int = 40, settings: LogSettings = SMALL) -> Partition:
    partition = opened(on(disk), settings)
    for n in range(batches):
        some = [(f"k{rng.randrange(6)}", None if rng.random() < 0.2 else f"v{n}.{i}") for i in range(rng.randint(1, 4))]
        write(partition, *some, codec=rng.choice((Codec.NONE, Codec.GZIP)))
    partition.sync()
    return partition


# --- kept records -----------------------------------------------------------------------------------------------------


def test_compaction__several_records_per_key__newest_one_stays_at_its_offset() -> None:
    partition = opened(on(ForgetfulDisk()))
    for n in range(20):
        write(partition, ("a", f"{n}"), ("b" if n == 3 else "c", f"{n}"))
    active = partition.segments.active.base_offset
    result = compacted(partition)
    assert result.first_dirty_offset == active
    assert result.bytes_after < result.bytes_before
    before = [entry for entry in entries_of(partition) if entry[0] < active]
    assert before == [(7, "b", "3"), (active - 2, "a", f"{active // 2 - 1}"), (active - 1, "c", f"{active // 2 - 1}")]
    assert [offset for offset, *_ in entries_of(partition) if offset >= active] == list(range(active, 40))
    assert (partition.log_start_offset, partition.log_end_offset) == (0, 40)


def test_compaction__repeated__small_segments_merged_once_and_then_unchanged() -> None:
    partition = filled(ForgetfulDisk(), random.Random(1))
    first = compacted(partition)
    assert not cleanable(partition, first.first_dirty_offset, NOW_MS).is_due
    again = compacted(partition, first.first_dirty_offset)
    assert again.bytes_before == first.bytes_after > again.bytes_after
    assert len(partition.segments.all) == 2
    third = compacted(partition, first.first_dirty_offset)
    assert third.bytes_after == third.bytes_before == again.bytes_after


def test_compaction__tombstone__stays_for_delete_retention_ms_and_is_then_removed() -> None:
    partition = opened(on(ForgetfulDisk()))
    write(partition, ("a", "1"))
    write(partition, ("a", None), ("b", "1"))
    for n in range(20):
        write(partition, ("c", f"{n}"))
    result = compacted(partition)
    assert entries_of(partition)[:2] == [(1, "a", None), (2, "b", "1")]
    (batch,) = [batch for batch in read_batches(partition.read(0, 1 << 20)) if batch.base_offset == 1]
    assert batch.delete_horizon_ms == NOW_MS + DAY_MS
    assert {record.timestamp_ms for record in records_of(partition)} == {NOW_MS}
    compacted(partition, result.first_dirty_offset, NOW_MS + DAY_MS - 1)
    assert entries_of(partition)[0] == (1, "a", None)
    compacted(partition, result.first_dirty_offset, NOW_MS + DAY_MS)
    assert entries_of(partition)[0] == (2, "b", "1")


def test_compaction__record_without_a_key__removed() -> None:
    partition = opened(on(ForgetfulDisk()))
    write(partition, (None, "lost"), ("a", "kept"))
    for n in range(20):
        write(partition, ("c", f"{n}"))
    compacted(partition)
    assert entries_of(partition)[0] == (1, "a", "kept")


def test_compaction__all_records_of_a_producer_removed__its_next_sequence_is_accepted() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    for sequence in range(3):
        batch = encode_batch([Record(0, NOW_MS, b"a", b"x")], producer_id=9, producer_epoch=0, base_sequence=sequence)
        partition.append(batch, now_ms=NOW_MS)
    for n in range(20):
        write(partition, ("a", f"{n}"))
    compacted(partition)
    assert next((b.base_offset, b.count) for b in read_batches(partition.read(0, 1 << 20))) == (2, 0)
    files = ForgetfulFiles(crashed := disk.crash())
    for name in files.listdir(f"/data/{NAME}"):
        if name.endswith(".snapshot"):
            files.remove(f"/data/{NAME}/{name}")
    again = opened(on(crashed))
    batch = encode_batch([Record(0, NOW_MS, b"a", b"y")], producer_id=9, producer_epoch=0, base_sequence=3)
    assert again.append(batch, now_ms=NOW_MS).base_offset == 23


def test_compaction__more_keys_than_fit_into_memory__next_run_continues_where_the_last_stopped() -> None:
    rng = random.Random(7)
    partition = opened(on(ForgetfulDisk()))
    for n in range(60):
        write(partition, (f"k{rng.randrange(30)}", f"{n}"))
    partition.sync()
    expected = state_of(records_of(partition))
    ends, first_dirty = [], 0
    while (result := compacted(partition, first_dirty, room=5 * 160)).first_dirty_offset > first_dirty:
        first_dirty = result.first_dirty_offset
        ends.append(first_dirty)
        assert state_of(records_of(partition)) == expected
    assert len(ends) > 3
    assert first_dirty == partition.segments.active.base_offset
    keys = [key for offset, key, _ in entries_of(partition) if offset < first_dirty]
    assert len(keys) == len(set(keys))


def test_compaction_due__records_younger_than_the_minimum_lag__not_due() -> None:
    partition = filled(ForgetfulDisk(), random.Random(1))
    partition.settings = SMALL._replace(min_compaction_lag_ms=1_000)
    assert not cleanable(partition, 0, NOW_MS + 999).is_due
    assert cleanable(partition, 0, NOW_MS + 1_001).is_due


def test_compaction_due__dirty_part_too_small__only_after_the_maximum_lag() -> None:
    partition = filled(ForgetfulDisk(), random.Random(1))
    dirty_from = partition.segments.sealed()[-1].base_offset
    assert cleanable(partition, 0, NOW_MS).is_due
    assert not cleanable(partition, dirty_from, NOW_MS).is_due
    partition.settings = SMALL._replace(max_compaction_lag_ms=1_000)
    assert cleanable(partition, dirty_from, NOW_MS + 1_001).is_due


def test_compaction__damaged_segment__log_unchanged() -> None:
    disk = ForgetfulDisk()
    partition = filled(disk, random.Random(1))
    names = disk.directory(f"/data/{NAME}").entries.keys() - set()
    disk.file(f"/data/{NAME}/{0:020}.log").content[80] ^= 0xFF
    with pytest.raises(ValueError, match="checksum"):
        compacted(partition)
    assert set(disk.directory(f"/data/{NAME}").entries) == names


# --- random histories -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_compaction__random_histories__same_state_offsets_and_reads(seed: int) -> None:
    print("seed", seed)
    rng = random.Random(seed)
    disk = ForgetfulDisk()
    partition = filled(disk, rng, settings=SMALL._replace(segment_bytes=rng.choice((300, 700, 5_000))))
    everything = records_of(partition)
    now_ms, first_dirty = NOW_MS, 0
    for _ in range(4):
        result = compacted(partition, first_dirty, now_ms, rng.choice((ROOM_BYTES, 3 * 160)))
        first_dirty = result.first_dirty_offset
        kept = records_of(partition)
        assert state_of(kept) == state_of(everything)
        assert set(map(repr, kept)) <= set(map(repr, everything)), "a record that stays stays as it was"
        assert partition.log_end_offset == everything[-1].offset + 1
        for record in kept:
            found = [r for b in read_batches(partition.read(record.offset, 1)) for r in decode_records(b)]
            assert record in found
        for n in range(rng.randint(0, 10)):
            write(partition, (f"k{rng.randrange(6)}", f"more{n}"))
        partition.sync()
        everything += [record for record in records_of(partition) if record.offset > everything[-1].offset]
        now_ms += rng.choice((0, DAY_MS))
        again = opened(on(disk.crash()))
        assert records_of(again) == records_of(partition)
        assert again.truncation is None


# --- crashes ----------------------------------------------------------------------------------------------------------


class Crash(Exception):
    pass


class FailingFiles(ForgetfulFiles):
    """Files whose changes raise `error` after `left` further ones; None for no limit."""

    def __init__(self, disk: ForgetfulDisk, error: type[Exception] = Crash) -> None:
        super().__init__(disk)
        self.left: int | None = None
        self._error = error

    def _step(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise self._error

    def rename(self, old: str, new: str) -> None:
        self._step()
        super().rename(old, new)

    def remove(self, path: str) -> None:
        self._step()
        super().remove(path)

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        self._step()
        super().write(path, data, sync=sync)

    def sync_directory(self, path: str) -> None:
        self._step()
        super().sync_directory(path)


@pytest.mark.parametrize("names_survive", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_crash__at_every_step_of_a_compaction__same_state_and_log_end_offset(seed: int, names_survive: bool) -> None:
    rng = random.Random(seed)
    steps = 0
    while True:
        disk = ForgetfulDisk()
        doomed = FailingFiles(disk)
        partition = opened(DataDirectory.open("/data", files=doomed))
        history = random.Random(seed)
        for n in range(30):
            write(partition, (f"k{history.randrange(4)}", None if history.random() < 0.2 else f"v{n}"))
        partition.sync()
        expected, end = state_of(records_of(partition)), partition.log_end_offset
        doomed.left = steps
        try:
            compact(partition, 0, NOW_MS, memory_bytes=ROOM_BYTES, throttle=ALIVE)
            finished = True
        except Crash:
            finished = False
        kept = rng.choice((0.0, 0.5, 1.0))
        print("seed", seed, "steps", steps, "names survive", names_survive, "kept", kept)
        after = disk.crash(lambda tail, kept=kept: int(tail * kept), names_survive=names_survive)  # type: ignore[misc]
        again = opened(on(after))
        assert again.truncation is None
        assert (state_of(records_of(again)), again.log_end_offset) == (expected, end)
        left = [name for name in after.directory(f"/data/{NAME}").entries if name.endswith((".cleaned", ".swap"))]
        assert not left
        compacted(again, 0, NOW_MS)
        write(again, ("k0", "after"))
        again.sync()
        assert state_of(records_of(opened(on(after.crash())))) == expected | {b"k0": b"after"}
        if finished:
            break
        steps += 1
    assert steps > 30, "a compaction has more steps than that"


@pytest.mark.parametrize("seed", range(2))
def test_disk_failure__at_every_step_of_a_compaction__reads_continue_and_the_log_can_be_restored(seed: int) -> None:
    steps = 0
    while True:
        disk = ForgetfulDisk()
        doomed = FailingFiles(disk, OSError)
        partition = opened(DataDirectory.open("/data", files=doomed))
        history = random.Random(seed)
        for n in range(30):
            write(partition, (f"k{history.randrange(4)}", f"v{n}"))
        partition.sync()
        expected, end = state_of(records_of(partition)), partition.log_end_offset
        doomed.left = steps
        try:
            compact(partition, 0, NOW_MS, memory_bytes=ROOM_BYTES, throttle=ALIVE)
            break
        except OSError:
            doomed.left = None
        assert state_of(records_of(partition)) == expected
        if partition.has_failed:
            assert partition.restore() == end
        compacted(partition)
        assert (state_of(records_of(partition)), partition.log_end_offset) == (expected, end)
        again = opened(on(disk.crash()))
        assert state_of(records_of(again)) == expected
        steps += 1
    assert steps > 30
