"""Transport with TLS: `ssl.SSLObject` between the socket and its receiver (decision 19).

Handshakes run on threads, because a signature takes a millisecond. While a thread runs a step of a handshake, nothing
else uses the TLS state. Bytes are encrypted only when the socket can take them. So the records of a fetch stay in their
file, and only a small encrypted part is in memory.
"""

import errno
import logging
import ssl
from asyncio import Future
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from tenure.broker.loop.threads import Threads
from tenure.broker.server.sockets import NOT_NOW, SENT_AT_ONCE_BYTES, Receiver, Sockets, Transport
from tenure.limits.broker import CONNECTION_WRITE_BYTES_MAX, TLS_AHEAD_BYTES, TLS_CHUNK_BYTES, TLS_HANDSHAKE_BYTES_MAX
from tenure.protocol.message import MessagePart

PORTIONS_AT_ONCE: Final = SENT_AT_ONCE_BYTES // TLS_AHEAD_BYTES

log = logging.getLogger("tenure.broker")


class TlsTransport(Transport):
    __slots__ = (
        "_handshake_bytes",
        "_incoming",
        "_is_open",
        "_outgoing",
        "_plain",
        "_plain_skipped",
        "_threads",
        "_tls",
        "_when_open",
    )

    def __init__(
        self,
        sockets: Sockets,
        connected: Any,
        peer: Any,
        receiver: Receiver,
        context: ssl.SSLContext,
        threads: Threads,
        when_open: Callable[[bytes | None], None],
    ) -> None:
        """Begin a connection. After the handshake, `when_open` gets the client's certificate (DER), or None."""
        self._incoming: Final = ssl.MemoryBIO()
        self._outgoing: Final = ssl.MemoryBIO()
        self._tls: Final[Any] = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        """An `SSLObject`.

        The annotation is Any, because typeshed does not declare that `read` into a buffer returns an int.
        """
        self._threads: Final = threads
        self._when_open = when_open
        self._is_open = False
        """True after the handshake."""
        self._handshake_bytes = 0
        self._plain: deque[MessagePart] = deque()
        """Pieces that are not encrypted yet. They are sent after `_unsent`."""
        self._plain_skipped = 0
        """Number of bytes of the first piece in `_plain` that are encrypted already."""
        super().__init__(sockets, connected, peer, receiver)

    # --- input --------------------------------------------------------------------------------------------------------

    def readable(self) -> None:
        if self._closing:
            return
        try:
            nbytes = self._receive_into(self._buffer)
        except NOT_NOW:
            return
        except OSError:
            self._end()
            return
        if not nbytes:
            self._receiver.input_ended()
            return
        self._incoming.write(self._buffer[:nbytes])
        if self._is_open:
            self._decrypt()
            return
        self._handshake_bytes += nbytes
        if self._handshake_bytes > TLS_HANDSHAKE_BYTES_MAX:
            self._fail("the handshake is too large")
            return
        super().pause_reading()
        self._threads.run(self._step).add_done_callback(self._stepped)

    def _decrypt(self) -> None:
        """Decrypt received bytes and pass them to the receiver, until it pauses reading."""
        while not (self._closing or self._paused):
            nbytes, has_ended = 0, False
            try:
                while nbytes < len(self._buffer):
                    read: int = self._tls.read(len(self._buffer) - nbytes, self._buffer[nbytes:])
                    if not read:
                        has_ended = True
                        break
                    nbytes += read
            except ssl.SSLWantReadError:
                has_more = False
            except ssl.SSLZeroReturnError:
                has_ended = True
            except ssl.SSLError as error:
                self._fail(_reason(error))
                return
            else:
                has_more = True
            if nbytes:
                self._receiver.received(self._buffer, nbytes)
            if has_ended and not self._closing:
                self._receiver.input_ended()
            if has_ended or not has_more:
                break
        if not self._closing and self._outgoing.pending:
            self._send_encrypted()

    def resume_reading(self) -> None:
        super().resume_reading()
        if self._incoming.pending or self._tls.pending():
            self._sockets.call_soon(self._decrypt)

    @property
    def has_unread_input(self) -> bool:
        return bool(self._incoming.pending or self._tls.pending() or self._has_input_in_system())

    # --- handshake ----------------------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """Run the next step of the handshake. Return True if it is complete. Runs on a thread. Raises SSLError."""
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        return True

    def _stepped(self, step: "Future[bool]") -> None:
        if step.cancelled() or self._closing:
            return
        error = step.exception()
        if error is not None:
            self._fail(_reason(error) if isinstance(error, ssl.SSLError) else type(error).__name__)
            return
        if not self._send_encrypted():
            return
        if step.result():
            try:
                self._when_open(self._tls.getpeercert(binary_form=True))
            except ValueError as refusal:
                self._fail(str(refusal))
                return
            self._is_open = True
        self._paused = False
        self._watch()
        if self._is_open:
            self._decrypt()

    def _fail(self, why: str) -> None:
        """Log the failure, send the TLS alert if there is one, and end the connection."""
        if not self._is_open:
            self._receiver.handshake_failed()
        log.warning("closed the connection of %s:%s: TLS failed (%s)", self.peer[0], self.peer[1], why)
        self._send_last()
        self._end()

    # --- output -------------------------------------------------------------------------------------------------------

    def write(self, pieces: Sequence[MessagePart]) -> None:
        for piece in pieces:
            size = len(piece)
            if size:
                self._plain.append(piece)
                self.unsent_bytes += size
                if isinstance(piece, bytes):
                    self.unsent_memory_bytes += size
        if self._unsent or not self._plain:
            return
        if not self._send_unsent():
            return
        if self._unsent:
            self._receiver.unsent_changed()
            self._watch()
            if self.unsent_bytes > CONNECTION_WRITE_BYTES_MAX and not self._full:
                self._full = True
                self._receiver.pause_writing()

    def _send_unsent(self) -> bool:
        """Encrypt and send until the socket accepts no more bytes, or SENT_AT_ONCE_BYTES were sent.

        Return False if the connection has ended.
        """
        try:
            for _ in range(PORTIONS_AT_ONCE):
                self._encrypt()
                if not super()._send_unsent():
                    return False
                if self._unsent or not self._plain:
                    return True
            self._encrypt()  # the socket is watched for writing only if encrypted bytes are unsent
        except OSError as error:
            if error.errno == errno.EIO:
                log.error(
                    "closed the connection of %s: the disk could not read the records of its fetch (EIO)", self.peer
                )
            self._end()
            return False
        return True

    def _encrypt(self) -> None:
        """Encrypt the next bytes, until TLS_AHEAD_BYTES of encrypted bytes wait to be sent."""
        ahead = sum([len(piece) for piece in self._unsent])
        while self._plain and ahead < TLS_AHEAD_BYTES:
            chunk = memoryview(self._next_chunk())
            while chunk:
                chunk = chunk[self._tls.write(chunk) :]
            ahead += self._take_encrypted()

    def _next_chunk(self) -> bytes:
        """Remove and return the next bytes to encrypt. Raises OSError if they cannot be read from their file."""
        parts: list[bytes] = []
        missing = TLS_CHUNK_BYTES
        while self._plain and missing:
            piece = self._plain[0]
            if isinstance(piece, bytes):
                part = piece[self._plain_skipped : self._plain_skipped + missing]
                self.unsent_memory_bytes -= len(part)
            else:
                part = piece.read(self._plain_skipped, missing)
            parts.append(part)
            missing -= len(part)
            self._plain_skipped += len(part)
            self.unsent_bytes -= len(part)
            if self._plain_skipped == len(piece):
                self._plain.popleft()
                self._plain_skipped = 0
        return b"".join(parts)

    def _take_encrypted(self) -> int:
        encrypted = self._outgoing.read()
        self._keep([encrypted])
        return len(encrypted)

    def _send_encrypted(self) -> bool:
        """Send bytes of the TLS protocol itself, such as handshake messages.

        Return False if the connection has ended.
        """
        self._take_encrypted()
        if self._unsent:
            if not self._send_unsent():
                return False
            self._watch()
        return True

    # --- closing ------------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self._plain.clear()
        self._plain_skipped = 0
        self._when_open = _nothing  # break the reference cycle through the receiver
        super()._end()

    def _sent(self) -> None:
        if self._closing and self._is_open and self.socket.fileno() >= 0:
            with suppress(ssl.SSLError, ValueError):  # do not wait for the client's close_notify
                self._tls.unwrap()
            self._send_last()
        super()._sent()

    def _send_last(self) -> None:
        """Try once to send a pending TLS alert. Errors are ignored, because the connection ends in any case."""
        with suppress(OSError):
            self._send(self._outgoing.read())


def _nothing(_: bytes | None) -> None: ...


def _reason(error: ssl.SSLError) -> str:
    """Return OpenSSL's name of an error. It contains no bytes from the client."""
    return (error.reason or type(error).__name__).replace("_", " ").lower()
