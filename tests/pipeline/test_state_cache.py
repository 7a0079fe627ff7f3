"""The host's copies of state files: there and whole, or not there."""

import os
import time
from pathlib import Path

import pyarrow as pa
import pytest

from tenure.pipeline import state_cache
from tenure.pipeline.state_cache import StateCache
from tests.pipeline.world import STATE

LANE = "state/group/flights-0"
"""A lane's state directory."""


def rows(count: int) -> pa.Table:
    return pa.table({"key": [f"k{n}" for n in range(count)], "count": [1] * count, "total": [2] * count}, schema=STATE)


def kept(directory: Path) -> set[str]:
    """The digests of the files that are copied."""
    return {file.stem for file in files(directory)}


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_put__table__comes_back_mapped_with_what_its_schema_says_of_it(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path / "cache"))
    table = rows(10).replace_schema_metadata({"order": "key"})
    copy = cache.put(LANE, "d1", table)
    found = cache.get(LANE, "d1")
    assert copy is not None
    assert found is not None
    assert found.equals(table, check_metadata=True)
    assert found.equals(copy)


def test_get__another_digest_or_lane__is_a_miss(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    cache.put(LANE, "d1", rows(10))
    assert cache.get(LANE, "d2") is None
    assert cache.get("state/group/flights-1", "d1") is None


@pytest.mark.parametrize("keep", [0, 10, -8])
def test_get__torn_file__is_a_miss(tmp_path: Path, keep: int) -> None:
    cache = StateCache(str(tmp_path))
    cache.put(LANE, "d1", rows(10))
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes()[:keep])
    assert cache.get(LANE, "d1") is None


def test_keep_only__other_files_of_the_lane__go_and_other_lanes_stay(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    cache.put("another lane", "d0", rows(10))
    for digest in ("d1", "d2", "d3"):
        cache.put(LANE, digest, rows(10))
    cache.keep_only(LANE, {"d2", "d3", "d4"})
    assert kept(tmp_path) == {"d0", "d2", "d3"}


def test_keep_only__file_that_is_mapped__keeps_its_bytes(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    mapped = cache.put(LANE, "d1", rows(1000))
    cache.keep_only(LANE, set())
    assert kept(tmp_path) == set()
    assert mapped is not None
    assert mapped.equals(rows(1000))


def test_put__too_much_in_all__copies_used_longest_ago_go(tmp_path: Path) -> None:
    one = StateCache(str(tmp_path))
    for number in range(4):
        one.put(f"lane {number}", f"d{number}", rows(1000))
        os.utime(one.path(f"lane {number}", f"d{number}"), (number, number))
    size = sum(file.stat().st_size for file in files(tmp_path))
    StateCache(str(tmp_path), size * 3 // 4).put("lane 0", "d9", rows(1000))
    assert kept(tmp_path) == {"d2", "d3", "d9"}


def test_put__many_small_copies_that_nobody_uses__hardly_more_than_is_allowed(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path), 200_000)
    for number in range(100):
        cache.put(f"lane {number}", f"d{number}", rows(100))
        os.utime(cache.path(f"lane {number}", f"d{number}"), (number, number))
        assert sum(file.stat().st_size for file in files(tmp_path)) < 210_000
    assert len(kept(tmp_path)) > 10
    assert "d99" in kept(tmp_path)


def test_put__nowhere_to_write__is_a_miss_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = StateCache(str(tmp_path / "file"))
    assert cache.put(LANE, "d1", rows(1)) is None
    assert cache.get(LANE, "d1") is None


def test_copy__disk_fills_up_while_it_is_written__leaves_nothing(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    copy = cache.begin(LANE, STATE)
    copy._writer = Full()
    copy.write_batch(rows(1).to_batches()[0])
    copy.write_batch(rows(1).to_batches()[0])
    assert copy.finish("d1") is None
    assert files(tmp_path) == []


class Full:
    def write_batch(self, _: pa.RecordBatch) -> None:
        raise OSError(28, "No space left on device")


def test_put__too_much_in_all_and_all_of_it_in_use__stays(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path), size_max_bytes=1)
    for number in range(3):
        cache.put(f"lane {number}", f"d{number}", rows(1000))
    assert kept(tmp_path) == {"d0", "d1", "d2"}


def test_put__disk_is_nearly_full__what_was_used_longest_ago_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, now_s = StateCache(str(tmp_path), size_max_bytes=1), time.time()
    for number in range(3):
        cache.put(f"lane {number}", f"d{number}", rows(1000))
        os.utime(cache.path(f"lane {number}", f"d{number}"), (now_s, now_s - 30 + number))
    monkeypatch.setattr(state_cache, "lacking_bytes", lambda _: 1)
    cache.put("lane 3", "d3", rows(1000))
    assert kept(tmp_path) == {"d1", "d2", "d3"}
