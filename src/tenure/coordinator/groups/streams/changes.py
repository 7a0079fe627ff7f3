"""Changes of a streams group, one function per record. Only these functions change a group, and they decide nothing.

The same functions run for live groups and at load.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from tenure.coordinator.groups.records import (
    AssignmentAwaited,
    AssignmentComputed,
    EndpointsChanged,
    InitialDelayArmed,
    RevocationTimerArmed,
    ShutdownRequested,
    TaskOffsetsReported,
    TopicsPlanned,
)
from tenure.coordinator.groups.streams.group import StreamsGroup, tasks_of
from tenure.coordinator.groups.streams.member import Endpoint, StreamsMember, TaskState
from tenure.coordinator.groups.streams.tasks import AssignedTasks, Task, Tasks
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.shard import InvariantError
from tenure.protocol.coordinator_logs.consumer_offsets import (
    CurrentTaskIds,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTargetAssignmentMetadataValue,
    StreamsGroupTopologyKey,
    StreamsGroupTopologyValue,
    TargetTaskIds,
)

STATES: Final = {int(state): state for state in TaskState}


def group_metadata(group: StreamsGroup, _: StreamsGroupMetadataKey, value: StreamsGroupMetadataValue | None) -> None:
    """Set the epoch of the group. A tombstone ends the group, and the shard then removes it."""
    if value is None:
        return
    group.group_epoch = value.epoch
    group.metadata_hash = value.metadata_hash
    group.validated_topology_epoch = value.validated_topology_epoch
    group.assignment_configs = {config.key: config.value for config in value.last_assignment_configs or ()}
    group.described_epochs = (value.stored_description_topology_epoch, value.failed_description_topology_epoch)


def topology(group: StreamsGroup, _: StreamsGroupTopologyKey, value: StreamsGroupTopologyValue | None) -> None:
    group.topology = None if value is None else Topology(value)
    group.plan = None


def member_metadata(
    group: StreamsGroup, key: StreamsGroupMemberMetadataKey, value: StreamsGroupMemberMetadataValue | None
) -> None:
    before = group.members.get(key.member_id)
    if before is not None and before.instance_id is not None:
        del group.static_members[before.instance_id]
    if value is None:
        _forget(group, before)
        return
    endpoint = value.user_endpoint
    member = replace(
        before or StreamsMember(key.member_id),
        instance_id=value.instance_id,
        rack_id=value.rack_id,
        client_id=value.client_id,
        client_host=value.client_host,
        rebalance_timeout_ms=value.rebalance_timeout_ms,
        topology_epoch=value.topology_epoch,
        process_id=value.process_id,
        user_endpoint=None if endpoint is None else Endpoint(endpoint.host, endpoint.port),
        client_tags=tuple(sorted({tag.key: tag.value for tag in value.client_tags}.items())),
    )
    _put(group, before, member)
    if member.instance_id is not None:
        group.static_members[member.instance_id] = key.member_id


def _forget(group: StreamsGroup, member: StreamsMember | None) -> None:
    if member is None:
        return
    member_id = member.member_id
    if not (member.assigned.is_empty and member.pending_revocation.is_empty):
        raise InvariantError(f"member {member_id!r} of {group.group_id!r} was removed while it owned tasks")
    del group.members[member_id]
    group.session_deadlines.pop(member_id, None)
    group.revocation_deadlines.pop(member_id, None)
    group.task_offsets.pop(member_id, None)
    if not group.members:
        group.shutdown_member_id = None


def target_metadata(
    group: StreamsGroup,
    _: StreamsGroupTargetAssignmentMetadataKey,
    value: StreamsGroupTargetAssignmentMetadataValue | None,
) -> None:
    if value is not None:
        group.target_epoch = value.assignment_epoch
        group.assignment_timestamp = value.assignment_timestamp
        group.arrays = None


def target(
    group: StreamsGroup,
    key: StreamsGroupTargetAssignmentMemberKey,
    value: StreamsGroupTargetAssignmentMemberValue | None,
) -> None:
    if value is None:
        group.targets.pop(key.member_id, None)
    else:
        group.targets[key.member_id] = Tasks(
            _tasks(value.active_tasks), _tasks(value.standby_tasks), _tasks(value.warmup_tasks)
        )


def _tasks(ids: Iterable[TargetTaskIds | CurrentTaskIds]) -> frozenset[Task]:
    return frozenset((each.subtopology_id, partition) for each in ids for partition in each.partitions)


def current(
    group: StreamsGroup,
    key: StreamsGroupCurrentMemberAssignmentKey,
    value: StreamsGroupCurrentMemberAssignmentValue | None,
) -> None:
    """Set the tasks of a member. A tombstone clears them; the tombstone of the member itself follows."""
    before = group.members.get(key.member_id)
    if before is None and value is None:
        return
    known = before or StreamsMember(key.member_id)
    after = replace(known, **_current(value))
    if after.assigned == known.assigned:
        after.assigned = known.assigned  # `TaskArrays` recognises members with the same tasks by the object
    _put(group, before, after)
    if after.state is not TaskState.UNREVOKED_TASKS or before is None or after.member_epoch != before.member_epoch:
        group.revocation_deadlines.pop(key.member_id, None)


def _current(value: StreamsGroupCurrentMemberAssignmentValue | None) -> dict[str, Any]:
    if value is None:
        value = StreamsGroupCurrentMemberAssignmentValue(state=TaskState.STABLE)
    epoch = value.member_epoch
    return {
        "member_epoch": epoch,
        "previous_member_epoch": value.previous_member_epoch,
        "state": STATES.get(value.state, TaskState.UNKNOWN),
        "assigned": AssignedTasks(
            _active(value.active_tasks, epoch), _tasks(value.standby_tasks), _tasks(value.warmup_tasks)
        ),
        "pending_revocation": AssignedTasks(
            _active(value.active_tasks_pending_revocation, epoch),
            _tasks(value.standby_tasks_pending_revocation),
            _tasks(value.warmup_tasks_pending_revocation),
        ),
    }


def _active(ids: Iterable[CurrentTaskIds], member_epoch: int) -> dict[Task, int]:
    """Return active tasks with their assignment epochs; if the record has none, with the member's epoch (rule 4.6)."""
    found: dict[Task, int] = {}
    for each in ids:
        epochs = each.assignment_epochs
        known = epochs is not None and len(epochs) == len(each.partitions)
        for at, partition in enumerate(each.partitions):
            found[each.subtopology_id, partition] = epochs[at] if known and epochs else max(member_epoch, 0)
    return found


