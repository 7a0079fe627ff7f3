"""Files on a real disk."""

import os
import pickle
from pathlib import Path

import pyarrow.parquet
import pytest

from tenure.pipeline.output import files as files_module
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.progress import ProgressStep
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.pipeline.harness import Harness, Killed, killed_at


def test_local_files__written_renamed_and_removed__second_rename_or_removal_reports_absence(tmp_path: Path) -> None:
    files, here = LocalFiles(), str(tmp_path)
    files.make_directory(f"{here}/a/b")
    files.write(f"{here}/a/one", b"1")
    assert files.rename(f"{here}/a/one", f"{here}/a/b/two")
    assert not files.rename(f"{here}/a/one", f"{here}/a/b/two")
    assert files.names(f"{here}/a/b") == ["two"]
    assert (files.size(f"{here}/a/b/two"), files.size(f"{here}/a/one")) == (1, None)
    assert files.remove(f"{here}/a/b/two")
    assert not files.remove(f"{here}/a/b/two")
    assert files.names(f"{here}/never") == []


def test_local_files__read_in_pieces__page_cache_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "posix_fadvise", lambda _, start, size, __: forgotten.append((start, size)))
    monkeypatch.setattr(files_module, "STORE_BLOCK_BYTES", 1000)
    whole = os.urandom(3500)
    (tmp_path / "file").write_bytes(whole)
    with LocalFiles().open(str(tmp_path / "file")) as file:
        pieces = list(iter(lambda: file.read(600), b""))
    assert b"".join(pieces) == whole
    assert forgotten == [(0, 1200), (1200, 1200), (2400, 1100)]
    with LocalFiles().open(str(tmp_path / "file")) as file:
        file.seek(3000)
        assert file.read() == whole[3000:]
    assert len(forgotten) == 3


def test_local_files__large_file_written__leaves_the_page_cache_once_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[object] = []
    monkeypatch.setattr(os, "fsync", lambda _, sync=os.fsync: (order.append("sync"), sync(_))[1])
    monkeypatch.setattr(os, "posix_fadvise", lambda _, start, size, __: order.append((start, size)))
    monkeypatch.setattr(files_module, "STORE_BLOCK_BYTES", 100_000)
    for size in (100_000, 99_999):
        LocalFiles().write(str(tmp_path / "file"), b"x" * size)
        assert (tmp_path / "file").read_bytes() == b"x" * size
    assert order == ["sync", (0, 100_000), "sync"]


def test_local_files__write__bytes_synced_before_the_rename_to_the_final_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _, sync=os.fsync: (order.append("sync"), sync(_))[1])
    monkeypatch.setattr(os, "replace", lambda a, b, move=os.replace: (order.append("name"), move(a, b))[1])
    LocalFiles().write(str(tmp_path / "file"), b"x" * 100_000)
    assert order == ["sync", "name"]
    assert (tmp_path / "file").read_bytes() == b"x" * 100_000


def test_local_files__write_fails__no_file_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        LocalFiles().write(str(tmp_path / "file"), b"x")
    assert list(tmp_path.iterdir()) == []


def test_local_files__pickled_and_unpickled__same_type() -> None:
    assert isinstance(pickle.loads(pickle.dumps(LocalFiles())), LocalFiles)


@pytest.mark.parametrize("group", ["a/b", "..", ".", "_x", "a b", "ä"])
def test_layout__group_name_with_special_characters__one_directory_level(group: str) -> None:
    layout = Layout.of(GroupId(group), "/out/")
    lane = Lane((TopicName("t"),), PartitionId(0))
    directory = layout.state_directory(lane)
    assert directory.count("/") == 4
    assert os.path.normpath(directory) == directory


def test_pipeline__on_a_real_disk_killed_and_restarted__each_record_once(tmp_path: Path) -> None:
    harness = Harness(files=LocalFiles())
    harness.layout = Layout.of(harness.layout.group, str(tmp_path / "out"))
    harness.produce(50)
    with pytest.raises(Killed):
        harness.start(observer=killed_at(ProgressStep.COMMITTED, 2)).run()
    harness.start().run()
    table = pyarrow.parquet.read_table(tmp_path / "out")
    assert table.num_rows == 100
    assert len(set(zip(table["partition"].to_pylist(), table["offset"].to_pylist(), strict=True))) == 100
