"""Threads for an engine's background tasks."""

import threading
from collections.abc import Callable

import pytest

from tenure.pipeline.engine.background_threads import BackgroundThreads, ThreadTask


def done(task: ThreadTask) -> None:
    assert task.wait(60)


def test_background_tasks__one_after_the_other__use_the_same_thread() -> None:
    tasks, threads = BackgroundThreads("one"), set[threading.Thread]()
    for _ in range(20):
        done(tasks.start(lambda: threads.add(threading.current_thread())))
        while not tasks.idle.acquire(timeout=0.001):
            """Wait until the thread has reported the end of the task, and is ready for the next one."""
        tasks.idle.release()
    assert len(threads) == 1
    tasks.close()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_background_tasks__one_is_slow__others_run_meanwhile_and_all_threads_end() -> None:
    tasks, gate = BackgroundThreads("two"), threading.Event()
    threads: list[threading.Thread] = []

    def noted(then: Callable[[], object]) -> Callable[[], None]:
        def work() -> None:
            threads.append(threading.current_thread())
            then()

        return work

    slow = tasks.start(noted(lambda: gate.wait(60)))
    done(tasks.start(noted(lambda: None)))
    assert not slow.wait(0.0)
    tasks.close()
    gate.set()
    done(slow)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_background_task__fails__wait_raises_the_error() -> None:
    def fail() -> None:
        raise TimeoutError("a store takes its time")

    tasks = BackgroundThreads("three")
    task = tasks.start(fail)
    with pytest.raises(TimeoutError, match="a store"):
        task.wait(60)
    tasks.close()
