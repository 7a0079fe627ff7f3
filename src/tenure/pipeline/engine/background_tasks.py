"""Background tasks of an engine: work that may take long and concerns only some lanes, such as publishing.

The engine starts no threads itself. The application provides them (`background_threads.py`).
"""

from collections.abc import Callable
from typing import Final, Protocol


class BackgroundTask(Protocol):
    """A started task. It cannot be cancelled."""

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end of the task.

        Returns:
            Whether the task has ended within `timeout_s` seconds.

        Raises:
            Exception: The work failed with this exception.
        """


class BackgroundTasks(Protocol):
    """Interface that starts tasks. The engine waits for their ends later."""

    def start(self, work: Callable[[], None]) -> BackgroundTask:
        """Start `work` and return without waiting for it."""


class ForegroundTasks:
    """Executor without threads: a task runs when the engine waits for it. For tests and single-threaded hosts."""

    def start(self, work: Callable[[], None]) -> BackgroundTask:
        return ForegroundTask(work)


class ForegroundTask:
    """Task that runs when `wait` is called."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work

    def wait(self, timeout_s: float) -> bool:
        del timeout_s
        self.work()
        return True


FOREGROUND_TASKS: Final = ForegroundTasks()
