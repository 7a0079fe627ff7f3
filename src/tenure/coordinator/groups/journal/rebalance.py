"""Rebalance in progress, and counters of all rebalances."""

from collections import Counter
from typing import Any, ClassVar, TypeVar

from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.journal.entries import ChangedMember, EpochMove, Moves, RebalanceEnded, Replacement
from tenure.limits.coordinator import JOURNAL_MEMBERS_NAMED_MAX
from tenure.protocol.types import GenerationId, GroupId, MemberId

T = TypeVar("T")


class Tally:
    """Counters of rebalances, for metrics. All shards share one object, and a load does not reset it."""

    __slots__ = ("departures", "epoch_moves", "rebalances", "seats_taken_over", "superseded")

    def __init__(self) -> None:
        self.rebalances: Counter[Cause] = Counter()
        self.epoch_moves: Counter[Cause] = Counter()
        """Number of new epochs of consumer and streams groups, by cause. One rebalance may have several epochs."""
        self.departures: Counter[Cause] = Counter()
        self.seats_taken_over = 0
        self.superseded = 0


class Rebalance:
    """Rebalance in progress, with the members that joined or left, and the times of its phases."""

    __slots__: ClassVar = (
        "began_ms",
        "cause",
        "departed",
        "epoch_moves",
        "generation",
        "generation_before",
        "generation_ms",
        "joined",
        "lagging",
        "leader",
        "owned_before",
        "protocol_name",
        "replaced",
        "trigger",
    )

    def __init__(self) -> None:
        self.joined: list[ChangedMember] = []
        self.departed: list[ChangedMember] = []
        self.replaced: list[Replacement] = []
        self.epoch_moves: list[EpochMove] = []
        """New epochs of a consumer or streams group that belong to this rebalance."""
        self.owned_before: dict[str, Any] | None = None
        """Assignments when the group was last Stable: bytes in a classic group, targets in all other groups."""
        self.trigger = ""
        self.cause = ""
        self.began_ms = 0
        self.generation_before = GenerationId(0)
        self.generation: GenerationId | None = None
        """New generation or epoch. None until the join phase has ended (classic groups) or the target is computed."""
        self.generation_ms: int | None = None
        """Wall time at which `generation` began."""
        self.lagging: set[MemberId] = set()
        """Members of a consumer or streams group that have not reached the target yet."""
        self.leader: MemberId | None = None
        self.protocol_name: str | None = None

    def ended(
        self,
        group_id: GroupId,
        wall_ms: int,
        outcome: str,
        *,
        group_type: str,
        protocol_type: str | None,
        generation: GenerationId,
        members: int,
        static_members: int,
        partitions: Moves | None,
    ) -> RebalanceEnded:
        generation_ms = wall_ms if self.generation_ms is None else self.generation_ms
        return RebalanceEnded(
            group_id,
            wall_ms,
            group_type,
            outcome,
            self.trigger,
            self.cause,
            self.began_ms,
            self.generation_before,
            generation if self.generation is None else self.generation,
            self.leader,
            protocol_type,
            self.protocol_name,
            members,
            static_members,
            len(self.joined),
            len(self.departed),
            len(self.replaced),
            len(self.epoch_moves),
            _some(self.joined),
            _some(self.departed),
            _some(self.replaced),
            _some(self.epoch_moves),
            max(generation_ms - self.began_ms, 0),
            None if self.generation_ms is None else max(wall_ms - generation_ms, 0),
            partitions,
        )


def _some(found: list[T]) -> list[T]:
    return found[:JOURNAL_MEMBERS_NAMED_MAX]
