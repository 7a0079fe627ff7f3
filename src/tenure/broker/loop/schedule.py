"""Fair use of the event loop: the order of requests, and the time for each.

Sockets are read in passes, each with a time budget. While the budget lasts and no request waits, requests are processed
as soon as they are read. Later ones take turns, one piece of work per connection and round; then sockets are read
again. Short requests (heartbeats, joins, commits) never wait here. So a heartbeat waits at most for one budget and one
piece of work, whatever other clients ask for.
"""

from asyncio import AbstractEventLoop, Handle
from collections import deque
from time import monotonic
from typing import Final, Protocol

from tenure.broker.loop.turn import Turn
from tenure.limits.broker import SCHEDULE_BUDGET_S


class ScheduledWorker(Protocol):
    """Connection whose request is processed in pieces."""

    def work(self) -> bool:
        """Do one piece of work; return whether there is more. Never raises."""


class Schedule:
    __slots__ = ("_call", "_is_in_pass", "_loop", "_turn", "_waiting", "deadline_s")

    def __init__(self, loop: AbstractEventLoop, turn: Turn) -> None:
        self._loop: Final = loop
        self._turn: Final = turn
        self._waiting: deque[ScheduledWorker] = deque()
        self._call: Handle | None = None
        self._is_in_pass = False
        """True while sockets are read; `end_pass` is called afterwards."""
        self.deadline_s = 0.0
        """End of the time budget of this pass, in the seconds of `monotonic`."""

    def begin_pass(self) -> None:
        """Begin a pass: sockets are read next, and `end_pass` is called afterwards."""
        self._is_in_pass = True
        self.deadline_s = monotonic() + SCHEDULE_BUDGET_S
        self._turn.begin_pass()

    def end_pass(self) -> None:
        """Answer the short requests of this pass, and work on the others in what is left of its time budget."""
        try:
            self._turn.end_pass()
        finally:
            self._is_in_pass = False
            if self._waiting:
                self._take_turns()

    def has_time(self) -> bool:
        """Return whether a request that was just read may be worked on at once."""
        return not self._waiting and monotonic() < self.deadline_s

    def add(self, worker: ScheduledWorker) -> None:
        """Add a worker that is not in the schedule yet."""
        self._waiting.append(worker)
        if self._call is None and not self._is_in_pass:
            self._call = self._loop.call_soon(self._run)

    def _run(self) -> None:
        self._call = None
        self.deadline_s = monotonic() + SCHEDULE_BUDGET_S
        self._take_turns()

    def _take_turns(self) -> None:
        """Let the workers take turns, at least one, until none waits or the time budget is spent."""
        waiting = self._waiting
        while waiting:
            worker = waiting.popleft()
            if worker.work():
                waiting.append(worker)
            if monotonic() >= self.deadline_s:
                break
        if waiting and self._call is None:
            self._call = self._loop.call_soon(self._run)
