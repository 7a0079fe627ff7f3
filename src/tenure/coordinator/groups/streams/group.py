"""State of one streams group in memory (rules 5.2 to 5.5), and queries on it. `changes.py` changes it.

A streams group has the same three kinds of epochs as a consumer group: those of the group, of its target, and of each
member. A streams group also has a topology, which its first member sends. The tasks follow from the topology. No task
is assigned until all topics of the topology exist.
"""

from collections.abc import Container, Mapping
from enum import Enum
from typing import ClassVar, Final

from tenure.coordinator.groups.configs import DEFAULTS, GroupConfigs
from tenure.coordinator.groups.streams.member import NO_TOPOLOGY, StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_TARGET, AssignedTasks, ReportedOffsets, Task, Tasks
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import InvariantError
from tenure.protocol.types import GroupId, InstanceId, MemberId, TopicName

FIRST_EPOCH: Final = 1
"""Epoch of a new group, before its first member."""


class GroupState(Enum):
    """State of a streams group. The values are Kafka's names on the wire."""

    EMPTY = "Empty"
    NOT_READY = "NotReady"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"
    STABLE = "Stable"


IN_MEMORY: Final = frozenset(
    {"arrays", "assigning", "endpoint_epoch", "plan", "shutdown_member_id", "task_offsets", "topics_version"}
)
"""Attributes that no record contains. After a load, heartbeats set them again."""


