"""How a running application is reached from outside: a Unix socket in the host's run directory, one JSON line each way.

A connection stays open for as long as its client likes; that it ends on this side tells that the application has.
"""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from tenure.limits import CONTROL_ANSWER_S, CONTROL_CONNECTIONS_MAX, CONTROL_LINE_BYTES_MAX
from tenure.spark.application.run_directory import new_socket_path, socket_paths

Answers: TypeAlias = Mapping[str, Callable[[], dict[str, Any]]]
"""What can be asked for, by its word. Called in a thread of the door's own."""

WHO: Final = "who"


class NoAnswer(Exception):
    """An application is there and does not answer: it is stopped (SIGSTOP), or its machine is overloaded."""


class ControlServer:
    """The application's side: answers until it is closed."""

    def __init__(self, answers: Answers) -> None:
        """Raises OSError where no socket can be made."""
        self._answers: Final = answers
        self.path: Final = new_socket_path()
        self._listening: Final = socket.socket(socket.AF_UNIX)
        self._open: Final[set[socket.socket]] = set()
        self._lock: Final = threading.Lock()
        self._closed = False
        unnamed = self.path.with_suffix(".new")  # Where nobody listens yet, others see a dead process's, and remove it.
        try:
            unnamed.unlink(missing_ok=True)  # Of an earlier process with our number.
            self._listening.bind(os.fspath(unnamed))
            self._listening.listen()
            unnamed.replace(self.path)
        except OSError:
            self._listening.close()
            raise
        threading.Thread(target=self._accept, name="tenure-control", daemon=True).start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            guests = list(self._open)
        self.path.unlink(missing_ok=True)
        for one in (self._listening, *guests):
            with suppress(OSError):  # Whoever waits in it wakes up.
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                guest, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                is_welcome = not self._closed and len(self._open) < CONTROL_CONNECTIONS_MAX
                if is_welcome:
                    self._open.add(guest)
            if is_welcome:
                threading.Thread(target=self._serve, args=(guest,), name="tenure-control-guest", daemon=True).start()
            else:
                guest.close()

    def _serve(self, guest: socket.socket) -> None:
        with suppress(OSError, ValueError), guest, guest.makefile("rwb") as lines:
            while line := lines.readline(CONTROL_LINE_BYTES_MAX):
                asked = json.loads(line)["do"]
                answer = self._answers.get(asked)
                told = {"trouble": f"unknown command '{asked}'"} if answer is None else answer()
                lines.write(json.dumps(told).encode() + b"\n")
                lines.flush()
        with self._lock:
            self._open.discard(guest)


class ControlConnection:
    """The other side: a conversation with one application."""

    def __init__(self, path: Path) -> None:
        """Raises ConnectionRefusedError or FileNotFoundError where nobody is behind the socket any longer."""
        self._socket: Final = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(CONTROL_ANSWER_S)
        try:
            self._socket.connect(os.fspath(path))
        except OSError:
            self._socket.close()
            raise
        self._lines: Final = self._socket.makefile("rwb")

    def ask(self, what: str) -> dict[str, Any]:
        """Raises `NoAnswer`; an empty answer means that it has just ended."""
        try:
            self._lines.write(json.dumps({"do": what}).encode() + b"\n")
            self._lines.flush()
            line = self._lines.readline()
        except TimeoutError:
            raise NoAnswer from None
        except OSError:
            return {}
        return dict(json.loads(line)) if line else {}

    def has_ended(self, within_s: float) -> bool:
        """Waits for the application to end, after everything that was asked has been answered."""
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
    """An application of this host, as it tells of itself."""

    def __init__(self, path: Path, line: ControlConnection, who: Mapping[str, Any]) -> None:
        self.path: Final = path
        self.line: Final = line
        self.who: Final = who

    @property
    def group(self) -> str:
        return str(self.who.get("pipeline", ""))


@contextmanager
def running_applications(group: str | None = None) -> Iterator[tuple[list[RunningApplication], list[Path]]]:
    """Those of this host and user (of one pipeline); and the sockets whose processes do not answer."""
    found: list[RunningApplication] = []
    silent: list[Path] = []
    try:
        for path in socket_paths():
            try:
                line = ControlConnection(path)
            except FileNotFoundError:
                continue
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)  # Its process was killed.
                continue
            except OSError:
                silent.append(path)
                continue
            _identify(path, line, found, silent)
        yield [one for one in found if group in (None, one.group)], silent
    finally:
        for one in found:
            one.line.close()


def _identify(path: Path, line: ControlConnection, found: list[RunningApplication], silent: list[Path]) -> None:
    try:
        who = line.ask(WHO)
    except NoAnswer:
        silent.append(path)
        line.close()
        return
    if who:
        found.append(RunningApplication(path, line, who))
    else:
        line.close()
