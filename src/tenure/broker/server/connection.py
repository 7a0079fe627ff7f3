"""Connection of one client: divides bytes into frames, and sends responses in the order of the requests.

Kafka processes one request of a connection at a time: while a JoinGroup is parked, the client's later requests wait
(rule 1.3.1). So a connection has one current request, a short queue of later frames, and the responses of this turn,
which are sent with one write.

A client cannot harm another one. A frame that is too large, cannot be decoded or has an unknown API key closes its own
connection, with one line in the log (rules 1.1.1, 1.1.6, 1.3.2). If a client sends faster than it reads responses, or
faster than the broker answers, the broker stops reading from its connection. The next request of this client begins
only when most of its responses are sent.
"""

import logging
from asyncio import Future
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Any, Final, TypeAlias

from tenure.broker.config.listener import Address
from tenure.broker.loop.schedule import Schedule
from tenure.broker.loop.turn import Turn
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.steps import Steps
from tenure.broker.security.authentication import Authentication
from tenure.broker.security.principal import ANONYMOUS, Principal, java_host
from tenure.broker.server.client_memory import ClientMemory
from tenure.broker.server.short_requests import SHORT, is_short
from tenure.broker.server.sockets import Transport
from tenure.limits.broker import (
    CONNECTION_QUEUED_BYTES_MAX,
    CONNECTION_QUEUED_FRAMES_MAX,
    DECODED_REQUEST_FACTOR,
    PIECE_S,
    REQUEST_WITHOUT_RECORDS_BYTES_MAX,
    RESPONSES_JOINED_BYTES_MAX,
    SHORT_REQUEST_BYTES_MAX,
    UNACCOUNTED_REQUEST_BYTES_MAX,
)
from tenure.out_of_memory import is_out_of_memory
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import MalformedMessage
from tenure.protocol.frames import FrameReader, FrameTooLarge, MalformedFrame
from tenure.protocol.message import Data, MessagePart

log = logging.getLogger("tenure.broker")

Begin: TypeAlias = "Callable[[Connection, Data], Steps | None]"
"""Function that begins a request. For each request, `respond` or `respond_nothing` is called once, now or later."""

PRODUCE: Final = ApiKey.PRODUCE.to_bytes(2, "big")
TLS: Final = "TLS"
"""Name under which failed TLS handshakes are counted, beside the SASL mechanisms."""
UNKNOWN: Final = "unknown"
"""Name under which logins with a mechanism that is not enabled are counted."""
API_NAMES: Final = {key.to_bytes(2, "big"): api.name for key, api in APIS.items()}
"""Names of APIs by their keys as encoded in requests."""
PARKED: Final = ApiKey.JOIN_GROUP.to_bytes(2, "big"), ApiKey.SYNC_GROUP.to_bytes(2, "big")
"""Requests that wait for other members. While they wait, their content is in the state of the group."""
MUTED: Final = b"muted"
"""Value of `_current_api` while a quota throttles the client."""


class Clients:
    """State that all connections share: turn, schedule, memory, and the function that begins requests."""

    __slots__ = ("begin", "login_failures", "memory", "open", "request_bytes_max", "schedule", "turn", "unestablished")

    def __init__(
        self, turn: Turn, schedule: Schedule, memory: ClientMemory, begin: Begin, request_bytes_max: int
    ) -> None:
        self.turn: Final = turn
        self.schedule: Final = schedule
        self.memory: Final = memory
        self.begin: Final = begin
        self.request_bytes_max: Final = request_bytes_max
        self.login_failures: Counter[str] = Counter()
        """Number of failed logins by SASL mechanism, and of failed TLS handshakes under TLS."""
        self.open: set[Connection] = set()
        self.unestablished: dict[Connection, int] = {}
        """Connections in a TLS handshake or login, each with the number of checks since it began."""

    def beginning_with(self, begin: Begin) -> "Clients":
        """Return a copy that shares the same state, with `begin` as the function that begins requests."""
        clients = Clients(self.turn, self.schedule, self.memory, begin, self.request_bytes_max)
        clients.login_failures = self.login_failures
        clients.open = self.open
        clients.unestablished = self.unestablished
        return clients

    def request_bytes_max_of(self, api_key: int) -> int:
        return self.request_bytes_max if api_key == ApiKey.PRODUCE else REQUEST_WITHOUT_RECORDS_BYTES_MAX


