"""One step of a streams member towards its target (rule 5.3)."""

from __future__ import annotations

from dataclasses import replace

from tenure.coordinator.groups.streams.member import StreamsMember, TaskState
from tenure.coordinator.groups.streams.reconcile import TaskReconciliation, reconcile, with_present_epochs
from tenure.coordinator.groups.streams.tasks import AssignedTasks, Task, Tasks
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId, PartitionId

STABLE, UNREVOKED, UNRELEASED = TaskState.STABLE, TaskState.UNREVOKED_TASKS, TaskState.UNRELEASED_TASKS
ZERO: Task = ("0", PartitionId(0))
ONE: Task = ("0", PartitionId(1))
HERE, THERE = "here", "there"


def member(assigned: AssignedTasks | None = None, state: TaskState = STABLE) -> StreamsMember:
    return StreamsMember(
        MemberId("m"), process_id=HERE, member_epoch=5, state=state, assigned=assigned or AssignedTasks()
    )


def tasks(active: set[Task] | None = None, standby: set[Task] | None = None, warmup: set[Task] | None = None) -> Tasks:
    return Tasks(frozenset(active or ()), frozenset(standby or ()), frozenset(warmup or ()))


def step(
    before: StreamsMember,
    target: Tasks,
    owned: Tasks | None = None,
    *,
    active: dict[Task, str] | None = None,
    standby: dict[Task, tuple[str, ...]] | None = None,
    warmup: dict[Task, tuple[str, ...]] | None = None,
) -> StreamsMember:
    after = reconcile(before, TaskReconciliation(6, target, owned, active or {}, standby or {}, warmup or {}))
    assert isinstance(after, StreamsMember)
    return after


def test_reconcile__member_already_at_the_target_epoch__same_member_object() -> None:
    before = replace(member(), member_epoch=6)
    assert step(before, tasks({ZERO})) is before


def test_reconcile__target_tasks_without_an_owner__assigned_in_the_target_epoch() -> None:
    after = step(member(AssignedTasks({ONE: 3})), tasks({ZERO, ONE}), active={ONE: HERE})
    assert (after.state, after.member_epoch, after.assigned) == (STABLE, 6, AssignedTasks({ONE: 3, ZERO: 6}))


def test_reconcile__target_lacks_a_task_of_the_member__task_revoked_first_in_the_old_epoch() -> None:
    after = step(member(AssignedTasks({ZERO: 3, ONE: 4})), tasks({ZERO}))
    assert (after.state, after.member_epoch) == (UNREVOKED, 5)
    assert (after.assigned, after.pending_revocation) == (AssignedTasks({ZERO: 3}), AssignedTasks({ONE: 4}))


def test_reconcile__target_lacks_a_task_that_the_member_no_longer_reports__no_revocation() -> None:
    after = step(member(AssignedTasks({ONE: 4})), tasks({ZERO}), tasks())
    assert (after.state, after.member_epoch, after.assigned) == (STABLE, 6, AssignedTasks({ZERO: 6}))


def test_reconcile__target_task_is_active_on_another_process__state_unreleased_tasks() -> None:
    after = step(member(), tasks({ZERO}), active={ZERO: THERE})
    assert (after.state, after.member_epoch, after.assigned) == (UNRELEASED, 6, AssignedTasks())


def test_reconcile__another_member_of_the_process_has_a_copy_of_the_active_task__state_unreleased_tasks() -> None:
    for copies in ("standby", "warmup"):
        assert step(member(), tasks({ZERO}), **{copies: {ZERO: (HERE,)}}).state is UNRELEASED
        assert step(member(), tasks({ZERO}), **{copies: {ZERO: (THERE,)}}).state is STABLE


def test_reconcile__target_standby_or_warm_up_task_is_still_active_on_the_same_process__state_unreleased_tasks() -> (
    None
):
    for target in (tasks(standby={ZERO}), tasks(warmup={ZERO})):
        assert step(member(), target, active={ZERO: HERE}).state is UNRELEASED
        assert step(member(), target, active={ZERO: THERE}).state is STABLE


def test_reconcile__standby_of_the_member_becomes_active__no_revocation() -> None:
    before = member(AssignedTasks({}, frozenset({ZERO})))
    after = step(before, tasks({ZERO}), standby={ZERO: (HERE,)})
    assert (after.state, after.assigned) == (STABLE, AssignedTasks({ZERO: 6}))


def test_reconcile__standby_becomes_active_but_the_task_is_not_released__stays_a_standby() -> None:
    before = member(AssignedTasks({}, frozenset({ZERO})))
    after = step(before, tasks({ZERO}), active={ZERO: THERE}, standby={ZERO: (HERE,)})
    assert (after.state, after.assigned) == (UNRELEASED, AssignedTasks({}, frozenset({ZERO})))


def test_reconcile__active_task_of_the_member_becomes_a_standby__standby_at_once() -> None:
    after = step(member(AssignedTasks({ZERO: 3})), tasks(standby={ZERO}), active={ZERO: HERE})
    assert after.state is UNREVOKED
    assert (after.assigned, after.pending_revocation) == (
        AssignedTasks({}, frozenset({ZERO})),
        AssignedTasks({ZERO: 3}),
    )


def test_reconcile__warm_up_task_of_the_member_becomes_a_standby__no_revocation() -> None:
    before = member(AssignedTasks({}, frozenset(), frozenset({ZERO})))
    after = step(before, tasks(standby={ZERO}), warmup={ZERO: (HERE,)})
    assert (after.state, after.assigned) == (STABLE, AssignedTasks({}, frozenset({ZERO})))


def test_reconcile__revocation_pending_and_member_does_not_report_its_tasks__member_unchanged() -> None:
    before = replace(member(state=UNREVOKED), pending_revocation=AssignedTasks({ZERO: 3}))
    assert step(before, tasks()) is before
    assert step(before, tasks(), tasks({ZERO})) is before
    assert step(before, tasks(), tasks()).state is STABLE


def test_reconcile__member_state_of_a_later_version__accepted_only_if_the_member_owns_nothing() -> None:
    before = member(state=TaskState.UNKNOWN)
    reconciliation = TaskReconciliation(6, tasks({ZERO}), tasks({ONE}), {}, {}, {})
    assert reconcile(before, reconciliation) is ErrorCode.FENCED_MEMBER_EPOCH
    assert step(before, tasks({ZERO}), tasks()).assigned == AssignedTasks({ZERO: 6})


def test_with_present_epochs__member_took_over_a_seat__assignment_epochs_are_its_member_epoch() -> None:
    assert with_present_epochs(member(AssignedTasks({ZERO: 0, ONE: 3}))).assigned == AssignedTasks({ZERO: 5, ONE: 5})
