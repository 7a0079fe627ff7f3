"""Entries of the journal. Times are wall clock; a `cause` is a sentence, a `trigger` the same for programs."""

from collections.abc import Sequence
from typing import TypeAlias

from tenure.coordinator.values import value
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId


@value
class Former:
    """Previous holder of a seat: `before_ms` is how long it had been empty."""

    member_id: MemberId
    trigger: str
    before_ms: int


@value
class Party:
    """A member that joined or left. `reason` is given by its client (KIP-800)."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    trigger: str
    reason: str
    at_ms: int
    former: Former | None = None


@value
class Replacement:
    """Replacement of a static member's id; the old id is fenced (KIP-345)."""

    group_instance_id: InstanceId | None
    old_member_id: MemberId
    member_id: MemberId
    reason: str
    at_ms: int


@value
class Moves:
    """Numbers of partitions that changed their owner since the previous assignment."""

    moved: int
    gained: int
    """Number of partitions without an owner before."""
    lost: int
    """Number of partitions without an owner now."""


@value
class EpochMove:
    """Epoch that a consumer or streams group moved to, and its cause."""

    epoch: GenerationId
    trigger: str
    cause: str
    at_ms: int


@value
class RebalanceBegan:
    """Start of a rebalance. Written at once, so that a rebalance that a fail-over interrupts leaves a trace.

    `group_type` is "classic", "consumer" or "streams": the generations of the last two are epochs, here and below.
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

    `outcome`: "stable"; "empty", if no member was left; "superseded", if the next rebalance began before the leader's
    assignment arrived, or before all members had reached the target; "resigned", if the coordinator stopped leading the
    group; "converted", if it changed to the other protocol. Members and epochs are named up to a bound, and counted
    beyond it.
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
    joined: Sequence[Party]
    departed: Sequence[Party]
    replaced: Sequence[Replacement]
    epoch_moves: Sequence[EpochMove]
    preparing_ms: int
    """Time until all had joined, or the wait for them was over; in a consumer group, until its target was computed."""
    completing_ms: int | None
    """Time until the leader's assignment arrived, or all members reached the target; None if that has not happened."""
    partitions: Moves | None
    """Moved partitions; None if the group is no group of consumers, or too large to be decoded within the event loop.
    """


@value
class SeatTakenOver:
    """Return of a static member without a rebalance; in a classic group, under a new id."""

    group_id: GroupId
    at_ms: int
    group_type: str
    cause: str
    generation: GenerationId
    replacement: Replacement


@value
class ReserveChanged:
    """Join or leave of a reserve member, without a rebalance, because it has no partitions."""

    group_id: GroupId
    at_ms: int
    cause: str
    generation: GenerationId
    joined: Sequence[Party]
    departed: Sequence[Party]


Entry: TypeAlias = RebalanceBegan | RebalanceEnded | SeatTakenOver | ReserveChanged
