"""One turn of the loop: whatever arrived since the last one is worked on together, and leaves together.

Reads come first, one after the other; each leaves work behind. Then, once per turn, every shard that was asked handles
all that waits for it, appends one batch, and every connection that got responses writes once.
"""

import asyncio
import logging
from typing import Final, Protocol

from tenure.broker.clock import Clock
from tenure.coordinator.shard import Now

log = logging.getLogger("tenure.broker")


class Worker(Protocol):
    def work(self, now: Now) -> None: ...


class Sender(Protocol):
    def flush(self) -> None: ...


class Turn:
    __slots__ = ("_scheduled", "_senders", "_workers", "clock", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Clock) -> None:
        self.loop: Final = loop
        self.clock: Final = clock
        self._scheduled = False
        self._workers: dict[Worker, None] = {}
        self._senders: list[Sender] = []

    def work_on(self, worker: Worker) -> None:
        self._workers[worker] = None
        if not self._scheduled:
            self._schedule()

    def send(self, sender: Sender) -> None:
        self._senders.append(sender)
        if not self._scheduled:
            self._schedule()

    def _schedule(self) -> None:
        self._scheduled = True
        self.loop.call_soon(self._run)

    def _run(self) -> None:
        """Work that an answer leads to, because a connection's next request waited for it, is the next turn's."""
        workers, self._workers = self._workers, {}
        now = self.clock.now()
        for worker in workers:
            try:
                worker.work(now)
            except Exception:  # one shard's bug must not stop the others' turns
                log.exception("a bug in the broker, please report it")
        senders, self._senders = self._senders, []
        for sender in senders:
            sender.flush()
        self._scheduled = False
        if self._workers or self._senders:
            self._schedule()
