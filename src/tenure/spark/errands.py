"""An engine's errands, each in a thread of its own. The engine bounds how many there are."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread


class ThreadErrands:
    def __init__(self, member: str) -> None:
        self.name = f"errand-{member}"

    def start(self, work: Callable[[], None]) -> "ThreadErrand":
        errand = ThreadErrand(work)
        Thread(target=errand.run, name=self.name, daemon=True).start()  # One that hangs does not hold up the exit.
        return errand


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
