"""Target assignment of a streams group (rule 5.2, point 8), as a function of members, tasks and configs.

A small group is assigned at once. A large group is assigned by an effect, outside of the shard, as in a consumer group:
its members keep the old target until the effect has ended.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tenure.assignors import sticky_tasks
from tenure.assignors.sticky_tasks import Subtopology, TaskMember
from tenure.coordinator.groups.commands import TaskTargetComputed
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.records import AssignmentAwaited
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_OFFSETS, NO_TARGET, ReportedOffsets, Task, Tasks
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.shard import AskId, LogRecord, Now, Step
from tenure.coordinator.values import value
from tenure.limits.coordinator import ASSIGNED_AT_ONCE_MAX
from tenure.protocol.types import GroupId, MemberId, PartitionId

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


def assignment(
    group: StreamsGroup,
    group_epoch: int,
    plan: TopicPlan,
    members: Iterable[StreamsMember],
    offsets: Mapping[MemberId, ReportedOffsets],
) -> AssignTasks:
    """Return the effect that assigns the group with the given members and the offsets that they have reported."""
    standbys = group.configs.streams_num_standby_replicas
    return AssignTasks(group.group_id, group_epoch, tuple(members), dict(offsets), plan, standbys)


def is_large(effect: AssignTasks) -> bool:
    """Return whether computing the target takes too long for the event loop."""
    tasks = sum(each.tasks for each in effect.plan.subtopologies.values())
    return len(effect.members) + tasks * (1 + effect.standbys) > ASSIGNED_AT_ONCE_MAX


def assign_tasks(effect: AssignTasks) -> TaskTargetComputed:
    """Compute the target of each member. If a topic is missing, no member gets a task."""
    ordered = sorted(effect.members, key=lambda member: member.member_id)
    plan = effect.plan
    if not plan.is_ready:
        return TaskTargetComputed(effect.group_id, effect, {member.member_id: NO_TARGET for member in ordered})
    task_members = {str(member.member_id): _task_member(member, effect.offsets) for member in ordered}
    subtopologies = [Subtopology(name, each.tasks, each.is_stateful) for name, each in plan.subtopologies.items()]
    found = sticky_tasks.assign(task_members, subtopologies, effect.standbys)
    targets = {
        MemberId(member_id): Tasks(_tasks(each.active), _tasks(each.standby)) for member_id, each in found.items()
    }
    return TaskTargetComputed(effect.group_id, effect, targets)


def task_target_computed(groups: Groups, ask: AskId, found: TaskTargetComputed, now: Now) -> Step:  # noqa: ARG001
    """Apply a computed target, unless the topics or a member in it have changed since.

    New members get tasks with the next target, which is computed at a later heartbeat.
    """
    group, effect = groups.streams.get(found.group_id), found.effect
    if group is None or not isinstance(effect, AssignTasks) or group.assigning is not effect:
        return Step()
    ended = AssignmentAwaited(found.group_id)
    if group.plan != effect.plan or not all(_is_unchanged(group, member) for member in effect.members):
        return Step([ended])
    return Step([*target_records(group.group_id, effect.group_epoch, group.targets, found.targets, now.wall_ms), ended])


def _is_unchanged(group: StreamsGroup, member: StreamsMember) -> bool:
    """Return whether the member is still in the group, and its process id has not changed."""
    present = group.members.get(member.member_id)
    return present is not None and present.process_id == member.process_id


def _task_member(member: StreamsMember, offsets: Mapping[MemberId, ReportedOffsets]) -> TaskMember:
    """Return the member with the tasks that it has now: Kafka's assignor does not know the previous target."""
    assigned = member.assigned
    restored = offsets.get(member.member_id, NO_OFFSETS).restored
    reported = {(name, int(at)): offset for (name, at), offset in restored.items()}
    return TaskMember(member.process_id, frozenset(assigned.active), assigned.standby | assigned.warmup, reported)


def _tasks(tasks: Iterable[tuple[str, int]]) -> frozenset[Task]:
    return frozenset((subtopology_id, PartitionId(partition)) for subtopology_id, partition in tasks)


def target_records(
    group_id: GroupId, epoch: int, before: Mapping[MemberId, Tasks], after: Mapping[MemberId, Tasks], wall_ms: int
) -> list[LogRecord]:
    """Return the records of changed targets, and of their epoch."""
    changed = [
        logged.target(group_id, member_id, target)
        for member_id, target in after.items()
        if before.get(member_id) != target
    ]
    return [*changed, logged.target_epoch(group_id, epoch, wall_ms)]
