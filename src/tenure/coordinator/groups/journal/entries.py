"""Entries of the rebalance journal.

Times are Unix times. A `cause` is a sentence for people; a `trigger` is a short name of the same cause for programs.
"""

from collections.abc import Sequence
from typing import TypeAlias

from tenure.coordinator.values import value
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId


@value
class FormerMember:
    """Member that left, and that another member replaced later.

    `before_ms` is the time between the departure of this member and the join of the other one.
    """

    member_id: MemberId
    trigger: str
    before_ms: int


@value
class ChangedMember:
    """Member that joined or left. `reason` is the text that its client sent (KIP-800)."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    trigger: str
    reason: str
    at_ms: int
    former: FormerMember | None = None


@value
class Replacement:
    """Old and new member id of a static member that has returned. The ids may be equal, except in a classic group."""

    group_instance_id: InstanceId | None
    old_member_id: MemberId
    member_id: MemberId
    reason: str
    at_ms: int


@value
class Moves:
    """Numbers of partitions whose owner has changed since the previous assignment."""

    moved: int
    gained: int
    """Number of partitions that had no owner before."""
    lost: int
    """Number of partitions that have no owner now."""


@value
class EpochMove:
    """New epoch of a consumer or streams group, and its cause."""

    epoch: GenerationId
    trigger: str
    cause: str
    at_ms: int


@value
class RebalanceBegan:
    """Start of a rebalance.

    The entry is written when the rebalance starts. So the journal also has rebalances that a fail-over interrupts.

    `group_type` is "classic", "consumer" or "streams". For consumer and streams groups, each generation in an entry is
    a group epoch.
    """

    group_id: GroupId
    at_ms: int
    group_type: str
    trigger: str
    cause: str
    state_before: str
    generation_before: GenerationId


@value
class RebalanceEnded:
    """End of a rebalance.

    `outcome` is one of:

    - "stable": the group is Stable again, and has members;
    - "empty": no member was left;
    - "superseded": the next rebalance began before the leader's assignment arrived, or before all members had reached
      the target;
    - "resigned": the coordinator stopped leading the group;
    - "converted": the group changed to the other protocol.

    The lists of members and epochs have a limited length. Members and epochs beyond the limit are only counted.
    """

    group_id: GroupId
    at_ms: int
    group_type: str
    outcome: str
    trigger: str
    cause: str
    began_ms: int
    generation_before: GenerationId
    generation: GenerationId
    leader: MemberId | None
    protocol_type: str | None
    protocol_name: str | None
    members: int
    static_members: int
    joined_count: int
    departed_count: int
    replaced_count: int
    epoch_moves_count: int
    joined: Sequence[ChangedMember]
    departed: Sequence[ChangedMember]
    replaced: Sequence[Replacement]
    epoch_moves: Sequence[EpochMove]
    preparing_ms: int
    """Duration of the join phase; for a consumer group, the time until its target was computed."""
    completing_ms: int | None
    """Time from the end of `preparing_ms` until the leader's assignment arrived, or all members reached the target;
    None if neither happened."""
    partitions: Moves | None
    """Moved partitions; None if the members are no consumers, or the group is too large to count on the event loop."""


@value
class SeatTakenOver:
    """Static member that has returned without a rebalance. In a classic group, it has a new member id."""

    group_id: GroupId
    at_ms: int
    group_type: str
    cause: str
    generation: GenerationId
    replacement: Replacement


@value
class ReserveChanged:
    """Join or departure of reserve members. No rebalance is necessary, because they have no partitions."""

    group_id: GroupId
    at_ms: int
    cause: str
    generation: GenerationId
    joined: Sequence[ChangedMember]
    departed: Sequence[ChangedMember]


Entry: TypeAlias = RebalanceBegan | RebalanceEnded | SeatTakenOver | ReserveChanged
