"""Fair use of the event loop: the order of requests, and the time for each.

In one pass, the loop reads from all sockets, within a time budget. A short request (heartbeat, join, commit) is
processed as soon as it is read. A longer request is, too, if no other request waits and budget is left; otherwise it
waits until all sockets are read. Waiting requests are processed in rounds: in each round, every connection does one
piece of work. When the budget is spent, sockets are read again. So a heartbeat waits at most for one budget and one
piece of work, whatever other clients request.
"""

from asyncio import AbstractEventLoop, Handle
from collections import deque
from time import monotonic
from typing import Final, Protocol

from tenure.broker.loop.turn import Turn
from tenure.limits.broker import SCHEDULE_BUDGET_S


class ScheduledWorker(Protocol):
    """Interface of a connection whose request is processed in pieces."""

    def work(self) -> bool:
        """Do one piece of work. Return True if more is left. Never raises an exception."""


class Schedule:
    __slots__ = ("_call", "_is_in_pass", "_loop", "_turn", "_waiting", "deadline_s")

    def __init__(self, loop: AbstractEventLoop, turn: Turn) -> None:
        self._loop: Final = loop
        self._turn: Final = turn
        self._waiting: deque[ScheduledWorker] = deque()
        self._call: Handle | None = None
        self._is_in_pass = False
        """True between `begin_pass` and `end_pass`."""
        self.deadline_s = 0.0
        """End of the time budget of this pass, on the clock `monotonic`."""

    def begin_pass(self) -> None:
        """Start a pass and its time budget. The caller then reads sockets, and calls `end_pass`."""
        self._is_in_pass = True
        self.deadline_s = monotonic() + SCHEDULE_BUDGET_S
        self._turn.begin_pass()

    def run_turn(self) -> None:
        """Run the turn of the short requests that this pass has read so far. Raises MemoryError if memory runs out."""
        self._turn.run_planned()

    def end_pass(self) -> None:
        """Run the turn of the short requests, then other work until the budget of the pass is spent."""
        try:
            self._turn.end_pass()
        finally:
            self._is_in_pass = False
            if self._waiting:
                self._take_turns()

    def has_time(self) -> bool:
        """Return whether a request may be processed as soon as it is read: no request waits, and budget is left."""
        return not self._waiting and monotonic() < self.deadline_s

    def add(self, worker: ScheduledWorker) -> None:
        """Add a worker. It must not be in the schedule already."""
        self._waiting.append(worker)
        if self._call is None and not self._is_in_pass:
            self._call = self._loop.call_soon(self._run)

    def _run(self) -> None:
        self._call = None
        self.deadline_s = monotonic() + SCHEDULE_BUDGET_S
        self._take_turns()

    def _take_turns(self) -> None:
        """Let the workers do one piece of work each, again and again, until no work is left or the budget is spent.

        At least one piece is done, even without budget.
        """
        waiting = self._waiting
        while waiting:
            worker = waiting.popleft()
            if worker.work():
                waiting.append(worker)
            if monotonic() >= self.deadline_s:
                break
        if waiting and self._call is None:
            self._call = self._loop.call_soon(self._run)
