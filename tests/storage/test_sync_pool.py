"""Group commit: one sync at a time per partition, which serves all requests made before it began."""

from threading import Event, Lock, Thread
from time import sleep
from typing import Any

from tenure.storage.sync_pool import SyncPool

PATIENCE_S = 60.0


class SlowLog:
    """Object whose syncs end when the test releases them."""

    def __init__(self) -> None:
        self.begun: list[Event] = [Event() for _ in range(10)]
        self.may_end: list[Event] = [Event() for _ in range(10)]
        self.count = 0
        self._alone = Lock()

    def sync(self) -> int:
        assert self._alone.acquire(blocking=False), "two syncs of one partition at once"
        turn, self.count = self.count, self.count + 1
        self.begun[turn].set()
        assert self.may_end[turn].wait(PATIENCE_S)
        self._alone.release()
        return self.count


class Answers:
    def __init__(self) -> None:
        self.outcomes: list[Any] = []
        self._arrived = Event()
        self._expected = 0

    def __call__(self, _: object, outcome: object) -> None:
        self.outcomes.append(outcome)
        if len(self.outcomes) == self._expected:
            self._arrived.set()

    def wait_for(self, count: int) -> list[Any]:
        self._expected = count
        if len(self.outcomes) < count:
            assert self._arrived.wait(PATIENCE_S)
        return self.outcomes


def test_sync_request__several_during_a_sync__all_share_the_next_sync() -> None:
    pool, log, answers = SyncPool(2), SlowLog(), Answers()
    pool.request(log, answers)
    assert log.begun[0].wait(PATIENCE_S)
    for _ in range(5):
        pool.request(log, answers)
    log.may_end[0].set()
    log.may_end[1].set()
    assert answers.wait_for(6) == [1, 2, 2, 2, 2, 2]
    pool.close()
    assert log.count == 2


def test_sync_request__two_partitions__synced_concurrently() -> None:
    pool, first, second, answers = SyncPool(2), SlowLog(), SlowLog(), Answers()
    pool.request(first, answers)
    pool.request(second, answers)
    assert first.begun[0].wait(PATIENCE_S)
    assert second.begun[0].wait(PATIENCE_S)
    first.may_end[0].set()
    second.may_end[0].set()
    pool.close()
    assert answers.outcomes == [1, 1]


def test_sync_request__sync_fails__error_reported_and_another_log_still_synced() -> None:
    class Broken:
        def sync(self) -> int:
            raise OSError("gone")

    pool, answers = SyncPool(1), Answers()
    pool.request(Broken(), answers)
    log = SlowLog()
    log.may_end[0].set()
    pool.request(log, answers)
    pool.close()
    assert [str(outcome) for outcome in answers.outcomes] == ["gone", "1"]


def test_close_of_the_sync_pool__requests_pending__served_before_the_close() -> None:
    pool, answers = SyncPool(1), Answers()
    logs = [SlowLog() for _ in range(4)]
    for log in logs:
        log.may_end[0].set()
        pool.request(log, answers)
    pool.close()
    assert answers.outcomes == [1, 1, 1, 1]


def test_close_of_the_sync_pool__request_during_a_sync__served_before_the_close() -> None:
    pool, log, answers = SyncPool(1), SlowLog(), Answers()
    pool.request(log, answers)
    assert log.begun[0].wait(PATIENCE_S)
    pool.request(log, answers)
    closing = Thread(target=pool.close)
    closing.start()
    while not pool.is_closing:
        sleep(0.001)
    log.may_end[0].set()
    log.may_end[1].set()
    closing.join(PATIENCE_S)
    assert answers.outcomes == [1, 2]
