"""Target assignment of a streams group (rule 5.2, point 8), as a function of members, tasks and configs.

A small group is assigned at once. A large group is assigned by an effect, outside of the shard, as in a consumer group:
its members keep the old target until the effect has ended.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tenure.coordinator.groups.commands import TaskTargetComputed
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.records import AssignmentAwaited, AssignmentComputed
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_TARGET, ReportedOffsets, Tasks
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.coordinator.values import value
from tenure.limits.coordinator import ASSIGNED_AT_ONCE_MAX
from tenure.protocol.types import GroupId, MemberId

STANDBYS: Final = "num.standby.replicas"
TAGS: Final = "rack.aware.assignment.tags"


def assignment_configs(configs: GroupConfigs) -> dict[str, str]:
    """Return the configs on which an assignment depends, by their names in `StreamsGroupMetadataValue`."""
    found = {STANDBYS: str(configs.streams_num_standby_replicas)}
    if configs.streams_rack_aware_assignment_tags:
        found[TAGS] = ",".join(configs.streams_rack_aware_assignment_tags)
    return found


@value
class AssignTasks:
    """Computation of a target assignment, with all of its input. Its result is `TaskTargetComputed`."""

    group_id: GroupId
    group_epoch: int
    members: Sequence[StreamsMember]
    offsets: Mapping[MemberId, ReportedOffsets]
    plan: TopicPlan
    standbys: int
    targets: Mapping[MemberId, Tasks]
    """Target assignment of each member before this assignment."""
    arrays: object | None = None
    """`TaskArrays` of the last assignment, if a thread has made it, else None."""


def assignment(
    group: StreamsGroup,
    group_epoch: int,
    plan: TopicPlan,
    members: Iterable[StreamsMember],
    offsets: Mapping[MemberId, ReportedOffsets],
    targets: Mapping[MemberId, Tasks],
) -> AssignTasks:
    """Return the effect that computes the next target assignment from members, their offsets and previous targets."""
    standbys = group.configs.streams_num_standby_replicas
    copied = tuple(members), dict(offsets), plan, standbys, dict(targets)
    return AssignTasks(group.group_id, group_epoch, *copied, group.arrays)


def is_large(effect: AssignTasks) -> bool:
    """Return whether computing the target takes too long for the event loop."""
    tasks = sum(each.tasks for each in effect.plan.subtopologies.values())
    return len(effect.members) + tasks * (1 + effect.standbys) > ASSIGNED_AT_ONCE_MAX


def assign_tasks(effect: AssignTasks) -> TaskTargetComputed:
    """Compute the targets that change. If a topic is missing, no member gets a task."""
    if not effect.plan.is_ready:
        changed = {
            each.member_id: NO_TARGET for each in effect.members if effect.targets.get(each.member_id) != NO_TARGET
        }
        return TaskTargetComputed(effect.group_id, effect, changed)
    from tenure.assignors import sticky_tasks  # imported late: numpy would slow down the start
    from tenure.coordinator.groups.streams.task_arrays import TaskArrays, changed_targets, update_arrays

    subtopologies = [
        sticky_tasks.Subtopology(name, each.tasks, each.is_stateful) for name, each in effect.plan.subtopologies.items()
    ]
    old = effect.arrays if isinstance(effect.arrays, TaskArrays) else None
    arrays, joined = update_arrays(old, subtopologies, effect.members, effect.targets)
    found = sticky_tasks.assign(arrays.task_group(effect.offsets), effect.standbys)
    targets = changed_targets(arrays, joined, found, effect.targets)
    return TaskTargetComputed(effect.group_id, effect, targets, arrays.with_targets(found))


def task_target_computed(
    _: Groups, __: AskId, group: AnyGroup | None, found: TaskTargetComputed, now: Now
) -> CoordinatorResult:
    """Apply a computed target, unless the topics or a member in it have changed since.

    New members get tasks with the next target, which is computed at a later heartbeat.
    """
    effect = found.effect
    if not isinstance(group, StreamsGroup) or not isinstance(effect, AssignTasks) or group.assigning is not effect:
        return CoordinatorResult()
    present = group.members
    others = [member for member in effect.members if present.get(member.member_id) is not member]
    has_targets = effect.targets.keys() <= group.targets.keys()  # a member that has left and returned has none
    if group.plan != effect.plan or not has_targets or not all(_is_unchanged(group, member) for member in others):
        return CoordinatorResult([AssignmentAwaited(found.group_id)])
    came = AssignmentComputed(found.group_id, found.arrays, frozenset())
    return CoordinatorResult([*target_records(group.group_id, effect.group_epoch, found.targets, now.wall_ms), came])


def _is_unchanged(group: StreamsGroup, member: StreamsMember) -> bool:
    """Return whether the member is still in the group, and its process id has not changed."""
    present = group.members.get(member.member_id)
    return present is not None and present.process_id == member.process_id


def target_records(group_id: GroupId, epoch: int, changed: Mapping[MemberId, Tasks], wall_ms: int) -> list[LogRecord]:
    """Return the records of changed targets, and of their epoch."""
    targets = [logged.target(group_id, member_id, target) for member_id, target in changed.items()]
    return [*targets, logged.target_epoch(group_id, epoch, wall_ms)]
