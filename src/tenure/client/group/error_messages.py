"""Error messages for memberships that ended or could not begin."""

from typing import Final

from tenure.client.errors import Fenced, MembershipRefused, UnsupportedByBroker
from tenure.client.group.memberships.membership_outputs import FatalError, TransientError
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.subscriptions import holder_of
from tenure.client.net.connection import BrokerConnection
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribedConsumerGroup,
    DescribedConsumerGroupMember,
    DescribedGroup,
    DescribedStreamsGroup,
    DescribedStreamsMember,
)
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS

REMEDIES: Final = {
    ErrorCode.INCONSISTENT_GROUP_PROTOCOL: "the group supports none of this member's assignors ({assignors}), or its "
    "members are not consumers. Add one of the group's assignors (see `tenure groups describe`), or use another group "
    "id",
    ErrorCode.INVALID_GROUP_ID: "the group id is invalid. Choose another one",
    ErrorCode.INVALID_SESSION_TIMEOUT: "the session timeout must be between the broker's group.min.session.timeout.ms "
    "and group.max.session.timeout.ms",
    ErrorCode.GROUP_MAX_SIZE_REACHED: "the group already has group.max.size members. Stop one, or raise the limit",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "not authorized. Grant READ on the group",
    ErrorCode.UNSUPPORTED_VERSION: "the broker does not support this request",
    ErrorCode.UNSUPPORTED_ASSIGNOR: "the broker does not have the assignor. Remove 'group.remote.assignor', or set it "
    "to one of the broker's group.consumer.assignors",
    ErrorCode.INVALID_REGULAR_EXPRESSION: "the regular expression is invalid. Use RE2 syntax, without look-around and "
    "back references",
    ErrorCode.GROUP_ID_NOT_FOUND: "the group has members of the classic protocol. Stop them, or set 'group.protocol' "
    "to 'classic'",
}


NEEDS: Final = {
    CONSUMER: (
        "Consumer groups of KIP-848",
        "Use Apache Kafka 4.0 or later with group.version=1, or set 'group.protocol' to 'classic'",
    ),
    STREAMS: ("Streams groups of KIP-1071", "Use Apache Kafka 4.2 or later with streams.version=1, or Tenure"),
}
"""For each group protocol: the name of its groups, and the remedy if a broker does not support them."""


def refused(settings: MembershipSettings, ended: FatalError) -> MembershipRefused:
    """Return the error for a member that the coordinator rejects. `ended` has the cause."""
    error_code = ended.error_code
    reason = ended.reason.rstrip(".") or REMEDIES.get(error_code, error_code.message).format(
        assignors=", ".join(settings.assignors)
    )
    return MembershipRefused(
        f"Group '{settings.group_id}' rejects this member: {reason} ({error_code.name}).", error_code
    )


def unsupported(
    settings: MembershipSettings, connection: BrokerConnection | None, error: UnsupportedByBroker
) -> UnsupportedByBroker:
    """Return the error for a broker that does not support the kind of group. It lists the broker's features."""
    if settings.group_protocol == CLASSIC or connection is None:
        return error
    kind, remedy = NEEDS[settings.group_protocol]
    features = ", ".join(f"{name}={level}" for name, level in sorted(connection.features.items()))
    return UnsupportedByBroker(
        f"{kind} are not supported by the broker at {connection.address} ({features or 'it reports no features'}). "
        f"{remedy}."
    )


def unreleased(holder: DescribedConsumerGroupMember | DescribedStreamsMember) -> str:
    """Return the reason why a static member cannot join: another member uses its instance id."""
    return (
        f"group.instance.id '{holder.instance_id}' is in use by {_client(holder.client_id, holder.client_host)}. Stop "
        "that application, or use another group.instance.id. If it has crashed, wait until its session times out, or "
        "set 'on.unreleased' to 'seize'"
    )


def unknown_holder(group_instance_id: str | None, error_code: ErrorCode) -> str:
    """Return the reason why a static member cannot join, if it is unknown which member uses its instance id."""
    return (
        f"group.instance.id '{group_instance_id}' is in use, and the broker does not tell by which application "
        f"({error_code.message}). Wait until that session times out, or grant DESCRIBE on the group"
    )


def rejected_request(settings: MembershipSettings, transient_error: TransientError) -> MembershipRefused:
    """Return the error that reports a rejected request to the user.

    The member sends the request again, and the membership continues.
    """
    reason = transient_error.reason.rstrip(".") or transient_error.error_code.message
    return MembershipRefused(
        f"Group '{settings.group_id}' rejects the member's request, which is retried: {reason} "
        f"({transient_error.error_code.name}).",
        transient_error.error_code,
    )


def holder_in_classic_group(group: DescribedGroup, group_instance_id: str | None) -> str | None:
    """Describe the process that uses an instance id; None if there is none.

    Members of Tenure's client put a description of their process into the subscription. For other clients, the
    coordinator reports only the first client that used the id.
    """
    for member in group.members:
        if member.group_instance_id == group_instance_id:
            host = member.client_host.removeprefix("/")
            first = f"another application (first client of this id: '{member.client_id}' on host {host})"
            return holder_of(member.member_metadata) or first
    return None


def holder_by_instance_id(
    group: DescribedConsumerGroup | DescribedStreamsGroup, group_instance_id: str | None
) -> str | None:
    """Describe the client that uses an instance id; None if there is none."""
    for member in group.members:
        if member.instance_id == group_instance_id:
            return _client(member.client_id, member.client_host)
    return None


def _client(client_id: str, client_host: str) -> str:
    return f"another application (client '{client_id}' on host {client_host.removeprefix('/')})"


def fenced(settings: MembershipSettings, holder: str | None) -> Fenced:
    """Return the error of a fenced static member. `holder` describes the new owner; None if it is unknown."""
    instance_id, by = settings.group_instance_id, holder or "another application"
    return Fenced(
        f"Fenced: group.instance.id '{instance_id}' of group '{settings.group_id}' was taken over by {by}. Only one "
        "application may use it: stop one of the two, or use different ids (FENCED_INSTANCE_ID).",
        instance_id,
        by,
    )
