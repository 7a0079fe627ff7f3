"""Limit on the memory of the requests and responses of all clients.

The limit is Kafka's `queued.max.request.bytes`, extended to responses. Above the limit, the broker pauses every
connection that holds more than a small amount of memory. The broker reads no bytes from a paused connection, and begins
no request of this connection that may need more memory. One connection, the privileged one, is not paused: its request
is completed, and its memory is then free. If a client neither sends nor reads while its connection holds memory, the
connection is closed.
"""

import logging
from asyncio import AbstractEventLoop
from typing import Final, Protocol

from tenure.limits.broker import (
    CLIENT_MEMORY_CHECK_S,
    CLIENT_MEMORY_FREE_BYTES,
    CLIENT_MEMORY_PROGRESS_BYTES,
    CLIENT_MEMORY_STALLED_CHECKS_MAX,
)

log = logging.getLogger("tenure.broker")


class Holder(Protocol):
    """Interface of a connection that holds memory."""

    @property
    def moved_bytes(self) -> int:
        """Number of bytes of large requests and responses that were received and sent so far."""

    @property
    def waits_for_client(self) -> bool:
        """True if the client has to send the rest of a request, or to read a response."""

    def pause_for_memory(self) -> None: ...

    def resume_after_memory(self) -> None: ...

    def drop(self, why: str) -> None:
        """Close the connection at once, and log the reason."""


class _Progress:
    """Progress of a connection that holds much memory, updated by a periodic check."""

    __slots__ = ("moved_bytes", "stalled_checks")

    def __init__(self, moved_bytes: int) -> None:
        self.moved_bytes = moved_bytes
        self.stalled_checks = 0


class ClientMemory:
    __slots__ = ("_is_checking", "_large", "_loop", "_privileged", "_waiting", "limit_bytes", "used_bytes")

    def __init__(self, loop: AbstractEventLoop, limit_bytes: int) -> None:
        self.limit_bytes: Final = limit_bytes
        self.used_bytes = 0
        self._loop: Final = loop
        self._large: dict[Holder, _Progress] = {}
        """Connections that hold more than CLIENT_MEMORY_FREE_BYTES."""
        self._waiting: dict[Holder, None] = {}
        """Paused connections, in the order in which they were paused."""
        self._privileged: Holder | None = None
        """Connection that may take more memory above the limit; None if there is none."""
        self._is_checking = False

    @property
    def is_short(self) -> bool:
        return self.used_bytes > self.limit_bytes

    def changed(self, holder: Holder, before_bytes: int, now_bytes: int) -> None:
        """Record that the memory of a connection has changed from `before_bytes` to `now_bytes`."""
        self.used_bytes += now_bytes - before_bytes
        is_large = now_bytes > CLIENT_MEMORY_FREE_BYTES
        if not is_large and before_bytes > CLIENT_MEMORY_FREE_BYTES:
            del self._large[holder]
        elif is_large and before_bytes <= CLIENT_MEMORY_FREE_BYTES:
            self._large[holder] = _Progress(holder.moved_bytes)
        if holder is self._privileged and not is_large and now_bytes < before_bytes:
            self._privileged = None
        if self.is_short and is_large and now_bytes > before_bytes:
            self.may_go_on(holder)
        elif self._waiting:
            self._resume()

    def may_go_on(self, holder: Holder) -> bool:
        """Return whether a connection may take more memory. If not, pause it, and resume it when memory is free."""
        if not self.is_short or holder is self._privileged:
            return True
        if self._privileged is None:
            self._privileged = holder
            self._waiting.pop(holder, None)
            self._check_soon()
            return True
        if holder not in self._waiting:
            self._waiting[holder] = None
            holder.pause_for_memory()
        self._check_soon()
        return False

    def forget(self, holder: Holder, held_bytes: int) -> None:
        """Record that a connection is closed and its memory freed."""
        self._waiting.pop(holder, None)
        if self._privileged is holder:
            self._privileged = None
        self.changed(holder, held_bytes, 0)

    def _resume(self) -> None:
        """Resume all paused connections if the used memory is within the limit.

        Above the limit, resume only the connection that was paused first, and make it privileged. If there is a
        privileged connection already, resume none.
        """
        if not self.is_short:
            waiting, self._waiting = self._waiting, {}
            for holder in waiting:
                holder.resume_after_memory()
        elif self._privileged is None:
            self._privileged = next(iter(self._waiting))
            del self._waiting[self._privileged]
            self._privileged.resume_after_memory()

    # --- clients that hold memory without using it --------------------------------------------------------------------

    def _check_soon(self) -> None:
        if not self._is_checking:
            self._is_checking = True
            self._loop.call_later(CLIENT_MEMORY_CHECK_S, self._check)

    def _check(self) -> None:
        self._is_checking = False
        if not self.is_short:
            return
        stalled = [holder for holder, progress in self._large.items() if self._is_stalled(holder, progress)]
        for holder in stalled:
            if self.is_short:
                holder.drop(
                    "memory for requests and answers is short (queued.max.request.bytes), and the client has neither "
                    "sent the rest of its request nor read its answer"
                )
        if self.is_short:
            self._pass_privilege_on()
            self._check_soon()

    def _is_stalled(self, holder: Holder, progress: _Progress) -> bool:
        moved_bytes = holder.moved_bytes
        if holder.waits_for_client and moved_bytes - progress.moved_bytes < CLIENT_MEMORY_PROGRESS_BYTES:
            progress.stalled_checks += 1
        else:
            progress.stalled_checks = 0
        progress.moved_bytes = moved_bytes
        return progress.stalled_checks >= CLIENT_MEMORY_STALLED_CHECKS_MAX

    def _pass_privilege_on(self) -> None:
        """Make another connection privileged if the privileged one holds little memory or makes no progress."""
        privileged = self._privileged
        if privileged is None or not self._waiting:
            return
        progress = self._large.get(privileged)
        if progress is None or progress.stalled_checks:
            self._privileged = None
            self._resume()
