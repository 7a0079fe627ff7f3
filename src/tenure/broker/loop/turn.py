"""Turn of the event loop: all commands that arrived since the last turn are handled and answered together.

A pass reads from all sockets. A turn follows after every few sockets, and at the end of the pass. In a turn, each shard
handles all of its waiting commands and appends one batch, and each connection sends its answers with one write.
Commands from timers and threads arrive outside of a pass. They are handled in the next round of the event loop.
"""

import asyncio
import logging
from typing import Final, Protocol

from tenure.broker.loop.clock import Clock
from tenure.coordinator.shard import Now
from tenure.out_of_memory import is_out_of_memory

log = logging.getLogger("tenure.broker")


class TurnWorker(Protocol):
    """Interface of a shard or log that has work in the next turn."""

    def work(self, now: Now) -> None: ...


class Sender(Protocol):
    def flush(self) -> None: ...

    def fail(self, error: Exception) -> None:
        """Close the connection because of an error."""


class Turn:
    __slots__ = ("_is_in_pass", "_is_planned", "_senders", "_workers", "clock", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Clock) -> None:
        self.loop: Final = loop
        self.clock: Final = clock
        self._is_planned = False
        """True if a turn is due at the end of this pass, or in the next round of the event loop."""
        self._is_in_pass = False
        """True while sockets are read, until `end_pass`."""
        self._workers: dict[TurnWorker, None] = {}
        self._senders: list[Sender] = []

    def work_on(self, worker: TurnWorker) -> None:
        self._workers[worker] = None
        if not self._is_planned:
            self._schedule()

    def send(self, sender: Sender) -> None:
        self._senders.append(sender)
        if not self._is_planned:
            self._schedule()

    def begin_pass(self) -> None:
        self._is_in_pass = True

    def end_pass(self) -> None:
        """Run the turn for the requests that were read in this pass. Raises MemoryError if memory runs out."""
        self._is_in_pass = False
        self.run_planned()

    def run_planned(self) -> None:
        """Run the turn that is due, if there is one. Raises MemoryError if memory runs out."""
        if self._is_planned:
            self._run()

    def _schedule(self) -> None:
        self._is_planned = True
        if not self._is_in_pass:
            self.loop.call_soon(self._run)

    def _run(self) -> None:
        """Let all workers work and all connections send. Work that this causes runs in the next turn.

        Raises MemoryError if a worker runs out of memory.
        """
        self._is_planned = False
        workers, self._workers = self._workers, {}
        now = self.clock.now()
        for worker in workers:
            try:
                worker.work(now)
            except Exception as error:  # one shard's bug must not stop the others' turns
                if is_out_of_memory(error):
                    raise
                log.exception(
                    "work of %s in the event loop failed, and the broker continues: a bug in the broker, please"
                    " report it",
                    type(worker).__name__,
                )
        senders, self._senders = self._senders, []
        for sender in senders:
            try:
                sender.flush()
            except MemoryError as failure:
                sender.fail(failure)
