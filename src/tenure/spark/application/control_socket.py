"""Control socket of a running application: a Unix socket in the run directory of the host.

Each command and each answer is one line of JSON. The client may keep a connection open. The application closes it only
when the application ends.
"""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from tenure.limits.spark import CONTROL_ANSWER_S, CONTROL_CONNECTIONS_MAX, CONTROL_LINE_BYTES_MAX
from tenure.spark.application.run_directory import new_socket_path, socket_paths

Answers: TypeAlias = Mapping[str, Callable[[], dict[str, Any]]]
"""Functions that answer requests, by command. Called in threads of the server."""

WHO: Final = "who"


class NoAnswer(Exception):
    """The application exists but does not answer, because it is stopped (SIGSTOP) or the host is overloaded."""


class ControlServer:
    """Server side of the control socket, in the application."""

    def __init__(self, answers: Answers) -> None:
        """Open the socket and answer requests in background threads. Raises OSError if it cannot be created."""
        self._answers: Final = answers
        self.path: Final = new_socket_path()
        self._listening: Final = socket.socket(socket.AF_UNIX)
        self._open: Final[set[socket.socket]] = set()
        self._lock: Final = threading.Lock()
        self._closed = False
        # The socket gets its final name after `listen`: other processes remove a socket on which no process listens.
        unnamed = self.path.with_suffix(".new")
        try:
            unnamed.unlink(missing_ok=True)  # An earlier process with the same process id may have left the file.
            self._listening.bind(os.fspath(unnamed))
            self._listening.listen()
            unnamed.replace(self.path)
        except OSError:
            self._listening.close()
            raise
        threading.Thread(target=self._accept, name="tenure-control", daemon=True).start()

    def close(self) -> None:
        """Close the socket and all connections."""
        with self._lock:
            self._closed = True
            connections = list(self._open)
        self.path.unlink(missing_ok=True)
        for one in (self._listening, *connections):
            with suppress(OSError):  # Wakes up threads that wait for data or connections of this socket.
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                is_accepted = not self._closed and len(self._open) < CONTROL_CONNECTIONS_MAX
                if is_accepted:
                    self._open.add(connection)
            if is_accepted:
                threading.Thread(
                    target=self._serve, args=(connection,), name="tenure-control-connection", daemon=True
                ).start()
            else:
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection, connection.makefile("rwb") as lines:
            while line := lines.readline(CONTROL_LINE_BYTES_MAX):
                requested = json.loads(line)["do"]
                answer = self._answers.get(requested)
                result = {"trouble": f"unknown command '{requested}'"} if answer is None else answer()
                lines.write(json.dumps(result).encode() + b"\n")
                lines.flush()
        with self._lock:
            self._open.discard(connection)


class ControlConnection:
    """Connection to the control socket of one application."""

    def __init__(self, path: Path) -> None:
        """Connect to the socket.

        Raises:
            ConnectionRefusedError: The process has ended and left its socket behind.
            FileNotFoundError: The socket does not exist any more.
        """
        self._socket: Final = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(CONTROL_ANSWER_S)
        try:
            self._socket.connect(os.fspath(path))
        except OSError:
            self._socket.close()
            raise
        self._lines: Final = self._socket.makefile("rwb")

    def ask(self, command: str) -> dict[str, Any]:
        """Send a command and return the answer; an empty dict if the application has just ended. Raises `NoAnswer`."""
        try:
            self._lines.write(json.dumps({"do": command}).encode() + b"\n")
            self._lines.flush()
            line = self._lines.readline()
        except TimeoutError:
            raise NoAnswer from None
        except OSError:
            return {}
        return dict(json.loads(line)) if line else {}

    def has_ended(self, within_s: float) -> bool:
        """Wait up to `within_s` seconds for the end of the application, and return whether it has ended.

        Do not call this while a request has no answer yet: the answer would be lost.
        """
        self._socket.settimeout(within_s)
        try:
            return not self._socket.recv(1)
        except TimeoutError:
            return False
        except OSError:
            return True

    def close(self) -> None:
        with suppress(OSError):
            self._lines.close()
        self._socket.close()


class RunningApplication:
    """Running application on this host, found by its control socket."""

    def __init__(self, path: Path, connection: ControlConnection, description: Mapping[str, Any]) -> None:
        self.path: Final = path
        self.connection: Final = connection
        self.description: Final = description

    @property
    def group(self) -> str:
        return str(self.description.get("pipeline", ""))


@contextmanager
def running_applications(group: str | None = None) -> Iterator[tuple[list[RunningApplication], list[Path]]]:
    """Yield the running applications of this user on this host, and the sockets that do not answer.

    Args:
        group: Name of a pipeline, to yield only its applications; None for all applications.
    """
    found: list[RunningApplication] = []
    silent: list[Path] = []
    try:
        for path in socket_paths():
            try:
                connection = ControlConnection(path)
            except FileNotFoundError:
                continue
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)  # The application was killed and left its socket behind.
                continue
            except OSError:
                silent.append(path)
                continue
            _identify(path, connection, found, silent)
        yield [one for one in found if group in (None, one.group)], silent
    finally:
        for one in found:
            one.connection.close()


def _identify(path: Path, connection: ControlConnection, found: list[RunningApplication], silent: list[Path]) -> None:
    try:
        description = connection.ask(WHO)
    except NoAnswer:
        silent.append(path)
        connection.close()
        return
    if description:
        found.append(RunningApplication(path, connection, description))
    else:
        connection.close()
