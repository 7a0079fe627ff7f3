"""Target assignment of a streams group (rule 5.2, point 8), as a function of members, tasks and configs."""

from collections.abc import Iterable, Mapping
from typing import Final

from tenure.assignors import sticky_tasks
from tenure.assignors.sticky_tasks import Subtopology, TaskMember
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_TARGET, Task, Tasks
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.shard import LogRecord
from tenure.protocol.types import GroupId, MemberId, PartitionId

STANDBYS: Final = "num.standby.replicas"
TAGS: Final = "rack.aware.assignment.tags"


def assignment_configs(configs: GroupConfigs) -> dict[str, str]:
    """Return the configs on which an assignment depends, by their names in record 17."""
    found = {STANDBYS: str(configs.streams_num_standby_replicas)}
    if configs.streams_rack_aware_assignment_tags:
        found[TAGS] = ",".join(configs.streams_rack_aware_assignment_tags)
    return found


def new_targets(
    members: Iterable[StreamsMember],
    targets: Mapping[MemberId, Tasks],
    offsets: Mapping[MemberId, Mapping[Task, int]],
    plan: TopicPlan,
    standbys: int,
) -> dict[MemberId, Tasks]:
    """Return the target of each member. If a topic is missing, no member gets a task."""
    ordered = sorted(members, key=lambda member: member.member_id)
    if not plan.is_ready:
        return {member.member_id: NO_TARGET for member in ordered}
    told = {str(member.member_id): _told(member, targets, offsets) for member in ordered}
    subtopologies = [Subtopology(name, each.tasks, each.is_stateful) for name, each in plan.subtopologies.items()]
    found = sticky_tasks.assign(told, subtopologies, standbys)
    return {MemberId(member_id): Tasks(_tasks(each.active), _tasks(each.standby)) for member_id, each in found.items()}


def _told(
    member: StreamsMember, targets: Mapping[MemberId, Tasks], offsets: Mapping[MemberId, Mapping[Task, int]]
) -> TaskMember:
    target = targets.get(member.member_id, NO_TARGET)
    reported = {(name, int(at)): offset for (name, at), offset in offsets.get(member.member_id, {}).items()}
    return TaskMember(member.process_id, target.active, target.standby | target.warmup, reported)


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
