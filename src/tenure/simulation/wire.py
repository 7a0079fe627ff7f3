"""Requests to the simulated coordinator. They pass through the broker's handlers, so that the handlers are tested, too.

Messages are not encoded. Other tests cover the codecs, and encoding would take longer than all other work.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Protocol

from tenure.broker.handlers import (
    consumer_group_describe,
    consumer_group_heartbeat,
    heartbeat,
    join_group,
    leave_group,
    offset_commit,
    offset_fetch,
    streams_group_describe,
    streams_group_heartbeat,
    sync_group,
)
from tenure.coordinator.metadata.features import INITIAL_LEVELS
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.message import Message

Routes = Mapping[type[Message], tuple[Any, int]]

ROUTES: Final[Routes] = {
    handler.route.kind: (handler.route, version)
    for handler, version in (
        (join_group, 9),
        (sync_group, 5),
        (heartbeat, 4),
        (leave_group, 5),
        (consumer_group_heartbeat, 1),
        (consumer_group_describe, 1),
        (streams_group_heartbeat, 1),
        (streams_group_describe, 1),
        (offset_commit, 9),
        (offset_fetch, 9),
    )
}
"""(route of the handler, version of the request) by class of the request."""


class Coordinator(Protocol):
    """Interface to the coordinator of all groups."""

    def ask(self, command: Any, then: Callable[[Any], None]) -> None:
        """Handle a command. `then` is called with the answer, immediately or later."""


class Broker:
    """Replacement of the broker, with the attributes that handlers use: topics, and one shard with all groups."""

    __slots__ = ("_coordinator", "_routes", "authorization", "features", "groups", "loop", "topics")

    def __init__(self, coordinator: Coordinator, topics: Topics, routes: Routes = ROUTES) -> None:
        self.topics = topics
        self.groups = self
        self.features = INITIAL_LEVELS
        self.authorization = None
        self.loop: Any = None
        """Event loop of the broker; None, because no request is divided into several turns here."""
        self._coordinator = coordinator
        self._routes = routes

    def ask(self, _: str, command: object, then: Callable[[Any], None]) -> None:
        self._coordinator.ask(command, then)

    def handle(self, request: Message, client_id: str, answer: Callable[[Message], None]) -> None:
        route, version = self._routes[type(request)]
        _finish(route.handle(self, _Request(version, client_id, answer), request) or ())


class _Request:
    """Replacement of a request in progress, with the attributes and methods that handlers use."""

    __slots__ = ("answer", "client_host", "client_id", "version")

    def __init__(self, version: int, client_id: str, answer: Callable[[Message], None]) -> None:
        self.version = version
        self.client_id = client_id
        self.client_host = "/10.0.0.1"
        self.answer = answer

    def answer_in_steps(self, response: Message, _: int = 0) -> Iterable[None]:
        self.answer(response)
        return ()

    def go_on(self, steps: Iterable[None], _: int = 0) -> None:
        _finish(steps)

    def callback(self, then: Callable[..., None]) -> Callable[..., None]:
        return then

    def count_error(self, error_code: int) -> None:
        pass


def _finish(steps: Iterable[None]) -> None:
    """Run all steps of a request at once. No virtual time passes between them."""
    for _ in steps:
        pass
