"""The sentences of a member that lost, or never got, its seat."""

from typing import Final

from tenure.client.errors import Fenced, MembershipRefused
from tenure.client.membership_outputs import Ended, MembershipSettings
from tenure.client.subscriptions import holder_of
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribedGroup

REMEDIES: Final = {
    ErrorCode.INCONSISTENT_GROUP_PROTOCOL: "its members know none of the assignors that this one offers ({assignors}), "
    "or are no consumers; offer one of theirs as well ('tenure groups describe' names it), or use another group id",
    ErrorCode.INVALID_GROUP_ID: "the name is not allowed; choose another",
    ErrorCode.INVALID_SESSION_TIMEOUT: "the broker bounds the session timeout by group.min.session.timeout.ms and "
    "group.max.session.timeout.ms; choose one between them",
    ErrorCode.GROUP_MAX_SIZE_REACHED: "it has group.max.size members already; stop one, or raise the limit",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "the broker does not allow it; ask for READ on the group",
    ErrorCode.UNSUPPORTED_VERSION: "the broker is too old for what was asked",
}


def refused(settings: MembershipSettings, ended: Ended) -> MembershipRefused:
    error_code = ended.error_code
    reason = ended.reason.rstrip(".") or REMEDIES.get(error_code, error_code.message).format(
        assignors=", ".join(settings.assignors)
    )
    return MembershipRefused(
        f"Group '{settings.group_id}' does not take this member: {reason} ({error_code.name}).", error_code
    )


def fenced(settings: MembershipSettings, group: DescribedGroup | None) -> Fenced:
    """`group` is what the coordinator tells of the group, if it could be asked who has the seat now."""
    instance_id = settings.group_instance_id
    holder = "another application"
    for member in group.members if group is not None else []:
        if member.group_instance_id == instance_id:
            told = holder_of(member.member_metadata)
            host = member.client_host.removeprefix("/")
            holder = told or f"another application (the seat's first client was '{member.client_id}' on host {host})"
    return Fenced(
        f"The seat '{instance_id}' in group '{settings.group_id}' was taken by {holder}: only one application may use "
        "a group.instance.id, so stop one of the two or give it an id of its own (FENCED_INSTANCE_ID).",
        instance_id,
        holder,
    )
