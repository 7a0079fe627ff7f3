"""An engine's errands, in threads beside its own. The engine bounds how many there are at once."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Semaphore, Thread


class ThreadErrands:
    """Threads stay for the next errand: one in which a sink has used Spark costs a thread of the Java machine, too. One
    that hangs does not hold up the end of the process."""

    def __init__(self, member: str) -> None:
        self.name = f"errands-{member}"
        self.todo: SimpleQueue[ThreadErrand | None] = SimpleQueue()
        self.idle = Semaphore(0)
        """As many as there are threads with nothing to do."""

    def start(self, work: Callable[[], None]) -> "ThreadErrand":
        errand = ThreadErrand(work)
        self.todo.put(errand)
        if not self.idle.acquire(blocking=False):
            Thread(target=self.run, name=self.name, daemon=True).start()
        return errand

    def run(self) -> None:
        while (errand := self.todo.get()) is not None:
            errand.run()
            self.idle.release()
        self.todo.put(None)  # For the next of them.

    def close(self) -> None:
        """What is under way may end."""
        self.todo.put(None)


class ThreadErrand:
    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.done: Future[None] = Future()

    def run(self) -> None:
        try:
            self.done.set_result(self.work())
        except BaseException as error:
            self.done.set_exception(error)

    def wait(self, timeout_s: float) -> bool:
        wait([self.done], timeout_s)
        if is_over := self.done.done():
            self.done.result()
        return is_over
