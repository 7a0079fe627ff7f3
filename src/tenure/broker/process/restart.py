"""Restart of the broker by itself when it runs out of memory.

Usually a request has needed too much memory. Its connection is closed, and the broker continues. If memory runs out
elsewhere, for example in a timer, an update of the broker's own data may be incomplete. In this case the process
executes the program again, with the same listening sockets, and reads its logs as after a crash.
"""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from tenure.limits.broker import RESTART_ATTEMPT_PAUSE_S, RESTART_ATTEMPTS_MAX, RESTART_RESERVE_BYTES
from tenure.out_of_memory import is_out_of_memory

SOCKETS_OPTION: Final = "--inherited-sockets"
"""Option of `tenure serve` for a restart: descriptors of the broker's sockets, first those of its listeners."""

RESTARTS: Final = b"tenure: memory ran out outside of a request: the broker restarts\n"
CANNOT_RESTART: Final = b"tenure: memory ran out outside of a request: the broker ends, because it cannot restart\n"

STANDARD_ERROR: Final = 2


class Restart:
    """Restart of the program.

    All objects that a restart needs are allocated in advance, because no memory is left when the restart begins.
    """

    def __init__(self, sockets: Sequence[int], *, keeps_data: bool) -> None:
        """Prepare a restart.

        `sockets` are the descriptors that the restarted program inherits. With `keeps_data` false (logs in memory
        only), the process ends instead of restarting.
        """
        self._sockets: Final = sockets
        self._command: Final = _command(sockets) if keeps_data else []
        self._reserve = bytes(RESTART_RESERVE_BYTES)
        self.has_restarted: Final = any(argument.startswith(SOCKETS_OPTION) for argument in sys.orig_argv)
        """True if this run of the program is a restart."""
        self.is_watching = False
        """True if the broker restarts when memory runs out: from `watch` to `disable`."""

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Restart the broker from now on whenever memory runs out in a callback, a thread or a destructor."""
        for descriptor in self._sockets:
            os.set_inheritable(descriptor, True)
        self.is_watching = True
        loop.set_exception_handler(self._callback_failed)
        threading.excepthook = self._thread_failed
        sys.unraisablehook = self._destructor_failed
        logging.getLogger("concurrent.futures").addHandler(_LostResults(self))

    def disable(self) -> None:
        """Do not restart any more, because the broker is stopping."""
        self.is_watching = False

    def restart_if_out_of_memory(self, error: object) -> None:
        """Restart the broker if `error` means that memory ran out."""
        if self.is_watching and is_out_of_memory(error):
            self._reserve = b""
            self._start_again()

    def _callback_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.restart_if_out_of_memory(context.get("exception"))
        loop.default_exception_handler(context)

    def _thread_failed(self, failure: threading.ExceptHookArgs) -> None:
        self.restart_if_out_of_memory(failure.exc_value)
        threading.__excepthook__(failure)

    def _destructor_failed(self, failure: "sys.UnraisableHookArgs") -> None:
        self.restart_if_out_of_memory(failure.exc_value)
        sys.__unraisablehook__(failure)

    def _start_again(self) -> NoReturn:
        """Replace this process by a new run of the program.

        As at the end of a process, connections close and locks are released.
        """
        if self._command:
            _say(RESTARTS)
            for _ in range(RESTART_ATTEMPTS_MAX):
                try:
                    os.execv(sys.executable, self._command)
                except (MemoryError, OSError):
                    time.sleep(RESTART_ATTEMPT_PAUSE_S)
        _say(CANNOT_RESTART)
        os._exit(1)


class _LostResults(logging.Handler):
    """Log handler that restarts the broker if a thread has no memory to deliver its result to the event loop."""

    def __init__(self, restart: Restart) -> None:
        super().__init__()
        self._restart: Final = restart

    def emit(self, record: logging.LogRecord) -> None:
        self._restart.restart_if_out_of_memory(record.exc_info[1] if record.exc_info else None)


def _say(line: bytes) -> None:
    """Write a line without the logging library, which needs memory.

    Errors are ignored: standard error may be closed.
    """
    with suppress(OSError):
        os.write(STANDARD_ERROR, line)


def _command(sockets: Sequence[int]) -> list[str]:
    """Return the command line of this process, with the socket descriptors as an option."""
    command = [argument for argument in sys.orig_argv if not argument.startswith(f"{SOCKETS_OPTION}=")]
    return [*command, f"{SOCKETS_OPTION}={','.join(map(str, sockets))}"]
