"""Progress of a member from its partitions to its target (rule 3.6): `reconcile` returns the member after a step.

A member first gives up the partitions that the target takes from it. Its heartbeats then no longer list them as owned.
After that, the member gets the target's epoch, and those of its new partitions that other members have given up. So a
partition never has two owners, and a member that has partitions to give up gets no new ones. If nothing changes, the
functions return the same object.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from tenure.coordinator.groups.consumer.group import FREE, PartitionEpochs
from tenure.coordinator.groups.consumer.member import NO_PARTITIONS, NOTHING, Assigned, Member, MemberState, Target
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicId

Owned: TypeAlias = Mapping[TopicId, Collection[PartitionId]]
"""Partitions that a member reports as owned."""

STABLE = MemberState.STABLE
UNREVOKED = MemberState.UNREVOKED_PARTITIONS
UNRELEASED = MemberState.UNRELEASED_PARTITIONS


@dataclass(slots=True)
class Reconciliation:
    """Target of a member, and the state of the group on which its progress depends."""

    target_epoch: int
    target: Target
    subscribed: Collection[TopicId]
    """Topics to which the member subscribes now. The member gives up partitions of all other topics at once."""
    owned: Owned | None
    """Partitions that the member reports as owned; None if it reported none in this heartbeat."""
    partition_epochs: PartitionEpochs
    """Epoch of the owner of each partition that has an owner."""
    subscription_changed: bool
    """True if the member's subscription has changed.

    The member then gives up partitions of topics to which it no longer subscribes, even if the target is the same.
    """


def reconcile(member: Member, reconciliation: Reconciliation) -> Member | ErrorCode:
    match member.state:
        case MemberState.STABLE:
            if member.member_epoch != reconciliation.target_epoch:
                return _next(member, member.member_epoch, reconciliation)
            return _without_unsubscribed(member, reconciliation) if reconciliation.subscription_changed else member
        case MemberState.UNREVOKED_PARTITIONS:
            if _may_own(reconciliation.owned, member.pending_revocation):
                return _without_unsubscribed(member, reconciliation) if reconciliation.subscription_changed else member
            return _next(member, member.member_epoch, reconciliation)
        case MemberState.UNRELEASED_PARTITIONS:
            return _next(member, member.member_epoch, reconciliation)
    if reconciliation.owned is None or reconciliation.owned:
        return ErrorCode.FENCED_MEMBER_EPOCH
    return _next(member, reconciliation.target_epoch, reconciliation)


def _next(member: Member, epoch: int, reconciliation: Reconciliation) -> Member:
    """Return the member after its next step.

    If the member has partitions to give up, its new epoch is `epoch`, else that of the target. The new
    `previous_member_epoch` is the epoch that the member had before the step.
    """
    target = {
        topic_id: partitions
        for topic_id, partitions in reconciliation.target.items()
        if topic_id in reconciliation.subscribed
    }
    kept, revoked = split(member.assigned, target)
    if revoked and _may_own(reconciliation.owned, revoked):
        return _moved(member, epoch, UNREVOKED, kept, revoked)
    added, is_blocked = _select_free_partitions(member, target, kept, reconciliation)
    state = UNRELEASED if is_blocked else STABLE
    return _moved(member, reconciliation.target_epoch, state, joined(kept, added), NOTHING)


def _moved(member: Member, epoch: int, state: MemberState, assigned: Assigned, pending: Assigned) -> Member:
    moved = replace(
        member,
        member_epoch=epoch,
        previous_member_epoch=member.member_epoch,
        state=state,
        assigned=assigned,
        pending_revocation=pending,
    )
    return member if moved == member else moved


def _without_unsubscribed(member: Member, reconciliation: Reconciliation) -> Member:
    """Return the member without the partitions of topics to which it no longer subscribes.

    The member's epoch stays the same, because the target was computed before the subscription changed. If the member
    subscribes to no existing topic, its record is written again even if the member had no partitions, as in Kafka (rule
    3.6).
    """
    wants_some = bool(reconciliation.subscribed or member.pending_revocation)
    if wants_some and all(topic_id in reconciliation.subscribed for topic_id in member.assigned):
        return member
    unwanted = {t: partitions for t, partitions in member.assigned.items() if t not in reconciliation.subscribed}
    kept = {t: partitions for t, partitions in member.assigned.items() if t in reconciliation.subscribed}
    pending = joined(member.pending_revocation, unwanted)
    if pending and _may_own(reconciliation.owned, pending):
        return _moved(member, member.member_epoch, UNREVOKED, kept, pending)
    return _moved(member, member.member_epoch, member.state, kept, member.pending_revocation)


def _select_free_partitions(
    member: Member, target: Target, kept: Assigned, reconciliation: Reconciliation
) -> tuple[Assigned, bool]:
    """Select the partitions of the target that the member may get now, because no other member owns them.

    `kept` are the partitions that it has already. Return the selected partitions, with the target's epoch as assignment
    epoch, and whether other members still own partitions of the target.
    """
    added: dict[TopicId, dict[PartitionId, int]] = {}
    is_blocked = False
    for topic_id, partitions in target.items():
        have = kept.get(topic_id, NO_PARTITIONS)
        epochs = reconciliation.partition_epochs.get(topic_id, NO_PARTITIONS)
        own = member.pending_revocation.get(topic_id, NO_PARTITIONS)
        wanted = [p for p in sorted(partitions) if p not in have]
        free = [p for p in wanted if epochs.get(p, FREE) == FREE or p in own]
        is_blocked = is_blocked or len(free) < len(wanted)
        if free:
            added[topic_id] = dict.fromkeys(free, reconciliation.target_epoch)
    return added, is_blocked


def split(assigned: Assigned, target: Target) -> tuple[Assigned, Assigned]:
    """Return (kept, revoked): the assigned partitions that are in the target, and those that are not."""
    kept: dict[TopicId, Mapping[PartitionId, int]] = {}
    revoked: dict[TopicId, Mapping[PartitionId, int]] = {}
    for topic_id, partitions in assigned.items():
        wanted = target.get(topic_id, frozenset())
        stay = {p: epoch for p, epoch in partitions.items() if p in wanted}
        if stay:
            kept[topic_id] = stay
        if len(stay) < len(partitions):
            revoked[topic_id] = {p: epoch for p, epoch in partitions.items() if p not in wanted}
    return kept, revoked


def joined(one: Assigned, other: Assigned) -> Assigned:
    """Merge two assignments that have no partition in common. Partitions are sorted."""
    if not one or not other:
        return one or other
    return {
        topic_id: dict(sorted({**one.get(topic_id, NO_PARTITIONS), **other.get(topic_id, NO_PARTITIONS)}.items()))
        for topic_id in {**one, **other}
    }


def with_present_epochs(member: Member) -> Member:
    """Return the member with its present epoch as assignment epoch of all its partitions."""
    epoch = member.member_epoch
    assigned = {topic_id: dict.fromkeys(partitions, epoch) for topic_id, partitions in member.assigned.items()}
    return replace(member, assigned=assigned)


def _may_own(owned: Owned | None, partitions: Assigned) -> bool:
    """Return whether the member may still own at least one of `partitions`.

    `owned` is None if the heartbeat does not report the owned partitions. Then the member may still own all of them
    (rule 3.6).
    """
    return owned is None or any(p in owned.get(topic_id, ()) for topic_id, having in partitions.items() for p in having)
