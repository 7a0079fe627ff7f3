"""Server: listening sockets, and their connections."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from tenure.broker.broker import Broker
from tenure.broker.config import keys
from tenure.broker.config.listeners import BrokerListener, SecurityProtocol
from tenure.broker.loop.schedule import Schedule
from tenure.broker.loop.threads import Threads
from tenure.broker.security.authentication import Authentication, Sasl
from tenure.broker.security.security import ListenerSecurity
from tenure.broker.server.admission import Admission, host_of
from tenure.broker.server.authentication_gate import AuthenticationGate
from tenure.broker.server.client_memory import ClientMemory
from tenure.broker.server.connection import Clients, Connection
from tenure.broker.server.dispatch import Dispatcher
from tenure.broker.server.sockets import Sockets, Transport
from tenure.limits.broker import LOGIN_THREADS, SHUTDOWN_GRACE_S
from tenure.protocol.dialect import Dialect

log = logging.getLogger("tenure.broker")

IDLE_CHECKS_PER_LIMIT: Final = 4
"""Number of checks for idle connections in each period of `connections.max.idle.ms`."""
LOGIN_CHECKS_PER_LIMIT: Final = 4
"""Number of checks for slow logins in each period of `tenure.connection.login.max.ms`."""


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
        self._tls_threads = Threads(context.loop, LOGIN_THREADS, "tls")
        self._password_threads = Threads(context.loop, LOGIN_THREADS, "passwords")
        self._gate = AuthenticationGate(self._dispatcher.begin, context.loop, context.clock)
        self._clients_with_login = self.clients.beginning_with(self._gate.begin)
        self._login_bytes_max = context.settings[keys.SASL_SERVER_MAX_RECEIVE_SIZE]
        self._login_max_s = context.settings[keys.CONNECTION_LOGIN_MAX_MS] / 1000
        self._checks_logins = False
        self._sasl: dict[str, Sasl] = {}
        """SASL settings of listeners, by listener name."""
        self.connections_accepted = 0
        self.admission: Final = Admission(
            context.connection_limits, context.loop, context.clock, lambda: self.clients.open
        )
        self._sockets = Sockets(context.loop, schedule)
        self._listening: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []

    async def start(
        self, listening: socket.socket, listener: BrokerListener | None = None, security: ListenerSecurity | None = None
    ) -> None:
        """Accept connections on a bound socket. Without a `listener` (only in tests), connections are not encrypted."""
        listening.setblocking(False)
        listening.listen(self._backlog)
        if listener is None:
            listener = BrokerListener("PLAINTEXT", SecurityProtocol.PLAINTEXT, self._broker.context.address)
        listener = listener._replace(advertised=listener.client_address)
        is_encrypted = listener.protocol.is_encrypted
        self._broker.context.certificates.add(listener, security.tls if security and is_encrypted else None)
        begin = partial(self._admit, listener, self._beginning(listener, security))
        accepting = self._loop.create_task(self._sockets.accept(listening, begin))
        accepting.add_done_callback(_raise_failure)
        if not self._listening:
            self._schedule_idle_check()
        self._listening.append(listening)
        self._accepting.append(accepting)

    @property
    def connections(self) -> int:
        return len(self.clients.open)

    @property
    def used_versions(self) -> Iterable[tuple[int, Dialect]]:
        """APIs and versions that clients have used, each with its numbers of requests and errors."""
        return self._dispatcher.used_versions

    def new_connection(self, listener: BrokerListener) -> Connection:
        self.connections_accepted += 1
        if listener.protocol is SecurityProtocol.PLAINTEXT:
            return Connection(self.clients, listener.client_address)
        if not listener.protocol.is_authenticated:
            connection = Connection(self.clients, listener.client_address)
            connection.limit_until_established(self._login_bytes_max)
            return connection
        connection = Connection(self._clients_with_login, listener.client_address)
        connection.authentication = Authentication(self._sasl[listener.name])
        connection.limit_until_established(self._login_bytes_max)
        return connection

    async def _admit(
        self,
        listener: BrokerListener,
        begin: Callable[[socket.socket, Any], object],
        accepted: socket.socket,
        peer: Any,
    ) -> None:
        try:
            admitted = await self.admission.admit(listener.name, accepted, host_of(peer))
        except asyncio.CancelledError:  # the broker stops
            accepted.close()
            raise
        if admitted:
            begin(accepted, peer)

    def _open_connection(self, listener: BrokerListener, peer: Any) -> Connection:
        """Return a new connection that counts for the limits on connections until it is closed."""
        connection = self.new_connection(listener)
        connection.listener = listener.name
        connection.when_ended = partial(self.admission.ended, listener.name, host_of(peer))
        return connection

    def _beginning(
        self, listener: BrokerListener, security: ListenerSecurity | None
    ) -> Callable[[socket.socket, Any], object]:
        """Return the function that creates the transport and connection of an accepted socket of the listener."""
        if listener.protocol is SecurityProtocol.PLAINTEXT:
            return lambda accepted, peer: Transport(
                self._sockets, accepted, peer, self._open_connection(listener, peer)
            )
        assert security is not None, "the settings of the listener are checked before the broker starts"
        if not self._checks_logins:
            self._checks_logins = True
            self._schedule_login_check()
        if listener.protocol.is_authenticated:
            stored = lambda: self._broker.context.scram_credentials  # noqa: E731 - the present ones, at each login
            self._sasl[listener.name] = security.sasl(stored, self._password_threads)
        if not listener.protocol.is_encrypted:
            return lambda accepted, peer: Transport(
                self._sockets, accepted, peer, self._open_connection(listener, peer)
            )
        assert security.tls is not None
        return partial(self._begin_tls, listener)

    def _begin_tls(self, listener: BrokerListener, accepted: socket.socket, peer: Any) -> None:
        from tenure.broker.server.tls_transport import TlsTransport  # imported only for TLS: it needs OpenSSL

        connection = self._open_connection(listener, peer)
        tls = self._broker.context.certificates[listener.name]

        def when_open(certificate: bytes | None) -> None:
            if connection.authentication is None:
                connection.become_established(tls.principal(certificate))

        TlsTransport(self._sockets, accepted, peer, connection, tls.context, self._tls_threads, when_open)

    def _schedule_login_check(self) -> None:
        self._loop.call_later(self._login_max_s / LOGIN_CHECKS_PER_LIMIT, self._drop_slow_logins)

    def _drop_slow_logins(self) -> None:
        """Close connections whose TLS handshake and login take too long."""
        for connection, checks in list(self.clients.unestablished.items()):
            if checks >= LOGIN_CHECKS_PER_LIMIT:
                connection.drop("the client did not complete its login in time (tenure.connection.login.max.ms)")
            else:
                self.clients.unestablished[connection] = checks + 1
        self._schedule_login_check()

    async def stop(self) -> None:
        """Accept no new connections, begin no further requests, and wait until every current request is answered."""
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
            await asyncio.sleep(0.002)  # wait until the connections have sent their output
        self._sockets.close()
        self._dispatcher.close()
        self._tls_threads.close()
        self._password_threads.close()

    def close_connections(self) -> None:
        """Close all present connections. New ones are still accepted."""
        for connection in list(self.clients.open):
            connection.close()

    def _schedule_idle_check(self) -> None:
        self._loop.call_later(self._max_idle_s / IDLE_CHECKS_PER_LIMIT, self._close_idle)

    def _close_idle(self) -> None:
        """Close connections that had neither input nor a current request for `connections.max.idle.ms`, as in Kafka."""
        for connection in list(self.clients.open):
            if connection.count_idle_check() > IDLE_CHECKS_PER_LIMIT:
                connection.drop(
                    "for connections.max.idle.ms, the client has sent no request, and has not read its last response"
                ) if connection.closed else connection.close()
        self._schedule_idle_check()


def _raise_failure(ended: "asyncio.Task[None]") -> None:
    """Raise the exception of an ended task, so that the event loop logs it at once."""
    if not ended.cancelled():
        ended.result()
