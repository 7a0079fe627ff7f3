"""The sentences of a member that lost, or never got, its seat."""

from typing import Final

from tenure.client.connection import Connection
from tenure.client.errors import Fenced, MembershipRefused, UnsupportedByBroker
from tenure.client.membership_outputs import CONSUMER, Complaint, Ended, MembershipSettings
from tenure.client.subscriptions import holder_of
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribedConsumerGroup, DescribedConsumerGroupMember, DescribedGroup

REMEDIES: Final = {
    ErrorCode.INCONSISTENT_GROUP_PROTOCOL: "its members know none of the assignors that this one offers ({assignors}), "
    "or are no consumers; offer one of theirs as well ('tenure groups describe' names it), or use another group id",
    ErrorCode.INVALID_GROUP_ID: "the name is not allowed; choose another",
    ErrorCode.INVALID_SESSION_TIMEOUT: "the broker bounds the session timeout by group.min.session.timeout.ms and "
    "group.max.session.timeout.ms; choose one between them",
    ErrorCode.GROUP_MAX_SIZE_REACHED: "it has group.max.size members already; stop one, or raise the limit",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "the broker does not allow it; ask for READ on the group",
    ErrorCode.UNSUPPORTED_VERSION: "the broker is too old for what was asked, or does not offer it",
    ErrorCode.UNSUPPORTED_ASSIGNOR: "the broker has no such assignor; leave 'group.remote.assignor' out, or name "
    "one of its group.consumer.assignors",
    ErrorCode.INVALID_REGULAR_EXPRESSION: "the broker cannot read the pattern; it wants RE2's syntax, without "
    "look-around and back references",
    ErrorCode.GROUP_ID_NOT_FOUND: "it has members of the classic protocol; stop those first, or set "
    "'group.protocol' to 'classic'",
}


def refused(settings: MembershipSettings, ended: Ended) -> MembershipRefused:
    error_code = ended.error_code
    reason = ended.reason.rstrip(".") or REMEDIES.get(error_code, error_code.message).format(
        assignors=", ".join(settings.assignors)
    )
    return MembershipRefused(
        f"Group '{settings.group_id}' does not take this member: {reason} ({error_code.name}).", error_code
    )


def unsupported(
    settings: MembershipSettings, connection: Connection | None, error: UnsupportedByBroker
) -> UnsupportedByBroker:
    """A broker without consumer groups, told with what it says of its version."""
    if settings.group_protocol != CONSUMER or connection is None:
        return error
    features = ", ".join(f"{name}={level}" for name, level in sorted(connection.features.items()))
    return UnsupportedByBroker(
        f"The broker at {connection.address} ({features or 'it tells no features'}) has no consumer groups of KIP-848, "
        "which 'group.protocol=consumer' needs: Apache Kafka has them from 4.0 on, with group.version=1; upgrade it, "
        "or set 'group.protocol' to 'classic'."
    )


def unreleased(holder: DescribedConsumerGroupMember) -> str:
    return (
        f"its seat '{holder.instance_id}' is held by {_client(holder.client_id, holder.client_host)}, which has not "
        "released it; stop that one, or give this one a group.instance.id of its own. The seat of an application that "
        "died is free once its session has ended, and at once with 'on.unreleased' set to 'seize'"
    )


def unknown_holder(group_instance_id: str | None, error_code: ErrorCode) -> str:
    return (
        f"its seat '{group_instance_id}' is held by somebody, and the broker does not tell by whom "
        f"({error_code.message}); wait until that session has ended, or ask for DESCRIBE on the group"
    )


def objected(settings: MembershipSettings, complaint: Complaint) -> MembershipRefused:
    """The member goes on being one, and asks again."""
    reason = complaint.reason.rstrip(".") or complaint.error_code.message
    return MembershipRefused(
        f"Group '{settings.group_id}' refuses what this member wants, and is asked again: {reason} "
        f"({complaint.error_code.name}).",
        complaint.error_code,
    )


def holder_in_classic_group(group: DescribedGroup, group_instance_id: str | None) -> str | None:
    """Who holds a seat, in words. Ours say it in their subscription; of others the seat's first client is known."""
    for member in group.members:
        if member.group_instance_id == group_instance_id:
            host = member.client_host.removeprefix("/")
            first = f"another application (the seat's first client was '{member.client_id}' on host {host})"
            return holder_of(member.member_metadata) or first
    return None


def holder_in_consumer_group(group: DescribedConsumerGroup, group_instance_id: str | None) -> str | None:
    for member in group.members:
        if member.instance_id == group_instance_id:
            return _client(member.client_id, member.client_host)
    return None


def _client(client_id: str, client_host: str) -> str:
    return f"another application (client '{client_id}' on host {client_host.removeprefix('/')})"


def fenced(settings: MembershipSettings, holder: str | None) -> Fenced:
    """`holder` says who has the seat now, where the coordinator could be asked."""
    instance_id, by = settings.group_instance_id, holder or "another application"
    return Fenced(
        f"The seat '{instance_id}' in group '{settings.group_id}' was taken by {by}: only one application may use "
        "a group.instance.id, so stop one of the two or give it an id of its own (FENCED_INSTANCE_ID).",
        instance_id,
        by,
    )
