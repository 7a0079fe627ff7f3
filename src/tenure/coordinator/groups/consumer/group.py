"""State of one consumer group in memory (rule 3.1), and queries on it. `changes.py` changes it.

There are three kinds of epochs. The group epoch is raised when a member joins, leaves or changes its subscription. The
target assignment is computed for one group epoch. Each member reaches the epoch of the target on its own, after it has
given up the partitions that the target takes from it. `partition_epochs` registers the owner of each partition, and no
member gets a partition that is registered for another one.
"""

from collections import Counter
from collections.abc import Container, Iterable
from enum import Enum
from typing import ClassVar, Final, TypeAlias

from tenure.coordinator.groups.configs import DEFAULTS, GroupConfigs
from tenure.coordinator.groups.consumer.member import NO_TARGET, Assigned, Member, MemberState
from tenure.coordinator.groups.consumer.subscribed import topic_names
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import InvariantError
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionValue
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

PartitionEpochs: TypeAlias = dict[TopicId, dict[PartitionId, int]]

FREE: Final = -1
FIRST_EPOCH: Final = 1
"""Group epoch of a new group, before its first member subscribes to a topic (KAFKA-20268)."""
UNKNOWN_REVOCATION_EPOCH: Final = -1
"""Revocation epoch of a member that was loaded from the log. The log does not contain revocation epochs."""


UNDER_WAY: Final = frozenset({"assigning", "assignment_failure", "resolving", "arrays", "changed_members"})
"""Attributes about work in progress, which `digest` leaves out."""


class GroupState(Enum):
    """State of a consumer group. The values are Kafka's names on the wire."""

    EMPTY = "Empty"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"
    STABLE = "Stable"


