"""Changes that one heartbeat makes to its streams group (rule 5.2).

The steps are: the member's description of itself, the topology and its topics, the group epoch, the target assignment,
and the progress of this member towards the target. Each step depends on the results of the previous ones. No other
member changes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.metadata_hash import group_hash
from tenure.coordinator.groups.offsets.fencing import KAFKA
from tenure.coordinator.groups.records import (
    AssignmentAwaited,
    EpochBumped,
    InitialDelayArmed,
    RevocationTimerArmed,
    SeatInherited,
    TaskOffsetsReported,
    TopicsPlanned,
)
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.streams.assign import (
    assign_tasks,
    assignment,
    assignment_configs,
    is_large,
    target_records,
)
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import NO_TOPOLOGY, StreamsMember, TaskState
from tenure.coordinator.groups.streams.reconcile import TaskReconciliation, reconcile, with_present_epochs
from tenure.coordinator.groups.streams.seat import StreamsSeat
from tenure.coordinator.groups.streams.tasks import NO_OFFSETS, NO_TARGET, Task, Tasks
from tenure.coordinator.groups.streams.topic_plan import InvalidTopology, Status, TopicPlan, plan_topics
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import Now
from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupTopologyValue
from tenure.protocol.errors import ErrorCode

UNKNOWN_STATE: Final = (
    "The streams group member is in a unknown state. The member must abandon all its tasks and rejoin."
)
BY_INITIAL_DELAY: Final = "Assignment delayed due to the configured initial rebalance delay."
BY_INTERVAL: Final = "Assignment delayed due to the configured assignment interval."
"""Kafka's message for an assignment that waits for the assignment interval."""


