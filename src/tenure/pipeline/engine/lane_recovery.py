"""Recovery of newly assigned lanes: find their position, and publish what an earlier owner committed.

A lane is planned only after its recovery. Recovery stops the pipeline if state of any lane was written when the topics
had another number of partitions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tenure.pipeline.engine import topic_changes
from tenure.pipeline.engine.commit_flow import CommitFlow
from tenure.pipeline.engine.lane_backoff import LaneBackoff
from tenure.pipeline.engine.owned_lanes import OwnedLane, OwnedLanes
from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.engine.recover import DISAGREEMENTS, Recovered, recover
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output import sweep
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.lanes import Lane, TopicPartition, Writer
from tenure.pipeline.values.membership import Bounds, Committed, GroupMembership, Log
from tenure.pipeline.values.plan import Position, backlog
from tenure.pipeline.values.progress import Step, standing
from tenure.protocol.types import PartitionId


@dataclass(slots=True)
class LaneRecovery:
    settings: EngineSettings
    layout: Layout
    membership: GroupMembership
    log: Log
    files: Files
    owned_lanes: OwnedLanes
    backoff: LaneBackoff
    commit_flow: CommitFlow
    clock_s: Callable[[], float]
    tell: ProgressReporter
    partition_count: int = 0
    """Number of partitions of each topic; 0 before the first query."""
    others_agree: bool = False
    """True if it is known that no lane of the group has state of another number of partitions."""

    def recover(self, writer: Writer) -> Sequence[Recovered]:
        """Recover lanes with an unknown position, and return those that succeeded. They are owned now.

        Raises:
            PipelineStopped: Offsets and state disagree, or a topic has changed.
            Exception: Errors of stores, sinks and brokers.
        """
        publishing = self.commit_flow.publications.lanes
        lanes = [
            lane for lane in self.owned_lanes.unknown if lane not in publishing and not self.backoff.is_waiting(lane)
        ]
        if not lanes:
            return ()
        started_s = self.clock_s()
        partitions = [partition for lane in lanes for partition in lane.partitions]
        bounds = self.log.bounds(partitions)
        self.commit_flow.settle(lanes)
        committed = self.membership.committed(partitions)
        self.note_count(topic_changes.partition_count(self.log, self.settings.topics))
        try:
            found = [self._recover_lane(lane, committed, bounds) for lane in lanes]
        except PipelineStopped as stopped:
            if stopped.code not in DISAGREEMENTS or self.membership.committed(partitions) == committed:
                raise
            self.backoff.record_failure(stopped.code, stopped.sentence, lanes, lane=stopped.lane)
            return ()  # Another owner has gone on between two looks: the next poll says so.
        held = self.owned_lanes.held
        for position in (lane.position for lane in found):
            listing = sweep.list_lane(self.files, self.layout, position.lane, writer)
            held[position.lane] = OwnedLane(position, listing, self.clock_s())
        lags = {lane.position.lane: backlog(lane.position, bounds) for lane in found}
        lanes_now = [standing(held[lane].position, lags.get(lane)) for lane in sorted(held)]
        self.tell(Step.RECOVERED, writer, lanes_now, started_s=started_s)
        if unfinished := [lane.position for lane in found if lane.publish]:
            self.commit_flow.roll_forward(unfinished, writer)
        return found

    def note_count(self, count: int) -> None:
        """Record the number of partitions, queried after the log ends and before anything is planned up to them."""
        if count == self.partition_count:
            return
        self.partition_count, self.others_agree = count, False
        if self.settings.stateful:
            for held in self.owned_lanes.held.values():
                self._check_count_of(held.position)

    def _recover_lane(
        self,
        lane: Lane,
        committed: Mapping[TopicPartition, Committed | None],
        bounds: Mapping[TopicPartition, Bounds],
    ) -> Recovered:
        at = {partition: committed.get(partition) for partition in lane.partitions}
        found = recover(self.files, self.layout, lane, at, bounds, self.settings.on_disagreement)
        if self.settings.stateful:
            self._check_count_of(found.position)
        return found

    def _check_count_of(self, position: Position) -> None:
        topic_changes.check_partition_count(position.manifest, self.partition_count)
        if position.manifest is None and not self.others_agree:
            lanes = [Lane(self.settings.topics, PartitionId(number)) for number in range(self.partition_count)]
            at = self.membership.committed([lane.partitions[0] for lane in lanes])
            committed = {lane: at[lane.partitions[0]] for lane in lanes}
            topic_changes.check_count_of_others(self.files, self.layout, committed, self.partition_count)
            self.others_agree = True
