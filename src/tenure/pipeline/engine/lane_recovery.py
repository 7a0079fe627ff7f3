"""Recovery of newly assigned lanes: find their positions, and publish the last commits of earlier owners.

A lane is planned only after its recovery. Recovery stops the pipeline if the number of partitions has changed since the
lane's state was written, or if the state was written with other columns than those declared now.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tenure.pipeline.engine import topic_changes
from tenure.pipeline.engine.lane_backoff import LaneBackoff
from tenure.pipeline.engine.owned_lanes import OwnedLane
from tenure.pipeline.engine.recover import DISAGREEMENTS, RecoveredPosition, recover
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output import sweep
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.transactions import OutputTransactions
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.membership import Bounds, GroupMembership, Log
from tenure.pipeline.values.plan import Position, backlog
from tenure.protocol.types import PartitionId
from tenure.values import OffsetAndMetadata, TopicPartition


@dataclass(frozen=True, slots=True)
class RecoveredLane:
    """Recovered lane, and the actions that its recovery requires."""

    owned: OwnedLane
    lag: int
    """Records in the log that the lane has not processed."""
    publish: bool
    """True if the last batch may have output that is not visible yet."""
    recommit: bool
    """True if the position has to be committed before anything else."""


@dataclass(slots=True)
class LaneRecovery:
    settings: EngineSettings
    layout: Layout
    membership: GroupMembership
    log: Log
    files: Files
    backoff: LaneBackoff
    clock_s: Callable[[], float]
    transactions: OutputTransactions | None = None
    lane_state: Callable[[Lane], LaneState] | None = None
    """Function that returns the access to a lane's state; None if the pipeline has no state."""
    partition_count: int = 0
    """Number of partitions of each topic; 0 before the first query."""
    others_agree: bool = False
    """True if `check_count_of_others` has passed with the present `partition_count`. It need not run again then."""

    def recover(self, lanes: Sequence[Lane], known: Iterable[OwnedLane], writer: Writer) -> Sequence[RecoveredLane]:
        """Recover all of these lanes. `known` are the member's lanes that are recovered already.

        Returns an empty sequence if the committed offsets change during the recovery, because another owner commits.
        The lanes are then paused and recovered again.

        Raises:
            PipelineStopped: Offsets and state disagree, or a topic has changed.
            Exception: Errors of stores, sinks and brokers.
        """
        partitions = [partition for lane in lanes for partition in lane.partitions]
        bounds = self.log.bounds(partitions)
        if self.transactions is not None:  # An earlier owner may have left a transaction with offsets open.
            self.transactions.fence_producers([self.layout.transactional_id(lane) for lane in lanes])
        committed = self.membership.committed(partitions)
        self.update_partition_count(topic_changes.partition_count(self.log, self.settings.topics), known)
        try:
            found = [self._recover_lane(lane, committed, bounds) for lane in lanes]
        except PipelineStopped as stopped:
            if stopped.code not in DISAGREEMENTS or self.membership.committed(partitions) == committed:
                raise
            self.backoff.record_failure(stopped.code, stopped.sentence, lanes, lane=stopped.lane)
            return ()  # Another owner has committed meanwhile: the next poll reports the loss of the lanes.
        return [self._listed(lane, bounds, writer) for lane in found]

    def update_partition_count(self, count: int, known: Iterable[OwnedLane]) -> None:
        """Store the topics' number of partitions. If it has changed, check it against the state of all known lanes.

        The caller must first query the ends of the logs for its bundle, and then `count`: if the number has not
        changed, all records before these ends were written with it (`topic_changes.py`).
        """
        if count == self.partition_count:
            return
        self.partition_count, self.others_agree = count, False
        if self.settings.stateful:
            for owned in known:
                self._check_count_of(owned.position)

    def _listed(
        self, found: RecoveredPosition, bounds: Mapping[TopicPartition, Bounds], writer: Writer
    ) -> RecoveredLane:
        listing = sweep.list_lane(self.files, self.layout, found.position.lane, writer)
        owned = OwnedLane(found.position, listing, self.clock_s())
        return RecoveredLane(owned, backlog(found.position, bounds), found.publish, found.recommit)

    def _recover_lane(
        self,
        lane: Lane,
        committed: Mapping[TopicPartition, OffsetAndMetadata | None],
        bounds: Mapping[TopicPartition, Bounds],
    ) -> RecoveredPosition:
        at = {partition: committed.get(partition) for partition in lane.partitions}
        found = recover(self.files, self.layout, lane, at, bounds, self.settings.on_disagreement)
        if self.settings.stateful:
            self._check_count_of(found.position)
        if self.lane_state is not None:
            self.lane_state(lane).check(found.position.state)
        return found

    def _check_count_of(self, position: Position) -> None:
        topic_changes.check_partition_count(position.manifest, self.partition_count)
        if position.manifest is None and not self.others_agree:
            lanes = [Lane(self.settings.topics, PartitionId(number)) for number in range(self.partition_count)]
            at = self.membership.committed([lane.partitions[0] for lane in lanes])
            committed = {lane: at[lane.partitions[0]] for lane in lanes}
            topic_changes.check_count_of_others(self.files, self.layout, committed, self.partition_count)
            self.others_agree = True