def _put(group: StreamsGroup, before: StreamsMember | None, after: StreamsMember) -> None:
    """Add or replace a member, and register the process of each of its tasks."""
    if before is not None:
        for assigned in tasks_of(before):
            for task in assigned.active:
                if group.active_processes.get(task) == before.process_id:
                    del group.active_processes[task]
            _withdraw(group.standby_processes, assigned.standby, before.process_id)
            _withdraw(group.warmup_processes, assigned.warmup, before.process_id)
    for assigned in tasks_of(after):
        for task in assigned.active:
            group.active_processes[task] = after.process_id
        _register(group.standby_processes, assigned.standby, after.process_id)
        _register(group.warmup_processes, assigned.warmup, after.process_id)
    group.members[after.member_id] = after


def _withdraw(processes: dict[Task, tuple[str, ...]], tasks: Iterable[Task], process_id: str) -> None:
    for task in tasks:
        left = tuple(each for each in processes.get(task, ()) if each != process_id)
        if left:
            processes[task] = left
        else:
            processes.pop(task, None)


def _register(processes: dict[Task, tuple[str, ...]], tasks: Iterable[Task], process_id: str) -> None:
    for task in tasks:
        known = processes.get(task, ())
        if process_id not in known:
            processes[task] = (*known, process_id)


def revocation_timer_armed(group: StreamsGroup, record: RevocationTimerArmed) -> None:
    group.revocation_deadlines[record.member_id] = record.deadline_ms


def topics_planned(group: StreamsGroup, record: TopicsPlanned) -> None:
    assert isinstance(record.plan, TopicPlan)
    group.plan = record.plan
    group.topics_version = record.version


def assignment_awaited(group: StreamsGroup, record: AssignmentAwaited) -> None:
    group.assigning = record.effect


def assignment_computed(group: StreamsGroup, record: AssignmentComputed) -> None:
    group.assigning = None
    group.arrays = record.arrays


def initial_delay_armed(group: StreamsGroup, record: InitialDelayArmed) -> None:
    group.initial_deadline_ms = record.deadline_ms


def shutdown_requested(group: StreamsGroup, record: ShutdownRequested) -> None:
    if group.shutdown_member_id is None:
        group.shutdown_member_id = record.member_id


def endpoints_changed(group: StreamsGroup, _: EndpointsChanged) -> None:
    group.endpoint_epoch += 1


def task_offsets_reported(group: StreamsGroup, record: TaskOffsetsReported) -> None:
    group.task_offsets[record.member_id] = record.offsets


EPHEMERAL: Final[dict[type, Callable[[StreamsGroup, Any], None]]] = {
    RevocationTimerArmed: revocation_timer_armed,
    TopicsPlanned: topics_planned,
    InitialDelayArmed: initial_delay_armed,
    AssignmentAwaited: assignment_awaited,
    AssignmentComputed: assignment_computed,
    ShutdownRequested: shutdown_requested,
    EndpointsChanged: endpoints_changed,
    TaskOffsetsReported: task_offsets_reported,
}

CHANGES: Final[dict[type, Callable[[StreamsGroup, Any, Any], None]]] = {
    StreamsGroupMetadataKey: group_metadata,
    StreamsGroupMemberMetadataKey: member_metadata,
    StreamsGroupTargetAssignmentMetadataKey: target_metadata,
    StreamsGroupTargetAssignmentMemberKey: target,
    StreamsGroupCurrentMemberAssignmentKey: current,
    StreamsGroupTopologyKey: topology,
}
"""Function for each durable record, by the type of its key."""
