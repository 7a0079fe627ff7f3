"""Directories that are not writable are reported before anything else happens."""

from pathlib import Path

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.directory_check import check_writable
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.protocol.types import GroupId
from tests.simulation.pipelines.files import ForgetfulFiles

GROUP = GroupId("words")


def test_check_writable__directories_do_not_exist__created_and_left_empty(tmp_path: Path) -> None:
    out, state = tmp_path / "a" / "out", tmp_path / "b" / "state"
    check_writable(LocalFiles(), Layout.of(GROUP, str(out), str(state)), "x")
    assert (list(out.iterdir()), list(state.iterdir())) == ([], [])


@pytest.mark.parametrize(
    ("sink", "state", "sentence"),
    [
        ("/proc/out", None, r"output directory /proc/out cannot be written \(No such file or directory\).*in its sink"),
        (
            "out",
            "/proc/state",
            r"state directory /proc/state cannot be written \(.*\): make it writable.*state_directory",
        ),
        ("file", None, r"output directory .*file cannot be written \((File exists|Not a directory)\)"),
    ],
)
def test_check_writable__one_directory_not_writable__error_with_cause_and_remedy(
    tmp_path: Path, sink: str, state: str | None, sentence: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PipelineStopped, match=sentence) as stopped:
        check_writable(LocalFiles(), Layout.of(GROUP, str(tmp_path / sink), state), "x")
    assert stopped.value.code is Code.FILES_FAILED


def test_check_writable__disk_is_full__error_and_no_file_left() -> None:
    files = ForgetfulFiles()
    files.full = True
    with pytest.raises(PipelineStopped, match="No space left on device"):
        check_writable(files, Layout.of(GROUP, "/out"), "x")
    assert files.now == {}
