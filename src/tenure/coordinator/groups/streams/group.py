"""State of one streams group in memory (rules 5.2 to 5.5), and queries of it; changes are in `changes.py`.

The three epochs are those of a consumer group: the group's, its target's, and each member's. A streams group also has a
topology, which its first member brings, and tasks follow from it. Nothing is assigned before all topics of the topology
exist.
"""

from collections.abc import Container, Mapping
from enum import Enum
from typing import ClassVar, Final

from tenure.coordinator.groups.configs import DEFAULTS, GroupConfigs
from tenure.coordinator.groups.streams.member import NO_TOPOLOGY, StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_TARGET, AssignedTasks, Task, Tasks
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.shard import InvariantError
from tenure.protocol.types import GroupId, InstanceId, MemberId, TopicName

FIRST_EPOCH: Final = 1
"""Epoch of a new group, before its first member."""


class GroupState(Enum):
    """Values are the names on the wire."""

    EMPTY = "Empty"
    NOT_READY = "NotReady"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"
    STABLE = "Stable"


IN_MEMORY: Final = frozenset({"endpoint_epoch", "plan", "shutdown_member_id", "task_offsets", "topics_version"})
"""Attributes that a fail-over forgets. Heartbeats set them again."""


class StreamsGroup:
    """Invariants hold at rest, that is between two commands; `check_invariants` looks at them."""

    __slots__: ClassVar = (
        "active_processes",
        "assignment_configs",
        "assignment_epoch",
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
        """Invariant: never decreases; at least the assignment epoch."""
        self.assignment_epoch = FIRST_EPOCH
        self.assignment_timestamp = 0
        """Wall time of the target assignment; 0 if none was computed so far."""
        self.topology: Topology | None = None
        self.validated_topology_epoch = NO_TOPOLOGY
        """Epoch of the topology whose topics existed when the group epoch was last raised."""
        self.metadata_hash = 0
        """Hash of the topology's topics when the group epoch was last raised."""
        self.assignment_configs: dict[str, str] = {}
        """Configs of the assignor when the group epoch was last raised."""
        self.described_epochs = (NO_TOPOLOGY, NO_TOPOLOGY)
        """Topology epochs of the last stored, and last failed, description (KIP-1331): kept for Apache Kafka."""
        self.topics_version = -1
        """Version of the topics with which the plan was made."""
        self.plan: TopicPlan | None = None
        """Topics of the topology as they were then."""
        self.members: dict[MemberId, StreamsMember] = {}
        self.static_members: dict[InstanceId, MemberId] = {}
        """Invariant: maps onto exactly the members that have an instance id (OneInstanceOneMember)."""
        self.targets: dict[MemberId, Tasks] = {}
        self.active_processes: dict[Task, str] = {}
        """Process of the member that has each active task, or is giving it up. Invariant: no task has two members
        (OneActiveTask)."""
        self.standby_processes: dict[Task, tuple[str, ...]] = {}
        self.warmup_processes: dict[Task, tuple[str, ...]] = {}
        """Processes that have each standby or warm-up task, or are giving it up. Invariant: none is empty."""
        self.session_deadlines: dict[MemberId, int] = {}
        """Ticks. Invariant: keys are members."""
        self.revocation_deadlines: dict[MemberId, int] = {}
        """Ticks, of members that are UNREVOKED_TASKS: by then they must have given up what they were asked to."""
        self.initial_deadline_ms: int | None = None
        """Tick at which the first assignment of a group is computed; None: nothing waits for it."""
        self.endpoint_epoch = 0
        """Version of the endpoints of the group (`endpoints.py`)."""
        self.task_offsets: dict[MemberId, Mapping[Task, int]] = {}
        """Changelog offsets of tasks, as members reported them. Invariant: keys are members."""
        self.shutdown_member_id: MemberId | None = None
        """The member that asked the whole application to shut down."""

    @property
    def state(self) -> GroupState:
        if not self.members:
            return GroupState.EMPTY
        if self.topology is None or self.topology.epoch != self.validated_topology_epoch:
            return GroupState.NOT_READY
        if self.group_epoch > self.assignment_epoch:
            return GroupState.ASSIGNING
        if all(member.has_reached(self.assignment_epoch) for member in self.members.values()):
            return GroupState.STABLE
        return GroupState.RECONCILING

    @property
    def topology_epoch(self) -> int:
        return NO_TOPOLOGY if self.topology is None else self.topology.epoch

    def target_of(self, member_id: MemberId) -> Tasks:
        return self.targets.get(member_id, NO_TARGET)

    def subscribed_topics(self) -> Container[TopicName]:
        """Return the topics that members read: their offsets neither expire nor can be deleted."""
        return self.topology.subtopology_of if self.members and self.topology is not None else ()

    def digest(self) -> dict[str, object]:
        """Plain data of its own, equal for groups in equal states."""
        found = {name: getattr(self, name) for name in StreamsGroup.__slots__ if name not in IN_MEMORY}
        copied = {name: dict(value) for name, value in found.items() if isinstance(value, dict)}
        return found | copied | {"topology": None if self.topology is None else self.topology.value}

    def check_invariants(self) -> None:
        """Check all invariants, for tests and simulation. Raises InvariantError."""
        members = self.members.keys()
        seats = {m.instance_id: m.member_id for m in self.members.values() if m.instance_id is not None}
        for holds, what in (
            (self.static_members == seats, "OneInstanceOneMember"),
            (self.active_processes == self._active(), "active tasks have the processes of their members"),
            (self.assignment_epoch <= self.group_epoch, "the target is for an epoch of the group"),
            (
                all(member.member_epoch <= self.assignment_epoch for member in self.members.values()),
                "no member is ahead of the target",
            ),
            (self.session_deadlines.keys() <= members, "only members have sessions"),
            (self.revocation_deadlines.keys() <= members, "only members give up tasks"),
            (self.targets.keys() <= members, "only members have targets"),
            (_is_disjoint(self.targets), "no active task is the target of two members"),
        ):
            if not holds:
                raise InvariantError(f"streams group {self.group_id!r}, {self.state.value}: {what} does not hold")

    def _active(self) -> dict[Task, str]:
        owned: dict[Task, str] = {}
        for member in self.members.values():
            for task in (*member.assigned.active, *member.pending_revocation.active):
                if task in owned:
                    raise InvariantError(f"streams group {self.group_id!r}: OneActiveTask does not hold for {task}")
                owned[task] = member.process_id
        return owned


def tasks_of(member: StreamsMember) -> tuple[AssignedTasks, AssignedTasks]:
    """Return the tasks that a member has, and those that it is revoking."""
    return member.assigned, member.pending_revocation


def _is_disjoint(targets: Mapping[MemberId, Tasks]) -> bool:
    every = [task for target in targets.values() for task in target.active]
    return len(every) == len(set(every))
