"""How a member comes to own what the target gives it (rule 3.6): a function, old member to new member.

A member first gives up what the target takes from it, and says so by no longer naming it among what it owns; only then
it moves to the target's epoch and gets what is new, as far as others have given that up already. So a partition never
has two owners, and a member that holds anything which it must give up gets nothing. The same object comes back when
nothing changes.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from tenure.coordinator.groups.consumer.group import FREE, PartitionEpochs
from tenure.coordinator.groups.consumer.member import NO_PARTITIONS, NOTHING, Assigned, Member, MemberState, Target
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicId

Owned: TypeAlias = Mapping[TopicId, Collection[PartitionId]]
"""What a member says that it owns."""

STABLE = MemberState.STABLE
UNREVOKED = MemberState.UNREVOKED_PARTITIONS
UNRELEASED = MemberState.UNRELEASED_PARTITIONS


@dataclass(slots=True)
class Course:
    """Where a member is to go, and what lies in its way."""

    target_epoch: int
    target: Target
    subscribed: Collection[TopicId]
    """Topics that the member subscribes to now: what it no longer wants it gives up at once."""
    owned: Owned | None
    """None: the member does not say what it owns."""
    partition_epochs: PartitionEpochs
    """Of all partitions of the group that somebody has."""
    wants_others: bool
    """Whether the member subscribes to something else than before: then it gives up what it no longer wants even if
    its epoch stays.
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
    """Invariant of what comes back: `previous_member_epoch` is the epoch of `member`."""
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
    """The epoch stays: the target does not know yet that these topics are not wanted any more. Who wants nothing at all
    has its record written again even if it has nothing.
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
    """What the target gives the member beyond `kept` and nobody else has, with its assignment epochs; and whether
    somebody else has some of it still.
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
    """What the target leaves to the member, and what it takes; each keeps its assignment epoch."""
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
    """Both together, partitions ascending; none is in both."""
    if not one or not other:
        return one or other
    return {
        topic_id: dict(sorted({**one.get(topic_id, NO_PARTITIONS), **other.get(topic_id, NO_PARTITIONS)}.items()))
        for topic_id in {**one, **other}
    }


def begun_anew(member: Member) -> Member:
    """The member as if all that it has had come to it with its epoch."""
    epoch = member.member_epoch
    assigned = {topic_id: dict.fromkeys(partitions, epoch) for topic_id, partitions in member.assigned.items()}
    return replace(member, assigned=assigned)


def _may_own(owned: Owned | None, partitions: Assigned) -> bool:
    """A member that does not say what it owns may own everything (rule 3.6: null does not confirm)."""
    return owned is None or any(p in owned.get(topic_id, ()) for topic_id, having in partitions.items() for p in having)
