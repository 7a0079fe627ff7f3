"""Member of a consumer group (rule 3.2). Immutable: every change creates a new object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, TypeAlias

from tenure.protocol.coordinator_logs.consumer_offsets import ClassicMemberMetadata
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.special_values import LEAVES_FOR_NOW
from tenure.protocol.types import InstanceId, MemberId, PartitionId, TopicId, TopicName

Assigned: TypeAlias = Mapping[TopicId, Mapping[PartitionId, int]]
"""Assignment epoch by topic id and partition (rule 4.6). Immutable; contains no topic without partitions."""

Target: TypeAlias = Mapping[TopicId, frozenset[PartitionId]]
"""Target assignment of a member: partitions by topic id. Contains no topic without partitions."""

NOTHING: Final[Assigned] = {}
NO_TARGET: Final = TargetAssignment()


class MemberState(IntEnum):
    """State of a member.

    The values are those in `ConsumerGroupCurrentMemberAssignmentValue`. Any other value is read as UNKNOWN.
    """

    STABLE = 0
    UNREVOKED_PARTITIONS = 1
    UNRELEASED_PARTITIONS = 2
    UNKNOWN = 127


@dataclass(slots=True)
class Member:
    member_id: MemberId
    instance_id: InstanceId | None = None
    rack_id: str | None = None
    client_id: str = ""
    client_host: str = ""
    rebalance_timeout_ms: int = -1
    subscribed_topic_names: tuple[TopicName, ...] = ()
    """Subscribed topics, ascending, without duplicates."""
    subscribed_topic_regex: str = ""
    server_assignor: str | None = None
    classic: ClassicMemberMetadata | None = None
    """Metadata of a member that uses the classic protocol; None for others."""
    member_epoch: int = 0
    """Member epoch; LEAVES_FOR_NOW for a static member that has left temporarily.

    Invariant: at most the epoch of the group's target.
    """
    previous_member_epoch: int = 0
    state: MemberState = MemberState.STABLE
    assigned: Assigned = field(default_factory=lambda: NOTHING)
    pending_revocation: Assigned = field(default_factory=lambda: NOTHING)
    """Partitions that the member is giving up. Invariant: none is in `assigned`; empty unless UNREVOKED_PARTITIONS."""

    @property
    def is_away(self) -> bool:
        return self.member_epoch == LEAVES_FOR_NOW

    def assigned_since(self, topic_id: TopicId, partition: PartitionId) -> int | None:
        """Return the assignment epoch of a partition that the member owns or is giving up; None for others."""
        since = self.assigned.get(topic_id, NO_PARTITIONS).get(partition)
        if since is None:
            since = self.pending_revocation.get(topic_id, NO_PARTITIONS).get(partition)
        return since


NO_PARTITIONS: Final[Mapping[PartitionId, int]] = {}
