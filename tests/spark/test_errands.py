"""Threads for an engine's errands."""

import threading
from collections.abc import Callable

import pytest

from tenure.spark.errands import ThreadErrand, ThreadErrands


def done(errand: ThreadErrand) -> None:
    assert errand.wait(60)


def test_errands__one_after_the_other__are_done_by_one_thread() -> None:
    errands, threads = ThreadErrands("one"), set[threading.Thread]()
    for _ in range(20):
        done(errands.start(lambda: threads.add(threading.current_thread())))
        while not errands.idle.acquire(timeout=0.001):
            """It has told that it is done, and is about to wait for the next."""
        errands.idle.release()
    assert len(threads) == 1
    errands.close()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_errands__one_takes_its_time__others_are_done_meanwhile_and_all_threads_end() -> None:
    errands, gate = ThreadErrands("two"), threading.Event()
    threads: list[threading.Thread] = []

    def noted(then: Callable[[], object]) -> Callable[[], None]:
        def work() -> None:
            threads.append(threading.current_thread())
            then()

        return work

    slow = errands.start(noted(lambda: gate.wait(60)))
    done(errands.start(noted(lambda: None)))
    assert not slow.wait(0.0)
    errands.close()
    gate.set()
    done(slow)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_errand__fails__raises_that_when_it_is_waited_for() -> None:
    def fail() -> None:
        raise TimeoutError("a store takes its time")

    errands = ThreadErrands("three")
    errand = errands.start(fail)
    with pytest.raises(TimeoutError, match="a store"):
        errand.wait(60)
    errands.close()
