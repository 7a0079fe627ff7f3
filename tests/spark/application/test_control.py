"""Control socket: discovery of applications on this host, and requests from another process."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tenure.spark.application import control_socket
from tenure.spark.application.control_socket import ControlServer, running_applications
from tenure.spark.application.run_directory import DIRECTORY_VARIABLE, NoRunDirectory, new_socket_path, run_directory

CHILD = """
import sys
from tenure.spark.application.control_socket import ControlServer
server = ControlServer({"who": lambda: {"pipeline": "flights", "pid": 7}})
print(server.path, flush=True)
sys.stdin.read()
"""


@contextmanager
def application() -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Yield another process with a control socket, and the path of the socket."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        try:
            assert child.stdout is not None
            yield child, Path(child.stdout.readline().rstrip("\n"))
        finally:
            child.kill()


def test_control_socket__request_then_application_killed__answer_then_end_of_connection() -> None:
    with application() as (child, path), running_applications("flights") as (found, silent):
        (one,) = found
        assert (one.path, one.description, silent) == (path, {"pipeline": "flights", "pid": 7}, [])
        assert one.connection.ask("juggle") == {"trouble": "unknown command 'juggle'"}
        assert not one.connection.has_ended(0.01)
        child.kill()
        assert one.connection.has_ended(60)
        assert one.connection.ask("who") == {}


def test_running_applications__other_pipeline__not_listed() -> None:
    with application(), running_applications("trains") as (found, silent):
        assert (found, silent) == ([], [])


def test_running_applications__killed_process__socket_removed() -> None:
    with application() as (child, path):
        child.kill()
        child.wait()
        assert path.exists()
        with running_applications() as (found, silent):
            assert (found, silent) == ([], [])
        assert not path.exists()


def test_running_applications__suspended_process__listed_as_not_answering(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(control_socket, "CONTROL_ANSWER_S", 0.2)
    with application() as (child, path):
        child.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        with running_applications() as (found, silent):
            assert (found, silent) == ([], [path])


def test_control_server__another_process_looks_up_the_socket_before_listen__socket_not_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class LookedAt(socket.socket):
        def listen(self, *backlog: int) -> None:
            with running_applications():
                super().listen(*backlog)

    with monkeypatch.context() as patched:
        patched.setattr(socket, "socket", LookedAt)
        door = ControlServer({"who": lambda: {"pipeline": "flights"}})
    try:
        with running_applications("flights") as (found, _):
            assert [one.path for one in found] == [door.path]
    finally:
        door.close()


def test_control_server__closed__socket_removed_and_connections_closed() -> None:
    door = ControlServer({"who": lambda: {"pipeline": "flights"}})
    try:
        with running_applications("flights") as (found, _):
            (one,) = found
            door.close()
            assert one.connection.has_ended(60)
    finally:
        door.close()
    assert not door.path.exists()


def test_run_directory__readable_by_others__refused(own_run_directory: Path) -> None:
    own_run_directory.chmod(0o755)
    with pytest.raises(NoRunDirectory, match=r"is open to other users \(mode bits 055\): run chmod 700 on it"):
        run_directory()


def test_run_directory__symbolic_link__refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours").mkdir(mode=0o700)
    (tmp_path / f"tenure-{os.getuid()}").symlink_to(tmp_path / "ours")
    monkeypatch.delenv(DIRECTORY_VARIABLE)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(NoRunDirectory, match="is a symbolic link or a file"):
        run_directory()


def test_run_directory__path_too_long_for_a_socket__refused(
    own_run_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DIRECTORY_VARIABLE, str(own_run_directory / ("d" * 100)))
    with pytest.raises(NoRunDirectory, match=f"set {DIRECTORY_VARIABLE} to a shorter path"):
        new_socket_path()


def test_run_directory__cannot_be_created__refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DIRECTORY_VARIABLE, "/proc/tenure")
    with pytest.raises(NoRunDirectory, match=r"/proc/tenure cannot be created"):
        run_directory()
