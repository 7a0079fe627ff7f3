"""Compaction of transactions: readers of committed records see no difference, and unneeded records are removed."""

import random
from itertools import count

import pytest

from tenure.client.consumer.read_committed import committed_only
from tenure.protocol.batches import Batch, decode_records, encode_batch, read_batches
from tenure.protocol.messages import AbortedTransaction
from tenure.protocol.records import Record
from tenure.protocol.types import Marker
from tenure.storage.compaction.compaction import cleanable
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import DuplicateSequence
from tenure.storage.log.partition import Partition
from tests.forgetful import ForgetfulDisk
from tests.storage.test_compaction import (
    DAY_MS,
    NOW_MS,
    SMALL,
    Crash,
    FailingFiles,
    compacted,
    entries_of,
    on,
    opened,
    write,
)

State = dict[bytes, bytes]


def batch_of(producer_id: int, sequence: int, *entries: tuple[str, str | None]) -> bytes:
    records = [Record(0, NOW_MS, k.encode(), v and v.encode()) for k, v in entries]  # type: ignore[arg-type]
    return encode_batch(
        records, producer_id=producer_id, producer_epoch=0, base_sequence=sequence, is_transactional=True
    )


class Writer:
    """Producer with its next sequence."""

    def __init__(self, partition: Partition, producer_id: int) -> None:
        self.partition = partition
        self.producer_id = producer_id
        self.sequence = 0

    def write(self, *entries: tuple[str, str | None]) -> None:
        self.partition.append(batch_of(self.producer_id, self.sequence, *entries), now_ms=NOW_MS)
        self.sequence += len(entries)

    def end(self, *, commit: bool) -> None:
        self.partition.append_marker(Marker(self.producer_id, 0, commit, 0), now_ms=NOW_MS)


def fill(partition: Partition) -> None:
    """Append enough records of other keys to seal all earlier segments."""
    for n in range(20):
        write(partition, ("filler", f"{n}"))


def batches_of(partition: Partition) -> list[Batch]:
    found: list[Batch] = []
    offset = partition.log_start_offset
    while data := partition.read(offset, 400):
        found += read_batches(data)
        offset = found[-1].last_offset + 1
    return found


def batches_with(partition: Partition, producer_id: int) -> list[tuple[int, str, int]]:
    """Return (offset, kind, records) of the producer's batches."""
    return [
        (batch.base_offset, "marker" if batch.is_control else "data", batch.count)
        for batch in batches_of(partition)
        if batch.producer_id == producer_id
    ]


def committed_state(partition: Partition, size: int) -> State:
    """Return the newest values that a reader of committed records sees, in reads of `size` bytes."""
    state: State = {}
    offset = partition.log_start_offset
    until = partition.producers.last_stable_offset(partition.durable_offset)
    while offset < until and (data := partition.read(offset, size, until)):
        end = list(read_batches(data))[-1].last_offset + 1
        aborted = partition.aborted_between(offset, end)
        named = [AbortedTransaction(each.producer_id, each.first_offset) for each in aborted]  # type: ignore[arg-type]
        for batch in read_batches(committed_only(data, named)):
            for record in [] if batch.is_control else decode_records(batch):
                assert record.key is not None
                if record.value is None:
                    state.pop(record.key, None)
                else:
                    state[record.key] = record.value
        offset = end
    return state


def test_compaction__aborted_transaction__its_records_removed_and_later_its_marker() -> None:
    partition = opened(on(ForgetfulDisk()))
    writer = Writer(partition, 1)
    write(partition, ("a", "kept"))
    writer.write(("a", "void"), ("b", "void"))
    writer.end(commit=False)
    Writer(partition, 1).partition.append_marker(Marker(1, 1, False, 0), now_ms=NOW_MS)  # epoch 0 ends
    fill(partition)
    first = compacted(partition).first_dirty_offset
    assert batches_with(partition, 1) == [(3, "marker", 1), (4, "marker", 1)]
    assert entries_of(partition)[0] == (0, "a", "kept")
    assert [each.first_offset for each in partition.aborted_between(0, 100)] == [1]
    compacted(partition, first)
    assert partition.aborted_between(0, 100) == []
    horizons = [batch.delete_horizon_ms for batch in batches_of(partition) if batch.producer_id == 1]
    assert horizons == [NOW_MS + DAY_MS, NOW_MS + DAY_MS]
    compacted(partition, first, NOW_MS + DAY_MS - 1)
    assert batches_with(partition, 1) == [(3, "marker", 1), (4, "marker", 1)]
    compacted(partition, first, NOW_MS + DAY_MS)
    assert batches_with(partition, 1) == [(4, "marker", 0)], "only the marker has the epoch of the producer"


