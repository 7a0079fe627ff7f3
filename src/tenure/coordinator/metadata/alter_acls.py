"""CreateAcls and DeleteAcls: each ACL and each filter of a request is handled separately, as in Kafka.

Creating an ACL that exists is no error. A filter that matches no ACL is no error either.
"""

from collections.abc import Sequence

from tenure.coordinator.metadata.answers import AclsCreated, AclsDeleted, Refusal
from tenure.coordinator.metadata.commands import CreateAcls, DeleteAcls
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.limits.broker import ACLS_PER_REQUEST_MAX
from tenure.protocol.acls import CLUSTER_NAME, Acl, AclFilter, AclOperation, PatternType, Permission, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import AccessControlEntryRecord, RemoveAccessControlEntryRecord


def create_acls(metadata: Metadata, ask: AskId, create: CreateAcls) -> CoordinatorResult:
    refusals = [_refusal(acl) for acl in create.acls]
    valid = [acl for acl, refusal in zip(create.acls, refusals, strict=True) if refusal is None]
    records = [
        LogRecord(None, AccessControlEntryRecord(metadata.new_id(), *acl))
        for acl in dict.fromkeys(valid)
        if acl not in metadata.acls
    ]
    return CoordinatorResult(records, ((ask, AclsCreated(refusals)),))


def _refusal(acl: Acl) -> Refusal | None:
    if acl.resource_type == ResourceType.CLUSTER and acl.resource_name != CLUSTER_NAME:
        return _invalid(f"The only valid name for the CLUSTER resource is {CLUSTER_NAME}")
    if not acl.resource_name:
        return _invalid("Invalid empty resource name")
    if acl.resource_type == ResourceType.ANY or acl.resource_type not in frozenset(ResourceType):
        return _invalid("an ACL needs a known resource type, and not ANY")
    if acl.pattern_type not in (PatternType.LITERAL, PatternType.PREFIXED):
        return _invalid("an ACL needs the pattern type LITERAL or PREFIXED; other pattern types are for filters")
    if acl.operation == AclOperation.ANY or acl.operation not in frozenset(AclOperation):
        return _invalid("an ACL needs a known operation or ALL, and not ANY")
    if acl.permission not in (Permission.ALLOW, Permission.DENY):
        return _invalid("an ACL needs the permission ALLOW or DENY; ANY is for filters")
    if ":" not in acl.principal:
        return _invalid(f"{acl.principal!r} is not a principal: write TYPE:NAME, for example User:alice")
    return None


def _invalid(why: str) -> Refusal:
    return ErrorCode.INVALID_REQUEST, why


def delete_acls(metadata: Metadata, ask: AskId, delete: DeleteAcls) -> CoordinatorResult:
    selected = metadata.acls.selected_by(delete.filters)
    ids = dict.fromkeys(acl_id for found in selected for acl_id, _ in found)
    if len(ids) > ACLS_PER_REQUEST_MAX:
        why = f"the filters select {len(ids)} ACLs, at most {ACLS_PER_REQUEST_MAX} are allowed: use narrower filters"
        return CoordinatorResult((), ((ask, AclsDeleted([_invalid(why) for _ in delete.filters])),))
    records = [LogRecord(None, RemoveAccessControlEntryRecord(acl_id)) for acl_id in ids]
    results: list[Sequence[Acl] | Refusal] = [
        _invalid("the filter has an unknown resource type, pattern type, operation or permission")
        if _is_unknown(wanted)
        else [acl for _, acl in found]
        for wanted, found in zip(delete.filters, selected, strict=True)
    ]
    return CoordinatorResult(records, ((ask, AclsDeleted(results)),))


def _is_unknown(wanted: AclFilter) -> bool:
    """Return whether a number in the filter is undefined, for example its operation. Such a filter is refused."""
    return (
        wanted.resource_type not in frozenset(ResourceType)
        or wanted.pattern_type not in frozenset(PatternType)
        or wanted.operation not in frozenset(AclOperation)
        or wanted.permission not in frozenset(Permission)
    )


def acl_created(metadata: Metadata, record: AccessControlEntryRecord) -> None:
    metadata.acls.put(
        record.id,
        Acl(
            record.resource_type,
            record.resource_name,
            record.pattern_type,
            record.principal,
            record.host,
            record.operation,
            record.permission_type,
        ),
    )


def acl_removed(metadata: Metadata, record: RemoveAccessControlEntryRecord) -> None:
    metadata.acls.remove(record.id)
