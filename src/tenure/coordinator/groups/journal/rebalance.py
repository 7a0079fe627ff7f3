"""One rebalance in progress, and counters of all rebalances."""

from collections import Counter
from typing import Any, ClassVar, TypeVar

from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.journal.entries import EpochMove, Moves, Party, RebalanceEnded, Replacement
from tenure.limits.coordinator import JOURNAL_MEMBERS_NAMED_MAX
from tenure.protocol.types import GenerationId, GroupId, MemberId

T = TypeVar("T")


class Tally:
    """Counters for the metrics. They outlive the shards, whose folds all add to them."""

    __slots__ = ("departures", "epoch_moves", "rebalances", "seats_taken_over", "superseded")

    def __init__(self) -> None:
        self.rebalances: Counter[Cause] = Counter()
        self.epoch_moves: Counter[Cause] = Counter()
        """Epoch moves of consumer groups by cause; several of them may be one rebalance."""
        self.departures: Counter[Cause] = Counter()
        self.seats_taken_over = 0
        self.superseded = 0


class Rebalance:
    """Rebalance in progress: collects changes, then the phases that follow."""

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
        self.joined: list[Party] = []
        self.departed: list[Party] = []
        self.replaced: list[Replacement] = []
        self.epoch_moves: list[EpochMove] = []
        """Epoch moves of this rebalance of a consumer group."""
        self.owned_before: dict[str, Any] | None = None
        """Assignment by seat when the group was Stable last: bytes of a classic member, target of a consumer."""
        self.trigger = ""
        self.cause = ""
        self.began_ms = 0
        self.generation_before = GenerationId(0)
        self.generation: GenerationId | None = None
        """None until all have joined a classic group; until a consumer group's target is computed."""
        self.generation_ms: int | None = None
        """Time of that generation or epoch."""
        self.lagging: set[MemberId] = set()
        """Members of a consumer group that have not reached the target yet."""
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
