"""Bit sets of the operations that a client may perform on a resource (KIP-430)."""

from typing import TYPE_CHECKING, Final

from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType

if TYPE_CHECKING:
    from tenure.broker.requests.context import Context
    from tenure.broker.requests.request import Request

ALL: Final = {ResourceType.CLUSTER: 8096, ResourceType.TOPIC: 3576, ResourceType.GROUP: 3400}
"""Bits of all operations that exist for a type of resource, by `authorization.OPERATIONS` (rule 2.16)."""
NOT_ASKED_FOR: Final = -(2**31)


def operations(context: "Context", request: "Request", resource_type: ResourceType, name: str) -> int:
    authorization = context.authorization
    if authorization is None:
        return ALL[resource_type]
    from tenure.broker.requests.authorization import OPERATIONS

    return sum(
        1 << operation
        for operation in OPERATIONS[resource_type]
        if authorization.would_allow(request, operation, resource_type, name)
    )


def operations_if_asked_for(
    context: "Context", request: "Request", resource_type: ResourceType, name: str, *, is_asked_for: bool
) -> int:
    return operations(context, request, resource_type, name) if is_asked_for else NOT_ASKED_FOR


def cluster_operations_if_asked_for(context: "Context", request: "Request", *, is_asked_for: bool) -> int:
    """Return the operations that the client may perform on the cluster, as a bit set.

    Return 0 if the client may not DESCRIBE the cluster, and NOT_ASKED_FOR if `is_asked_for` is false, because the
    request does not ask for the operations.
    """
    if not is_asked_for:
        return NOT_ASKED_FOR
    authorization = context.authorization
    if authorization is not None and not authorization.allows(
        request, AclOperation.DESCRIBE, ResourceType.CLUSTER, CLUSTER_NAME
    ):
        return 0
    return operations(context, request, ResourceType.CLUSTER, CLUSTER_NAME)
