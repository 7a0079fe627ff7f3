"""Route of an API key: the request class of a handler, and the function that handles it."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast

from tenure.broker.requests.context import Context
from tenure.broker.requests.group_request import GroupContext, GroupRequest
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.coordinator.answers import Refused
from tenure.limits.broker import ASKS_PER_REQUEST_MAX
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.types import GroupId

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from tenure.broker.requests.steps import Steps

READ: Final = AclOperation.READ
GROUP: Final = ResourceType.GROUP

M = TypeVar("M", bound=Message)
T = TypeVar("T")


class Route(Generic[M]):
    """Request class and handler of an API key. The handler must end each request exactly once, now or later.

    A handler whose work grows with the request is a generator. It yields between items, so that other requests are
    served. The broker's state may change meanwhile, so each item looks up what it needs. If the client disconnects, the
    generator is dropped.
    """

    __slots__ = ("handle", "kind")

    def __init__(self, kind: type[M], handle: "Callable[[Context, Request, M], Steps | None]") -> None:
        self.kind = kind
        self.handle = handle


class GroupCommand(Protocol):
    group_id: GroupId


def to_group(
    kind: type[M],
    command: Callable[[M, GroupRequest], GroupCommand],
    response: Callable[[Any, GroupRequest], Message],
    authorize: "Callable[[Context, Request, M, Any], Message | None] | None" = None,
) -> Route[M]:
    """Return the route of an API whose request is one command to one group, for which the client needs READ.

    `command` creates the command from the request, and `response` creates the response from the answer. `authorize`
    checks other permissions than READ, and returns a refusal or None. It may also store in the command which topics the
    client may see.
    """

    def handle(context: GroupContext, request: GroupRequest, message: M) -> None:
        requested = command(message, request)
        authorization = context.authorization
        if authorization is not None and not authorization.allows(
            cast("Request", request), READ, GROUP, requested.group_id
        ):
            request.answer(response(Refused(ErrorCode.GROUP_AUTHORIZATION_FAILED), request))
            return
        if authorization is not None and authorize is not None:
            refusal = authorize(cast("Context", context), cast("Request", request), message, requested)
            if refusal is not None:
                request.answer(refusal)
                return
        respond = request.callback(lambda answer: request.answer(response(answer, request)))
        context.groups.ask(requested.group_id, requested, respond)

    return Route(kind, handle)


def requiring(feature: str, route: Route[M], unsupported: Callable[[M], Message]) -> Route[M]:
    """Return a route for an API that needs a feature (KIP-584).

    While the feature is disabled, each request gets UNSUPPORTED_VERSION, as in Kafka. `unsupported` returns this
    response.
    """

    def handle(context: GroupContext, request: GroupRequest, message: M) -> "Steps | None":
        if context.features.get(feature):
            return route.handle(cast("Any", context), cast("Any", request), message)
        request.answer(unsupported(message))
        return None

    return Route(route.kind, handle)


def refuse_too_many(groups: int) -> None:
    if groups > ASKS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"the request is for {groups} groups, at most {ASKS_PER_REQUEST_MAX} are allowed")


class Gathering:
    """Several commands of one request, sent together. `then` gets all answers, in the order of the commands."""

    __slots__ = ("_answers", "_missing", "_then")

    def __init__(self, count: int, then: "Callable[[list[object]], None]") -> None:
        self._answers: list[object] = [None] * count
        self._missing = count
        self._then = then

    def ask_each(self, ask: "Callable[[int, Callable[[object], None]], None]") -> Iterator[None]:
        """Call `ask(index, slot)` for each index, in steps. `ask` sends a command, and passes its answer to `slot`."""
        refuse_too_many(len(self._answers))
        # Not in the constructor: `then` may start steps for the response, and those of this method would replace them.
        if not self._answers:
            self._then([])
        for index in range(len(self._answers)):
            ask(index, self.slot(index))
            yield

    def slot(self, index: int) -> "Callable[[object], None]":
        return partial(self._fill, index)

    def _fill(self, index: int, answer: object) -> None:
        self._answers[index] = answer
        self._missing -= 1
        if not self._missing:
            self._then(self._answers)


class OneByOne:
    """Several commands of one request, sent one after the other; other requests are served in between.

    `then` gets all answers, in the order of the commands.
    """

    __slots__ = ("_answers", "_ask", "_count", "_loop", "_request", "_then")

    def __init__(
        self,
        loop: "AbstractEventLoop",
        request: GroupRequest,
        count: int,
        ask: "Callable[[int, Callable[[object], None]], None]",
        then: "Callable[[list[Any]], None]",
    ) -> None:
        """Send the first command with `ask(0, slot)`, which must pass the answer to `slot`. Then the next one is sent.

        If `slot` is never called, the remaining commands are not sent.
        """
        self._loop = loop
        self._request = request
        self._count = count
        self._ask = ask
        self._then = then
        self._answers: list[Any] = []
        self._go_on()

    def _go_on(self) -> None:
        if len(self._answers) < self._count:
            self._ask(len(self._answers), self._answered)
        else:
            self._then(self._answers)

    def _answered(self, answer: object) -> None:
        self._answers.append(answer)
        self._loop.call_soon(self._request.callback(self._go_on))
