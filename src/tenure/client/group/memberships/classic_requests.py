"""Requests of a classic member to its coordinator: JoinGroup, SyncGroup, Heartbeat and LeaveGroup."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.subscriptions import STICKY, subscription
from tenure.client.values import Identity, TopicPartition
from tenure.protocol.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    LeaveGroupRequest,
    MemberIdentity,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId

PROTOCOL_TYPE: Final = "consumer"


class MemberClaims(NamedTuple):
    """Fields of a JoinGroup request that describe the member: subscription, owned partitions and generation."""

    topics: Sequence[str]
    owned: Sequence[TopicPartition]
    generation_id: int
    """Generation in which the member got the owned partitions; -1 for none."""
    assigned: Sequence[TopicPartition] | None
    """The last assignment, even if the member has lost it; None before the first one."""
    assigned_generation_id: int


def join_group(settings: MembershipSettings, member_id: str, claims: MemberClaims, reason: str) -> JoinGroupRequest:
    """Build a JoinGroup request with one subscription per assignor."""
    return JoinGroupRequest(
        group_id=GroupId(settings.group_id),
        session_timeout_ms=settings.session_timeout_ms,
        rebalance_timeout_ms=settings.rebalance_timeout_ms,
        member_id=MemberId(member_id),
        group_instance_id=_instance_id(settings),
        protocol_type=PROTOCOL_TYPE,
        protocols=[
            JoinGroupRequestProtocol(name=name, metadata=_subscription(name, settings, claims))
            for name in settings.assignors
        ],
        reason=reason or None,
    )


def _subscription(protocol_name: str, settings: MembershipSettings, claims: MemberClaims) -> bytes:
    sticky = protocol_name == STICKY  # it needs the last assignment even if the membership was lost (rule 7.7)
    return subscription(
        protocol_name,
        claims.topics,
        claims.owned,
        claims.assigned_generation_id if sticky else claims.generation_id,
        assigned=claims.assigned,
        rack_id=settings.rack_id,
        holder=settings.holder,
    )


def sync_group(
    settings: MembershipSettings,
    identity: Identity,
    protocol_name: str | None,
    assignments: Sequence[SyncGroupRequestAssignment],
) -> SyncGroupRequest:
    """Build a SyncGroup request."""
    return SyncGroupRequest(
        group_id=GroupId(settings.group_id),
        generation_id=GenerationId(identity.generation_id),
        member_id=MemberId(identity.member_id),
        group_instance_id=_instance_id(settings),
        protocol_type=PROTOCOL_TYPE,
        protocol_name=protocol_name,
        assignments=list(assignments),
    )


def heartbeat(settings: MembershipSettings, identity: Identity) -> HeartbeatRequest:
    """Build a Heartbeat request."""
    return HeartbeatRequest(
        group_id=GroupId(settings.group_id),
        generation_id=GenerationId(identity.generation_id),
        member_id=MemberId(identity.member_id),
        group_instance_id=_instance_id(settings),
    )


def leave_group(settings: MembershipSettings, member_id: str, reason: str) -> LeaveGroupRequest:
    """Build a LeaveGroup request of one member."""
    leaver = MemberIdentity(member_id=MemberId(member_id), group_instance_id=_instance_id(settings), reason=reason)
    return LeaveGroupRequest(group_id=GroupId(settings.group_id), members=[leaver])


def _instance_id(settings: MembershipSettings) -> InstanceId | None:
    return None if settings.group_instance_id is None else InstanceId(settings.group_instance_id)
