"""One member of a consumer group (rule 3.2). Immutable: every transition creates a new object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, TypeAlias

from tenure.protocol.coordinator_logs.consumer_offsets import ClassicMemberMetadata
from tenure.protocol.types import InstanceId, MemberId, PartitionId, TopicId, TopicName

Assigned: TypeAlias = Mapping[TopicId, Mapping[PartitionId, int]]
"""Assigned partitions: topic id -> partition -> assignment epoch (rule 4.6). Immutable; no topic without partitions."""

Target: TypeAlias = Mapping[TopicId, frozenset[PartitionId]]
"""Target assignment of a member. It contains no topic without a partition."""

NOTHING: Final[Assigned] = {}
NO_TARGET: Final[Target] = {}

JOINS: Final = 0
LEAVES: Final = -1
LEAVES_FOR_NOW: Final = -2
"""Values that a member may send instead of its epoch. The last is also the epoch of a static member that is away."""


class MemberState(IntEnum):
    """Values are those of record 8; every other value is read as UNKNOWN."""

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
    """Subscribed topic names, ascending, without duplicates."""
    subscribed_topic_regex: str = ""
    server_assignor: str | None = None
    classic: ClassicMemberMetadata | None = None
    """Metadata of a member that uses the classic protocol."""
    member_epoch: int = 0
    """Invariant: never beyond the group's assignment epoch; LEAVES_FOR_NOW while a static member is away."""
    previous_member_epoch: int = 0
    state: MemberState = MemberState.STABLE
    assigned: Assigned = field(default_factory=lambda: NOTHING)
    pending_revocation: Assigned = field(default_factory=lambda: NOTHING)
    """Invariant: no partition of these is in `assigned`; empty unless UNREVOKED_PARTITIONS."""

    @property
    def is_away(self) -> bool:
        return self.member_epoch == LEAVES_FOR_NOW

    def assigned_since(self, topic_id: TopicId, partition: PartitionId) -> int | None:
        """Return the assignment epoch of a partition that the member has or is giving up; None for any other."""
        since = self.assigned.get(topic_id, NO_PARTITIONS).get(partition)
        if since is None:
            since = self.pending_revocation.get(topic_id, NO_PARTITIONS).get(partition)
        return since


NO_PARTITIONS: Final[Mapping[PartitionId, int]] = {}