class ConsumerGroup:
    """State of one consumer group. Its invariants are true between two commands; `check_invariants` checks them."""

    __slots__: ClassVar = (
        "arrays",
        "assigning",
        "assignment_failure",
        "assignment_timestamp",
        "changed_members",
        "configs",
        "group_epoch",
        "group_id",
        "join_deadlines",
        "members",
        "metadata_hash",
        "partition_epochs",
        "regex_subscribers",
        "regexes",
        "resolving",
        "revocation_deadlines",
        "revocation_epochs",
        "session_deadlines",
        "static_members",
        "subscribers",
        "sync_deadlines",
        "target_epoch",
        "targets",
        "topics_version",
    )

    def __init__(self, group_id: GroupId, configs: GroupConfigs = DEFAULTS) -> None:
        self.group_id = group_id
        self.configs = configs
        self.group_epoch = FIRST_EPOCH
        """Number that is raised by every change that requires a new target.

        Invariant: never decreases, not even when the group is loaded again; at least `target_epoch`.
        """
        self.metadata_hash = 0
        """Hash of the subscribed topics when the group epoch was last raised."""
        self.topics_version = -1
        """Version of the topics for which the hash was last compared; -1 if it was not compared since the load."""
        self.target_epoch = FIRST_EPOCH
        """Group epoch for which the target was computed. Kafka's protocol calls it the group's assignment epoch."""
        self.assignment_timestamp = 0
        """Wall time at which the target was computed; 0 if none was."""
        self.assigning: object | None = None
        """Effect in progress that computes the next target; None if there is none."""
        self.assignment_failure = ""
        """Error of the assignor in the last assignment; "" if it succeeded."""
        self.arrays: object | None = None
        """`GroupArrays` of the last assignment on a thread, to be updated; None to create new arrays."""
        self.changed_members: set[MemberId] = set()
        """Members that have changed since the last assignment on a thread began."""
        self.members: dict[MemberId, Member] = {}
        self.static_members: dict[InstanceId, MemberId] = {}
        """Member id by instance id. Invariant: contains exactly the static members (OneInstanceOneMember)."""
        self.targets: dict[MemberId, TargetAssignment] = {}
        self.partition_epochs: PartitionEpochs = {}
        """Member epoch of the owner of each partition. A member that is giving up a partition is still its owner.

        Invariant: a partition has one owner (SingleOwner, PartitionEpochMap). While a log is replayed, the epoch may be
        that of an older owner (KAFKA-19862).
        """
        self.regexes: dict[str, ConsumerGroupRegularExpressionValue] = {}
        """Topics that match each regular expression."""
        self.regex_subscribers: dict[str, int] = {}
        """Number of members that subscribe to each regular expression. Invariant: no entry is 0."""
        self.subscribers: dict[TopicName, int] = {}
        """Number of members that subscribe to each topic by name. Invariant: no entry is 0."""
        self.resolving: object | None = None
        """Effect in progress that resolves the regular expressions; None if there is none."""
        self.session_deadlines: dict[MemberId, int] = {}
        """Tick at which the session of each member expires. Invariant: keys are members."""
        self.revocation_deadlines: dict[MemberId, int] = {}
        """Tick by which an UNREVOKED_PARTITIONS member must have given up the revoked partitions."""
        self.join_deadlines: dict[MemberId, int] = {}
        """Tick by which a classic member has to send the JoinGroup that the coordinator requested."""
        self.sync_deadlines: dict[MemberId, int] = {}
        """Tick by which a classic member that has joined must fetch its assignment."""
        self.revocation_epochs: dict[MemberId, int] = {}
        """Last epoch in which each member had a partition that it has lost, for the policy `revocation-epoch`.

        No record contains this epoch, so after a load it is UNKNOWN_REVOCATION_EPOCH (rule 4.7).
        """

    @property
    def is_empty(self) -> bool:
        return not self.members

    @property
    def state(self) -> GroupState:
        if not self.members:
            return GroupState.EMPTY
        if self.group_epoch > self.target_epoch:
            return GroupState.ASSIGNING
        if all(self.has_reached_target(member) for member in self.members.values()):
            return GroupState.STABLE
        return GroupState.RECONCILING

    def may_join(self, member_id: MemberId, instance_id: InstanceId | None, size_max: int) -> bool:
        """Return whether a member may join: the group knows its member id or instance id, or is not full."""
        return len(self.members) < size_max or member_id in self.members or instance_id in self.static_members

    def has_reached_target(self, member: Member) -> bool:
        return member.state is MemberState.STABLE and member.member_epoch == self.target_epoch

    def target_of(self, member_id: MemberId) -> TargetAssignment:
        return self.targets.get(member_id, NO_TARGET)

    def subscribed_topics(self) -> Container[TopicName]:
        """Return the topics to which members subscribe. Offsets of these topics neither expire nor can be deleted."""
        return topic_names(self.members.values(), self.regexes)

    def deadline_ms(self, timer: Timer) -> int | None:
        """Return the tick at which a timer expires; None if it is stopped."""
        match timer.kind:
            case TimerKind.SESSION:
                return self.session_deadlines.get(timer.member_id)
            case TimerKind.REVOCATION:
                return self.revocation_deadlines.get(timer.member_id)
            case TimerKind.MEMBER_REJOIN:
                return self.join_deadlines.get(timer.member_id)
            case TimerKind.MEMBER_SYNC:
                return self.sync_deadlines.get(timer.member_id)
        return None

    def digest(self) -> dict[str, object]:
        """Return the state as plain data, without effects in progress. Groups in equal states have equal digests."""
        found = {name: getattr(self, name) for name in ConsumerGroup.__slots__ if name not in UNDER_WAY}
        copied = {name: dict(value) for name, value in found.items() if isinstance(value, dict)}
        epochs = {topic_id: dict(partitions) for topic_id, partitions in self.partition_epochs.items()}
        return found | copied | {"partition_epochs": epochs}

    def check_invariants(self) -> None:
        """Check all invariants, for tests and simulation. Raises InvariantError."""
        members = self.members.keys()
        static_members = {m.instance_id: m.member_id for m in self.members.values() if m.instance_id is not None}
        epochs = [m.member_epoch for m in self.members.values()]
        for holds, invariant in (
            (self.static_members == static_members, "OneInstanceOneMember"),
            (self.partition_epochs == self._owned(), "PartitionEpochMap"),
            (self.target_epoch <= self.group_epoch, "the epoch of the target is at most the group epoch"),
            (
                all(epoch <= self.target_epoch for epoch in epochs),
                "member epochs are at most the epoch of the target",
            ),
            (self.session_deadlines.keys() <= members, "only members have sessions"),
            (self.revocation_deadlines.keys() <= members, "only members have revocation deadlines"),
            (
                self.join_deadlines.keys() | self.sync_deadlines.keys() <= members,
                "only members have join and sync deadlines",
            ),
            (self.targets.keys() <= members, "only members have target assignments"),
            (
                self.subscribers == _subscribers(self.members.values()),
                "subscriber counts equal the subscriptions of members",
            ),
        ):
            if not holds:
                raise InvariantError(
                    f"consumer group {self.group_id!r}, {self.state.value}: invariant violated: {invariant}"
                )

    def _owned(self) -> PartitionEpochs:
        owned: PartitionEpochs = {}
        for member in self.members.values():
            for assigned in (member.assigned, member.pending_revocation):
                _enter(owned, assigned, member, self.group_id)
        return owned


def _subscribers(members: Iterable[Member]) -> Counter[TopicName]:
    return Counter(name for member in members for name in member.subscribed_topic_names)


def _enter(owned: PartitionEpochs, assigned: Assigned, member: Member, group_id: GroupId) -> None:
    for topic_id, partitions in assigned.items():
        epochs = owned.setdefault(topic_id, {})
        for partition in partitions:
            if partition in epochs:
                raise InvariantError(
                    f"consumer group {group_id!r}: invariant SingleOwner violated by {member.member_id!r}"
                )
            epochs[partition] = member.member_epoch
