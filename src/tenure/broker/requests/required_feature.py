"""APIs that need a feature (KIP-584): while it is disabled, each request gets UNSUPPORTED_VERSION, as in Kafka."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tenure.broker.requests.route import Route
from tenure.protocol.message import Message

if TYPE_CHECKING:
    from tenure.broker.requests.context import Context
    from tenure.broker.requests.request import Request
    from tenure.broker.requests.steps import Steps

M = TypeVar("M", bound=Message)


def requiring(feature: str, route: Route[M], unsupported: Callable[[M], Message]) -> Route[M]:
    """Return a route that checks for each request whether the feature is enabled.

    `unsupported` returns the response to a request while the feature is disabled.
    """

    def handle(context: "Context", request: "Request", message: M) -> "Steps | None":
        if context.features.get(feature):
            return route.handle(context, request, message)
        request.answer(unsupported(message))
        return None

    return Route(route.kind, handle)
