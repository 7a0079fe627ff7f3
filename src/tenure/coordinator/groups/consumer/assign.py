"""Target assignment of a consumer group (rules 3.4 step 4, 3.12).

Members vote for an assignor; a member that names none does not vote. The new target is compared with the previous one,
and only members whose target has changed get a record.

A small group is assigned at once. A large one is assigned by an effect, outside of the shard: its members keep the old
target until the effect has ended. The result is used if all members in it still exist with the same subscriptions.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from tenure.coordinator.groups.commands import TargetComputed
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.consumer.subscribed import Regexes, existing, topic_names
from tenure.coordinator.groups.effects import Assign
from tenure.coordinator.groups.records import AssignmentAwaited, AssignmentComputed
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.limits.coordinator import ASSIGNED_AT_ONCE_MAX
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.types import GroupId, MemberId


def preferred_assignor(members: Iterable[Member], settings: GroupSettings) -> str:
    """Return the assignor with the most votes; in a tie, the one that is configured first.

    The log may have votes for assignors that are no longer configured; they do not count.
    """
    known = settings.group_consumer_assignors
    votes = Counter(member.server_assignor for member in members if member.server_assignor in known)
    return min(votes, key=lambda name: (-votes[name], known.index(str(name)))) if votes else known[0]


def assignment(
    groups: Groups,
    group: ConsumerGroup,
    group_epoch: int,
    members: Mapping[MemberId, Member],
    targets: Mapping[MemberId, TargetAssignment],
    changed_members: Collection[MemberId],
) -> Assign:
    """Return the effect that assigns a group with the given members and previous targets.

    `changed_members` are the members that differ from those of `group`.
    """
    assignor = preferred_assignor(members.values(), groups.settings)
    own = groups.settings.own_assignors.get(assignor)
    known = (
        (group.arrays, group.changed_members.union(changed_members))
        if group.arrays is not None
        else (None, frozenset())
    )
    return Assign(group.group_id, group_epoch, assignor, own, members, group.regexes, targets, groups.topics(), *known)


def is_large(members: Mapping[MemberId, Member], regexes: Regexes, topics: Topics) -> bool:
    if len(members) > ASSIGNED_AT_ONCE_MAX:
        return True
    partitions = sum(topic.partitions for topic in existing(topic_names(members.values(), regexes), topics))
    return len(members) + partitions > ASSIGNED_AT_ONCE_MAX


def copy_for_thread(effect: Assign) -> Assign:
    """Return the effect in a form that a thread can perform: with copies of all objects that the shard may change.

    Members and targets are copies already.
    """
    return Assign(
        effect.group_id,
        effect.group_epoch,
        effect.assignor,
        effect.own,
        effect.members,
        dict(effect.regexes),
        effect.targets,
        effect.topics.copy(),
        effect.arrays,
        effect.changed_members,
    )


def new_target(group_id: GroupId, group_epoch: int, found: TargetComputed, wall_ms: int) -> list[object]:
    changed = [logged.target(group_id, member_id, target) for member_id, target in found.targets.items()]
    return [*changed, logged.target_epoch(group_id, group_epoch, wall_ms)]


def why_failed(group_epoch: int, failure: str) -> str:
    return f"Failed to compute a new target assignment for epoch {group_epoch}: {failure}"


def target_computed(_: Groups, __: AskId, group: AnyGroup | None, found: TargetComputed, now: Now) -> CoordinatorResult:
    """Apply a computed target, unless a member in it has left or changed since.

    Members that joined during the computation are not in the target. They get partitions with the next target. If each
    join invalidated the target, many joins in succession would delay the partitions of all members.
    """
    effect = found.effect
    if not isinstance(group, ConsumerGroup) or not isinstance(effect, Assign) or group.assigning is not effect:
        return CoordinatorResult()
    if found.failure:
        return CoordinatorResult(
            [AssignmentAwaited(found.group_id, None, why_failed(effect.group_epoch, found.failure))]
        )
    if not group.changed_members.isdisjoint(effect.members):
        return CoordinatorResult([AssignmentAwaited(found.group_id)])
    arrays = found.arrays if effect.regexes == group.regexes else None
    computed = AssignmentComputed(found.group_id, arrays, frozenset(group.changed_members))
    return CoordinatorResult([*new_target(found.group_id, effect.group_epoch, found, now.wall_ms), computed])
