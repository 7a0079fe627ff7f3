"""What a member has: its lanes, and where each of them stands.

A lane is partition n of all the pipeline's topics, and the member's once it has every one of them. What it has kept
without interruption stays known through any number of assignments, as its commits pass the fence throughout (KIP-848
and KAFKA-19779: every partition has an epoch of its own). Under the classic protocol a new generation fences all, so
everything is revoked before it, and nothing of it is kept.

What is revoked stays the member's until it is given up: what runs there may still be committed, and nothing new is
begun.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from tenure.pipeline.lanes import Lane, TopicPartition, Writer
from tenure.pipeline.plan import Position
from tenure.pipeline.sweep import Listing
from tenure.protocol.types import TopicName


@dataclass(slots=True)
class Held:
    """A lane that this member owns and knows the standing of."""

    position: Position
    listing: Listing | None
    """What lay there when the lane was recovered, until it is swept."""
    committed_at_s: float


class Holdings:
    def __init__(self, topics: tuple[TopicName, ...]) -> None:
        self.topics = topics
        self.writer: Writer | None = None
        self.partitions: frozenset[TopicPartition] = frozenset()
        self.lanes: tuple[Lane, ...] = ()
        """Invariant: those of which `partitions` has all, in order."""
        self.held: dict[Lane, Held] = {}
        """Invariant: of `lanes` only, each recovered since the member has it."""
        self.leaving: frozenset[Lane] = frozenset()
        """Revoked, and not given up yet."""

    def assign(self, writer: Writer, partitions: Collection[TopicPartition], added: Collection[TopicPartition]) -> None:
        """The member has exactly these now, as `writer`; those of `added` it did not have until now."""
        fresh = self._lanes_of(added) | self.leaving
        self.writer = writer
        self.partitions = frozenset(partitions)
        self.leaving = frozenset()
        self.lanes = tuple(lane for lane in sorted(self._lanes_of(partitions)) if self._has_all_of(lane))
        self.held = {lane: held for lane, held in self.held.items() if lane in self.lanes and lane not in fresh}
        for held in self.held.values():  # Nobody else could write there since it was listed.
            if held.listing is not None:
                held.listing = replace(held.listing, writer=writer)

    def revoke(self, partitions: Iterable[TopicPartition]) -> None:
        """A lane leaves with any of its partitions."""
        self.leaving |= self._lanes_of(partitions)

    def give_up(self) -> None:
        """What was revoked. Nothing of it may be under way."""
        self.partitions -= {partition for lane in self.leaving for partition in lane.partitions}
        self.lanes = tuple(lane for lane in self.lanes if lane not in self.leaving)
        self.held = {lane: held for lane, held in self.held.items() if lane not in self.leaving}
        self.leaving = frozenset()
        if not self.partitions:
            self.writer = None

    def lose(self) -> None:
        """Everything, at once."""
        self.leaving = frozenset(self.lanes)
        self.partitions = frozenset()
        self.give_up()

    @property
    def unknown(self) -> list[Lane]:
        """Lanes whose standing is not known (any more)."""
        return [lane for lane in self.lanes if lane not in self.held and lane not in self.leaving]

    @property
    def lacking(self) -> list[TopicPartition]:
        """What the lanes lack of which the member has a part only."""
        lanes = sorted(self._lanes_of(self.partitions))
        return [each for lane in lanes for each in lane.partitions if each not in self.partitions]

    def _lanes_of(self, partitions: Iterable[TopicPartition]) -> frozenset[Lane]:
        return frozenset(Lane(self.topics, partition.partition) for partition in partitions)

    def _has_all_of(self, lane: Lane) -> bool:
        return self.partitions.issuperset(lane.partitions)
