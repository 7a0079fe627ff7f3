"""`python -m bench.loop_transports`: `tenure` whose connections are transports of the event loop (decision 6).

The benchmark `sockets` compares it with the broker's own sockets. Arguments: `own` or `transports` for the kind of
sockets, the directory with uvloop or "" for asyncio's loop, then the arguments of `python`: `-m tenure serve` etc.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Sequence
from typing import Any, Final

from tenure.broker.loop.schedule import Schedule
from tenure.broker.server import server
from tenure.broker.server.sockets import Receiver, Sockets
from tenure.cli import main as tenure
from tenure.limits.broker import CONNECTION_WRITE_BYTES_MAX
from tenure.protocol.message import MessagePart

OWN, TRANSPORTS = "own", "transports"
"""Kinds of sockets: those of `tenure.broker.server.sockets`, or the transports of the event loop."""


class LoopSockets(Sockets):
    """Accepts connections as the broker does. The loop reads them, each in a callback of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop, schedule: Schedule) -> None:
        super().__init__(loop, schedule)
        self.loop: Final = loop
        self._of_passes: Final = schedule
        self._is_in_pass = False

    def begin_pass(self) -> None:
        """Begin a pass with the first socket that the loop reads. It ends when all that are ready have been read."""
        if not self._is_in_pass:
            self._is_in_pass = True
            self._of_passes.begin_pass()
            self.loop.call_soon(self._end_pass)

    def _end_pass(self) -> None:
        self._is_in_pass = False
        self._of_passes.end_pass()


class LoopTransport(asyncio.BufferedProtocol):
    """Transport of the event loop, with the methods of the broker's own `Transport`."""

    late_bytes = 0
    has_unread_input = False

    def __init__(self, sockets: LoopSockets, connected: socket.socket, peer: Any, receiver: Receiver) -> None:
        self.peer = peer
        self._sockets = sockets
        self._receiver = receiver
        self._transport: asyncio.Transport
        self._is_full = False
        receiver.connection_made(self)  # type: ignore[arg-type]
        self._opening = sockets.loop.create_task(sockets.loop.connect_accepted_socket(lambda: self, connected))

    # --- events of the loop's transport -------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:  # uvloop's has no base class of asyncio
        self._transport = transport
        transport.set_write_buffer_limits(high=0)  # tells when a byte is unsent, and when all are sent

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002
        return self._sockets.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._sockets.begin_pass()
        self._receiver.received(self._sockets.buffer, nbytes)

    def eof_received(self) -> bool:
        self._receiver.input_ended()
        return True  # the receiver closes the transport

    def pause_writing(self) -> None:
        self._receiver.unsent_changed()
        if self.unsent_bytes > CONNECTION_WRITE_BYTES_MAX:
            self._is_full = True
            self._receiver.pause_writing()

    def resume_writing(self) -> None:
        self._receiver.unsent_changed()
        if self._is_full:
            self._is_full = False
            self._receiver.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._receiver.connection_lost()

    # --- calls of the receiver ----------------------------------------------------------------------------------------

    def write(self, pieces: Sequence[MessagePart]) -> None:
        """Send the pieces. Records in files are read first."""
        self._transport.write(bytes(pieces[0]) if len(pieces) == 1 else b"".join(map(bytes, pieces)))

    @property
    def unsent_bytes(self) -> int:
        return self._transport.get_write_buffer_size()

    unsent_memory_bytes = unsent_bytes

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()


def main() -> None:
    sockets, uvloop, *command = sys.argv[1:]
    if uvloop:
        sys.path.append(uvloop)
    if sockets == TRANSPORTS:
        vars(server).update(Sockets=LoopSockets, Transport=LoopTransport)
    sys.argv = command[1:]
    tenure()


if __name__ == "__main__":
    main()
