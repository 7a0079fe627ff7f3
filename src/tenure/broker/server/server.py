"""Listening sockets and the connections behind them."""

import asyncio
import logging
import socket
from collections.abc import Iterable
from functools import partial
from typing import Final

from tenure.broker.broker import Broker
from tenure.broker.config import keys
from tenure.broker.config.listeners import Listener, SecurityProtocol
from tenure.broker.loop.schedule import Schedule
from tenure.broker.server.client_memory import ClientMemory
from tenure.broker.server.connection import Clients, Connection
from tenure.broker.server.dispatch import Dispatcher
from tenure.broker.server.sockets import Sockets
from tenure.limits import SHUTDOWN_GRACE_S
from tenure.protocol.dialect import Dialect

log = logging.getLogger("tenure.broker")

IDLE_CHECKS_PER_LIMIT: Final = 4
"""Number of checks for idle connections during the longest idle time."""


class Server:
    def __init__(self, broker: Broker, dispatcher: Dispatcher | None = None) -> None:
        context = broker.context
        self._broker = broker
        self._loop = context.loop
        self._dispatcher = dispatcher or Dispatcher(context)
        self._max_idle_s = context.settings[keys.CONNECTIONS_MAX_IDLE_MS] / 1000
        self._backlog = context.settings[keys.SOCKET_LISTEN_BACKLOG_SIZE]
        schedule = Schedule(context.loop, context.turn)
        self.clients = Clients(
            context.turn,
            schedule,
            ClientMemory(context.loop, context.settings[keys.QUEUED_MAX_REQUEST_BYTES]),
            self._dispatcher.begin,
            context.settings[keys.SOCKET_REQUEST_MAX_BYTES],
        )
        self.connections_accepted = 0
        self._sockets = Sockets(context.loop, schedule)
        self._listening: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []

    async def start(self, listening: socket.socket, listener: Listener | None = None) -> None:
        """Accept connections at a socket, too. Without a listener they are those of tests, in the clear."""
        listening.setblocking(False)
        listening.listen(self._backlog)
        if listener is None:
            listener = Listener("PLAINTEXT", SecurityProtocol.PLAINTEXT, self._broker.context.address)
        listener = listener._replace(advertised=listener.client_address)
        accepting = self._loop.create_task(self._sockets.accept(listening, partial(self.new_connection, listener)))
        accepting.add_done_callback(_raise_failure)
        if not self._listening:
            self._schedule_idle_check()
        self._listening.append(listening)
        self._accepting.append(accepting)

    @property
    def connections(self) -> int:
        return len(self.clients.open)

    @property
    def spoken(self) -> Iterable[tuple[int, Dialect]]:
        """API keys with what has passed in each version of them."""
        return self._dispatcher.spoken

    def new_connection(self, listener: Listener) -> Connection:
        self.connections_accepted += 1
        return Connection(self.clients, listener.client_address)

    async def stop(self) -> None:
        """Stop: accept no new connections and requests, and answer every request in progress."""
        for accepting in self._accepting:
            accepting.cancel()
        await asyncio.wait(self._accepting)
        for listening in self._listening:
            listening.close()
        for connection in self.clients.open:
            connection.take_no_more()
        await self._broker.answer_parked()
        for connection in list(self.clients.open):
            connection.close()
        deadline_s = self._loop.time() + SHUTDOWN_GRACE_S
        while self.clients.open and self._loop.time() < deadline_s:
            await asyncio.sleep(0.002)  # until what was written has left
        self._sockets.close()
        self._dispatcher.close()

    def cut(self) -> None:
        """Every connection that there is now; others may come."""
        for connection in list(self.clients.open):
            connection.close()

    def _schedule_idle_check(self) -> None:
        self._loop.call_later(self._max_idle_s / IDLE_CHECKS_PER_LIMIT, self._close_idle)

    def _close_idle(self) -> None:
        """Close connections that were silent for `connections.max.idle.ms` and wait for no answer, as Kafka does."""
        for connection in list(self.clients.open):
            if connection.quiet_checks() > IDLE_CHECKS_PER_LIMIT:
                connection.drop(
                    "it was idle, and did not read its answers"
                ) if connection.closed else connection.close()
        self._schedule_idle_check()


def _raise_failure(ended: "asyncio.Task[None]") -> None:
    """Let the event loop see a failure now, instead of when the task is forgotten."""
    if not ended.cancelled():
        ended.result()
