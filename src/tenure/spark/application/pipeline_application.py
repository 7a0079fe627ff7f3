"""Application of a pipeline: engines that share one Spark session. Each engine is a group member and has a thread.

The first error of any member stops all members. After a signal or `tenure pipeline stop`, every member finishes its
running batch. If a signal to the whole process group has also ended Spark, the batch is dropped, and the next start
repeats it. Static members stay in the group until their session times out, so a restart within this time moves no
partition.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Final

from tenure.limits.spark import CAUGHT_UP_LOOK_S, SIGNAL_LOOK_S
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.progress import Observer, Progress

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class EngineMember:
    """Engine with the functions that start its membership and release its resources."""

    def __init__(self, engine: Engine, *, start: Callable[[], None], close: Sequence[Callable[[], None]]) -> None:
        self.engine = engine
        self.start = start
        self.close = close

    def run(self) -> None:
        """Run the engine until it is stopped, then release its resources."""
        with ExitStack() as behind:
            for close in reversed(self.close):
                behind.callback(close)
            self.start()
            self.engine.run()


class PipelineApplication:
    """Application with its members. It can run only once."""

    def __init__(self) -> None:
        self.members: Sequence[EngineMember] = ()
        self.first_error: BaseException | None = None
        self.stop_requested = False
        """True after a stop by the user, by a signal, or at the end of the logs."""
        self.paused = False
        self.on_signal: Callable[[], None] = lambda: None
        self.lock = threading.Lock()

    def run(self, members: Sequence[EngineMember], is_done: Callable[[], bool] | None = None) -> None:
        """Run all members, and return when all have ended.

        Args:
            members: Members to run, each in its own thread.
            is_done: Function that is called repeatedly while all members are idle. The members are stopped when it
                returns True. None runs the members until they are stopped in another way.

        Raises:
            BaseException: The first error of a member.
        """
        with self.lock:
            self.members = members
            if self.paused:
                self.pause_members()
            running = () if self.is_ending else members
        threads = [threading.Thread(target=self.run_member, args=(member,), daemon=True) for member in running]
        for thread in threads:
            thread.start()
        for thread in threads:
            self.wait_for(thread, is_done)
        if self.first_error is not None and not (self.stop_requested and is_spark_ended(self.first_error)):
            raise self.first_error

    def wait_for(self, thread: threading.Thread, is_done: Callable[[], bool] | None) -> None:
        """Wait until the thread ends. Stop all members once they are idle and `is_done` returns True."""
        while thread.is_alive() and is_done is not None and not self.stop_requested:
            thread.join(CAUGHT_UP_LOOK_S)
            if all(member.engine.idle for member in self.members) and is_done():
                self.stop()
        while thread.is_alive():
            thread.join(SIGNAL_LOOK_S)

    def run_member(self, member: EngineMember) -> None:
        """Run one member. If it fails, store its error and stop all members."""
        try:
            member.run()
        except BaseException as error:
            self.fail(error)

    @property
    def is_ending(self) -> bool:
        """True if the application was asked to stop, or a member has failed."""
        return self.stop_requested or self.first_error is not None

    def fail(self, error: BaseException) -> None:
        """Stop all members. If `error` is the first one, `run` raises it."""
        with self.lock:
            self.first_error = self.first_error or error
        self.stop_members()

    def stop(self) -> None:
        """Stop all members, and store that the stop was requested."""
        self.stop_requested = True
        self.stop_members()

    def stop_by_signal(self) -> None:
        """Log the signal, then stop all members."""
        self.on_signal()
        self.stop()

    def stop_members(self) -> None:
        for member in self.members:
            member.engine.stop()

    def pause(self) -> None:
        """Pause all members: they plan no batch and keep their partitions."""
        with self.lock:
            self.paused = True
            self.pause_members()

    def pause_members(self) -> None:
        for member in self.members:
            member.engine.pause()

    def resume(self) -> None:
        """Resume paused members."""
        with self.lock:
            self.paused = False
            for member in self.members:
                member.engine.resume()


def is_spark_ended(error: BaseException) -> bool:
    """Return whether the error means that Spark has ended."""
    return isinstance(error, PipelineStopped) and error.code is Code.NO_SPARK


def serialize_observer(observer: Observer) -> Observer:
    """Return a thread-safe observer. It calls `observer` from one thread at a time."""
    lock = threading.Lock()

    def observe(progress: Progress) -> None:
        with lock:
            observer(progress)

    return observe


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on SIGTERM and Ctrl-C while the block runs.

    A second signal has its usual effect. In threads other than the main thread, the block runs without a handler,
    because Python delivers signals only to the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(_number: int, _frame: FrameType | None) -> None:
        restore()
        stop()

    for number in SIGNALS:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()
