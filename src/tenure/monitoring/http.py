"""A door for collectors and probes: GET of a few pages over HTTP/1.1, one request per connection.

No more than that, and by hand: a web framework takes longer to load than the whole broker.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, TypeAlias, cast

from tenure.limits import (
    MONITORING_CONNECTION_S,
    MONITORING_CONNECTIONS_MAX,
    MONITORING_REQUEST_BYTES_MAX,
)

log = logging.getLogger("tenure.monitoring")

TEXT: Final = "text/plain; charset=utf-8"
REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class Answer(NamedTuple):
    status: int
    body: str
    content_type: str = TEXT


Pages: TypeAlias = Mapping[str, Callable[[], Awaitable[Answer]]]


class Door(asyncio.Protocol):
    """One connection. Whoever says nothing, or too much, or takes too long is shown out."""

    def __init__(self, pages: Pages, open_doors: "set[Door]", loop: asyncio.AbstractEventLoop) -> None:
        self._pages: Final = pages
        self._open_doors: Final = open_doors
        self._loop: Final = loop
        self._received = b""
        self._task: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport
        self._patience: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._patience = self._loop.call_later(MONITORING_CONNECTION_S, self._transport.abort)
        self._open_doors.add(self)
        if len(self._open_doors) > MONITORING_CONNECTIONS_MAX:
            self._respond(Answer(503, "too many connections: ask again later\n"))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # a client may leave as it likes
        self._patience.cancel()
        self._open_doors.discard(self)
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        if self._task is not None or self._transport.is_closing():
            return
        self._received += data
        if b"\r\n\r\n" in self._received:
            self._task = self._loop.create_task(self._answer())
        elif len(self._received) > MONITORING_REQUEST_BYTES_MAX:
            self._respond(Answer(400, "the request is too long\n"))

    async def _answer(self) -> None:
        words = self._received.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            return self._respond(Answer(400, "this is no HTTP request\n"))
        page = self._pages.get(words[1].partition("?")[0])
        if page is None:
            return self._respond(Answer(404, f"there are {', '.join(self._pages)}\n"))
        if words[0] not in ("GET", "HEAD"):
            return self._respond(Answer(405, "pages are read with GET\n"))
        try:
            answer = await page()
        except Exception:
            log.exception("%s: a bug in Tenure, please report it", words[1])
            answer = Answer(500, "a bug in Tenure: the log has more\n")
        return self._respond(answer, with_body=words[0] == "GET")

    def _respond(self, answer: Answer, *, with_body: bool = True) -> None:
        body = answer.body.encode()
        head = (
            f"HTTP/1.1 {answer.status} {REASONS[answer.status]}\r\n"
            f"Content-Type: {answer.content_type}\r\n"
            f"Content-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        self._transport.write(head.encode("ascii") + (body if with_body else b""))
        self._transport.close()

    def close(self) -> None:
        self._transport.close()
