"""Copies of the source's ACLs at the target."""

from collections.abc import Collection

from tenure.admin.acls import create_acls, list_acls
from tenure.client.errors import RequestRefused
from tenure.client.net.cluster import Cluster
from tenure.protocol.acls import WILDCARD, Acl, AclFilter, PatternType, ResourceType
from tenure.protocol.errors import ErrorCode


async def acls_at(source: Cluster) -> list[Acl] | None:
    """Return all ACLs of the source; None if the source has no authorizer."""
    try:
        return await list_acls(source, AclFilter())
    except RequestRefused as error:
        if error.error_code is ErrorCode.SECURITY_DISABLED:
            return None
        raise


def acls_of(acls: Collection[Acl], topics: Collection[str], groups: Collection[str]) -> list[Acl]:
    """Return the ACLs that apply to at least one of the given topics or groups."""
    names = {ResourceType.TOPIC: topics, ResourceType.GROUP: groups}
    return [acl for acl in acls if any(_applies(acl, name) for name in names.get(ResourceType(acl.resource_type), ()))]


def _applies(acl: Acl, name: str) -> bool:
    if acl.pattern_type == PatternType.PREFIXED:
        return name.startswith(acl.resource_name)
    return acl.resource_name in (name, WILDCARD)


async def move_acls(target: Cluster, acls: Collection[Acl]) -> str:
    """Create ACLs at the target. Return the reason why they could not be created; empty on success."""
    try:
        await create_acls(target, sorted(acls))
    except RequestRefused as error:
        if error.error_code is ErrorCode.SECURITY_DISABLED:
            return f"The target has no authorizer: {len(acls)} ACLs are not copied. Configure one there to copy them."
        raise
    return ""
