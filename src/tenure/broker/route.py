"""What a handler file offers: the request that it reads, and how it is worked on."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from tenure.broker.request import RefusedByProtocol
from tenure.limits import ASKS_PER_REQUEST_MAX, ASKS_PER_TURN_MAX
from tenure.protocol.message import Message
from tenure.protocol.types import GroupId

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from tenure.broker.broker import Broker
    from tenure.broker.request import Request

M = TypeVar("M", bound=Message)


class Route(Generic[M]):
    """`handle` ends the request now or later, by `request.answer`, exactly once."""

    __slots__ = ("handle", "kind")

    def __init__(self, kind: type[M], handle: "Callable[[Broker, Request, M], None]") -> None:
        self.kind = kind
        self.handle = handle


class GroupCommand(Protocol):
    group_id: GroupId


def to_group(
    kind: type[M],
    command: "Callable[[M, Request], GroupCommand]",
    response: "Callable[[Any, Request], Message]",
) -> Route[M]:
    """The route of a request that is one command to one group."""

    def handle(broker: "Broker", request: "Request", message: M) -> None:
        asked = command(message, request)
        broker.groups.ask(asked.group_id, asked, lambda answer: request.answer(response(answer, request)))

    return Route(kind, handle)


def refuse_too_many(groups: int) -> None:
    if groups > ASKS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"it asked for {groups} groups in one request, {ASKS_PER_REQUEST_MAX} are allowed")


class Gathering:
    """Several asks, one response: `then` gets all answers, in the order of the asks, once the last one is there."""

    __slots__ = ("_answers", "_missing", "_then")

    def __init__(self, count: int, then: "Callable[[list[object]], None]") -> None:
        refuse_too_many(count)
        self._answers: list[object] = [None] * count
        self._missing = count
        self._then = then
        if not count:
            then([])

    def ask_each(
        self, loop: "AbstractEventLoop", ask: "Callable[[int, Callable[[object], None]], None]", first: int = 0
    ) -> None:
        """`ask(index, slot)` for each of them, so many in a turn of the loop: others are served between."""
        end = min(first + ASKS_PER_TURN_MAX, len(self._answers))
        for index in range(first, end):
            ask(index, self.slot(index))
        if end < len(self._answers):
            loop.call_soon(self.ask_each, loop, ask, end)

    def slot(self, index: int) -> "Callable[[object], None]":
        return partial(self._fill, index)

    def _fill(self, index: int, answer: object) -> None:
        self._answers[index] = answer
        self._missing -= 1
        if not self._missing:
            self._then(self._answers)
