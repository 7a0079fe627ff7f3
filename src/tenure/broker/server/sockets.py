"""Sockets of all connections, behind one file descriptor of the event loop (decision 6).

For every event, asyncio creates a handle, runs it in a context, and passes through a transport's state machine. Here
the event loop watches one descriptor only: that of a poller with all sockets. All sockets with input are read in one
pass, with a turn for short requests after each SOCKETS_PER_TURN; then the schedule processes the other requests.
"""

import asyncio
import errno
import logging
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from itertools import islice
from typing import Any, Final, Protocol

from tenure.broker.loop.schedule import Schedule
from tenure.broker.server.poller import READ, WRITE, new_poller
from tenure.limits.broker import (
    ACCEPT_AGAIN_S,
    CONNECTION_READ_BYTES,
    CONNECTION_WRITE_BYTES_MAX,
    SOCKETS_PER_TURN,
)
from tenure.protocol.message import MessagePart

log = logging.getLogger("tenure.broker")

PIECES_AT_ONCE: Final = 1_024
"""Largest number of buffers in one call of sendmsg that every system allows (IOV_MAX)."""
NOT_NOW: Final = (BlockingIOError, InterruptedError)
MORE_FOLLOWS: Final = getattr(socket, "MSG_MORE", 0)
"""Linux flag `MSG_MORE`: the bytes are sent in one packet with the records that follow from a file."""
SENT_AT_ONCE_BYTES: Final = 1 << 22
"""Bytes that are sent to one connection before other connections are served."""


class Receiver(Protocol):
    """Interface of an object that handles the events of a `Transport`."""

    def connection_made(self, transport: "Transport") -> None: ...

    def received(self, buffer: memoryview, nbytes: int) -> None:
        """Handle received bytes. Copy them at once, because all sockets share `buffer`."""

    def input_ended(self) -> None:
        """Handle the end of input. The receiver must call `Transport.close`, now or later."""

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def unsent_changed(self) -> None:
        """Handle a change of `Transport.unsent_bytes`."""

    def handshake_failed(self) -> None: ...

    def connection_lost(self) -> None: ...


class _NoReceiver:
    """Receiver of a closed transport. It replaces the connection, so that the connection's memory can be freed."""

    def connection_made(self, transport: "Transport") -> None: ...

    def received(self, buffer: memoryview, nbytes: int) -> None: ...

    def input_ended(self) -> None: ...

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def unsent_changed(self) -> None: ...

    def handshake_failed(self) -> None: ...

    def connection_lost(self) -> None: ...


_NO_RECEIVER: Final = _NoReceiver()


class Sockets:
    __slots__ = ("_loop", "_poller", "_schedule", "_transports", "buffer")

    def __init__(self, loop: asyncio.AbstractEventLoop, schedule: Schedule) -> None:
        self.buffer: Final = memoryview(bytearray(CONNECTION_READ_BYTES))
        self._loop = loop
        self._schedule = schedule
        self._poller: Any = new_poller()
        self._transports: dict[int, Transport] = {}
        """Watched transports by the file descriptors of their sockets."""
        loop.add_reader(self._poller.fileno(), self._work)

    async def accept(self, listening: socket.socket, begin: Callable[[socket.socket, Any], Awaitable[None]]) -> None:
        """Accept connections one after the other, until cancelled. Pass each one to `begin(socket, peer address)`.

        If the process has no file descriptor left, new connections wait in the backlog for a while. Unlike asyncio's
        `sock_accept`, a cancellation never loses an accepted socket.
        """
        while True:
            try:
                accepted, peer = listening.accept()
                accepted.setblocking(False)
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except NOT_NOW:
                await self._readable(listening)
            except OSError as error:
                log.warning(
                    "a connection could not be accepted, the broker tries again in %g s: %s",
                    ACCEPT_AGAIN_S,
                    error.strerror,
                )
                await asyncio.sleep(ACCEPT_AGAIN_S)
            else:
                await begin(accepted, peer)

    async def _readable(self, listening: socket.socket) -> None:
        """Wait until a connection may be accepted."""
        waiting = self._loop.create_future()
        self._loop.add_reader(listening, set_done, waiting)
        try:
            await waiting
        finally:
            self._loop.remove_reader(listening)

    def watch(self, transport: "Transport", before: int, events: int) -> None:
        descriptor = transport.socket.fileno()
        if not before:
            self._poller.register(descriptor, events)
            self._transports[descriptor] = transport
        elif not events:
            self._poller.unregister(descriptor)
            del self._transports[descriptor]
        else:
            self._poller.modify(descriptor, events)

    def call_soon(self, call: Callable[[], None]) -> None:
        self._loop.call_soon(call)

    def _work(self) -> None:
        self._schedule.begin_pass()
        try:
            ready = self._poller.poll(0, len(self._transports) or 1)
            for first in range(0, len(ready), SOCKETS_PER_TURN):
                if first:
                    self._schedule.run_turn()
                self._read_and_write(ready[first : first + SOCKETS_PER_TURN])
        finally:
            self._schedule.end_pass()

    def _read_and_write(self, ready: list[tuple[int, int]]) -> None:
        """Let transports read or write. `ready` has (descriptor, events). If a socket has an error, try both."""
        transports = self._transports
        for descriptor, events in ready:
            transport = transports.get(descriptor)
            if transport is None:  # an earlier event of this pass has closed or paused it
                continue
            try:
                if events != WRITE and transport.events & READ:
                    transport.readable()
                if events != READ and transport.events & WRITE:
                    transport.writable()
            except MemoryError:
                log.warning("closed the connection of %s: the broker has no memory left to serve it", transport.peer)
                transport.abort()

    def close(self) -> None:
        self._loop.remove_reader(self._poller.fileno())
        self._poller.close()


