"""Authorization of requests: checks whether a client may use a resource, and logs each refusal (KIP-11).

Each handler makes the checks of its API, in Kafka's order. If a response lists all resources that the client may see,
the checks for this list are not logged as refusals, because the client has not requested these resources by name.
"""

import logging
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tenure.broker.config.key_values import principals_in
from tenure.broker.config.keys import ALLOW_EVERYONE_IF_NO_ACL_FOUND, SUPER_USERS
from tenure.broker.config.settings import Settings
from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.authorizer import Authorizer
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.apis import ApiKey

if TYPE_CHECKING:
    from tenure.broker.requests.request import Request

log = logging.getLogger("tenure.authorizer")

OPERATIONS: Final = {
    ResourceType.TOPIC: (
        AclOperation.READ,
        AclOperation.WRITE,
        AclOperation.CREATE,
        AclOperation.DELETE,
        AclOperation.ALTER,
        AclOperation.DESCRIBE,
        AclOperation.DESCRIBE_CONFIGS,
        AclOperation.ALTER_CONFIGS,
    ),
    ResourceType.GROUP: (
        AclOperation.READ,
        AclOperation.DELETE,
        AclOperation.DESCRIBE,
        AclOperation.DESCRIBE_CONFIGS,
        AclOperation.ALTER_CONFIGS,
    ),
    ResourceType.TRANSACTIONAL_ID: (AclOperation.DESCRIBE, AclOperation.WRITE),
    ResourceType.CLUSTER: (
        AclOperation.CREATE,
        AclOperation.ALTER,
        AclOperation.DESCRIBE,
        AclOperation.CLUSTER_ACTION,
        AclOperation.DESCRIBE_CONFIGS,
        AclOperation.ALTER_CONFIGS,
        AclOperation.IDEMPOTENT_WRITE,
    ),
}
"""Operations that exist for each resource type. Responses list those that the client may perform (KIP-430)."""


class Authorization:
    __slots__ = ("_authorizer", "refusals")

    def __init__(self, settings: Settings, acls: Callable[[], Acls]) -> None:
        self._authorizer: Final = Authorizer(
            acls, principals_in(settings[SUPER_USERS]), allows_without_acls=settings[ALLOW_EVERYONE_IF_NO_ACL_FOUND]
        )
        self.refusals: Final[Counter[tuple[str, str]]] = Counter()
        """Number of refusals by operation and resource type."""

    def allows(self, request: "Request", operation: AclOperation, resource_type: ResourceType, name: str) -> bool:
        """Return whether the client may perform an operation on a resource. If it may not, log the refusal."""
        if self._authorizer.allows(request.connection.subject, operation, resource_type, name):
            return True
        self._refused(request, operation, resource_type, name)
        return False

    def would_allow(self, request: "Request", operation: AclOperation, resource_type: ResourceType, name: str) -> bool:
        """Return whether the client may perform an operation on a resource, without logging a refusal.

        Use it for names that the client has not requested, for example in a list of all resources.
        """
        return self._authorizer.allows(request.connection.subject, operation, resource_type, name)

    def allows_any(self, request: "Request", operation: AclOperation, resource_type: ResourceType) -> bool:
        """Return whether the client may perform an operation on at least one resource of a type. Log each refusal."""
        if self._authorizer.allows(request.connection.subject, operation, resource_type, None):
            return True
        self._refused(request, operation, resource_type, "(any)")
        return False

    def _refused(self, request: "Request", operation: AclOperation, resource_type: ResourceType, name: str) -> None:
        principal, host = request.connection.subject
        self.refusals[operation.name, resource_type.name] += 1
        log.warning(
            "denied: %s from %s may not %s %s %s (request %s)",
            principal,
            host,
            operation.name,
            resource_type.name,
            name,
            ApiKey(request.api_key).name,
        )
