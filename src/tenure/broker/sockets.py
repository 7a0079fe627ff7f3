"""The sockets of all connections, behind one descriptor of the loop's.

For every event asyncio makes a handle, runs it in a context and asks its way through a transport. So the loop watches
one descriptor, that of a selector with all our sockets in it, and whatever is ready is read in one go. Towards a
connection a `Transport` behaves as asyncio's do.
"""

import asyncio
import logging
import selectors
import socket
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from tenure.limits import ACCEPT_AGAIN_S, CONNECTION_READ_BYTES, CONNECTION_WRITE_BYTES_MAX

log = logging.getLogger("tenure.broker")

READ: Final = selectors.EVENT_READ
WRITE: Final = selectors.EVENT_WRITE
PIECES_AT_ONCE: Final = 1_024
"""As many as any system takes at once (IOV_MAX)."""
NOT_NOW: Final = (BlockingIOError, InterruptedError)


class Receiver(Protocol):
    """Whose socket it is: the part of asyncio's protocols that a `Transport` calls."""

    def connection_made(self, transport: "Transport") -> None: ...

    def received(self, buffer: memoryview, nbytes: int) -> None:
        """The first bytes of a buffer that all sockets are read into: to be copied at once."""

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def connection_lost(self) -> None: ...


class Sockets:
    __slots__ = ("_loop", "_selector", "buffer")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.buffer: Final = memoryview(bytearray(CONNECTION_READ_BYTES))
        self._loop = loop
        self._selector = selectors.DefaultSelector()
        loop.add_reader(self._selector, self._work)

    async def accept(self, listening: socket.socket, new_receiver: Callable[[], Receiver]) -> None:
        """For ever. Too many open files are a matter of time: those who wait in the backlog go on waiting."""
        while True:
            try:
                accepted, peer = await self._loop.sock_accept(listening)
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as error:
                log.warning("a connection could not be accepted: %s", error.strerror)
                await asyncio.sleep(ACCEPT_AGAIN_S)
            else:
                Transport(self, accepted, peer, new_receiver())

    def watch(self, transport: "Transport", before: int, events: int) -> None:
        if not before:
            self._selector.register(transport.socket, events, transport)
        elif not events:
            self._selector.unregister(transport.socket)
        else:
            self._selector.modify(transport.socket, events, transport)

    def soon(self, call: Callable[[], None]) -> None:
        self._loop.call_soon(call)

    def _work(self) -> None:
        for key, events in self._selector.select(0):
            transport: Transport = key.data
            if events & READ:
                transport.readable()
            if events & WRITE:
                transport.writable()

    def close(self) -> None:
        self._loop.remove_reader(self._selector)
        self._selector.close()


class Transport:
    """One socket. It ends by `close`, by its peer or by an error; its receiver is told in the turn after."""

    __slots__ = (
        "_buffer",
        "_closing",
        "_events",
        "_full",
        "_paused",
        "_receive_into",
        "_receiver",
        "_send",
        "_send_several",
        "_sockets",
        "_unsent",
        "peer",
        "socket",
    )

    def __init__(self, sockets: Sockets, connected: socket.socket, peer: Any, receiver: Receiver) -> None:
        self.socket: Final = connected
        self.peer: Final = peer
        """Address and port."""
        self._sockets = sockets
        self._buffer = sockets.buffer
        self._receiver = receiver
        self._send = connected.send
        self._send_several = connected.sendmsg
        self._receive_into = connected.recv_into
        self._unsent = bytearray()
        self._events = 0
        """What the selector watches for."""
        self._paused = False
        self._full = False
        """Invariant: the receiver was told to pause writing, and not yet to go on."""
        self._closing = False
        """Nothing is read any more; what is unsent still leaves."""
        receiver.connection_made(self)
        self._watch()

    # --- what the selector says ---------------------------------------------------------------------------------------

    def readable(self) -> None:
        if self._closing:
            return
        try:
            nbytes = self._receive_into(self._buffer)
        except NOT_NOW:
            return
        except OSError:  # a client may leave as it likes
            self._end()
            return
        if nbytes:
            self._receiver.received(self._buffer, nbytes)
        else:
            self.close()

    def writable(self) -> None:
        try:
            del self._unsent[: self._send(self._unsent)]
        except NOT_NOW:
            return
        except OSError:
            self._end()
            return
        if self._full and len(self._unsent) <= CONNECTION_WRITE_BYTES_MAX // 4:
            self._full = False
            self._receiver.resume_writing()
        if not self._unsent:
            self._sent()

    # --- what the receiver says ---------------------------------------------------------------------------------------

    def write(self, pieces: Sequence[bytes]) -> None:
        """In one go. Only what the socket does not take is copied."""
        sent = 0
        if not self._unsent:
            try:
                sent = self._send(pieces[0]) if len(pieces) == 1 else self._send_several(pieces[:PIECES_AT_ONCE])
            except NOT_NOW:
                pass
            except OSError:
                self._end()
                return
        for piece in pieces:
            if sent < len(piece):
                self._unsent += memoryview(piece)[sent:]
            sent = max(sent - len(piece), 0)
        if not self._unsent:
            return
        self._watch()
        if len(self._unsent) > CONNECTION_WRITE_BYTES_MAX and not self._full:
            self._full = True
            self._receiver.pause_writing()

    def pause_reading(self) -> None:
        self._paused = True
        self._watch()

    def resume_reading(self) -> None:
        self._paused = False
        self._watch()

    def close(self) -> None:
        """Once what is unsent has left."""
        if not self._closing:
            self._closing = True
            if self._unsent:
                self._watch()
            else:
                self._sent()

    # --- the rest -----------------------------------------------------------------------------------------------------

    def _sent(self) -> None:
        if self._closing:
            self._end()
        else:
            self._watch()

    def _watch(self) -> None:
        reads = 0 if self._paused or self._closing else READ
        events = reads | WRITE if self._unsent else reads
        if events != self._events:
            self._sockets.watch(self, self._events, events)
            self._events = events

    def _end(self) -> None:
        """At once, whatever is unsent."""
        self._closing = True
        self._unsent.clear()
        if self.socket.fileno() >= 0:
            self._watch()
            self.socket.close()
            self._sockets.soon(self._receiver.connection_lost)
