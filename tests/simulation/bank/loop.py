"""Event loop and sync threads of the broker in virtual time. A crash cancels all later calls."""

from collections.abc import Callable
from typing import Final

from tenure.coordinator.shard import Now
from tenure.simulation.agenda import Agenda
from tenure.storage.sync_pool import Callback, Syncable


class Handle:
    """Handle of a scheduled call."""

    __slots__ = ("is_cancelled",)

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Loop:
    """Substitute of asyncio's event loop, with the methods that the broker calls.

    `busy_ms` returns the time for which the loop starts no new turn.
    """

    def __init__(self, agenda: Agenda, busy_ms: Callable[[], int]) -> None:
        self._agenda: Final = agenda
        self._busy_ms: Final = busy_ms
        self._is_over = False

    def time(self) -> float:
        return self._agenda.now_ms / 1_000

    def call_soon(self, callback: Callable[..., object], *arguments: object) -> Handle:
        return self.after(0, callback, *arguments)

    call_soon_threadsafe = call_soon

    def call_later(self, delay_s: float, callback: Callable[..., object], *arguments: object) -> Handle:
        return self.after(round(delay_s * 1_000), callback, *arguments)

    def after(self, delay_ms: int, callback: Callable[..., object], *arguments: object) -> Handle:
        handle = Handle()

        def call() -> None:
            if handle.is_cancelled or self._is_over:
                return
            busy_ms = self._busy_ms()
            if busy_ms > 0:
                self._agenda.after(busy_ms, call)
            else:
                callback(*arguments)

        self._agenda.after(delay_ms, call)
        return handle

    def end(self) -> None:
        self._is_over = True


class Clock:
    """Clock of a broker."""

    def __init__(self, loop: Loop, now: Callable[[], Now]) -> None:
        self._loop: Final = loop
        self.now: Final = now

    def wall_ms(self) -> int:
        return self.now().wall_ms

    def tick_ms(self) -> int:
        return self.now().tick_ms

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> Handle:
        return self._loop.after(max(tick_ms - self.now().tick_ms, 0), then)


class Syncs:
    """Sync pool without threads: one sync of a log at a time, each of which takes some time."""

    is_closing = False

    def __init__(self, loop: Loop, sync_ms: Callable[[], int]) -> None:
        self._loop: Final = loop
        self._sync_ms: Final = sync_ms

    def request(self, log: Syncable, callback: Callback) -> None:
        def sync() -> None:
            try:
                outcome: int | Exception = log.sync()
            except Exception as error:  # any error goes to the caller
                outcome = error
            callback(log, outcome)

        self._loop.after(self._sync_ms(), sync)
