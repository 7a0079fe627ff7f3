"""Operations on ACLs: list, create, delete."""

from collections.abc import Sequence
from typing import Final

from tenure.client.errors import RequestRefused
from tenure.client.net.cluster import Cluster
from tenure.protocol.acls import Acl, AclFilter
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AclCreation,
    CreateAclsRequest,
    CreateAclsResponse,
    DeleteAclsFilter,
    DeleteAclsRequest,
    DeleteAclsResponse,
    DescribeAclsRequest,
    DescribeAclsResponse,
)

MIN_VERSION: Final = 1
"""First version of the ACL requests that has pattern types (KIP-290)."""
CLEARER_MESSAGES: Final = {
    ErrorCode.SECURITY_DISABLED: "the broker has no authorizer; set authorizer.class.name there",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "listing ACLs needs DESCRIBE on the cluster, changing them needs ALTER",
}
"""Messages by error code, shown instead of the broker's because they are clearer."""


async def list_acls(cluster: Cluster, wanted: AclFilter) -> list[Acl]:
    """Return the ACLs that match a filter, sorted, so that repeated calls give the same order."""
    request = DescribeAclsRequest(*wanted)
    answer = await cluster.retry(lambda: cluster.request_any(request, DescribeAclsResponse, min_version=MIN_VERSION))
    _check(answer.error_code, answer.error_message, "The ACLs cannot be listed")
    return sorted(
        Acl(
            resource.resource_type,
            resource.resource_name,
            resource.pattern_type,
            acl.principal,
            acl.host,
            acl.operation,
            acl.permission_type,
        )
        for resource in answer.resources
        for acl in resource.acls
    )


async def create_acls(cluster: Cluster, acls: Sequence[Acl]) -> None:
    """Create ACLs. An ACL that exists already is left unchanged.

    Raises:
        RequestRefused: An ACL was not created; the message names the first such ACL. Other ACLs of the call may exist
            now.
    """
    request = CreateAclsRequest([AclCreation(*acl) for acl in acls])
    answer = await cluster.retry(lambda: cluster.request_any(request, CreateAclsResponse, min_version=MIN_VERSION))
    for acl, result in zip(acls, answer.results, strict=True):
        _check(result.error_code, result.error_message, f"The ACL for '{acl.resource_name}' was not created")


async def delete_acls(cluster: Cluster, wanted: AclFilter) -> list[Acl]:
    """Delete the ACLs that match a filter, and return the deleted ones."""
    request = DeleteAclsRequest([DeleteAclsFilter(*wanted)])
    answer = await cluster.retry(lambda: cluster.request_any(request, DeleteAclsResponse, min_version=MIN_VERSION))
    deleted = []
    for result in answer.filter_results:
        _check(result.error_code, result.error_message, "The ACLs were not deleted")
        for acl in result.matching_acls:
            _check(acl.error_code, acl.error_message, f"The ACL for '{acl.resource_name}' was not deleted")
            deleted.append(
                Acl(
                    acl.resource_type,
                    acl.resource_name,
                    acl.pattern_type,
                    acl.principal,
                    acl.host,
                    acl.operation,
                    acl.permission_type,
                )
            )
    return sorted(deleted)


def _check(error_code: int, message: str | None, problem: str) -> None:
    if error_code != ErrorCode.NONE:
        code = ErrorCode(error_code)
        reason = CLEARER_MESSAGES.get(code) or (message or code.message).rstrip(".")
        raise RequestRefused(f"{problem}: {reason} ({code.name}).", code)
