"""Directories that all hosts of a cluster must share."""

import pickle
from pathlib import Path

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output import shared_files as module
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.shared_files import shared_files, sharing_problem


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBE_TIMEOUT_S", 0.0)
    monkeypatch.setattr(module, "_checked", set())


def test_shared_files__worker_sees_the_drivers_probe_file__can_use_the_directory(tmp_path: Path) -> None:
    with shared_files(LocalFiles(), [str(tmp_path)], "one") as files:
        files.write(f"{tmp_path}/of-driver", b"1")
        worker = pickle.loads(pickle.dumps(files))
        assert sharing_problem(worker) is None
        assert worker.names(str(tmp_path)) == ["_tenure-probe-one", "of-driver"]
    assert LocalFiles().names(str(tmp_path)) == ["of-driver"]


def test_shared_files__worker_has_another_directory_at_the_path__first_read_stops_the_pipeline(tmp_path: Path) -> None:
    with shared_files(LocalFiles(), [str(tmp_path)], "one") as files:
        pickled = pickle.dumps(files)
    (tmp_path / "_tenure-probe-of-another-driver").touch()
    worker = pickle.loads(pickled)
    assert f"does not have the file that the driver wrote to {tmp_path}: mount" in str(sharing_problem(worker))
    with pytest.raises(PipelineStopped, match="NOT_SHARED: host") as stopped:
        worker.read(f"{tmp_path}/state")
    assert stopped.value.code is Code.NOT_SHARED


def test_shared_files__directory_checked_before__probe_file_not_needed_again(tmp_path: Path) -> None:
    with shared_files(LocalFiles(), [str(tmp_path)], "one") as files:
        pickled = pickle.dumps(files)
        pickle.loads(pickled)
    assert sharing_problem(pickle.loads(pickled)) is None
