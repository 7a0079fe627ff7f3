"""Conversion of ACLs and ACL filters in requests, for DescribeAcls, CreateAcls and DeleteAcls."""

from typing import TYPE_CHECKING, Final

from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.protocol.acls import Acl, AclFilter

if TYPE_CHECKING:
    from tenure.protocol.messages import DeleteAclsFilter, DescribeAclsRequest

UNKNOWN: Final = 0
"""Kafka's number for UNKNOWN. A request that contains it is refused; other undefined numbers are accepted."""


def filter_of(requested: "DeleteAclsFilter | DescribeAclsRequest") -> AclFilter:
    """Return the ACL filter of a request. Raises RefusedByProtocol if it contains UNKNOWN."""
    found = AclFilter(
        requested.resource_type_filter,
        requested.resource_name_filter,
        requested.pattern_type_filter,
        requested.principal_filter,
        requested.host_filter,
        requested.operation,
        requested.permission_type,
    )
    refuse_unknown(found)
    return found


def refuse_unknown(requested: Acl | AclFilter) -> None:
    """Raise RefusedByProtocol for an ACL or filter with a field that is UNKNOWN, as in Kafka."""
    if UNKNOWN in (requested.resource_type, requested.pattern_type, requested.operation, requested.permission):
        raise RefusedByProtocol(
            f"the request contains the ACL or filter {requested}, which has the invalid value 0 (UNKNOWN)"
        )
