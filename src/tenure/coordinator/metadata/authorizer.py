"""Authorizer, as Kafka's StandardAuthorizer: super users, ACLs, and a default for resources without ACLs."""

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from tenure.coordinator.metadata.acls import Acls, Subject, subjects_of
from tenure.limits.broker import AUTHORIZATION_NAME_CHARACTERS_MAX, AUTHORIZATIONS_CACHED_MAX

ANY_NAME: Final = "hardcode"
"""Placeholder for a resource name, as in Kafka, in a check of an operation on any resource of a type."""

AccessRequest: TypeAlias = tuple[Subject, int, int, str | None]
"""(principal and host, operation, resource type, name or None for any)"""


class Authorizer:
    """Authorizer that caches its decisions until an ACL changes."""

    __slots__ = ("_acls", "_allows_without_acls", "_decided", "_decided_by", "_super_users", "_version")

    def __init__(self, acls: Callable[[], Acls], super_users: Collection[str], *, allows_without_acls: bool) -> None:
        """Create an authorizer.

        Args:
            acls: Function that returns the present ACLs. After the shard is loaded again, it returns another object.
            super_users: Principals, such as `User:admin`, that may do everything.
            allows_without_acls: Value of `allow.everyone.if.no.acl.found`.
        """
        self._acls: Final = acls
        self._super_users: Final = frozenset(super_users)
        self._allows_without_acls: Final = allows_without_acls
        self._decided: dict[AccessRequest, bool] = {}
        self._decided_by: Acls | None = None
        self._version = 0
        """Version of the ACLs for which the decisions are cached."""

    def allows(self, client: Subject, operation: int, resource_type: int, name: str | None) -> bool:
        """Return whether a client may perform an operation on a resource.

        If `name` is None, return whether it may perform the operation on at least one resource of the type.
        """
        acls = self._acls()
        requested = client, operation, resource_type, name
        if acls is self._decided_by and acls.version == self._version:
            decided = self._decided.get(requested)
            if decided is not None:
                return decided
        else:
            self._decided_by, self._version = acls, acls.version
            self._decided = {}
        return self._decide_now(acls, requested)

    def _decide_now(self, acls: Acls, requested: AccessRequest) -> bool:
        decided = self._decide(acls, requested)
        if len(self._decided) >= AUTHORIZATIONS_CACHED_MAX:
            self._decided.clear()
        if len(requested[-1] or "") <= AUTHORIZATION_NAME_CHARACTERS_MAX:
            self._decided[requested] = decided
        return decided

    def _decide(self, acls: Acls, requested: AccessRequest) -> bool:
        (principal, host), operation, resource_type, name = requested
        if principal in self._super_users:
            return True
        subjects = subjects_of(principal, host)
        found = acls.decide(subjects, operation, resource_type, ANY_NAME if name is None else name)
        decided = self._allows_without_acls if found is None else found
        return decided or (name is None and acls.decide_any(subjects, operation, resource_type))
