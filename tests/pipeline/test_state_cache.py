"""Copies of state files on a host: complete, or absent."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from tenure.pipeline.state import state_cache, state_copy
from tenure.pipeline.state.state_cache import StateCache, copy_name
from tests.pipeline.harness import STATE

LANE = "state/group/flights-0"
"""State directory of a lane."""


def rows(count: int) -> pa.Table:
    return pa.table({"key": [f"k{n}" for n in range(count)], "count": [1] * count, "total": [2] * count}, schema=STATE)


def kept(directory: Path) -> set[str]:
    """Return the digests of the copied files."""
    return {file.stem for file in files(directory)}


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_state_cache__table_stored__memory_mapped_with_its_schema_metadata(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path / "cache"))
    table = rows(10).replace_schema_metadata({"order": "key"})
    copy = cache.put(LANE, "d1", table)
    found = cache.get(LANE, "d1")
    assert copy is not None
    assert found is not None
    assert found.equals(table, check_metadata=True)
    assert found.equals(copy)


def test_state_cache__another_digest_or_lane_requested__no_copy(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    cache.put(LANE, "d1", rows(10))
    assert cache.get(LANE, "d2") is None
    assert cache.get("state/group/flights-1", "d1") is None


@pytest.mark.parametrize("keep", [0, 10, -8])
def test_state_cache__copy_truncated__not_used(tmp_path: Path, keep: int) -> None:
    cache = StateCache(str(tmp_path))
    cache.put(LANE, "d1", rows(10))
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes()[:keep])
    assert cache.get(LANE, "d1") is None


@pytest.mark.parametrize("checked", [True, False], ids=["checked before", "first use in the process"])
@pytest.mark.parametrize("piece_bytes", [1 << 23, 1 << 10])
@pytest.mark.parametrize("at", [0, 700, -4000, -9, -1])
def test_state_cache__one_bit_of_a_copy_flipped__copy_removed_with_one_log_line(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    at: int,
    piece_bytes: int,
    checked: bool,
) -> None:
    monkeypatch.setattr(state_copy, "STATE_BATCH_BYTES", piece_bytes)
    cache = StateCache(str(tmp_path))
    cache.put(LANE, "d1", rows(10_000))
    (file,) = files(tmp_path)
    data, written = bytearray(file.read_bytes()), file.stat()
    data[at] ^= 1
    file.write_bytes(data)
    if not checked:  # As if the disk had flipped the bit: the file has the same times.
        os.utime(file, ns=(written.st_atime_ns, written.st_mtime_ns))
        state_copy._checked.clear()
    assert cache.get(LANE, "d1") is None
    assert files(tmp_path) == []
    (line,) = caplog.messages
    assert line == (
        f"state cache: removed the damaged file {file} (the checksum is wrong), its data is read from the state "
        "directory instead"
    )
    assert cache.get(LANE, "d1") is None
    assert len(caplog.messages) == 1


def test_state_cache__copy_renamed_to_another_digest__not_used(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    cache.put(LANE, "d1", rows(10))
    os.rename(tmp_path / copy_name(LANE, "d1"), tmp_path / copy_name(LANE, "d2"))
    assert cache.get(LANE, "d2") is None


def test_state_cache__same_copy_opened_several_times__checked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, checks = StateCache(str(tmp_path)), []
    cache.put(LANE, "d1", rows(10))
    state_copy._checked.clear()
    check = state_copy._check
    monkeypatch.setattr(state_copy, "_check", lambda *given: (checks.append(given), check(*given)))
    for _ in range(3):
        assert cache.get(LANE, "d1") is not None
    assert len(checks) == 1


# --- owner of the directory -------------------------------------------------------------------------------------------


def open_to_others(directory: Path, _: pytest.MonkeyPatch) -> str:
    directory.chmod(0o777)
    return "is open to other users"


def of_another_user(_directory: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    return "belongs to another user"


def link(directory: Path, _: pytest.MonkeyPatch) -> str:
    elsewhere = directory.rename(directory.with_name("elsewhere"))
    directory.symlink_to(elsewhere, target_is_directory=True)
    return "is a symbolic link or a file"


@pytest.mark.parametrize("prepared", [open_to_others, of_another_user, link])
def test_state_cache__directory_writable_for_other_users__not_used_and_one_warning(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    prepared: Callable[[Path, pytest.MonkeyPatch], str],
) -> None:
    directory = tmp_path / "cache"
    cache = StateCache(str(directory))
    cache.put(LANE, "d1", rows(10))
    progress_at = prepared(directory, monkeypatch)
    state_cache._roots.clear()  # As in another process.
    assert cache.get(LANE, "d1") is None
    assert cache.put(LANE, "d2", rows(10)) is None
    cache.keep_only(LANE, set())
    assert kept(tmp_path) == {"d1"}
    assert [cache.is_usable(), cache.is_usable()] == [False, False]
    (line,) = caplog.messages
    assert line.startswith("state cache is disabled (")
    assert f" {directory} {progress_at}" in line


def test_state_cache__directory_replaced_after_the_check__checked_directory_is_used(tmp_path: Path) -> None:
    directory = tmp_path / "cache"
    cache = StateCache(str(directory))
    cache.put(LANE, "d1", rows(10))
    checked = directory.rename(tmp_path / "checked")
    directory.mkdir(mode=0o777)
    found = cache.get(LANE, "d1")
    assert found is not None
    cache.put(LANE, "d2", rows(10))
    assert kept(checked) == {"d1", "d2"}
    assert files(directory) == []


def test_state_cache__directory_removed__created_again(tmp_path: Path) -> None:
    directory = tmp_path / "cache"
    cache = StateCache(str(directory))
    assert cache.is_usable()
    directory.rmdir()
    assert cache.put(LANE, "d1", rows(10)) is not None
    assert directory.stat().st_mode & 0o777 == 0o700


def test_state_cache_keep_only__other_copies_of_the_lane__removed(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    cache.put("another lane", "d0", rows(10))
    for digest in ("d1", "d2", "d3"):
        cache.put(LANE, digest, rows(10))
    cache.keep_only(LANE, {"d2", "d3", "d4"})
    assert kept(tmp_path) == {"d0", "d2", "d3"}


def test_state_cache_keep_only__copy_is_memory_mapped__mapped_bytes_unchanged(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path))
    mapped = cache.put(LANE, "d1", rows(1000))
    cache.keep_only(LANE, set())
    assert kept(tmp_path) == set()
    assert mapped is not None
    assert mapped.equals(rows(1000))


def test_state_cache__size_limit_exceeded__least_recently_used_copies_removed(tmp_path: Path) -> None:
    one = StateCache(str(tmp_path))
    for number in range(4):
        one.put(f"lane {number}", f"d{number}", rows(1000))
        os.utime(tmp_path / copy_name(f"lane {number}", f"d{number}"), (number, number))
    size = sum(file.stat().st_size for file in files(tmp_path))
    StateCache(str(tmp_path), size * 3 // 4).put("lane 0", "d9", rows(1000))
    assert kept(tmp_path) == {"d2", "d3", "d9"}


def test_state_cache__many_small_unused_copies__size_stays_near_the_limit(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path), 200_000)
    for number in range(100):
        cache.put(f"lane {number}", f"d{number}", rows(100))
        os.utime(tmp_path / copy_name(f"lane {number}", f"d{number}"), (number, number))
        assert sum(file.stat().st_size for file in files(tmp_path)) < 210_000
    assert len(kept(tmp_path)) > 10
    assert "d99" in kept(tmp_path)


def test_state_cache__directory_not_writable__no_copy_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = StateCache(str(tmp_path / "file"))
    assert cache.put(LANE, "d1", rows(1)) is None
    assert cache.get(LANE, "d1") is None


def test_state_cache__disk_fills_up_during_a_copy__copy_removed(tmp_path: Path) -> None:
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


def test_state_cache__size_limit_exceeded_but_all_copies_in_use__none_removed(tmp_path: Path) -> None:
    cache = StateCache(str(tmp_path), size_max_bytes=1)
    for number in range(3):
        cache.put(f"lane {number}", f"d{number}", rows(1000))
    assert kept(tmp_path) == {"d0", "d1", "d2"}


def test_state_cache__disk_nearly_full__least_recently_used_copies_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, now_s = StateCache(str(tmp_path), size_max_bytes=1), time.time()
    for number in range(3):
        cache.put(f"lane {number}", f"d{number}", rows(1000))
        used_s = now_s - 30 + number
        os.utime(tmp_path / copy_name(f"lane {number}", f"d{number}"), (used_s, used_s))
    monkeypatch.setattr(state_cache, "lacking_bytes", lambda _: 1)
    cache.put("lane 3", "d3", rows(1000))
    assert kept(tmp_path) == {"d1", "d2", "d3"}