class StreamsGroup:
    """State of one streams group. Its invariants are true between two commands; `check_invariants` checks them."""

    __slots__: ClassVar = (
        "active_processes",
        "arrays",
        "assigning",
        "assignment_configs",
        "assignment_timestamp",
        "configs",
        "described_epochs",
        "endpoint_epoch",
        "group_epoch",
        "group_id",
        "initial_deadline_ms",
        "members",
        "metadata_hash",
        "plan",
        "revocation_deadlines",
        "session_deadlines",
        "shutdown_member_id",
        "standby_processes",
        "static_members",
        "target_epoch",
        "targets",
        "task_offsets",
        "topics_version",
        "topology",
        "validated_topology_epoch",
        "warmup_processes",
    )

    def __init__(self, group_id: GroupId, configs: GroupConfigs = DEFAULTS) -> None:
        self.group_id = group_id
        self.configs = configs
        self.group_epoch = FIRST_EPOCH
        """Number that is raised by every change that requires a new target.

        Invariant: never decreases; at least `target_epoch`.
        """
        self.target_epoch = FIRST_EPOCH
        """Group epoch for which the target was computed. Kafka's protocol calls it the group's assignment epoch."""
        self.assignment_timestamp = 0
        """Wall time at which the target was computed; 0 if none was."""
        self.assigning: object | None = None
        """Effect in progress that computes the next target."""
        self.arrays: object | None = None
        """`TaskArrays` of the last assignment, if a thread has made it, else None."""
        self.topology: Topology | None = None
        self.validated_topology_epoch = NO_TOPOLOGY
        """Epoch of the topology, if all its topics existed when the group epoch was last raised, else NO_TOPOLOGY."""
        self.metadata_hash = 0
        """Hash of the topics of the topology when the group epoch was last raised."""
        self.assignment_configs: dict[str, str] = {}
        """Configs on which the assignment depends, as they were when the group epoch was last raised."""
        self.described_epochs = (NO_TOPOLOGY, NO_TOPOLOGY)
        """(last stored, last failed) topology epoch of KIP-1331. Tenure only keeps them in the log for Apache Kafka."""
        self.topics_version = -1
        """Version of the topics' metadata for which the topic plan was made; -1 without a plan."""
        self.plan: TopicPlan | None = None
        """Result of comparing the topology with the existing topics; None if they were not compared yet."""
        self.members: dict[MemberId, StreamsMember] = {}
        self.static_members: dict[InstanceId, MemberId] = {}
        """Member id by instance id. Invariant: contains exactly the static members (OneInstanceOneMember)."""
        self.targets: dict[MemberId, Tasks] = {}
        self.active_processes: dict[Task, str] = {}
        """Process id of the member that has each active task. A member that is giving up a task still has it.

        Invariant: each task has only one such process (OneActiveTask).
        """
        self.standby_processes: dict[Task, tuple[str, ...]] = {}
        self.warmup_processes: dict[Task, tuple[str, ...]] = {}
        """Process ids of the members that have each standby or warm-up task. Invariant: no tuple is empty."""
        self.session_deadlines: dict[MemberId, int] = {}
        """Tick at which the session of each member expires. Invariant: keys are members."""
        self.revocation_deadlines: dict[MemberId, int] = {}
        """Tick by which an UNREVOKED_TASKS member must have given up the revoked tasks."""
        self.initial_deadline_ms: int | None = None
        """Tick at which the first target is computed; None if the initial delay is over or was not configured."""
        self.endpoint_epoch = 0
        """Version of the group's endpoints (`endpoints.py`), raised with each change."""
        self.task_offsets: dict[MemberId, ReportedOffsets] = {}
        """Changelog offsets that members have reported. Invariant: keys are members."""
        self.shutdown_member_id: MemberId | None = None
        """Member that has requested the shutdown of the whole application; None if none has."""

    @property
    def is_ready(self) -> bool:
        """True if all topics of the topology existed when the group epoch was last raised."""
        return self.topology is not None and self.topology.epoch == self.validated_topology_epoch

    @property
    def is_empty(self) -> bool:
        return not self.members

    @property
    def state(self) -> GroupState:
        if not self.members:
            return GroupState.EMPTY
        if not self.is_ready:
            return GroupState.NOT_READY
        if self.group_epoch > self.target_epoch:
            return GroupState.ASSIGNING
        if all(member.has_reached(self.target_epoch) for member in self.members.values()):
            return GroupState.STABLE
        return GroupState.RECONCILING

    @property
    def topology_epoch(self) -> int:
        return NO_TOPOLOGY if self.topology is None else self.topology.epoch

    def target_of(self, member_id: MemberId) -> Tasks:
        return self.targets.get(member_id, NO_TARGET)

    def subscribed_topics(self) -> Container[TopicName]:
        """Return the topics that members read. Offsets of these topics neither expire nor can be deleted."""
        return self.topology.subtopology_of if self.members and self.topology is not None else ()

    def deadline_ms(self, timer: Timer) -> int | None:
        """Return the tick at which a timer expires; None if it is stopped."""
        match timer.kind:
            case TimerKind.SESSION:
                return self.session_deadlines.get(timer.member_id)
            case TimerKind.REVOCATION:
                return self.revocation_deadlines.get(timer.member_id)
            case TimerKind.FIRST_ASSIGNMENT:
                return self.initial_deadline_ms
        return None

    def digest(self) -> dict[str, object]:
        """Return the state as plain data. Groups in equal states have equal digests."""
        found = {name: getattr(self, name) for name in StreamsGroup.__slots__ if name not in IN_MEMORY}
        copied = {name: dict(value) for name, value in found.items() if isinstance(value, dict)}
        return found | copied | {"topology": None if self.topology is None else self.topology.value}

    def check_invariants(self) -> None:
        """Check all invariants, for tests and simulation. Raises InvariantError."""
        members = self.members.keys()
        seats = {m.instance_id: m.member_id for m in self.members.values() if m.instance_id is not None}
        for holds, invariant in (
            (self.static_members == seats, "OneInstanceOneMember"),
            (self.active_processes == self._active(), "each active task has the process id of its member"),
            (self.target_epoch <= self.group_epoch, "the epoch of the target is at most the group epoch"),
            (
                all(member.member_epoch <= self.target_epoch for member in self.members.values()),
                "member epochs are at most the epoch of the target",
            ),
            (self.session_deadlines.keys() <= members, "only members have sessions"),
            (self.revocation_deadlines.keys() <= members, "only members have revocation deadlines"),
            (self.targets.keys() <= members, "only members have target assignments"),
            (_is_disjoint(self.targets), "no active task is in the target assignments of two members"),
        ):
            if not holds:
                raise InvariantError(
                    f"streams group {self.group_id!r}, {self.state.value}: invariant violated: {invariant}"
                )

    def _active(self) -> dict[Task, str]:
        owned: dict[Task, str] = {}
        for member in self.members.values():
            for task in (*member.assigned.active, *member.pending_revocation.active):
                if task in owned:
                    raise InvariantError(f"streams group {self.group_id!r}: invariant OneActiveTask violated by {task}")
                owned[task] = member.process_id
        return owned


def tasks_of(member: StreamsMember) -> tuple[AssignedTasks, AssignedTasks]:
    """Return (tasks that a member has, tasks that it is giving up)."""
    return member.assigned, member.pending_revocation


def _is_disjoint(targets: Mapping[MemberId, Tasks]) -> bool:
    every = [task for target in targets.values() for task in target.active]
    return len(every) == len(set(every))
