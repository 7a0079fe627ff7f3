"""Permission checks of handlers. Without an authorizer, clients may do everything."""

from collections.abc import Callable, Container
from functools import partial
from typing import TYPE_CHECKING, Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType

if TYPE_CHECKING:
    from tenure.broker.requests.authorization import Authorization


class Everything(Container[str]):
    """Container that contains every name, used if a client may use all resources."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING: Final[Container[str]] = Everything()


def is_allowed(
    context: Context, request: Request, operation: AclOperation, resource_type: ResourceType, name: str
) -> bool:
    authorization = context.authorization
    return authorization is None or authorization.allows(request, operation, resource_type, name)


def is_allowed_to_cluster(context: Context, request: Request, operation: AclOperation) -> bool:
    return is_allowed(context, request, operation, ResourceType.CLUSTER, CLUSTER_NAME)


class AllowedNames(Container[str]):
    """Container of the names on which the client may perform one operation.

    A name is checked when it is first looked up; a refusal is logged only once.
    """

    __slots__ = ("_authorization", "_known", "_operation", "_request", "_resource_type")

    def __init__(
        self, authorization: "Authorization", request: Request, operation: AclOperation, resource_type: ResourceType
    ) -> None:
        self._authorization: Final = authorization
        self._request: Final = request
        self._operation: Final = operation
        self._resource_type: Final = resource_type
        self._known: dict[object, bool] = {}

    def __contains__(self, name: object) -> bool:
        known = self._known.get(name)
        if known is None:
            known = self._authorization.allows(self._request, self._operation, self._resource_type, str(name))
            self._known[name] = known
        return known


def allowed_names(
    context: Context, request: Request, operation: AclOperation, resource_type: ResourceType
) -> Container[str]:
    authorization = context.authorization
    if authorization is None:
        return EVERYTHING
    return AllowedNames(authorization, request, operation, resource_type)


def visible_names(
    context: Context, request: Request, operation: AclOperation, resource_type: ResourceType
) -> Callable[[str], bool] | None:
    """Return a function that says whether the response may contain a name; None if it may contain all names.

    The client must be allowed to perform the operation on the resource with the name. Refusals are not logged.
    """
    authorization = context.authorization
    if authorization is None:
        return None
    return partial(authorization.would_allow, request, operation, resource_type)
