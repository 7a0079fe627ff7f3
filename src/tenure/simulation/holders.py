"""Holders of each partition over time, from which commits are classified as honest or not.

The classification does not use epochs. It counts the steps of the coordinator: a heartbeat and all of its effects are
one step. A commit carries the epoch of the client's last heartbeat response. The commit is honest if the client has
held the partition without interruption since the step of this response. The commit is one of a zombie if another member
has held the partition since this step (KAFKA-19779). The holders are read from the records of type 8, the current
assignments of members.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from tenure.coordinator.groups.consumer.member import Assigned, Target
from tenure.coordinator.shard import LogRecord
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupCurrentMemberAssignmentKey, GroupMetadataKey
from tenure.protocol.special_values import LEAVES_FOR_NOW, NO_GENERATION
from tenure.protocol.types import MemberId, PartitionId, TopicId, TopicName

Partition: TypeAlias = tuple[TopicId, PartitionId]


class CommitKind(Enum):
    """Kind of a commit of one partition, at the time of its arrival."""

    HONEST = "honest"
    """The member has owned the partition without interruption since it received the epoch of the commit."""
    TAKEN = "taken"
    """Zombie commit: another member has owned the partition since the member received the epoch of the commit."""
    GONE = "gone"
    """Zombie commit: the member has left, or is away temporarily."""
    FOREIGN = "foreign"
    """The member had lost the partition before it received the epoch of the commit. Kafka's specification forbids such
    a commit, so the client has a bug."""
    IDLE = "idle"
    """The member has released the partition, and no other member has owned it since its release. So the commit has no
    effect on other members."""


NOTHING: Final[dict[Partition, int]] = {}
NO_TOPICS: Final[Mapping[TopicName, TopicId]] = {}


def partitions_of(of: Assigned | Target) -> set[Partition]:
    """Return the partitions of an assignment or a target."""
    return {(topic_id, partition) for topic_id, partitions in of.items() for partition in partitions}


class Holders:
    """Present and former holders of each partition of one group, from its records.

    `topic_ids` is needed for a classic group, whose assignments contain topic names instead of ids.
    """

    def __init__(self, topic_ids: Mapping[TopicName, TopicId] = NO_TOPICS) -> None:
        self.step = 0
        """Number of the coordinator's present step. A heartbeat and all its effects are one step."""
        self._topic_ids = topic_ids
        self._held: dict[MemberId, dict[Partition, int]] = {}
        """Partitions that each member holds, including revoked ones, and the step in which it got them."""
        self._asked_back: dict[MemberId, frozenset[Partition]] = {}
        self._away: set[MemberId] = set()
        self._left_at: dict[Partition, dict[MemberId, int]] = {}
        """Former holders of a partition, and the step in which each lost it."""
        self._generation = NO_GENERATION
        """Generation of a classic group."""
        self._converted: tuple[int, int, dict[MemberId, dict[Partition, int]]] = NO_GENERATION, 0, {}
        """Last generation of a classic group, the step of its end, and the partitions that its members held."""

    def fold(self, record: object) -> None:
        if isinstance(record, LogRecord):
            if isinstance(record.key, ConsumerGroupCurrentMemberAssignmentKey):
                self._fold_member(record.key.member_id, record.value)
            elif isinstance(record.key, GroupMetadataKey):
                self._fold_classic(record.value)

    def _fold_member(self, member_id: MemberId, value: Any) -> None:
        before, asked_back = self._held.pop(member_id, NOTHING), self._asked_back.pop(member_id, frozenset())
        self._away.discard(member_id)
        if value is not None and not before:
            before = self._kept_by_conversion(member_id, value.member_epoch)
        assigned = () if value is None else _partitions(value.assigned_partitions)
        pending = () if value is None else _partitions(value.partitions_pending_revocation)
        held = {partition: before.get(partition, self.step) for partition in (*assigned, *pending)}
        for partition in asked_back.intersection(assigned):  # the member had reported that it released it
            held[partition] = self.step
        self._record_losses(member_id, before, held)
        if value is None:
            return
        self._held[member_id] = held
        self._asked_back[member_id] = frozenset(pending)
        if value.member_epoch == LEAVES_FOR_NOW:
            self._away.add(member_id)

    def _fold_classic(self, value: Any) -> None:
        """Apply a generation of a classic group.

        In a new generation, each member counts as a new holder of its partitions, even if it held them before: the
        coordinator rejects commits from earlier generations.
        """
        if value is None:
            self._converted = self._generation, self.step, self._held
            self._generation = NO_GENERATION
            for member_id, before in self._held.items():
                self._record_losses(member_id, before, NOTHING)
            self._held = {}
            return
        is_new = value.generation != self._generation
        self._generation = value.generation
        all_before, self._held = self._held, {}
        for member in value.members:
            named = decode_assignment(member.assignment).assigned_partitions if member.assignment else ()
            assigned = [(self._topic_ids[one.topic], partition) for one in named for partition in one.partitions]
            had = NOTHING if is_new else all_before.get(member.member_id, NOTHING)
            self._held[member.member_id] = {partition: had.get(partition, self.step) for partition in assigned}
        for member_id, had in all_before.items():
            self._record_losses(member_id, had, self._held.get(member_id, NOTHING))

    def _kept_by_conversion(self, member_id: MemberId, epoch: int) -> dict[Partition, int]:
        """Return the partitions that a member keeps when its classic group becomes a consumer group.

        The member keeps them only if the conversion is part of the present step, and the member's epoch is the last
        generation of the classic group.
        """
        generation, step, held = self._converted
        return held.get(member_id, NOTHING) if (generation, step) == (epoch, self.step) else NOTHING

    def _record_losses(self, member_id: MemberId, before: dict[Partition, int], after: dict[Partition, int]) -> None:
        for partition in before.keys() - after.keys():
            self._left_at.setdefault(partition, {})[member_id] = self.step

    def classify(self, member_id: MemberId, partition: Partition, step: int) -> CommitKind:
        """Classify a commit of a client whose last response is from the coordinator's step `step`."""
        held = self._held.get(member_id)
        if held is None or member_id in self._away:
            return CommitKind.GONE
        if held.get(partition, step + 1) <= step:
            return CommitKind.HONEST
        before = self._left_at.get(partition, {})
        others_before = any(left > step for other_id, left in before.items() if other_id != member_id)
        others_now = any(partition in had for other_id, had in self._held.items() if other_id != member_id)
        return CommitKind.TAKEN if others_before or others_now else CommitKind.IDLE


def _partitions(topics: Any) -> tuple[Partition, ...]:
    return tuple((topic.topic_id, partition) for topic in topics for partition in topic.partitions)
