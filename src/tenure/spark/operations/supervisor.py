"""Supervisor: starts the application, and restarts it after a crash (`tenure pipeline run --restart`).

It does not restart an application that was fenced (exit status 3), had wrong arguments (2), needs a decision of the
user (4), or ended normally (0). The pause before a restart grows with each crash.

The application ends when its standard input ends. This input is a pipe from the supervisor, which closes it to stop the
application. If the supervisor is killed, the application therefore stops too. The application runs in a separate
session, so only the supervisor gets Ctrl-C. The first Ctrl-C stops the application, and the second kills it; the next
start repeats the batch.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from signal import Signals
from types import FrameType
from typing import Any, Final

from tenure.backoff import RESTART, Backoff
from tenure.exit_status import NO_RESTART, ExitStatus
from tenure.limits.spark import RESTART_FORGIVEN_S
from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.application.control_socket import Answers, ControlServer
from tenure.spark.application.supervised import RESTARTS_VARIABLE
from tenure.spark.operations.pipeline_reference import group_named
from tenure.spark.operations.run import print_error
from tenure.spark.spark_session import is_submitted


def restart_delay_s(backoff: Backoff, ran_s: float) -> float:
    """Return the seconds before the next restart.

    If the application ran for at least RESTART_FORGIVEN_S seconds, the delays begin again with the shortest one.
    """
    if ran_s >= RESTART_FORGIVEN_S:
        backoff.reset()
    return backoff.next_s()


class Supervisor:
    """Supervisor of one application, which runs as a child process."""

    def __init__(self, command: Sequence[str], description: dict[str, Any]) -> None:
        self._command: Final = command
        self._description: Final = description | {"role": "supervisor", "pid": os.getpid()}
        self._began_ms: Final = time.time_ns() // 1_000_000
        self._stop_requested: Final = threading.Event()
        self._lock: Final = threading.RLock()
        """Reentrant lock, because a signal handler may run while its thread holds the lock."""
        self._child: subprocess.Popen[bytes] | None = None
        self._restarts = 0

    def run(self) -> int:
        """Run the application again and again, until it must not be restarted. Return its last exit status."""
        backoff = Backoff(RESTART)
        with _SupervisorSocket(self._answers()), _SignalHandlers(self.stop, self.kill):
            while True:
                begun_s = time.monotonic()
                status = self._run_once()
                if status in NO_RESTART or self._stop_requested.is_set():
                    return status if status >= 0 else 128 - status  # For a signal: 128 plus its number, as in a shell.
                pause_s = restart_delay_s(backoff, time.monotonic() - begun_s)
                print_error(f"the application ended with {_status_text(status)}; restarting it in {pause_s:g} s")
                if self._stop_requested.wait(pause_s):
                    return ExitStatus.DONE
                self._restarts += 1

    def _run_once(self) -> int:
        with self._lock:
            if self._stop_requested.is_set():
                return ExitStatus.DONE
            environment = os.environ | {RESTARTS_VARIABLE: str(self._restarts)}
            self._child = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, env=environment, start_new_session=True
            )
            if self._stop_requested.is_set():  # A signal has requested the stop while the process was started.
                _close_input(self._child)
        child = self._child
        # With a timeout, `wait` polls twenty times a second. Without a timeout, a signal that comes right before the
        # call would be handled only after the application has ended.
        status = child.wait(threading.TIMEOUT_MAX)
        with self._lock:
            self._child = None
            _close_input(child)
        return status

    # --- commands -----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop the application after its running batch, and do not restart it."""
        with self._lock:
            self._stop_requested.set()
            if self._child is not None:
                _close_input(self._child)

    def kill(self) -> None:
        """Kill the application's process."""
        with self._lock, suppress(ProcessLookupError):
            if self._child is not None:
                self._child.kill()

    def _answers(self) -> Answers:
        return {
            "who": lambda: self._description,
            "status": self._status,
            "stop": self._stop_from_outside,
        }

    def _stop_from_outside(self) -> dict[str, Any]:
        self.stop()
        return self._status()

    def _status(self) -> dict[str, Any]:
        with self._lock:
            child = self._child
        doing = "stopping" if self._stop_requested.is_set() else f"watching process {child.pid}" if child else "pausing"
        return self._description | {"began_ms": self._began_ms, "doing": doing, "restarts": self._restarts}


class _SupervisorSocket:
    """Control socket of the supervisor, to stop it between two runs of the application."""

    def __init__(self, answers: Answers) -> None:
        self._answers: Final = answers
        self._server: ControlServer | None = None

    def __enter__(self) -> None:
        with suppress(OSError):  # The application fails to open its own socket too, and reports the reason.
            self._server = ControlServer(self._answers)

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()


class _SignalHandlers:
    """Handlers of SIGTERM and Ctrl-C: the first signal stops the application, the second kills it."""

    def __init__(self, ask: Callable[[], None], insist: Callable[[], None]) -> None:
        self._next: Final = [ask, insist]

    def __enter__(self) -> None:
        self._before = {number: signal.signal(number, self._handle) for number in (Signals.SIGTERM, Signals.SIGINT)}

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        (self._next.pop(0) if len(self._next) > 1 else self._next[0])()


def _close_input(child: "subprocess.Popen[bytes]") -> None:
    assert child.stdin is not None
    with suppress(OSError):
        child.stdin.close()


def _status_text(status: int) -> str:
    return f"status {status}" if status >= 0 else f"signal {Signals(-status).name}"


def supervise(
    reference: str, group_instance_id: str | None, bootstrap_servers: str, py_files: Sequence[str] = ()
) -> int:
    """Supervise a child process that runs this command without `--restart`. Return the exit status of its last run."""
    try:
        if is_submitted():
            raise PipelineConfigError(
                "spark-submit cannot restart a pipeline, which needs a new Java process: use"
                " `tenure pipeline run --master ... --restart` without spark-submit, or leave out --restart."
            )
        group = group_named(reference, py_files)
    except PipelineConfigError as error:
        print_error(str(error))
        return ExitStatus.MISUSED
    command = [sys.executable, "-m", "tenure", *(word for word in sys.argv[1:] if word != "--restart")]
    description = {"pipeline": group, "group_instance_id": group_instance_id, "bootstrap_servers": bootstrap_servers}
    return Supervisor(command, description).run()