class Connection:
    __slots__ = (
        "_clients",
        "_current_api",
        "_end_with",
        "_frames",
        "_held_bytes",
        "_idle_checks",
        "_input_ended",
        "_is_scheduled",
        "_paused",
        "_queue",
        "_queued_bytes",
        "_received_bytes",
        "_request_bytes",
        "_responses",
        "_responses_bytes",
        "_steps",
        "_stopping",
        "_transport",
        "_waits_for_memory",
        "_writable",
        "advertised",
        "authentication",
        "closed",
        "is_established",
        "listener",
        "peer_host",
        "peer_name",
        "principal",
        "subject",
        "used_s",
        "when_ended",
        "when_lost",
    )

    def __init__(self, clients: Clients, advertised: Address) -> None:
        self.advertised = advertised
        """Address of the broker for clients of this listener."""
        self.peer_host = ""
        self.peer_name = ""
        self.principal = ANONYMOUS
        self.subject = ("", "")
        """Principal and host in the notation of ACLs; stored because each request is checked with them."""
        self.authentication: Authentication | None = None
        """Login of the client; None on a listener without SASL."""
        self.is_established = True
        """True after TLS handshake and login. Before that, only small frames are accepted."""
        self.when_lost: Callable[[], None] | None = None
        """Function that is called if the client disconnects while its request is parked."""
        self.when_ended: Callable[[], None] | None = None
        """Function that is called when the connection is closed."""
        self.listener = ""
        """Name of the listener that accepted the connection."""
        self.used_s = clients.schedule.deadline_s
        """Time at which bytes were last received; only the order of these times matters."""
        self.closed = False
        self._clients: Final = clients
        self._frames: Final = FrameReader(clients.request_bytes_max, clients.request_bytes_max_of)
        self._received_bytes = 0
        """Number of bytes received so far, without frames that arrived in one piece (see `moved_bytes`)."""
        self._queue: deque[Data] = deque()
        self._queued_bytes = 0
        self._request_bytes = 0
        """Memory of the current request; 0 for a short request."""
        self._held_bytes = 0
        """Memory of the connection, as `ClientMemory` counts it."""
        self._responses: list[MessagePart] = []
        self._responses_bytes = 0
        self._current_api: Data = b""
        """API key of the current request, encoded; b"" without one.

        Invariant: while there is a current request, no later one begins.
        """
        self._input_ended = False
        """True if the client has closed its side of the connection before its Produce requests were handled."""
        self._steps: Steps | None = None
        """Remaining steps of the current request; None if it waits for an event, or there is no request."""
        self._end_with: str | None = None
        """Reason for closing the connection after all earlier requests are answered; None if there is none."""
        self._is_scheduled = False
        self._idle_checks = 0
        self._writable = True
        self._waits_for_memory = False
        self._paused = False
        self._stopping = False
        self._transport: Transport

    def limit_until_established(self, frame_bytes_max: int) -> None:
        """Limit the bytes of a frame, and the time for handshake and login, until `become_established`."""
        self.is_established = False
        self._frames.bytes_max = frame_bytes_max
        self._clients.unestablished[self] = 0

    def count_login_failure(self, mechanism: str) -> None:
        self._clients.login_failures[mechanism or UNKNOWN] += 1

    def become_established(self, principal: Principal) -> None:
        """Accept requests, because the handshake and the login have ended with this principal."""
        self.principal = principal
        self.subject = str(principal), self.subject[1]
        if not self.is_established:
            self.is_established = True
            self._frames.bytes_max = self._clients.request_bytes_max
            self._clients.unestablished.pop(self, None)

    def count_idle_check(self) -> int:
        """Count one check for idle connections, and return for how many checks the connection has been idle.

        The count starts again when bytes are received, or when a check finds a current request.
        """
        self._idle_checks = 0 if self._current_api else self._idle_checks + 1
        return self._idle_checks

    # --- events of the socket -----------------------------------------------------------------------------------------

    def connection_made(self, transport: Transport) -> None:
        self._transport = transport
        host, port, *_ = transport.peer
        self.peer_host = str(host)
        self.peer_name = f"{host}:{port}"
        self.subject = str(self.principal), java_host(self.peer_host)
        self._clients.open.add(self)

    def handshake_failed(self) -> None:
        self.count_login_failure(TLS)

    def connection_lost(self) -> None:
        self.closed = True
        self._forget_requests()
        self._frames.clear()
        self._responses.clear()
        self._clients.open.discard(self)
        self._clients.unestablished.pop(self, None)
        self._clients.memory.forget(self, self._held_bytes)
        self._held_bytes = 0
        if self.when_lost is not None:
            self.when_lost()
            self.when_lost = None
        if self.when_ended is not None:
            self.when_ended()
            self.when_ended = None

    def received(self, buffer: memoryview, nbytes: int) -> None:
        self._idle_checks = 0
        self.used_s = self._clients.schedule.deadline_s
        frame = self._frames.only_frame(buffer, nbytes)
        if frame is None:
            self._receive_piece(buffer[:nbytes])
            return
        is_next = not self._current_api and not self._queue and self._writable
        has_priority = frame[:2] in SHORT and len(frame) <= SHORT_REQUEST_BYTES_MAX  # `is_short` inlined
        if is_next and (has_priority or self._has_time_for(frame)):
            self._begin(frame)
        else:
            self._enqueue(frame)
            self._pause_if_far_ahead()
            self._schedule()
            self._account()

    def _has_time_for(self, frame: bytes) -> bool:
        clients = self._clients
        is_small = len(frame) <= UNACCOUNTED_REQUEST_BYTES_MAX
        return is_small and clients.schedule.has_time() and not clients.memory.is_short

    def _receive_piece(self, data: memoryview) -> None:
        """Receive bytes that are not exactly one frame: a part of a frame, or parts of several frames."""
        self._received_bytes += len(data)
        try:
            self._frames.feed(data)
            for frame in self._frames:
                self._enqueue(frame)
        except (FrameTooLarge, MalformedFrame) as error:
            self._frames.clear()
            self._end_with = str(error)
            self._pause_reading()
            self._maybe_end()
        self._pause_if_far_ahead()
        self._schedule()
        self._account()

    def input_ended(self) -> None:
        """Close the connection, because the client has closed its side.

        Produce requests that were received before are handled first, as in Kafka: a producer with acks=0 may disconnect
        as soon as it has sent them.
        """
        self._frames.clear()
        self._queue = deque([frame for frame in self._queue if frame[:2] == PRODUCE])
        self._queued_bytes = sum([len(frame) for frame in self._queue])
        if self._current_api not in (b"", PRODUCE, MUTED) or not (self._current_api or self._queue):
            self._transport.close()
            return
        self._input_ended = True
        self._pause_reading()
        self._account()

    def pause_writing(self) -> None:
        self._writable = False
        self._pause_reading()

    def resume_writing(self) -> None:
        self._writable = True
        self._schedule()
        self._maybe_resume_reading()

    def unsent_changed(self) -> None:
        self._account()

    # --- the memory for clients ---------------------------------------------------------------------------------------

    def _account(self) -> None:
        held_bytes = (
            self._frames.held_bytes + self._queued_bytes + self._request_bytes + self._transport.unsent_memory_bytes
        )
        before_bytes = self._held_bytes
        if held_bytes != before_bytes and not self.closed:
            self._held_bytes = held_bytes
            self._clients.memory.changed(self, before_bytes, held_bytes)

    @property
    def moved_bytes(self) -> int:
        return self._received_bytes + self._transport.late_bytes

    @property
    def waits_for_client(self) -> bool:
        if self._transport.unsent_bytes:
            return True
        return not (self._current_api or self._queue or (self._paused and self._transport.has_unread_input))

    def pause_for_memory(self) -> None:
        self._waits_for_memory = True
        self._pause_reading()

    def resume_after_memory(self) -> None:
        self._waits_for_memory = False
        self._schedule()
        self._maybe_resume_reading()

    # --- calls of the broker ------------------------------------------------------------------------------------------

    def respond(self, pieces: Sequence[MessagePart]) -> None:
        """End the current request, and send its response.

        If other requests or responses are queued, the response is sent at the end of the turn.
        """
        if self._queue or self._responses:
            if not self._responses:
                self._clients.turn.send(self)
            self._responses += pieces
            self._responses_bytes += sum([len(piece) for piece in pieces])
            if self._responses_bytes > RESPONSES_JOINED_BYTES_MAX:
                self.flush()
        elif not self.closed:
            self._transport.write(pieces)
        self.respond_nothing()

    def respond_nothing(self) -> None:
        """End the current request without a response: Produce with acks=0 (rule 1.3.3)."""
        self._current_api = b""
        self._steps = None
        if self._request_bytes:
            self._request_bytes = 0
            self._account()
        if self._queue:
            self._schedule()
        elif self._paused:
            self._maybe_end()
            self._maybe_resume_reading()

    def mute(self, seconds: float) -> None:
        """Begin no further request for a while, because a quota throttles the client."""
        if not self.closed and not self._current_api:
            self._current_api = MUTED
            self._pause_reading()
            timer = self._clients.turn.loop.call_later(seconds, self._unmute)
            self.when_lost = timer.cancel

    def _unmute(self) -> None:
        self.when_lost = None
        if not self.closed:
            self.respond_nothing()

    def _maybe_end(self) -> None:
        if self._current_api or self._queue:
            return
        if self._end_with is not None:
            self.refuse(self._end_with)
        elif self._input_ended:
            self.close()

    def flush(self) -> None:
        """Send all responses that are waiting."""
        responses = self._responses
        if responses and not self.closed:
            self._responses = []
            self._responses_bytes = 0
            self._transport.write(responses)

    def take_no_more(self) -> None:
        """Begin no further request, because the broker stops. The current request will still be answered."""
        self._queue.clear()
        self._queued_bytes = 0
        self._stopping = True
        self._pause_reading()

    def drop(self, why: str) -> None:
        """Close the connection at once, without sending waiting responses, and log the reason."""
        log.warning("closed the connection of %s: %s", self.peer_name, why)
        self.closed = True
        self._transport.abort()

    def refuse(self, why: str) -> None:
        """Close the connection and log the reason, unless it is closed already."""
        if not self.closed:
            log.warning("closed the connection of %s: %s", self.peer_name, why)
            self.close()

    def close(self) -> None:
        """Send waiting responses, then close the connection."""
        self.flush()
        self.closed = True
        self._forget_requests()
        self._transport.close()

    def _forget_requests(self) -> None:
        self._queue.clear()
        self._queued_bytes = 0
        self._steps = None

    # --- one request after the other ----------------------------------------------------------------------------------

    def _enqueue(self, frame: Data) -> None:
        self._queue.append(frame)
        self._queued_bytes += len(frame)

    def _can_begin(self) -> bool:
        return bool(self._queue) and not self._current_api and self._writable and not self.closed

    def _schedule(self) -> None:
        if not self._is_scheduled and (self._steps is not None or self._can_begin()) and not self._waits_for_memory:
            self._is_scheduled = True
            self._clients.schedule.add(self)

    def work(self) -> bool:
        """Continue the current request, or begin the next one. Return True if more work can be done now."""
        try:
            self._work()
        except MemoryError as error:
            self.fail(error)
        self._is_scheduled = (self._steps is not None or self._can_begin()) and not self._waits_for_memory
        return self._is_scheduled

    def _work(self) -> None:
        if self._steps is not None:
            self.go_on(self._steps)
        elif self._can_begin() and self._may_take_memory(self._queue[0]):
            frame = self._queue.popleft()
            self._queued_bytes -= len(frame)
            self._request_bytes = self._memory_of(frame)
            self._begin(frame)
            if not self._queue and self._paused:
                self._maybe_resume_reading()
            if self._current_api:
                self._account()

    def _may_take_memory(self, frame: Data) -> bool:
        """Return whether the next request may begin under the memory limit.

        A Produce may always begin, because its records are in memory already.
        """
        memory = self._clients.memory
        return not memory.is_short or is_short(frame) or frame[:2] == PRODUCE or memory.may_go_on(self)

    @staticmethod
    def _memory_of(frame: Data) -> int:
        return len(frame) if frame[:2] == PRODUCE else len(frame) * DECODED_REQUEST_FACTOR

    def _begin(self, frame: Data) -> None:
        self._current_api = frame[:2]
        try:
            steps = self._clients.begin(self, frame)
        except Exception as error:
            self.fail(error)
            return
        if steps is not None:
            self.go_on(steps)
        elif self._request_bytes:
            self._stop_counting_if_parked()

    def _stop_counting_if_parked(self) -> None:
        """Count no memory for a request that waits for other members, because their requests may need the memory."""
        if self._current_api in PARKED:
            self._request_bytes = 0
            self._account()

    def go_on(self, steps: Steps) -> None:
        """Run steps of the current request until the time of one piece of work is over."""
        self._steps = steps
        deadline_s = 0.0
        try:
            for awaited in steps:
                if awaited is not None:
                    self._steps = None
                    awaited.add_done_callback(partial(self._resume, steps))
                    return
                now_s = monotonic()
                if not deadline_s:
                    deadline_s = now_s + PIECE_S
                elif now_s >= deadline_s:
                    self._schedule()
                    return
                if self._steps is not steps:  # the connection was closed
                    return
        except Exception as error:
            self.fail(error)
        if self._steps is steps:
            self._steps = None
        if self._request_bytes:
            self._stop_counting_if_parked()

    def go_on_soon(self, steps: Steps) -> None:
        """Continue with `steps` now if no other connection waits and budget is left, else at this connection's turn.

        Do not call this method during a turn of the event loop.
        """
        if self.closed:
            return
        if self._clients.schedule.has_time():
            self.go_on(steps)
        else:
            self._steps = steps
            self._schedule()

    def _resume(self, steps: Steps, _: "Future[Any]") -> None:
        self.go_on_soon(steps)

    def fail(self, error: Exception) -> None:
        """Close the connection, because its request cannot be answered after this error."""
        self._steps = None
        if isinstance(error, (MalformedMessage, MalformedFrame, RefusedByProtocol)):
            self.refuse(str(error))
        elif is_out_of_memory(error):
            self.refuse("the broker has no memory left to answer the client's request")
        else:
            log.error(
                "closed the connection of %s: its %s request failed: a bug in the broker, please report it",
                self.peer_name,
                API_NAMES.get(bytes(self._current_api), "(already answered)"),
                exc_info=error,
            )
            self.close()

    # --- a client that is faster than the broker ----------------------------------------------------------------------

    def _pause_if_far_ahead(self) -> None:
        if len(self._queue) > CONNECTION_QUEUED_FRAMES_MAX or self._queued_bytes > CONNECTION_QUEUED_BYTES_MAX:
            self._pause_reading()

    def _pause_reading(self) -> None:
        if not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def _maybe_resume_reading(self) -> None:
        ends = self.closed or self._stopping or self._input_ended or self._end_with
        stays_paused = ends or not self._writable or self._waits_for_memory
        if self._paused and not stays_paused and not self._queue:
            self._paused = False
            self._transport.resume_reading()
