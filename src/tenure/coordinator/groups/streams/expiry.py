"""Expiry of the timers of a streams group (rules 5.2 and 5.3)."""

from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.records import (
    AssignmentAwaited,
    InitialDelayArmed,
    RevocationTimerArmed,
    SessionExtended,
)
from tenure.coordinator.groups.streams.assign import assign_tasks, assignment, is_large, target_records
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.leave import removal_records
from tenure.coordinator.groups.streams.member import TaskState
from tenure.coordinator.groups.streams.progress import is_too_soon
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import CoordinatorResult, Now


def expire(group: StreamsGroup, timer: Timer, now: Now) -> CoordinatorResult:
    if timer.kind is TimerKind.FIRST_ASSIGNMENT:
        return _assign_first(group, now)
    cause = Cause.SESSION_EXPIRED if timer.kind is TimerKind.SESSION else Cause.REVOCATION_EXPIRED
    return CoordinatorResult(removal_records(group, group.members[timer.member_id], cause))


def _assign_first(group: StreamsGroup, now: Now) -> CoordinatorResult:
    """Assign tasks to all members that have joined. Each member gets its tasks with its next heartbeat."""
    group_id = group.group_id
    ended = InitialDelayArmed(group_id, None)
    if not group.members or group.plan is None or group.assigning is not None or is_too_soon(group, now):
        return CoordinatorResult([ended])
    members = group.members.values()
    effect = assignment(group, group.group_epoch, group.plan, members, group.task_offsets, group.targets)
    if group.configs.streams_assignor_offload_enable and is_large(effect):
        return CoordinatorResult([AssignmentAwaited(group_id, effect), ended], (), [effect])
    changed = assign_tasks(effect).targets
    return CoordinatorResult([*target_records(group_id, group.group_epoch, changed, now.wall_ms), ended])


def loaded_again(group: StreamsGroup, now: Now) -> list[object]:
    """Return the records that restart the timers of a group after a load (rule 6.5.4).

    Every member gets a full session. A member that is giving up tasks gets its full rebalance timeout.
    """
    group_id, session_ms = group.group_id, group.configs.streams_session_timeout_ms
    records: list[object] = []
    for member in group.members.values():
        records.append(SessionExtended(group_id, member.member_id, now.tick_ms + session_ms))
        if member.state is TaskState.UNREVOKED_TASKS:
            deadline_ms = now.tick_ms + member.rebalance_timeout_ms
            records.append(RevocationTimerArmed(group_id, member.member_id, deadline_ms))
    return records
