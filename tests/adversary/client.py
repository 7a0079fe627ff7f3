"""Hostile client: sends arbitrary frames, and counts the responses or leaves them unread."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Sequence
from typing import Final, Self

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.message import Message
from tests.serving import Serving

READ_BYTES: Final = 1 << 20
ANSWER_PATIENCE_S: Final = 120.0
"""Time after which a broker that neither answers nor closes the connection counts as hung."""
PUSH_PATIENCE_S: Final = 0.5
"""Time without a read after which a broker counts as no longer reading."""


class NotAnsweredError(AssertionError):
    """The broker neither answered a request nor closed its connection."""


def frame(request: Message, version: int | None = None) -> bytes:
    """Return the bytes of a request, by default in its newest version."""
    key = ApiKey(request.KEY)
    return encode_request(RequestHeader(key, APIS[key].max_version if version is None else version, 7, "x"), request)


class Client:
    """Connection of an attacker. Invariant: `answers` counts complete answers."""

    def __init__(self, broker: Serving) -> None:
        self.answers = 0
        self.is_closed = False
        self._socket = socket.create_connection((broker.host, broker.port))
        self._socket.setblocking(False)
        self._received = bytearray()
        self._skip = 0
        """Bytes of the current answer that have not arrived yet."""

    def exchange(self, frames: Sequence[bytes], patience_s: float = ANSWER_PATIENCE_S) -> str:
        """Send frames and read at the same time, until each has its answer or the broker closes the connection."""
        return finish([self], frames, patience_s)

    def push(self, data: bytes) -> int:
        """Send without reading, until all is sent or the broker stops reading; return the number of bytes sent."""
        sent = 0
        view = memoryview(data)
        while sent < len(data) and self._is_ready(select.POLLOUT, PUSH_PATIENCE_S):
            try:
                sent += self._socket.send(view[sent : sent + READ_BYTES])
            except BlockingIOError:
                continue
            except ConnectionError:
                self.is_closed = True
                break
        return sent

    def await_close(self, patience_s: float = ANSWER_PATIENCE_S) -> None:
        """Read until the broker closes the connection. Raises NotAnsweredError if it does not."""
        give_up_at = time.monotonic() + patience_s
        while not self.is_closed:
            if not self._is_ready(select.POLLIN, max(0, give_up_at - time.monotonic())):
                raise NotAnsweredError(f"the connection was not closed for {patience_s:g} s")
            self.read()

    def send_some(self, view: memoryview) -> int:
        try:
            return self._socket.send(view[:READ_BYTES])
        except BlockingIOError:
            return 0
        except ConnectionError:
            self.is_closed = True
            return 0

    def read(self) -> None:
        """Read the bytes that have arrived, and count the complete answers."""
        try:
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self.is_closed = True
            return
        at = min(self._skip, len(data))
        self._skip -= at
        if at and not self._skip:
            self.answers += 1
        self._received += data[at:]
        while not self._skip and len(self._received) >= 4:
            size = int.from_bytes(self._received[:4], "big")
            there = min(size, len(self._received) - 4)
            del self._received[: 4 + there]
            self._skip = size - there
            self.answers += not self._skip

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def _is_ready(self, events: int, within_s: float) -> bool:
        poll = select.poll()
        poll.register(self._socket, events)
        return bool(poll.poll(within_s * 1_000))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def finish(clients: Sequence[Client], frames: Sequence[bytes], patience_s: float = ANSWER_PATIENCE_S) -> str:
    """Send the same frames on every connection, read the answers, and return how the connections ended.

    Raises NotAnsweredError for connections that are neither answered nor closed.
    """
    stream = b"".join(frames)
    unsent = {client: memoryview(stream) for client in clients}
    expected = {client: client.answers + len(frames) for client in clients}
    give_up_at = time.monotonic() + patience_s
    while open_clients := [c for c in clients if not c.is_closed and (unsent[c] or c.answers < expected[c])]:
        if time.monotonic() > give_up_at:
            raise NotAnsweredError(f"{len(open_clients)} connections neither answered nor closed for {patience_s:g} s")
        readable, writable, _ = select.select(open_clients, [c for c in open_clients if unsent[c]], [], 1.0)
        for client in writable:
            unsent[client] = unsent[client][client.send_some(unsent[client]) :]
        for client in readable:
            client.read()
    closed = sum(client.is_closed for client in clients)
    answered = sum(client.answers for client in clients)
    return f"{answered} answered" + (f", {closed} closed" if closed else "")