def set_done(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():  # It may have been cancelled in the same turn of the loop.
        waiting.set_result(None)


class Transport:
    """One socket. After it was closed, by either side or by an error, `connection_lost` is called in the next turn."""

    __slots__ = (
        "_buffer",
        "_closing",
        "_full",
        "_paused",
        "_receive_into",
        "_receiver",
        "_send",
        "_send_several",
        "_skipped",
        "_sockets",
        "_unsent",
        "events",
        "late_bytes",
        "peer",
        "socket",
        "unsent_bytes",
        "unsent_memory_bytes",
    )

    def __init__(self, sockets: Sockets, connected: socket.socket, peer: Any, receiver: Receiver) -> None:
        self.socket: Final = connected
        self.peer: Final = peer
        """Address and port of the peer."""
        self._sockets = sockets
        self._buffer = sockets.buffer
        self._receiver: Receiver = receiver
        self._send = connected.send
        self._send_several = connected.sendmsg
        self._receive_into = connected.recv_into
        self._unsent: deque[MessagePart] = deque()
        self._skipped = 0
        """Number of bytes of the first unsent piece that are sent already."""
        self.unsent_bytes = 0
        """Size of the unsent pieces, less `_skipped`."""
        self.unsent_memory_bytes = 0
        """Size of the unsent pieces that are in memory, not in a file."""
        self.late_bytes = 0
        """Number of bytes sent so far that the socket did not accept at once."""
        self.events = 0
        """Events that the poller watches for."""
        self._paused = False
        self._full = False
        """True between the calls of the receiver's `pause_writing` and `resume_writing`."""
        self._closing = False
        """True if the transport reads no more input. Unsent bytes are still sent."""
        receiver.connection_made(self)
        self._watch()

    # --- events of the poller -----------------------------------------------------------------------------------------

    def readable(self) -> None:
        if self._closing:
            return
        try:
            nbytes = self._receive_into(self._buffer)
        except NOT_NOW:
            return
        except OSError:  # a client may disconnect in any way
            self._end()
            return
        if nbytes:
            self._receiver.received(self._buffer, nbytes)
        else:
            self._receiver.input_ended()

    def writable(self) -> None:
        if not self._unsent or not self._send_unsent():
            return
        if self._full and self.unsent_bytes <= CONNECTION_WRITE_BYTES_MAX // 4:
            self._full = False
            self._receiver.resume_writing()
        if not self._unsent:
            self._sent()

    # --- calls of the receiver ----------------------------------------------------------------------------------------

    def write(self, pieces: Sequence[MessagePart]) -> None:
        """Send as many bytes as the socket accepts, and the rest later.

        The transport keeps the pieces until they are sent, without copying them.
        """
        was_empty = not self._unsent
        # The usual case: one piece, which is sent at once.
        if was_empty and len(pieces) == 1 and type(pieces[0]) is bytes:
            try:
                sent = self._send(pieces[0])
            except NOT_NOW:
                sent = 0
            except OSError:
                self._end()
                return
            if sent == len(pieces[0]):
                return
            self._keep(pieces)
            self._skipped = sent
            self.unsent_bytes -= sent
        else:
            self._keep(pieces)
            if was_empty and not self._send_unsent():
                return
        if self._unsent:
            self._receiver.unsent_changed()
            self._watch()
            if self.unsent_bytes > CONNECTION_WRITE_BYTES_MAX and not self._full:
                self._full = True
                self._receiver.pause_writing()

    def pause_reading(self) -> None:
        self._paused = True
        self._watch()

    def resume_reading(self) -> None:
        self._paused = False
        self._watch()

    @property
    def has_unread_input(self) -> bool:
        """True if the peer has sent bytes that were not passed to the receiver."""
        return self._has_input_in_system()

    def _has_input_in_system(self) -> bool:
        try:
            return bool(self.socket.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def close(self) -> None:
        """Close the connection after all unsent bytes are sent."""
        if not self._closing:
            self._closing = True
            if self._unsent:
                self._watch()
            else:
                self._sent()

    def abort(self) -> None:
        """Close the connection at once, without sending the rest."""
        self._end()

    # --- unsent pieces ------------------------------------------------------------------------------------------------

    def _keep(self, pieces: Sequence[MessagePart]) -> None:
        for piece in pieces:
            size = len(piece)
            if size:
                self._unsent.append(piece)
                self.unsent_bytes += size
                if isinstance(piece, bytes):
                    self.unsent_memory_bytes += size

    def _send_unsent(self) -> bool:
        """Send until the socket accepts no more bytes, or SENT_AT_ONCE_BYTES were sent.

        Return False if the connection has ended.
        """
        left = SENT_AT_ONCE_BYTES
        try:
            while self._unsent and left > 0:
                first = self._unsent[0]
                if isinstance(first, bytes):
                    pieces = self._memory_pieces()
                    sent = self._send_several(pieces, (), MORE_FOLLOWS if len(pieces) < len(self._unsent) else 0)
                else:
                    sent = first.send_to(self.socket.fileno(), self._skipped, left)
                self._remove(sent)
                left -= sent
        except NOT_NOW:
            pass
        except OSError as error:
            if error.errno == errno.EIO:
                log.error(
                    "closed the connection of %s: the disk could not read the records of its fetch (EIO)", self.peer
                )
            self._end()
            return False
        self._receiver.unsent_changed()
        return True

    def _memory_pieces(self) -> list[bytes | memoryview]:
        """Return the unsent pieces before the first one that is in a file, at most as many as one system call takes."""
        pieces: list[bytes | memoryview] = []
        for piece in islice(self._unsent, PIECES_AT_ONCE):
            if not isinstance(piece, bytes):
                break
            pieces.append(memoryview(piece)[self._skipped :] if not pieces else piece)
        return pieces

    def _remove(self, sent: int) -> None:
        self.unsent_bytes -= sent
        self.late_bytes += sent
        sent += self._skipped
        while self._unsent and sent >= len(self._unsent[0]):
            piece = self._unsent.popleft()
            sent -= len(piece)
            if isinstance(piece, bytes):
                self.unsent_memory_bytes -= len(piece)
        self._skipped = sent

    # --- the rest -----------------------------------------------------------------------------------------------------

    def _sent(self) -> None:
        if self._closing:
            self._end()
        else:
            self._watch()

    def _watch(self) -> None:
        reads = 0 if self._paused or self._closing else READ
        events = reads | WRITE if self._unsent else reads
        if events != self.events:
            self._sockets.watch(self, self.events, events)
            self.events = events

    def _end(self) -> None:
        self._closing = True
        self._unsent.clear()
        self._skipped = self.unsent_bytes = self.unsent_memory_bytes = 0
        if self.socket.fileno() >= 0:
            self._watch()
            self.socket.close()
            receiver, self._receiver = self._receiver, _NO_RECEIVER
            self._sockets.call_soon(receiver.connection_lost)
