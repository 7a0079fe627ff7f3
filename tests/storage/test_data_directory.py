import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tenure.protocol.types import TopicId
from tenure.storage.data_directory import DataDirectory, topic_and_partition
from tenure.storage.errors import DirectoryInUse, DirectoryUnusable
from tenure.storage.files import LocalDataFiles, ReadOnlyFiles
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.forgetful import ForgetfulDisk
from tests.storage.logs import fill, on, opened

HOLDS_IT = """
import sys
from tenure.storage.data_directory import DataDirectory
held = DataDirectory.open(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""

LOCKS_LIKE_JAVA = """
import fcntl, sys
held = open(sys.argv[1], "r+")
fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
print("held", flush=True)
sys.stdin.read()
"""


def test_data_directory__does_not_exist__created_with_a_permanent_cluster_id(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "data"
    directory = DataDirectory.open(str(path))
    directory.close()
    again = DataDirectory.open(str(path))
    assert again.cluster_id == directory.cluster_id
    assert len(again.cluster_id) == 22
    assert not directory.was_clean
    assert again.was_clean
    again.close()


def test_data_directory__does_not_exist_and_must_not_be_created__error_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DirectoryUnusable, match="does not exist: create it, or name another"):
        DataDirectory.open(str(tmp_path / "none"), create=False)


def test_data_directory__new_ext4_volume_with_lost_and_found__accepted(tmp_path: Path) -> None:
    (tmp_path / "lost+found").mkdir()
    DataDirectory.open(str(tmp_path)).close()


def test_data_directory__disk_full__error_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DirectoryUnusable, match=r"cannot be written to \(No space left on device\): free disk space"):
        DataDirectory.open(str(tmp_path / "data"), files=FullDisk())


class FullDisk(LocalDataFiles):
    def write(self, path: str, data: bytes, *, sync: bool) -> None:  # noqa: ARG002
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)


def test_open_partition__disk_full__error_with_the_remedy(tmp_path: Path) -> None:
    directory = DataDirectory.open(str(tmp_path))
    directory.files = FullDisk()
    with pytest.raises(DirectoryUnusable, match=r"cannot be opened \(No space left on device\): free disk space"):
        Partition.open(directory, "flights-0", LogSettings(), durability=Durability.OS, topic_id=TopicId(b"\1" * 16))
    directory.close()


def test_data_directory__stopped_uncleanly_after_a_clean_stop__not_clean_at_the_next_start(tmp_path: Path) -> None:
    DataDirectory.open(str(tmp_path)).close()
    DataDirectory.open(str(tmp_path)).close(clean=False)
    directory = DataDirectory.open(str(tmp_path))
    assert not directory.was_clean
    directory.close()


def test_data_directory__used_by_another_process__error_with_its_pid_and_the_remedy(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS_IT, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    with holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DirectoryInUse, match=f"in use by process {holder.pid}: stop that process, or name another"):
            DataDirectory.open(str(tmp_path))
        holder.kill()
        holder.wait()
        DataDirectory.open(str(tmp_path)).close()  # the lock ends with its process, however that ends


def test_data_directory__locked_by_a_java_process__refused_for_serving_and_for_reading(tmp_path: Path) -> None:
    DataDirectory.open(str(tmp_path)).close()
    holder = subprocess.Popen(
        [sys.executable, "-c", LOCKS_LIKE_JAVA, str(tmp_path / ".lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == b"held\n"
        for files in (LocalDataFiles(), ReadOnlyFiles()):
            with pytest.raises(DirectoryInUse, match=f"in use by process {holder.pid}: stop"):
                files.lock(str(tmp_path))
        holder.kill()
        holder.wait()
        DataDirectory.open(str(tmp_path)).close()


def test_data_directory__in_use__java_process_cannot_lock_it(tmp_path: Path) -> None:
    directory = DataDirectory.open(str(tmp_path))
    locking = [sys.executable, "-c", LOCKS_LIKE_JAVA, str(tmp_path / ".lock")]
    done = subprocess.run(locking, capture_output=True, text=True, check=False)
    directory.close()
    assert "BlockingIOError" in done.stderr
    assert subprocess.run(locking, stdin=subprocess.DEVNULL, check=False).returncode == 0


def test_data_directory__used_by_another_process_and_lock_file_deleted__refused(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS_IT, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == b"held\n"
        (tmp_path / ".lock").unlink()
        with pytest.raises(DirectoryInUse, match="in use by another process: stop that process"):
            DataDirectory.open(str(tmp_path))
        holder.kill()
        holder.wait()
        DataDirectory.open(str(tmp_path)).close()


def test_data_directory__umask_022__files_are_readable_for_this_user_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        directory = DataDirectory.open(str(tmp_path / "data"))
        partition = opened(directory, Durability.OS)
        fill(partition, 60)
        partition.close()
        directory.close()
    finally:
        os.umask(before)
    paths = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert {path.name for path in paths} > {"data", "flights-0", "meta.properties", ".lock", f"{0:020}.log"}
    assert {mode_of(path) for path in paths if path.is_dir()} == {0o700}
    assert {mode_of(path) for path in paths if path.is_file()} == {0o600}


def test_data_directory__strict_umask__files_have_no_more_permissions_than_it_allows(tmp_path: Path) -> None:
    before = os.umask(0o277)
    try:
        LocalDataFiles().write(str(tmp_path / "new"), b"", sync=False)
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "new") == 0o400


def test_write__file_exists_with_other_permissions__permissions_unchanged(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"before")
    (tmp_path / "old").chmod(0o640)
    LocalDataFiles().write(str(tmp_path / "old"), b"after", sync=True)
    assert (mode_of(tmp_path / "old"), (tmp_path / "old").read_bytes()) == (0o640, b"after")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_data_directory__has_files_of_another_program__refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(DirectoryUnusable, match=r"contains letters\.txt; name an empty directory"):
        DataDirectory.open(str(tmp_path))
    assert [p.name for p in tmp_path.iterdir() if not p.name.startswith(".")] == ["letters.txt"]


def test_data_directory__written_by_apache_kafka__taken_over(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("#Thu Nov 26 2026\nversion=1\ncluster.id=abc\nnode.id=7\n")
    DataDirectory.open(str(tmp_path), node_id=7).close()
    assert (tmp_path / "meta.properties").read_text() == "version=1\ncluster.id=abc\nnode.id=7\ntenure.format=1\n"


def test_data_directory__written_by_apache_kafka_before_kraft__refused(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=0\ncluster.id=abc\nbroker.id=1\n")
    with pytest.raises(DirectoryUnusable, match="belongs to a version of Apache Kafka without KRaft"):
        DataDirectory.open(str(tmp_path))


def test_data_directory__format_of_another_release__error_names_the_format(tmp_path: Path) -> None:
    DataDirectory.open(str(tmp_path)).close()
    properties = tmp_path / "meta.properties"
    properties.write_text(properties.read_text().replace("tenure.format=1", "tenure.format=2"))
    with pytest.raises(DirectoryUnusable, match="has format version 2, but this release of Tenure reads 1"):
        DataDirectory.open(str(tmp_path))


def test_data_directory__path_is_a_file__error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(DirectoryUnusable, match="cannot be used"):
        DataDirectory.open(str(tmp_path / "data"))


def test_partition_directories__topic_names_with_dashes_and_other_directories__only_partitions(tmp_path: Path) -> None:
    directory = DataDirectory.open(str(tmp_path))
    for name in ("flights-0", "a-b-12", "__consumer_offsets-49", "no_partition", "x-"):
        os.mkdir(tmp_path / name)
    names = directory.partition_directories()
    assert names == ["__consumer_offsets-49", "a-b-12", "flights-0"]
    assert [topic_and_partition(name) for name in names] == [("__consumer_offsets", 49), ("a-b", 12), ("flights", 0)]
    directory.close()


def test_partition_directories__crash_during_a_deletion__remaining_files_removed_at_the_start() -> None:
    disk = ForgetfulDisk()
    directory = on(disk)
    fill(opened(directory), 5)
    directory.files.rename("/data/flights-0", "/data/flights-0.0123-delete")
    directory.files.sync_directory("/data")
    later = on(disk.crash(lambda tail: tail, names_survive=True))
    assert later.partition_directories() == []
    assert [name for name in later.files.listdir("/data") if "flights" in name] == []


def test_import__modules_of_storage_and_records__neither_numpy_nor_arrow_loaded() -> None:
    code = (
        "import sys, tenure.storage.log.partition, tenure.storage.sync_pool, tenure.protocol.records\n"
        "print(sorted({'numpy', 'pyarrow', 'asyncio', 'zstandard', 'lz4', 'cramjam'} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