def test_compaction__committed_transaction__newest_value_of_each_key_and_marker_stay() -> None:
    partition = opened(on(ForgetfulDisk()))
    write(partition, ("a", "old"))
    writer = Writer(partition, 1)
    writer.write(("a", "new"), ("b", "new"))
    writer.end(commit=True)
    write(partition, ("b", "newer"))
    writer.write(("c", None))
    writer.end(commit=True)
    fill(partition)
    first = compacted(partition).first_dirty_offset
    assert entries_of(partition)[0] == (1, "a", "new")
    assert batches_with(partition, 1) == [(1, "data", 1), (3, "marker", 1), (5, "data", 1), (6, "marker", 1)]
    compacted(partition, first, NOW_MS + DAY_MS)
    assert batches_with(partition, 1) == [(1, "data", 1), (3, "marker", 1), (5, "data", 0), (6, "marker", 1)]


def test_compaction__open_transaction__records_from_its_start_on_not_compacted() -> None:
    partition = opened(on(ForgetfulDisk()))
    write(partition, ("a", "1"))
    write(partition, ("a", "2"))
    writer = Writer(partition, 1)
    writer.write(("a", "3"))
    fill(partition)
    partition.sync()
    assert cleanable(partition, 0, NOW_MS).dirty == []
    writer.end(commit=False)
    partition.sync()
    assert cleanable(partition, 0, NOW_MS).is_due
    compacted(partition)
    assert entries_of(partition)[0] == (1, "a", "2")


def test_compaction__last_batch_of_a_producer_was_aborted__its_next_sequence_is_accepted() -> None:
    disk = ForgetfulDisk()
    partition = opened(on(disk))
    writer = Writer(partition, 1)
    writer.write(("a", "void"))
    writer.end(commit=False)
    fill(partition)
    first = compacted(partition).first_dirty_offset
    for now_ms in (NOW_MS, NOW_MS + DAY_MS, NOW_MS + 2 * DAY_MS):
        compacted(partition, first, now_ms)
        assert batches_with(partition, 1) == [(0, "data", 0), (1, "marker", 1)]
    again = opened(on(disk.crash()))
    assert again.producers.open == {}
    with pytest.raises(DuplicateSequence):
        Writer(again, 1).write(("a", "void"))
    writer.partition = again
    writer.write(("a", "more"))


def write_randomly(partition: Partition, writers: list[Writer], rng: random.Random, steps: int) -> None:
    """Write plain records, records in transactions, and ends of transactions."""
    for n in range(steps):
        writer = rng.choice(writers)
        entry = (f"k{rng.randrange(6)}", None if rng.random() < 0.2 else f"v{n}")
        if rng.random() < 0.3:
            write(partition, entry)
        elif rng.random() < 0.6:
            writer.write(entry)
        else:
            writer.end(commit=rng.random() < 0.5)
    partition.sync()


@pytest.mark.parametrize("seed", range(8))
def test_compaction__random_transactions__readers_of_committed_records_see_the_same_state(seed: int) -> None:
    print("seed", seed)
    rng = random.Random(seed)
    disk = ForgetfulDisk()
    settings = SMALL._replace(segment_bytes=rng.choice((300, 700, 5_000)))
    partition = opened(on(disk), settings)
    writers = [Writer(partition, producer_id) for producer_id in range(4)]
    first_dirty, now_ms = 0, NOW_MS
    for _ in range(6):
        write_randomly(partition, writers, rng, rng.randint(5, 30))
        before = committed_state(partition, 1 << 20)
        open_before = dict(partition.producers.open)
        first_dirty = compacted(partition, first_dirty, now_ms, rng.choice((1 << 20, 3 * 160))).first_dirty_offset
        again = opened(on(disk.crash()), settings)
        for each in (partition, again):
            assert each.producers.open == open_before
            for size in (1, 400, 1 << 20):
                assert committed_state(each, size) == before
        now_ms += rng.choice((0, DAY_MS))


@pytest.mark.long
@pytest.mark.parametrize("names_survive", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_crash__at_every_step_of_a_compaction_of_transactions__no_aborted_record_visible(
    seed: int, names_survive: bool
) -> None:
    """Crash in the second compaction, where markers have lost the records of their transaction."""
    for steps in count():
        print("seed", seed, "steps", steps, "names survive", names_survive)
        rng = random.Random(seed)
        disk = ForgetfulDisk()
        doomed = FailingFiles(disk)
        partition = opened(DataDirectory.open("/data", files=doomed))
        writers = [Writer(partition, producer_id) for producer_id in range(3)]
        write_randomly(partition, writers, rng, 40)
        for writer in writers:
            writer.end(commit=False)
        fill(partition)
        first_dirty = compacted(partition).first_dirty_offset
        expected = committed_state(partition, 400)
        doomed.left = steps
        try:
            compacted(partition, first_dirty, NOW_MS + DAY_MS)
            finished = True
        except Crash:
            finished = False
        again = opened(on(disk.crash(names_survive=names_survive)))
        assert again.producers.open == {}
        assert committed_state(again, 400) == expected
        compacted(again, first_dirty, NOW_MS + 3 * DAY_MS)
        assert committed_state(again, 400) == expected
        if finished:
            break
    assert steps > 20
