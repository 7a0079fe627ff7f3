"""Progress of a member from its tasks to its target (rule 5.3): `reconcile` returns the member after its next step.

As in a consumer group, a member first gives up the tasks that the target takes from it, then it gets tasks that are
free. There are two differences. A process has one directory per task, so a task in any role waits until all other
members of the process have closed it. And a task that only changes its role within a member keeps its state open: an
active task becomes a standby task at once, and a standby task stays one until it can become active.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tenure.coordinator.groups.streams.member import StreamsMember, TaskState
from tenure.coordinator.groups.streams.tasks import NOTHING, AssignedTasks, Task, Tasks
from tenure.protocol.errors import ErrorCode

STABLE = TaskState.STABLE
UNREVOKED = TaskState.UNREVOKED_TASKS
UNRELEASED = TaskState.UNRELEASED_TASKS


@dataclass(slots=True)
class TaskReconciliation:
    """Target of a member, and the state of the group on which its progress depends."""

    target_epoch: int
    target: Tasks
    owned: Tasks | None
    """Tasks that the member reports as owned; None if it reported none in this heartbeat."""
    active_processes: Mapping[Task, str]
    standby_processes: Mapping[Task, tuple[str, ...]]
    warmup_processes: Mapping[Task, tuple[str, ...]]


def reconcile(member: StreamsMember, reconciliation: TaskReconciliation) -> StreamsMember | ErrorCode:
    match member.state:
        case TaskState.STABLE:
            if member.member_epoch == reconciliation.target_epoch:
                return member
            return _next(member, member.member_epoch, reconciliation)
        case TaskState.UNREVOKED_TASKS:
            if _may_own(reconciliation.owned, member.pending_revocation):
                return member
            return _next(member, member.member_epoch + 1, reconciliation)
        case TaskState.UNRELEASED_TASKS:
            return _next(member, member.member_epoch, reconciliation)
    if reconciliation.owned is None or not reconciliation.owned.is_empty:
        return ErrorCode.FENCED_MEMBER_EPOCH
    return _next(member, reconciliation.target_epoch, reconciliation)


def _next(member: StreamsMember, epoch: int, reconciliation: TaskReconciliation) -> StreamsMember:
    """Return the member after its next step.

    If the member has tasks to give up, its new epoch is `epoch`, else that of the target.
    """
    had, target = member.assigned, reconciliation.target
    wanted = Tasks(target.active - had.active.keys(), target.standby - had.standby, target.warmup - had.warmup)
    free = _select_free_tasks(member, wanted, reconciliation)
    revoked = _revoked(had, target, free)
    must_wait = not revoked.is_empty and _may_own(reconciliation.owned, revoked)
    kept = _kept(had, target, free, must_wait=must_wait)
    if must_wait:
        return _moved(member, epoch, UNREVOKED, kept, revoked)
    active = {**kept.active, **dict.fromkeys(free.active, reconciliation.target_epoch)}
    assigned = AssignedTasks(active, kept.standby | free.standby, kept.warmup | free.warmup)
    state = STABLE if free == wanted else UNRELEASED
    return _moved(member, reconciliation.target_epoch, state, assigned, NOTHING)


def _select_free_tasks(member: StreamsMember, wanted: Tasks, reconciliation: TaskReconciliation) -> Tasks:
    """Select the wanted tasks that the member may get now.

    An active task is free if no member has it as an active task, and no other member of the same process has it as a
    standby or warm-up task. A standby or warm-up task is free if no other member of the same process has it in any
    role. A warm-up task also waits until the member itself has given it up as an active task.
    """
    process, had = member.process_id, member.assigned
    standbys = {
        task for task in wanted.active | wanted.warmup if process in reconciliation.standby_processes.get(task, ())
    }
    warmups = {
        task for task in wanted.active | wanted.standby if process in reconciliation.warmup_processes.get(task, ())
    }
    by_others = (standbys - had.standby) | (warmups - had.warmup)
    runs_here = {
        task for task in wanted.standby | wanted.warmup if reconciliation.active_processes.get(task) == process
    }
    return Tasks(
        frozenset(task for task in wanted.active - by_others if task not in reconciliation.active_processes),
        frozenset(
            task
            for task in wanted.standby - by_others - (runs_here - had.active.keys())
            if process not in reconciliation.standby_processes.get(task, ())
        ),
        frozenset(
            task
            for task in wanted.warmup - by_others - runs_here
            if process not in reconciliation.warmup_processes.get(task, ())
        ),
    )


def _revoked(had: AssignedTasks, target: Tasks, free: Tasks) -> AssignedTasks:
    """Return the tasks in `had` that the member has to give up. `free` are the tasks that the member may get now.

    A standby or warm-up task that only gets another role is not given up, because its state stays open.
    """
    active = {task: epoch for task, epoch in had.active.items() if task not in target.active}
    return AssignedTasks(
        active,
        had.standby - target.standby - free.warmup - target.active,
        had.warmup - target.warmup - free.standby - target.active,
    )


def _kept(had: AssignedTasks, target: Tasks, free: Tasks, *, must_wait: bool) -> AssignedTasks:
    """Return the tasks that the member keeps: those in the target, and those that only change their role.

    `had` are its tasks until now, and `free` those that it may get now. With `must_wait`, the member gets no new active
    tasks yet, so it keeps the standby and warm-up tasks that are to become active.
    """
    promoted = target.active if must_wait else target.active - free.active
    return AssignedTasks(
        {task: epoch for task, epoch in had.active.items() if task in target.active},
        (had.standby & (target.standby | promoted)) | (free.standby & (had.active.keys() | had.warmup)),
        (had.warmup & (target.warmup | promoted)) | (free.warmup & had.standby),
    )


def _moved(
    member: StreamsMember, epoch: int, state: TaskState, assigned: AssignedTasks, pending: AssignedTasks
) -> StreamsMember:
    moved = replace(
        member,
        member_epoch=epoch,
        previous_member_epoch=member.member_epoch,
        state=state,
        assigned=assigned,
        pending_revocation=pending,
    )
    return member if moved == member else moved


def with_present_epochs(member: StreamsMember) -> StreamsMember:
    """Return the member with its present epoch as assignment epoch of all its active tasks."""
    assigned = member.assigned
    active = dict.fromkeys(assigned.active, member.member_epoch)
    return replace(member, assigned=AssignedTasks(active, assigned.standby, assigned.warmup))


def _may_own(owned: Tasks | None, tasks: AssignedTasks) -> bool:
    """Return whether the member may still own at least one of `tasks`.

    `owned` is None if the heartbeat does not report the owned tasks. Then the member may still own all of them.
    """
    return owned is None or tasks.overlaps(owned)
