"""One client's connection: bytes to frames, responses to bytes, in order.

Kafka works on one request of a connection at a time and answers in order: while a JoinGroup is parked, what the client
sent after it waits (rule 1.3.1). So a connection holds one request under way, a short queue of frames behind it, and
the responses of this turn, which leave in one write.

Nothing that one client sends can hurt another: a frame that is too large, cannot be decoded or asks for what we do not
speak closes its own connection, with one line in the log (rules 1.1.1, 1.1.6, 1.3.2). A client that sends faster than
it reads, or faster than we answer, is not read from until that is over.
"""

import logging
from collections import deque
from collections.abc import Callable

from tenure.broker.request import RefusedByProtocol
from tenure.broker.sockets import Transport
from tenure.broker.turn import Turn
from tenure.limits import CONNECTION_QUEUED_BYTES_MAX, CONNECTION_QUEUED_FRAMES_MAX
from tenure.protocol.codec import MalformedMessage
from tenure.protocol.frames import FrameReader, FrameTooLarge, MalformedFrame

log = logging.getLogger("tenure.broker")


class Connection:
    """`begin(connection, frame)` starts a request; whoever ends it calls `respond` or `respond_nothing`, once."""

    __slots__ = (
        "_begin",
        "_busy",
        "_frames",
        "_looping",
        "_paused",
        "_queue",
        "_quiet_checks",
        "_responses",
        "_stopping",
        "_transport",
        "_turn",
        "_writable",
        "closed",
        "open_connections",
        "peer_host",
        "peer_name",
        "when_lost",
    )

    def __init__(
        self,
        turn: Turn,
        begin: "Callable[[Connection, bytes], None]",
        open_connections: "set[Connection]",
        request_bytes_max: int,
    ) -> None:
        self.open_connections = open_connections
        self.peer_host = ""
        self.peer_name = ""
        self.when_lost: Callable[[], None] | None = None
        """Set by a request that waits and is nobody's once the client has gone."""
        self._turn = turn
        self._begin = begin
        self._frames = FrameReader(request_bytes_max)
        self._queue: deque[bytes] = deque()
        self._responses: list[bytes] = []
        self._busy = False
        """Invariant: while a request is under way, no later frame is looked at."""
        self._looping = False
        """True inside `_work`: a request that is answered at once must not start the next one from within itself."""
        self._quiet_checks = 0
        self._writable = True
        self._paused = False
        self._stopping = False
        self.closed = False
        self._transport: Transport

    def quiet_checks(self) -> int:
        """How many of these checks in a row have found nothing under way, and nothing sent since the one before."""
        self._quiet_checks = 0 if self._busy else self._quiet_checks + 1
        return self._quiet_checks

    # --- what its socket tells us -------------------------------------------------------------------------------------

    def connection_made(self, transport: Transport) -> None:
        self._transport = transport
        host, port, *_ = transport.peer
        self.peer_host = str(host)
        self.peer_name = f"{host}:{port}"
        self.open_connections.add(self)

    def connection_lost(self) -> None:
        self.closed = True
        self._queue.clear()
        self._responses.clear()
        self.open_connections.discard(self)
        if self.when_lost is not None:
            self.when_lost()

    def received(self, buffer: memoryview, nbytes: int) -> None:
        self._quiet_checks = 0
        frame = self._frames.only_frame(buffer, nbytes)
        if frame is None:
            self._take(bytes(buffer[:nbytes]))
        elif self._busy or not self._writable:
            self._queue.append(frame)
            self._pause_if_far_ahead()
        else:
            self._work_on(frame)

    def _take(self, data: bytes) -> None:
        """Anything but one whole frame."""
        try:
            self._frames.feed(data)
            self._queue.extend(self._frames)
        except (FrameTooLarge, MalformedFrame) as error:
            self._work()  # what came before is answered first
            self.refuse(str(error))
            return
        self._work()
        self._pause_if_far_ahead()

    def pause_writing(self) -> None:
        self._writable = False
        self._pause_reading()

    def resume_writing(self) -> None:
        self._writable = True
        self._work()
        self._maybe_resume_reading()

    # --- what the broker tells us ------------------------------------------------------------------------------------

    def respond(self, pieces: list[bytes]) -> None:
        """Ends the request under way. The response leaves at once, or with those to come when this turn ends."""
        if self._queue or self._responses:
            if not self._responses:
                self._turn.send(self)
            self._responses += pieces
        elif not self.closed:
            self._transport.write(pieces)
        self.respond_nothing()

    def respond_nothing(self) -> None:
        """Ends the request under way without a response: Produce with acks=0 (rule 1.3.3)."""
        self._busy = False
        if self._queue and not self._looping:
            self._work()
        if self._paused:
            self._maybe_resume_reading()

    def flush(self) -> None:
        """One write for all responses that are ready."""
        responses = self._responses
        if responses and not self.closed:
            self._transport.write(responses)
            responses.clear()

    def take_no_more(self) -> None:
        """The request under way will be answered; what comes after it is not looked at any more."""
        self._queue.clear()
        self._stopping = True
        self._pause_reading()

    def refuse(self, why: str) -> None:
        """Closes this connection, and says so once."""
        if not self.closed:
            log.warning("closed the connection of %s: %s", self.peer_name, why)
            self.close()

    def close(self) -> None:
        """Sends what is ready, takes nothing more."""
        self.flush()
        self.closed = True
        self._queue.clear()
        self._transport.close()

    # --- one request after the other ---------------------------------------------------------------------------------

    def _work(self) -> None:
        self._looping = True
        while self._queue and not self._busy and self._writable and not self.closed:
            self._work_on(self._queue.popleft())
        self._looping = False

    def _work_on(self, frame: bytes) -> None:
        self._busy = True
        try:
            self._begin(self, frame)
        except (MalformedMessage, MalformedFrame, RefusedByProtocol) as error:
            self.refuse(str(error))
        except Exception:
            log.exception("closed the connection of %s: a bug in the broker, please report it", self.peer_name)
            self.close()

    # --- a client that is faster than we are --------------------------------------------------------------------------

    def _pause_if_far_ahead(self) -> None:
        queue = self._queue
        if len(queue) > CONNECTION_QUEUED_FRAMES_MAX or sum(map(len, queue)) > CONNECTION_QUEUED_BYTES_MAX:
            self._pause_reading()

    def _pause_reading(self) -> None:
        if not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def _maybe_resume_reading(self) -> None:
        stays_paused = self.closed or self._stopping or not self._writable
        if self._paused and not stays_paused and not self._queue:
            self._paused = False
            self._transport.resume_reading()
