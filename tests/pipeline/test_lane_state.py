"""State of a lane between batches: the files that a batch writes, and those that the next one opens."""

import io
import json
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from tenure.limits.pipeline import STATE_DELTAS_MAX, STORE_BLOCK_BYTES
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state import lane_state, layers, state_cache
from tenure.pipeline.state.keyed_state import KeyedState, state_schema
from tenure.pipeline.state.lane_state import LaneState, Migrate, newest_tier
from tenure.pipeline.state.state_cache import Copy, StateCache
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import Manifest, StateVersion, encode
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tests.pipeline import large_state
from tests.quick import quick_first

LANE = Lane((TopicName("words"),), PartitionId(0))
SCHEMA = state_schema("word", "seen long")


class LaneBatches:
    """Batches of one lane, each of which opens the state that the one before has written."""

    def __init__(self, place: Path, cache: bool = True) -> None:
        self.files = LocalFiles()
        self.layout = Layout.of(GroupId("words"), str(place / "out"))
        self.files.make_directory(self.layout.state_directory(LANE))
        self.cache = StateCache(str(place / "cache")) if cache else None
        self.kept = StateVersion()
        self.last: Manifest | None = None
        self.number = 0

    def state(self, schema: pa.Schema = SCHEMA, version: int = 1, migrate: Migrate | None = None) -> LaneState:
        return LaneState(self.files, self.layout, LANE, schema, version=version, migrate=migrate, cache=self.cache)

    def run(self, put: dict[str, int], gone: list[str] | None = None, *, snapshots: bool = False) -> StateVersion:
        self.number += 1
        state = self.state()
        keyed = KeyedState(state.open(self.kept))
        keyed.put(pa.array(list(put), pa.string()), pa.table({"seen": pa.array(list(put.values()), pa.int64())}))
        keyed.delete(pa.array(gone or [], pa.string()))
        begun = self.begun()
        before, self.kept = self.kept, state.stage(begun, keyed, snapshots=snapshots)
        state.forget_copies(before, self.kept)
        self.last = replace(begun, state=self.kept)
        return self.kept

    def begun(self) -> Manifest:
        writer = Writer(MemberId("m"), GenerationId(1))
        return Manifest(f"{self.number:022d}", self.layout.group, LANE, self.number, (), 1, writer, "run", self.kept)

    def snapshot(self) -> None:
        """Write the snapshot, as the background task does after the last batch."""
        assert self.last is not None
        assert self.kept.awaits == self.last.id
        self.state().write_snapshot(self.last)

    def rows(self) -> dict[str, int]:
        return {row["word"]: row["seen"] for row in self.state().open(self.kept).scan().to_pylist()}


def words(start: int, end: int) -> dict[str, int]:
    return {f"w{number}": number for number in range(start, end)}


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("seed", quick_first(range(4)))
def test_lane_state__random_batches_and_late_snapshots__same_as_a_dictionary(
    tmp_path: Path, seed: int, cache: bool
) -> None:
    random, life, expected, adopted = Random(seed), LaneBatches(tmp_path, cache), dict[str, int](), 0
    for number in range(60):
        put = {f"w{random.randrange(200)}": number for _ in range(random.choice([0, 1, 3, 40]))}
        gone = [word for word in random.sample(sorted(expected), min(3, len(expected))) if word not in put]
        awaited = life.kept.awaits
        kept = life.run(put, gone, snapshots=True)
        adopted += bool(awaited and not kept.awaits and kept.base and kept.base.name.startswith(awaited))
        expected = {word: seen for word, seen in (expected | put).items() if word not in gone}
        assert life.rows() == expected
        assert kept.rows in (len(expected), None)
        assert len(kept.deltas) <= STATE_DELTAS_MAX
        if life.last and kept.awaits == life.last.id:
            late = life.last
        if kept.awaits and random.random() < 0.3:
            life.state().write_snapshot(late)
    assert adopted > 0
    assert life.rows() == expected


def test_state_of_a_batch__few_of_many_keys_changed__small_delta_written(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 1000))
    kept = life.run({"w1": -1}, ["w2", "never"])
    assert kept.base is not None
    assert (kept.base.rows, [delta.rows for delta in kept.deltas], kept.rows) == (1000, [3], 999)


def test_state_of_a_batch__no_changes__no_file_written(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    first = life.run(words(0, 10))
    assert life.run({}) == first


def test_state_of_a_batch__as_many_changes_as_keys__base_written(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 10))
    kept = life.run(words(5, 20))
    assert (kept.deltas, kept.rows) == ((), 20)


