"""Admission of new connections: each one is accepted, waits, is refused, or replaces the least recently used one.

As in Kafka, a listener at its limit accepts no connection until one is closed; new connections wait in its backlog. The
listener `inter.broker.listener.name` does not wait at the limit of the broker. Instead, a connection of another
listener is closed.
"""

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from tenure.broker.loop.clock import Clock
from tenure.broker.quotas.connection_limits import LIMIT, ConnectionLimits, Refusal
from tenure.broker.server.connection import Connection
from tenure.limits.broker import REFUSED_SOCKETS_MAX

log = logging.getLogger("tenure.broker")


class Admission:
    def __init__(
        self,
        limits: ConnectionLimits,
        loop: asyncio.AbstractEventLoop,
        clock: Clock,
        connections: Callable[[], Iterable[Connection]],
    ) -> None:
        """Create an admission without connections. `connections()` returns all open connections."""
        self.limits: Final = limits
        self.refused: Final[Counter[str]] = Counter()
        """Number of refused connections, and of those closed to make room, by reason."""
        self.delayed = 0
        """Number of connections that were delayed by a rate or by a full listener."""
        self._loop: Final = loop
        self._clock: Final = clock
        self._connections: Final = connections
        self._waiting: list[asyncio.Future[None]] = []
        """Futures of listeners that wait until a connection is closed or the limits change."""
        self._refused_sockets = 0
        limits.when_configured = self._wake

    async def admit(self, listener: str, accepted: socket.socket, host: str) -> bool:
        """Wait until the connection may begin. Return False if it is refused, in which case its socket is closed."""
        throttle_ms = self.limits.throttle_ms(listener, self._clock.tick_ms())
        if throttle_ms or not self.limits.has_room(listener):
            self.delayed += 1
            await self._wait(listener, throttle_ms)
        refusal = self.limits.refusal(host, self._clock.tick_ms())
        if refusal is not None:
            self._refuse(accepted, host, refusal)
            return False
        self.limits.opened(listener, host)
        if self.limits.is_exceeded:
            self._close_least_recently_used()
        return True

    def ended(self, listener: str, host: str) -> None:
        """Remove a closed connection from the counts, and wake up listeners that wait for room."""
        self.limits.closed(listener, host)
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    async def _wait(self, listener: str, throttle_ms: int) -> None:
        if throttle_ms:
            await asyncio.sleep(throttle_ms / 1000)
        while not self.limits.has_room(listener):
            woken = self._loop.create_future()
            self._waiting.append(woken)
            await woken

    def _refuse(self, accepted: socket.socket, host: str, refusal: Refusal) -> None:
        """Close the socket of a refused connection, and log the reason.

        If the address connects too often, the socket is closed after a delay, because the client would reconnect as
        soon as the socket is closed.
        """
        log.warning("refused a connection from %s: %s", host, refusal.why)
        self.refused[refusal.kind] += 1
        if refusal.delay_ms and self._refused_sockets < REFUSED_SOCKETS_MAX:
            self._refused_sockets += 1
            self._loop.call_later(refusal.delay_ms / 1000, self._close_refused, accepted)
        else:
            accepted.close()

    def _close_refused(self, accepted: socket.socket) -> None:
        self._refused_sockets -= 1
        accepted.close()

    def _close_least_recently_used(self) -> None:
        found = [one for one in self._connections() if not one.closed and self.limits.may_be_closed(one.listener)]
        if found:
            self.refused[LIMIT] += 1
            min(found, key=lambda connection: connection.used_s).refuse(
                "there are too many connections (max.connections), and this one was used least recently"
            )


def host_of(peer: Any) -> str:
    """Return the host of a socket's peer address."""
    return str(peer[0])
