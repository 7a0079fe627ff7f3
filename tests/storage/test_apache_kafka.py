"""Data directories on which Apache Kafka ran after Tenure."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import DirectoryUnusable
from tenure.storage.files import LocalDataFiles
from tenure.storage.log.partition import Partition
from tenure.storage.recovery.inventory_check import DataMissing
from tests.storage.logs import NAME, fill, opened, records_of


def test_data_directory__apache_kafka_ran_on_it_with_another_node_id__refused(tmp_path: Path) -> None:
    DataDirectory.open(str(tmp_path), node_id=1).close()
    run_apache_kafka(tmp_path)
    with pytest.raises(DirectoryUnusable, match=r"belongs to node 1, not to node 2: set node\.id=1"):
        DataDirectory.open(str(tmp_path), node_id=2)


def test_data_directory__another_node_id_and_apache_kafka_never_ran_on_it__new_node_id_recorded(tmp_path: Path) -> None:
    DataDirectory.open(str(tmp_path)).close()
    DataDirectory.open(str(tmp_path), node_id=2).close()
    assert "node.id=2\n" in (tmp_path / "meta.properties").read_text()


def test_data_directory__apache_kafka_deleted_records__not_reported_as_missing(tmp_path: Path) -> None:
    """Report nothing: Tenure's inventory does not contain deletions by Apache Kafka."""
    with filled_partition(tmp_path):
        pass
    first, *others = sorted((tmp_path / NAME).glob("*.log"))
    run_apache_kafka(tmp_path)
    first.unlink()
    start = int(others[0].stem) + 1
    (tmp_path / "log-start-offset-checkpoint").write_text(f"0\n1\nflights 0 {start}\n")
    directory = DataDirectory.open(str(tmp_path))
    assert directory.missing == []
    partition = opened(directory)
    assert partition.log_start_offset == start
    partition.close()
    directory.close()
    others[0].unlink()
    with pytest.raises(DataMissing):
        DataDirectory.open(str(tmp_path))


def test_delete_records__new_start_offset__written_to_kafkas_log_start_offset_checkpoint(tmp_path: Path) -> None:
    with filled_partition(tmp_path) as partition:
        partition.delete_records(3)
    assert (tmp_path / "log-start-offset-checkpoint").read_text() == "0\n1\nflights 0 3\n"


def run_apache_kafka(path: Path) -> None:
    """Write what each start of Apache Kafka writes."""
    (path / "__cluster_metadata-0").mkdir(exist_ok=True)
    (path / "__cluster_metadata-0" / "quorum-state").write_text('{"leaderEpoch":1}')
    (path / ".kafka_cleanshutdown").unlink(missing_ok=True)


@contextmanager
def filled_partition(path: Path) -> Iterator[Partition]:
    """Yield a partition of several segments, and close it at the end."""
    directory = DataDirectory.open(str(path))
    partition = opened(directory)
    fill(partition, 50)
    partition.sync()
    yield partition
    partition.close()
    directory.close()


def test_data_directory__apache_kafka_was_killed__its_preallocated_index_files_are_not_read(tmp_path: Path) -> None:
    with filled_partition(tmp_path):
        pass
    run_apache_kafka(tmp_path)
    active = max((tmp_path / NAME).glob("*.log"))
    for kind in ("index", "timeindex"):
        with active.with_suffix(f".{kind}").open("wb") as preallocated:
            preallocated.truncate(10_485_756)
    files = ReadFiles()
    directory = DataDirectory.open(str(tmp_path), files=files)
    partition = opened(directory)
    assert len(records_of(partition)) == 50
    assert not {f"{active.with_suffix('.index')}", f"{active.with_suffix('.timeindex')}"} & files.paths
    partition.close()
    directory.close()


class ReadFiles(LocalDataFiles):
    """Files that note which of them were read as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: set[str] = set()

    def read(self, path: str) -> bytes:
        self.paths.add(path)
        return super().read(path)
