"""Background tasks of an engine, each in a thread. The engine limits the number of tasks."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Semaphore, Thread


class BackgroundThreads:
    """Executor of background tasks on daemon threads.

    Threads are reused, because each thread in which a sink has used Spark also has a thread in the Java process. A task
    that hangs does not prevent the process from exiting.
    """

    def __init__(self, member: str) -> None:
        self.name = f"background-{member}"
        self.todo: SimpleQueue[ThreadTask | None] = SimpleQueue()
        self.idle = Semaphore(0)
        """Semaphore with one permit for each idle thread."""

    def start(self, work: Callable[[], None]) -> "ThreadTask":
        """Start `work` on an idle thread, or on a new one."""
        task = ThreadTask(work)
        self.todo.put(task)
        if not self.idle.acquire(blocking=False):
            Thread(target=self.run, name=self.name, daemon=True).start()
        return task

    def run(self) -> None:
        """Run tasks in the calling thread until `close` is called."""
        while (task := self.todo.get()) is not None:
            task.run()
            self.idle.release()
        self.todo.put(None)  # `close` adds only one None: it ends the threads one after the other.

    def close(self) -> None:
        """End all threads, each after its current task."""
        self.todo.put(None)


class ThreadTask:
    """Task that runs on one of the threads of `BackgroundThreads`."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.done: Future[None] = Future()

    def run(self) -> None:
        """Run the task, and store its error for `wait`."""
        try:
            self.done.set_result(self.work())
        except BaseException as error:
            self.done.set_exception(error)

    def wait(self, timeout_s: float) -> bool:
        """Wait up to `timeout_s`. Return whether the task has ended. Raises the error of the task."""
        wait([self.done], timeout_s)
        if is_over := self.done.done():
            self.done.result()
        return is_over