class StepRefused(Exception):
    """The heartbeat is refused. All changes that the heartbeat has made so far are dropped."""

    def __init__(self, error_code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.refused: Final = Refused(error_code, NO_MEMBER_ID, message)


class StreamsProgress:
    """Changes that one heartbeat makes to its group, computed step by step.

    The changes are in `records`; the group itself does not change yet.
    """

    __slots__ = (
        "cause",
        "effects",
        "group",
        "group_epoch",
        "groups",
        "is_due",
        "member",
        "now",
        "plan",
        "records",
        "seat",
        "status",
        "target",
        "target_epoch",
        "task_offsets",
        "topics",
        "topology",
    )

    def __init__(self, groups: Groups, group: StreamsGroup, seat: StreamsSeat, now: Now, records: list[object]) -> None:
        """Begin with the member of `seat`. If the group replaces a classic group, `records` are those that end it."""
        self.groups = groups
        self.group = group
        self.seat = seat
        self.now = now
        self.records = records
        self.effects: list[object] = []
        self.member = seat.member
        self.topics: Topics = groups.topics()
        self.topology: Topology | None = group.topology
        self.plan: TopicPlan | None = group.plan
        self.group_epoch = group.group_epoch
        self.target_epoch = group.target_epoch
        self.target: Tasks = group.target_of((seat.replaced or seat.member).member_id)
        self.task_offsets = group.task_offsets.get(seat.member.member_id, NO_OFFSETS)
        self.is_due = False
        """True if the group has to be assigned again."""
        self.cause = Cause.UNKNOWN
        """Cause of the new assignment, if `is_due` is true."""
        self.status: list[tuple[int, str]] = []
        if seat.replaced is not None:
            self._take_over(seat.replaced)

    def _take_over(self, old: StreamsMember) -> None:
        """Give the new member id the state of the member that it replaces."""
        group_id = self.group.group_id
        self.records.append(SeatInherited(group_id, old.member_id, self.member.member_id))
        self.records += logged.member_gone(group_id, old.member_id)
        self.records.append(logged.member_metadata(group_id, self.member))
        self.records.append(logged.target(group_id, self.member.member_id, self.target))
        self.records.append(logged.current(group_id, self.member))

    def describe(self, after: StreamsMember, *, is_static: bool) -> None:
        """Replace the member by `after`, which has the fields of the heartbeat (rule 5.2, point 3).

        If the heartbeat contains an instance id (`is_static`), only a change of topology epoch, rack, client tags or
        process leads to a new assignment. Without an instance id, any change does.
        """
        before = self.member
        if after == before and not (self.seat.is_new and self.seat.replaced is None):
            return
        self.member = after
        self.records.append(logged.member_metadata(self.group.group_id, after))
        relevant = before.topology_epoch, before.rack_id, before.client_tags, before.process_id
        changed = relevant != (after.topology_epoch, after.rack_id, after.client_tags, after.process_id)
        self.is_due = not is_static or changed
        joins = self.seat.is_new and self.seat.replaced is None
        self.cause = Cause.JOINED if joins else Cause.DESCRIBED

    def report_offsets(self, restored: Mapping[Task, int] | None, end: Mapping[Task, int] | None) -> None:
        """Store the changelog offsets that the heartbeat reports. None means that the heartbeat does not report them.

        As in Kafka, if the same heartbeat also leads to an assignment, this assignment uses the new offsets.
        """
        if restored is None and end is None:
            return
        self.task_offsets = self.task_offsets.updated(restored, end)
        self.records.append(TaskOffsetsReported(self.group.group_id, self.member.member_id, self.task_offsets))

    def set_topology(self, described: StreamsGroupTopologyValue | None) -> None:
        """Set the topology that the member sent, if the group has none yet (rule 5.2, point 4).

        A group's topology never changes. If the member's topology epoch is older than that of the group, the answer has
        the status STALE_TOPOLOGY. A topology with a newer epoch or another content is refused.
        """
        if described is not None:
            if self.topology is None:
                self.topology, self.plan = Topology(described), None
                self.records.append(logged.topology(self.group.group_id, described))
            elif described.epoch >= self.topology.epoch and not self.topology.equals(described):
                raise StepRefused(ErrorCode.INVALID_REQUEST, "Topology updates are not supported yet.")
        if self.topology is None:
            message = "The topology is null and the group topology is also null."
            raise StepRefused(ErrorCode.UNKNOWN_SERVER_ERROR, message)
        member_epoch, epoch = self.member.topology_epoch, self.topology.epoch
        if member_epoch < epoch:
            detail = f"The member's topology epoch {member_epoch} is behind the group's topology epoch {epoch}."
            self.status.append((Status.STALE_TOPOLOGY, detail))

    def check_topics(self, owned: Tasks | None) -> None:
        """Compare the topology with the existing topics (rule 5.2, points 5 and 6).

        If a new assignment is necessary, raise the group epoch. If the topology is ready, also check the tasks that
        the member reports as owned.
        """
        group, topology, version = self.group, self.topology, self.topics.version
        assert topology is not None
        found = group.metadata_hash
        if self.plan is None or version != group.topics_version:
            existing = (self.topics.named(name) for name in sorted(topology.required_topics))
            found = group_hash(topic for topic in existing if topic is not None)
            self.plan = self._planned(topology)
            self.records.append(TopicsPlanned(group.group_id, self.plan, version))
        if self.plan.is_ready:
            self._check_tasks(self.plan, owned)
        validated = topology.epoch if self.plan.is_ready else NO_TOPOLOGY
        configs = assignment_configs(group.configs)
        changed = (found, validated, configs) != (
            group.metadata_hash,
            group.validated_topology_epoch,
            group.assignment_configs,
        )
        if self.is_due or changed:
            self.records.append(EpochBumped(group.group_id, self._why(configs)))
            self.is_due = True
            self.group_epoch += 1
            self.records.append(logged.group_epoch(group, self.group_epoch, found, validated, configs))

    def _why(self, configs: Mapping[str, str]) -> Why:
        """Return the cause of a new group epoch. `configs` are the present configs on which an assignment depends."""
        if self.is_due:
            return Why(self.cause, self.member.member_id)
        changed = configs != self.group.assignment_configs
        return Why(Cause.RECONFIGURED if changed else Cause.TOPICS_CHANGED)

    def _planned(self, topology: Topology) -> TopicPlan:
        try:
            return plan_topics(topology, self.topics)
        except InvalidTopology as invalid:
            raise StepRefused(ErrorCode.STREAMS_INVALID_TOPOLOGY, str(invalid)) from None

    def _check_tasks(self, plan: TopicPlan, owned: Tasks | None) -> None:
        """Refuse the heartbeat if `owned` contains a task that the topology does not have (rule 5.1, row 10)."""
        for subtopology_id, partition in sorted(task for tasks in owned or () for task in tasks):
            planned = plan.subtopologies.get(subtopology_id)
            if planned is None:
                message = f"Subtopology {subtopology_id} does not exist in the topology."
                raise StepRefused(ErrorCode.INVALID_REQUEST, message)
            if not 0 <= partition < planned.tasks:
                message = (
                    f"Task {partition} for subtopology {subtopology_id} is invalid. Number of tasks for this "
                    f"subtopology: {planned.tasks}"
                )
                raise StepRefused(ErrorCode.INVALID_REQUEST, message)

    def assign(self) -> None:
        """Compute a new target if the group epoch is greater than that of the target (rule 5.2, points 7 and 8).

        No target is computed while a new group waits for its first members, or if less than the assignment interval has
        passed since the last target.
        """
        group, now = self.group, self.now
        delay_ms = group.configs.streams_initial_rebalance_delay_ms
        deadline_ms = group.initial_deadline_ms
        if deadline_ms is None and not group.members and delay_ms > 0:
            deadline_ms = now.tick_ms + delay_ms
            self.records.append(InitialDelayArmed(group.group_id, deadline_ms))
        if deadline_ms is not None:
            self.status.append((Status.ASSIGNMENT_DELAYED, BY_INITIAL_DELAY))
            self.target = NO_TARGET
        elif self.group_epoch > self.target_epoch:
            if is_too_soon(group, now):
                self.status.append((Status.ASSIGNMENT_DELAYED, BY_INTERVAL))
            else:
                self._assign()

    def _assign(self) -> None:
        """Compute the target of a small group now; for a large group, request an effect that computes it.

        Until the effect has ended, the old target applies.
        """
        group = self.group
        if group.assigning is not None:
            return
        assert self.plan is not None
        offsets = {**group.task_offsets, self.member.member_id: self.task_offsets}
        before = dict(group.targets)
        if self.seat.replaced is not None:  # perhaps under the same member id
            before.pop(self.seat.replaced.member_id, None)
            before[self.member.member_id] = self.target
        effect = assignment(group, self.group_epoch, self.plan, self.members, offsets, before)
        if group.configs.streams_assignor_offload_enable and is_large(effect):
            self.records.append(AssignmentAwaited(group.group_id, effect))
            self.effects.append(effect)
            return
        changed = assign_tasks(effect).targets
        self.records += target_records(group.group_id, self.group_epoch, changed, self.now.wall_ms)
        self.target = changed.get(self.member.member_id, self.target)
        self.target_epoch = self.group_epoch

    def reconcile(self, owned: Tasks | None) -> None:
        """Move the member towards the target (rule 5.2, point 9). `owned` are the tasks that it reports as owned."""
        group, member = self.group, self.member
        if not member.has_reached(self.target_epoch):
            processes = group.active_processes, group.standby_processes, group.warmup_processes
            after = reconcile(member, TaskReconciliation(self.target_epoch, self.target, owned, *processes))
            if isinstance(after, ErrorCode):
                raise StepRefused(after, UNKNOWN_STATE)
            if self.seat.replaced is not None and group.configs.group_commit_fencing != KAFKA:
                after = with_present_epochs(after)
            self.member = after
        if self.member is not member:
            self._moved(self.member)

    def _moved(self, member: StreamsMember) -> None:
        group_id = self.group.group_id
        self.records.append(logged.current(group_id, member))
        if member.state is TaskState.UNREVOKED_TASKS:
            deadline_ms = self.now.tick_ms + member.rebalance_timeout_ms
            self.records.append(RevocationTimerArmed(group_id, member.member_id, deadline_ms))

    @property
    def members(self) -> Iterable[StreamsMember]:
        """Members of the group after this heartbeat; the sender of the heartbeat is the last."""
        others = dict(self.group.members)
        others.pop((self.seat.replaced or self.member).member_id, None)
        others.pop(self.member.member_id, None)
        return (*others.values(), self.member)


def is_too_soon(group: StreamsGroup, now: Now) -> bool:
    """Return whether less than the assignment interval has passed since the last assignment (KIP-1263)."""
    interval_ms = group.configs.streams_assignment_interval_ms
    return bool(group.assignment_timestamp) and now.wall_ms - group.assignment_timestamp < interval_ms
