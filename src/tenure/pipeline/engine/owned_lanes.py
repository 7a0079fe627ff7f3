"""Lanes that a member owns, and their positions.

A lane is partition n of all topics of the pipeline. The member owns a lane when it owns all of these partitions.

Under the consumer protocol, a lane that the member keeps in a new assignment keeps its position. The group still
accepts its commits, because each partition has its own epoch (KIP-848, KAFKA-19779). Under the classic protocol, a new
generation fences all earlier commits. So all lanes are revoked before a new generation, and no lane keeps its position.

A revoked lane belongs to the member until the revocation is acknowledged. Running bundles with this lane may still be
committed, but no new bundle starts.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from tenure.pipeline.output.sweep import Listing
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.plan import Position
from tenure.protocol.types import PartitionId, TopicName
from tenure.values import TopicPartition


@dataclass(frozen=True, slots=True)
class OwnedLane:
    """Owned lane with a known position."""

    position: Position
    listing: Listing | None
    """Files of the lane at its recovery, until they are swept."""
    committed_at_s: float

    @property
    def lane(self) -> Lane:
        return self.position.lane


class OwnedLanes:
    """Lanes of one member. Only its engine changes this object; the engine's helpers get immutable values."""

    def __init__(self, topics: tuple[TopicName, ...]) -> None:
        self.topics = topics
        self.writer: Writer | None = None
        self.partitions: frozenset[TopicPartition] = frozenset()
        self.lanes: tuple[Lane, ...] = ()
        """Lanes of which the member has all partitions. Invariant: sorted."""
        self.known: Mapping[Lane, OwnedLane] = {}
        """Lanes with a known position. Invariant: a subset of `lanes`; each was recovered after the member got it.
        Replaced, never mutated, because other threads read it."""
        self.leaving: frozenset[Lane] = frozenset()
        """Revoked lanes whose revocation is not acknowledged yet."""

    # --- the group ----------------------------------------------------------------------------------------------------

    def assign(self, writer: Writer, partitions: Collection[TopicPartition], added: Collection[TopicPartition]) -> None:
        """Set the member's identity and partitions. `added` are the partitions that it did not own before."""
        fresh = self._lanes_of(added) | self.leaving
        self.writer = writer
        self.partitions = frozenset(partitions)
        self.leaving = frozenset()
        self.lanes = tuple(lane for lane in sorted(self._lanes_of(partitions)) if self._has_all_of(lane))
        kept = (owned for lane, owned in self.known.items() if lane in self.lanes and lane not in fresh)
        self.known = {owned.lane: _listed_by(writer, owned) for owned in kept}

    def revoke(self, partitions: Iterable[TopicPartition]) -> None:
        """Mark the lanes that contain one of these partitions as revoked."""
        self.leaving |= self._lanes_of(partitions)

    def remove_revoked(self) -> None:
        """Remove the revoked lanes. No running bundle may contain one of them."""
        self.partitions -= {partition for lane in self.leaving for partition in lane.partitions}
        self.lanes = tuple(lane for lane in self.lanes if lane not in self.leaving)
        self.forget(self.leaving)
        self.leaving = frozenset()
        if not self.partitions:
            self.writer = None

    def remove_all(self) -> None:
        """Remove all lanes."""
        self.leaving = frozenset(self.lanes)
        self.partitions = frozenset()
        self.remove_revoked()

    # --- positions ----------------------------------------------------------------------------------------------------

    def update(self, lanes: Iterable[OwnedLane]) -> None:
        """Set the positions of lanes after their recovery or commit."""
        self.known = {**self.known, **{owned.lane: owned for owned in lanes}}

    def forget(self, lanes: Collection[Lane]) -> None:
        """Remove the positions of these lanes, so that they are recovered again."""
        self.known = {lane: owned for lane, owned in self.known.items() if lane not in lanes}

    @property
    def unrecovered(self) -> list[Lane]:
        """Lanes without a position, which have to be recovered."""
        return [lane for lane in self.lanes if lane not in self.known and lane not in self.leaving]

    @property
    def missing_partitions(self) -> list[TopicPartition]:
        """Partitions that the member does not have, although it has another partition of the same lane."""
        lanes = sorted(self._lanes_of(self.partitions))
        return [each for lane in lanes for each in lane.partitions if each not in self.partitions]

    def _lanes_of(self, partitions: Iterable[TopicPartition]) -> frozenset[Lane]:
        return frozenset(Lane(self.topics, PartitionId(partition.partition)) for partition in partitions)

    def _has_all_of(self, lane: Lane) -> bool:
        return self.partitions.issuperset(lane.partitions)


def _listed_by(writer: Writer, owned: OwnedLane) -> OwnedLane:
    """Return the lane with `writer` as the writer of its file listing (`sweep.Listing`).

    `writer` is the new identity of the member. The listing is still complete: the member has kept the lane, so no
    other member has written files of the lane since.
    """
    return owned if owned.listing is None else replace(owned, listing=replace(owned.listing, writer=writer))