def test_deltas__more_than_the_maximum__small_ones_are_merged(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 1000))
    base = life.kept.base
    runs = [life.run({f"w{number}": 0}) for number in range(3 * STATE_DELTAS_MAX)]
    sizes = [[delta.rows for delta in kept.deltas] for kept in runs]
    assert max(map(len, sizes)) == STATE_DELTAS_MAX
    assert life.kept.base == base
    assert len(life.rows()) == 1000
    assert sum(sizes[-1]) == 3 * STATE_DELTAS_MAX


@pytest.mark.parametrize(
    ("rows", "added", "merged"), [([1] * 16, 1, 16), ([16, 1, 1], 1, 2), ([9, 5], 1, 1), ([4, 2, 1], 1, 3)]
)
def test_newest_tier__deltas_of_different_sizes__number_of_small_deltas_to_merge(
    rows: list[int], added: int, merged: int
) -> None:
    assert newest_tier(rows, added) == merged


def test_snapshot__completed_before_the_next_batch__becomes_the_base(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    life.run(words(0, 30), snapshots=True)
    life.snapshot()
    kept = life.run({"w99": 7}, snapshots=True)
    assert kept.base is not None
    assert kept.base.name.endswith(".snapshot.arrow")
    assert ([delta.rows for delta in kept.deltas], kept.rows, kept.awaits) == ([1], 100, "")
    assert life.rows() == words(0, 100) | {"w99": 7}


def test_snapshot__completion_note_exists_but_file_missing__not_used(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    life.run(words(0, 30), snapshots=True)
    life.snapshot()
    (snapshot,) = tmp_path.rglob("*.snapshot.arrow")
    snapshot.unlink()
    kept = life.run({"w99": 7}, snapshots=True)
    assert kept.awaits
    assert life.rows() == words(0, 100) | {"w99": 7}


def test_snapshot__never_completed__next_one_starts_after_the_same_number_of_changes(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    awaited = [life.run(words(start, start + 10), snapshots=True).awaits for start in range(0, 60, 10)]
    assert awaited == ["", "", awaited[2], awaited[2], awaited[4], awaited[4]]
    assert len(set(awaited)) == 3
    life.run(words(60, 61), snapshots=True)
    assert life.rows() == words(0, 100)


def test_snapshot__never_completed__later_batch_writes_a_base(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    for start in range(0, 100, 30):
        life.run(words(start, start + 30), snapshots=True)
    assert life.kept.base is not None
    assert (life.kept.base.name.endswith(".base.arrow"), life.kept.deltas, life.kept.awaits) == (True, (), "")


def test_open_state__all_files_copied_on_this_host__state_directory_not_read(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    life.run({"w1": -1})
    for file in tmp_path.rglob("out/**/*.arrow"):
        file.unlink()
    assert life.rows() == words(0, 100) | {"w1": -1}


def test_open_state__no_copies_on_this_host__same_state_and_copies_written(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    life.run({"w1": -1})
    for file in tmp_path.rglob("cache/*/*"):
        file.unlink()
    assert life.rows() == words(0, 100) | {"w1": -1}
    assert len(list(tmp_path.rglob("cache/*/*"))) == 2


def test_open_state__cache_directory_writable_for_other_users__its_copies_not_used(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 100))
    assert life.kept.base is not None
    prepared = tmp_path / "prepared"
    StateCache(str(prepared)).put(
        life.state().directory, life.kept.base.digest, pa.table({"word": ["w1"], "seen": [7]})
    )
    prepared.chmod(0o777)
    state_cache._roots.clear()  # As in another process.
    life.cache = StateCache(str(prepared))
    assert life.rows() == words(0, 100)


def test_open_state__copy_altered__file_read_again_from_the_state_directory(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run({"w1": 17})
    (copy,) = tmp_path.rglob("cache/*/*")
    written = copy.read_bytes()
    copy.write_bytes(written.replace(bytes([17]), bytes([18])))
    assert life.rows() == {"w1": 17}
    assert copy.read_bytes() == written


@pytest.mark.parametrize("cache", [True, False])
def test_open_state__file_of_many_record_batches__decoded_in_pieces(
    tmp_path: Path, cache: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "STATE_BATCH_BYTES", 1000)
    monkeypatch.setattr(layers, "STATE_IN_ORDER_ROWS_MIN", 100)
    monkeypatch.setattr(lane_state, "STORE_BLOCK_BYTES", 100)
    life = LaneBatches(tmp_path, cache)
    life.run(words(0, 500))
    for file in tmp_path.rglob("cache/*/*"):
        file.unlink()
    opened = life.state().open(life.kept)
    assert opened.in_order
    assert opened.base["word"].num_chunks > 5
    assert life.rows() == words(0, 500)
    assert not list(tmp_path.rglob("cache/*/*.draft"))


def test_open_state__large_delta__decoded_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "STATE_BATCH_BYTES", 1000)
    monkeypatch.setattr(lane_state, "STORE_BLOCK_BYTES", 100)
    life = LaneBatches(tmp_path)
    life.run(words(0, 500))
    life.run({f"w{n}": -n for n in range(200)}, gone=["w300"])
    life.cache = StateCache(str(tmp_path / "other host"))
    (delta,) = life.state().open(life.kept).deltas
    assert delta["word"].num_chunks > 3
    expected = words(0, 500) | {f"w{n}": -n for n in range(200)}
    del expected["w300"]
    assert life.rows() == expected


class Stored(LocalFiles):
    """Store whose files are opened as `kind`."""

    def __init__(self, kind: type[io.BytesIO]) -> None:
        self.kind = kind

    def open(self, path: str) -> Any:
        return self.kind(Path(path).read_bytes())


def stored_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[io.BytesIO]) -> LaneBatches:
    """Store a state of many batches, which another host opens from a store with files of this `kind`."""
    monkeypatch.setattr(layers, "STATE_BATCH_BYTES", 1000)
    monkeypatch.setattr(lane_state, "STORE_BLOCK_BYTES", 100)
    life = LaneBatches(tmp_path)
    life.run(words(0, 500))
    life.cache = StateCache(str(tmp_path / "other host"))
    life.files = Stored(kind)
    return life


class Breaking(io.BytesIO):
    """File whose reader fails in the middle."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > len(self.getbuffer()) // 2:
            raise ConnectionResetError("the store has gone")
        return super().read(size)


class BreakingLate(io.BytesIO):
    """File whose reader fails after all rows."""

    def read(self, size: int | None = -1) -> bytes:
        if size == STORE_BLOCK_BYTES:
            raise ConnectionResetError("the store has gone")
        return super().read(size)


@pytest.mark.parametrize("kind", [Breaking, BreakingLate])
def test_open_state__store_fails_within_a_large_file__error_and_no_copy_left(
    tmp_path: Path, kind: type[io.BytesIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    life = stored_in_pieces(tmp_path, monkeypatch, kind)
    with pytest.raises(ConnectionResetError, match="the store has gone"):
        life.rows()
    assert not [path for path in tmp_path.rglob("other host/**/*") if path.is_file()]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(("tenure-unpack", "tenure-dig"))]


class Slow(io.BytesIO):
    """Files that note whether two threads read at the same time."""

    overlapped = False

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.reading = threading.Lock()

    def read(self, size: int | None = -1) -> bytes:
        if not self.reading.acquire(blocking=False):
            type(self).overlapped = True
            return b""
        try:
            time.sleep(0.01)
            return super().read(size)
        finally:
            self.reading.release()


def test_open_state__writing_the_copy_fails__no_two_reads_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Copy, batch: pa.RecordBatch) -> None:
        raise MemoryError(len(batch))

    life = stored_in_pieces(tmp_path, monkeypatch, Slow)
    monkeypatch.setattr(Copy, "write_batch", fail)
    with pytest.raises(MemoryError):
        life.rows()
    assert not Slow.overlapped


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data[:-1] + b"?",
        lambda data: data[: len(data) // 2],
        lambda data: data[:300] + bytes(100) + data[400:],
        lambda data: b"?" * len(data),
        lambda data: data[:0],
    ],
)
def test_open_state__large_file_differs_from_its_committed_digest__error(
    tmp_path: Path, change: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane_state, "STORE_BLOCK_BYTES", 100)
    life = LaneBatches(tmp_path)
    life.run(words(0, 500))
    life.cache = StateCache(str(tmp_path / "other host"))
    (base,) = tmp_path.rglob("*.base.arrow")
    assert callable(change)
    base.write_bytes(change(base.read_bytes()))
    with pytest.raises(PipelineStopped) as stopped:
        life.rows()
    assert stopped.value.code is Code.STATE_DAMAGED
    base.unlink()
    with pytest.raises(PipelineStopped) as stopped:
        life.rows()
    assert stopped.value.code is Code.STATE_MISSING
    assert not list(tmp_path.rglob("other host/*/*"))


# --- versions ---------------------------------------------------------------------------------------------------------

WIDER = state_schema("word", "seen long, longest string")


def widened(rows: pa.Table, version: int) -> pa.Table:
    assert version == 1
    return rows.append_column("longest", rows["word"])


def test_migrate__state_of_an_earlier_version__converted_and_stored(tmp_path: Path) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 10))
    life.run({"w1": -1})
    state = life.state(WIDER, 2, widened)
    keyed = KeyedState(state.open(life.kept))
    assert keyed.get(pa.array(["w1", "w9"])).to_pydict() == {
        "seen": [-1, 9],
        "longest": ["w1", "w9"],
        "found": [True] * 2,
    }
    life.number += 1
    assert state.stage(life.begun(), keyed) == life.kept
    keyed.put(pa.array(["w1"]), pa.table({"seen": [5], "longest": ["x"]}))
    kept = state.stage(life.begun(), keyed)
    assert (kept.schema_version, kept.deltas, kept.rows) == (2, (), 10)
    assert life.state(WIDER, 2).open(kept).scan().num_rows == 10


@pytest.mark.parametrize(
    ("schema", "version", "migrate", "message"),
    [
        (WIDER, 1, None, r"written as \(word string, seen int64\) .* higher version="),
        (WIDER, 2, None, "migrate=function"),
        (WIDER, 2, lambda rows, _: rows, r"written as \(word string, seen int64\)"),
        (SCHEMA, 0, None, "run the newer application"),
    ],
)
def test_open_state__declared_schema_or_version_differs__error_names_the_remedy(
    tmp_path: Path, schema: pa.Schema, version: int, migrate: Migrate | None, message: str
) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 10))
    with pytest.raises(PipelineStopped, match=message) as stopped:
        life.state(schema, version, migrate).open(life.kept)
    assert stopped.value.code is Code.STATE_SCHEMA_CHANGED
    if migrate is None:
        with pytest.raises(PipelineStopped) as checked:
            life.state(schema, version).check(life.kept)
        assert str(checked.value) == str(stopped.value)


@pytest.mark.parametrize("byte", [b"\0", b"A", b"\xff"])
def test_check_state__file_damaged__no_error_until_a_batch_opens_the_state(tmp_path: Path, byte: bytes) -> None:
    life = LaneBatches(tmp_path, cache=False)
    life.run(words(0, 10))
    state = life.state()
    file = life.kept.files[-1]
    Path(state.directory, file.name).write_bytes(byte * file.size_bytes)
    state.check(life.kept)
    with pytest.raises(PipelineStopped) as stopped:
        state.open(life.kept)
    assert stopped.value.code is Code.STATE_DAMAGED


@pytest.mark.parametrize(
    ("migrate", "message"),
    [
        (lambda rows, _: pa.concat_tables([rows, rows]), "two rows of one key"),
        (lambda rows, _: rows.to_pylist(), "returned list"),
        (lambda rows, _: rows["never"], "failed on version 1: KeyError"),
    ],
)
def test_migrate__function_returns_invalid_rows_or_fails__error_names_the_cause(
    tmp_path: Path, migrate: Migrate, message: str
) -> None:
    life = LaneBatches(tmp_path)
    life.run(words(0, 10))
    with pytest.raises(PipelineStopped, match=message) as stopped:
        life.state(SCHEMA, 2, migrate).open(life.kept)
    assert stopped.value.code is Code.BAD_FUNCTION


def test_migrate__function_removes_rows__internal_columns_stay_with_their_keys(tmp_path: Path) -> None:
    hidden = SCHEMA.append(pa.field("_expires", pa.int64()))
    life = LaneBatches(tmp_path)
    keyed = KeyedState(life.state(hidden).open(life.kept))
    keyed.expires_us = 7
    keyed.put(pa.array(["a", "b"]), pa.table({"seen": [1, 2]}))
    life.kept = life.state(hidden).stage(life.begun(), keyed)

    def renamed(rows: pa.Table, _: int) -> pa.Table:
        assert rows.column_names == ["word", "seen"]
        return rows.slice(1).rename_columns(["word", "often"])

    often = state_schema("word", "often long").append(hidden.field("_expires"))
    migrated = life.state(often, 2, renamed).open(life.kept).scan()
    assert migrated.to_pylist() == [{"word": "b", "often": 2, "_expires": 7}]
    assert "_expires" not in life.state(SCHEMA).open(life.kept).scan().column_names


# --- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("in_order", [True, False])
def test_open_state__state_larger_than_memory__only_requested_keys_in_memory(
    tmp_path: Path, in_order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if in_order:
        monkeypatch.setattr(layers, "STATE_IN_ORDER_ROWS_MIN", 1)
    life = LaneBatches(tmp_path)
    keyed = KeyedState(large_state.SCHEMA.empty_table())
    keys = pa.array([f"w{number}" for number in range(100_000)])
    keyed.put(keys, pa.table({"text": pa.repeat("x" * 600, len(keys))}))
    begun = life.begun()
    kept = life.state(large_state.SCHEMA).stage(begun, keyed)
    for copy in tmp_path.rglob("cache/*/*"):
        copy.unlink()
    sealed = tmp_path / "manifest.json"
    sealed.write_bytes(encode(replace(begun, state=kept)))
    command = [sys.executable, "-m", "tests.pipeline.large_state", str(tmp_path), str(sealed)]
    printed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert printed["found"] == 100
    assert printed["state"] > 60_000_000
    assert printed["allocated"] < printed["state"] / 2
