"""HTTP server of a few pages for collectors and probes: GET over HTTP/1.1, one request per connection.

It is written by hand, because a web framework takes longer to load than the whole broker. Its clients are not trusted:
every connection is bounded in bytes and time, and the newest one is always served.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Container, Mapping
from hmac import compare_digest
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from tenure.limits.monitoring import (
    MONITORING_CONNECTION_S,
    MONITORING_CONNECTIONS_MAX,
    MONITORING_DISCARDED_BYTES_MAX,
    MONITORING_HEAD_BYTES_MAX,
    MONITORING_HEAD_S,
)

if TYPE_CHECKING:
    import ssl

log = logging.getLogger("tenure.monitoring")

TEXT: Final = "text/plain; charset=utf-8"
LINE_END: Final = "\r\n"
END_OF_HEAD: Final = b"\r\n\r\n"
REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class Answer(NamedTuple):
    """Status, body and content type of an HTTP response."""

    status: int
    body: str
    content_type: str = TEXT


Pages: TypeAlias = Mapping[str, Callable[[], Awaitable[Answer]]]
"""Functions that answer a GET request, by path."""


class MonitoringServer:
    """HTTP server with its open connections. At the limit, a new connection replaces the oldest idle one."""

    def __init__(
        self, pages: Pages, loop: asyncio.AbstractEventLoop, *, token: str = "", protected: Container[str] = ()
    ) -> None:
        """Create a server that does not listen yet.

        Args:
            pages: Functions that answer a GET request, by path.
            loop: Event loop on which the pages are served.
            token: Bearer token for the protected pages (RFC 6750); "" if all pages are open.
            protected: Paths of the pages that need the token.
        """
        self.pages: Final = pages
        self._token: Final = f"Bearer {token}".encode() if token else b""
        self._protected: Final = protected
        self.loop: Final = loop
        self._connections: Final[dict[MonitoringConnection, None]] = {}
        """Connections in the order in which they were opened."""
        self._listener: asyncio.Server

    async def start(self, listening: socket.socket, tls: "ssl.SSLContext | None" = None) -> None:
        """Accept connections on a bound socket; with TLS if `tls` is not None."""
        self._listener = await self.loop.create_server(
            lambda: MonitoringConnection(self),
            sock=listening,
            ssl=tls,
            ssl_handshake_timeout=None if tls is None else MONITORING_HEAD_S,
        )

    def may_read(self, path: str, head: bytes) -> bool:
        """Return whether a request may read a page: the page is open, or the request has the token in its head."""
        if not self._token or path not in self._protected:
            return True
        fields = (line.partition(b":") for line in head.split(b"\r\n")[1:])
        sent = [value.strip() for name, _, value in fields if name.strip().lower() == b"authorization"]
        return len(sent) == 1 and compare_digest(sent[0], self._token)

    def close(self) -> None:
        """Stop listening, and close all connections."""
        self._listener.close()
        for connection in list(self._connections):
            connection.close()

    def add(self, connection: "MonitoringConnection") -> None:
        """Add a new connection. At the limit, first close the oldest idle one, or the oldest one if none is idle.

        Probes send their request at once, so the oldest idle connection does not belong to a probe.
        """
        if len(self._connections) >= MONITORING_CONNECTIONS_MAX:
            idle = (open_one for open_one in self._connections if not open_one.is_answering)
            oldest = next(idle, None) or next(iter(self._connections))
            self.remove(oldest)
            oldest.abort()
        self._connections[connection] = None

    def remove(self, connection: "MonitoringConnection") -> None:
        """Remove a connection; a connection that was removed already is ignored."""
        self._connections.pop(connection, None)


class MonitoringConnection(asyncio.Protocol):
    """Connection that serves one request. Bytes after the request are discarded."""

    def __init__(self, server: MonitoringServer) -> None:
        self._server: Final = server
        self._head = b""
        self._discarded_bytes = 0
        self._task: asyncio.Task[None] | None = None
        self._has_answered = False
        self._client_has_finished = False
        self._transport: asyncio.Transport
        self._timer: asyncio.TimerHandle

    @property
    def is_answering(self) -> bool:
        """True while a request is being answered."""
        return self._task is not None and not self._has_answered

    def close(self) -> None:
        """Close the connection after the response was sent."""
        self._transport.close()

    def abort(self) -> None:
        """Close the connection at once, without sending the rest."""
        self._transport.abort()

    # --- events of the socket -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._timer = self._server.loop.call_later(MONITORING_HEAD_S, self._head_is_late)
        self._server.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # clients may leave at any time
        self._timer.cancel()
        self._server.remove(self)
        if self._task is not None:
            self._task.cancel()

    def eof_received(self) -> bool:
        """Keep the connection open while its request is answered.

        A client may close its sending half before it reads the response.
        """
        self._client_has_finished = True
        return self.is_answering

    def data_received(self, data: bytes) -> None:
        if self._task is not None or self._has_answered:
            return self._discard(len(data))
        self._head += data
        length = self._head.find(END_OF_HEAD)
        if max(length, 0 if length >= 0 else len(self._head)) > MONITORING_HEAD_BYTES_MAX:
            return self._respond(Answer(400, f"the request head exceeds {MONITORING_HEAD_BYTES_MAX} bytes\n"))
        if length >= 0:
            self._limit_time()
            self._task = self._server.loop.create_task(self._answer())
        return None

    def _head_is_late(self) -> None:
        self._respond(Answer(408, f"the request did not arrive within {MONITORING_HEAD_S:g} s\n"))

    def _limit_time(self) -> None:
        self._timer.cancel()
        self._timer = self._server.loop.call_later(MONITORING_CONNECTION_S, self._transport.abort)

    def _discard(self, nbytes: int) -> None:
        """Read and ignore further bytes: closing a socket with unread data could destroy the response."""
        self._discarded_bytes += nbytes
        if self._discarded_bytes > MONITORING_DISCARDED_BYTES_MAX:
            self._transport.abort()

    # --- request and response -----------------------------------------------------------------------------------------

    async def _answer(self) -> None:
        words = self._head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            return self._respond(Answer(400, "not an HTTP/1.1 request\n"))
        path = words[1].partition("?")[0]
        page = self._server.pages.get(path)
        if page is None:
            return self._respond(Answer(404, f"no such page; the pages are {', '.join(self._server.pages)}\n"))
        if not self._server.may_read(path, self._head):
            log.warning("monitoring: refused %s to %s: the bearer token is missing or wrong", path, self._peer())
            return self._respond(Answer(401, "this page needs its token: Authorization: Bearer TOKEN\n"))
        if words[0] not in ("GET", "HEAD"):
            return self._respond(Answer(405, "pages are read with GET or HEAD\n"))
        try:
            answer = await page()
        except Exception:
            log.exception("monitoring: answering %s failed with a bug in Tenure; please report it", words[1])
            answer = Answer(500, "a bug in Tenure; see its log\n")
        return self._respond(answer, with_body=words[0] == "GET")

    def _peer(self) -> str:
        host, *_ = self._transport.get_extra_info("peername") or ("an unknown address",)
        return str(host)

    def _respond(self, answer: Answer, *, with_body: bool = True) -> None:
        """Send the response, with its body for GET and without for HEAD. Then wait until the client closes."""
        body = answer.body.encode()
        head = (
            f"HTTP/1.1 {answer.status} {REASONS[answer.status]}\r\n"
            f"Content-Type: {answer.content_type}\r\n"
            f"Content-Length: {len(body)}\r\n"
            f"{'WWW-Authenticate: Bearer' + LINE_END if answer.status == 401 else ''}"
            "Connection: close\r\n\r\n"
        )
        self._has_answered = True
        self._limit_time()
        self._transport.write(head.encode("ascii") + (body if with_body else b""))
        if self._client_has_finished or not self._transport.can_write_eof():
            self._transport.close()
        else:
            self._transport.write_eof()
