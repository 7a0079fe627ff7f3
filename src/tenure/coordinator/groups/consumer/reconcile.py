"""Steps of a member from its owned partitions to its target (rule 3.6): a function from old member to new member.

A member first gives up the partitions that the target takes from it, and reports that by no longer listing them as
owned. Only then it moves to the target's epoch and gets new partitions, as far as others have given them up already. A
partition therefore never has two owners, and a member that still has to give up any partition gets no new ones. If
nothing changes, the result is the same object.
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
class Course:
    """Target of a member, and the state of the group that limits it."""

    target_epoch: int
    target: Target
    subscribed: Collection[TopicId]
    """Topics that the member subscribes to now; it gives up partitions of all others at once."""
    owned: Owned | None
    """Partitions that the member owns; None if it does not report them."""
    partition_epochs: PartitionEpochs
    """Epochs of all partitions of the group that have an owner."""
    wants_others: bool
    """True if the subscription has changed.

    The member then gives up unsubscribed partitions even if its epoch stays.
    """


def reconcile(member: Member, course: Course) -> Member | ErrorCode:
    match member.state:
        case MemberState.STABLE:
            if member.member_epoch != course.target_epoch:
                return _next(member, member.member_epoch, course)
            return _without_unsubscribed(member, course) if course.wants_others else member
        case MemberState.UNREVOKED_PARTITIONS:
            if _may_own(course.owned, member.pending_revocation):
                return _without_unsubscribed(member, course) if course.wants_others else member
            return _next(member, member.member_epoch, course)
        case MemberState.UNRELEASED_PARTITIONS:
            return _next(member, member.member_epoch, course)
    if course.owned is None or course.owned:
        return ErrorCode.FENCED_MEMBER_EPOCH
    return _next(member, course.target_epoch, course)


def _next(member: Member, epoch: int, course: Course) -> Member:
    """Return the member after the next step. Invariant: its `previous_member_epoch` is the epoch of `member`."""
    target = {topic_id: partitions for topic_id, partitions in course.target.items() if topic_id in course.subscribed}
    kept, revoked = split(member.assigned, target)
    if revoked and _may_own(course.owned, revoked):
        return _moved(member, epoch, UNREVOKED, kept, revoked)
    added, is_blocked = _free(member, target, kept, course)
    state = UNRELEASED if is_blocked else STABLE
    return _moved(member, course.target_epoch, state, joined(kept, added), NOTHING)


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


def _without_unsubscribed(member: Member, course: Course) -> Member:
    """Return the member without unsubscribed topics.

    The epoch stays: the target does not contain the change yet. A member without a subscription has its record written
    again even if it has no partitions.
    """
    wants_some = bool(course.subscribed or member.pending_revocation)
    if wants_some and all(topic_id in course.subscribed for topic_id in member.assigned):
        return member
    unwanted = {t: partitions for t, partitions in member.assigned.items() if t not in course.subscribed}
    kept = {t: partitions for t, partitions in member.assigned.items() if t in course.subscribed}
    pending = joined(member.pending_revocation, unwanted)
    if pending and _may_own(course.owned, pending):
        return _moved(member, member.member_epoch, UNREVOKED, kept, pending)
    return _moved(member, member.member_epoch, member.state, kept, member.pending_revocation)


def _free(member: Member, target: Target, kept: Assigned, course: Course) -> tuple[Assigned, bool]:
    """Return the free partitions of the target beyond `kept`, and whether others still own some of it.

    The partitions have their assignment epochs.
    """
    added: dict[TopicId, dict[PartitionId, int]] = {}
    is_blocked = False
    for topic_id, partitions in target.items():
        have = kept.get(topic_id, NO_PARTITIONS)
        epochs = course.partition_epochs.get(topic_id, NO_PARTITIONS)
        own = member.pending_revocation.get(topic_id, NO_PARTITIONS)
        wanted = [p for p in sorted(partitions) if p not in have]
        free = [p for p in wanted if epochs.get(p, FREE) == FREE or p in own]
        is_blocked = is_blocked or len(free) < len(wanted)
        if free:
            added[topic_id] = dict.fromkeys(free, course.target_epoch)
    return added, is_blocked


def split(assigned: Assigned, target: Target) -> tuple[Assigned, Assigned]:
    """Return the partitions that the target leaves to the member, and those it takes, with their assignment epochs."""
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
    """Merge two assignments without common partitions. Partitions are in ascending order."""
    if not one or not other:
        return one or other
    return {
        topic_id: dict(sorted({**one.get(topic_id, NO_PARTITIONS), **other.get(topic_id, NO_PARTITIONS)}.items()))
        for topic_id in {**one, **other}
    }


def with_present_epochs(member: Member) -> Member:
    """Return the member as if it had received all its partitions in its present epoch."""
    epoch = member.member_epoch
    assigned = {topic_id: dict.fromkeys(partitions, epoch) for topic_id, partitions in member.assigned.items()}
    return replace(member, assigned=assigned)


def _may_own(owned: Owned | None, partitions: Assigned) -> bool:
    """Return whether the member may own at least one of `partitions`.

    A member that does not report its partitions may own all (rule 3.6: null does not confirm).
    """
    return owned is None or any(p in owned.get(topic_id, ()) for topic_id, having in partitions.items() for p in having)
