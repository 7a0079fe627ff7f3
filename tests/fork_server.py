"""Process that imports modules once, and forks a child for each call.

    with ForkServer("tests.forked_broker") as fork_server:
        child = fork_server.start({"command": command})
        status = child.wait()       # exit status, or minus the number of the signal that ended it

The module has a function `warm_up()`, which imports what children need, and a function `run(**call)` for the child. The
process never starts a thread, because a fork copies only the calling thread. It ends when its connection ends, and its
children are killed when it ends. So no child outlives the tests, even if these are killed.
"""

import ctypes
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import ModuleType, TracebackType
from typing import Any, Final, Self, TextIO

PATIENCE_S = 120.0
PR_SET_PDEATHSIG: Final = 1
ROOT: Final = Path(__file__).resolve().parent.parent
MESSAGE_MAX: Final = 200_000
"""Maximum bytes of a call with the environment of the child."""
OUTPUTS: Final = (1, 2)
"""Standard output and standard error."""


class Child:
    """Forked process. `status` is its exit status, as `subprocess` has it; None while it runs."""

    def __init__(self, fork_server: "ForkServer", pid: int) -> None:
        self.pid = pid
        self.status: int | None = None
        self._fork_server = fork_server
        self._descriptor = os.pidfd_open(
            pid
        )  # The fork server keeps the process id in use until it is asked for the status.

    @property
    def is_alive(self) -> bool:
        return not self.has_ended(0.0)

    def wait(self, timeout_s: float = PATIENCE_S) -> int:
        """Wait until the process ends; return its exit status."""
        assert self.has_ended(timeout_s), f"process {self.pid} has not ended within {timeout_s:.0f} s"
        assert self.status is not None
        return self.status

    def has_ended(self, timeout_s: float) -> bool:
        """Return whether the process ends within this time."""
        if self.status is None:
            poll = select.poll()
            poll.register(self._descriptor, select.POLLIN)
            if poll.poll(timeout_s * 1000):
                self.status = self._fork_server.status_of(self.pid)
                os.close(self._descriptor)
        return self.status is not None

    @property
    def is_stopped(self) -> bool:
        """Return whether the process is suspended; False if it has ended."""
        with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{self.pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"
        return False

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended: its id may belong to another process by then."""
        if self.status is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, number)

    def end(self) -> None:
        self.send(signal.SIGKILL)
        self.wait()


class ForkServer:
    """Parent's side of the forking process; threads may share it."""

    def __init__(self, module: str) -> None:
        self.children: list[Child] = []
        self._lock = Lock()
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tests.fork_server", module, str(theirs.fileno())]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], cwd=ROOT)

    def start(self, call: Mapping[str, Any], outputs: Sequence[int] = ()) -> Child:
        """Fork a child in this process's directory and environment.

        `outputs` are the descriptors of its standard output and standard error, by default those of the fork server.
        """
        surroundings = {"directory": os.getcwd(), "environment": dict(os.environ)}
        child = Child(self, self._ask({"call": call, **surroundings}, outputs))
        self.children.append(child)
        return child

    def start_with_output(self, call: Mapping[str, Any], errors: Path) -> tuple[Child, TextIO]:
        """Fork a child; return also its standard output. Its standard error is added to the file `errors`."""
        read, write = os.pipe()
        with errors.open("a") as log, os.fdopen(write, "wb") as output:
            return self.start(call, [output.fileno(), log.fileno()]), os.fdopen(read, encoding="utf-8")

    def status_of(self, pid: int) -> int:
        """Return the exit status of a child that has ended."""
        if self._process.poll() is not None:
            return -signal.SIGKILL  # It was killed when this server ended.
        return self._ask({"ended": pid})

    def _ask(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> int:
        with self._lock:
            socket.send_fds(self._connection, [json.dumps(message).encode()], descriptors)
            return int(self._connection.recv(MESSAGE_MAX))

    def close(self) -> None:
        """End the fork server, and so its children."""
        self._connection.close()
        self._process.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for child in self.children:
            child.end()
        self.close()


def serve(module: ModuleType, connection: socket.socket) -> None:
    """Answer each call with the process id of a child, and each question about an ended child with its exit status."""
    module.warm_up()
    gc.collect()
    gc.freeze()  # Else the collector of a child writes into all objects, and the system has to copy their pages.
    server, prctl = os.getpid(), ctypes.CDLL(None).prctl
    while True:
        message, descriptors, *_ = socket.recv_fds(connection, MESSAGE_MAX, len(OUTPUTS))
        if not message:
            return
        asked = json.loads(message)
        if "ended" in asked:
            answer = os.waitstatus_to_exitcode(os.waitpid(asked["ended"], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != server:
                    os._exit(1)  # The server ended before the call.
                connection.close()
                become_child(asked["directory"], asked["environment"], descriptors)
                module.run(**asked["call"])
                return
            for descriptor in descriptors:
                os.close(descriptor)
        connection.send(b"%d" % answer)


def become_child(directory: str, environment: Mapping[str, str], outputs: Sequence[int]) -> None:
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    for own, given in zip(OUTPUTS, outputs, strict=False):
        os.dup2(given, own)
        os.close(given)


if __name__ == "__main__":
    serve(import_module(sys.argv[1]), socket.socket(fileno=int(sys.argv[2])))
