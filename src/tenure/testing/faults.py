"""Faults of requests for tests: delayed requests, lost requests, lost responses."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from tenure.broker.requests.steps import Steps
from tenure.broker.server.connection import Connection
from tenure.broker.server.dispatch import Dispatcher
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.frames import decode_request_header
from tenure.protocol.message import Data, MessagePart

if TYPE_CHECKING:
    from tenure.broker.requests.context import Context

Act: TypeAlias = "Callable[[FaultyDispatcher, Connection, Data], None]"


def api_key(name: str) -> ApiKey:
    """Return the API key for a name in Kafka's protocol documentation: "JoinGroup", "OffsetCommit", ..."""
    for api in APIS.values():
        if api.key.name.replace("_", "").lower() == name.lower():
            return api.key
    known = ", ".join(api.key.name.title().replace("_", "") for api in APIS.values())
    raise ValueError(f"unknown API '{name}': use one of {known}")


class Fault:
    """Fault of the next `times` requests of one API, from one client or from all clients."""

    def __init__(self, key: ApiKey, client_id: str | None, times: int, act: Act) -> None:
        self.happened = 0
        """Number of requests that the fault has affected."""
        self.act: Final = act
        self._key: Final = key
        self._client_id: Final = client_id
        self._left = times

    def end(self) -> None:
        """End the fault: it affects no further requests."""
        self._left = 0

    def affects(self, frame: Data) -> bool:
        """Return whether the fault affects this request. If so, count the request."""
        if not self._left or int.from_bytes(frame[:2], "big") != self._key:
            return False
        if self._client_id is not None and decode_request_header(frame)[0].client_id != self._client_id:
            return False
        self._left -= 1
        self.happened += 1
        return True


class FaultyDispatcher(Dispatcher):
    __slots__ = ("_faults", "_loop", "_when_joined")

    def __init__(self, context: "Context", faults: list[Fault], when_joined: Callable[[], None]) -> None:
        """Create a dispatcher. It calls `when_joined()` after each JoinGroup request."""
        super().__init__(context)
        self._when_joined: Final = when_joined
        self._loop: Final[asyncio.AbstractEventLoop] = context.loop
        self._faults: Final = faults

    def begin(self, connection: Connection, frame: Data) -> Steps | None:
        for fault in self._faults:
            if fault.affects(frame):
                fault.act(self, connection, frame)
                return None
        return self._begin(connection, frame)

    def _begin(self, connection: Connection, frame: Data) -> Steps | None:
        if int.from_bytes(frame[:2], "big") == ApiKey.JOIN_GROUP:
            self._loop.call_soon(self._when_joined)
        return super().begin(connection, frame)

    def begin_after(self, delay_s: float, connection: Connection, frame: Data) -> None:
        self._loop.call_later(delay_s, self._begin_unless_gone, connection, frame)

    def begin_without_answer(self, connection: Connection, frame: Data) -> None:
        self._go_on(connection, self._begin(_UnansweredConnection(connection), frame))

    def _begin_unless_gone(self, connection: Connection, frame: Data) -> None:
        if not connection.closed:
            self._go_on(connection, self._begin(connection, frame))

    @staticmethod
    def _go_on(connection: Connection, steps: Steps | None) -> None:
        if steps is not None:
            connection.go_on(steps)


def late(delay_s: float) -> Act:
    return lambda dispatcher, connection, frame: dispatcher.begin_after(delay_s, connection, frame)


def lose_request(_: FaultyDispatcher, connection: Connection, __: Data) -> None:
    """Lose a request: close its connection instead of processing it."""
    connection.close()


def lose_response(dispatcher: FaultyDispatcher, connection: Connection, frame: Data) -> None:
    """Lose a response: process the request, then close the connection without an answer."""
    dispatcher.begin_without_answer(connection, frame)


class _UnansweredConnection(Connection):
    """Substitute of a connection: closes the real one instead of sending the answer to a request."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.advertised = connection.advertised
        self.peer_host = connection.peer_host
        self.peer_name = connection.peer_name
        self.principal = connection.principal
        self.authentication = connection.authentication
        self.when_lost = None
        self.closed = False

    def respond(self, pieces: Sequence[MessagePart]) -> None:  # noqa: ARG002 - the answer is lost
        self._connection.close()

    def respond_nothing(self) -> None:
        self._connection.close()

    def go_on_soon(self, steps: Steps) -> None:
        self._connection.go_on_soon(steps)

    def refuse(self, why: str) -> None:
        self._connection.refuse(why)

    def fail(self, error: Exception) -> None:
        self._connection.fail(error)
