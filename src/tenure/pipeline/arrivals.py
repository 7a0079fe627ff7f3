"""Lanes that a member has come to have: where they stand is found out, and what was committed there is finished.

Nothing is planned for a lane before. State is refused that was kept while the topics had another number of partitions,
whoever's lane shows it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tenure.pipeline import sweep, topics
from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.holdings import Held, Holdings
from tenure.pipeline.lanes import Lane, TopicPartition, Writer
from tenure.pipeline.layout import Layout
from tenure.pipeline.plan import Position, backlog
from tenure.pipeline.progress import Step, standing
from tenure.pipeline.recover import DISAGREEMENTS, Recovered, recover
from tenure.pipeline.seat import Bounds, Committed, Log, Seat
from tenure.pipeline.setbacks import Setbacks
from tenure.pipeline.settings import Settings
from tenure.pipeline.settling import Settling
from tenure.pipeline.telling import Telling
from tenure.protocol.types import PartitionId


@dataclass(slots=True)
class Arrivals:
    settings: Settings
    layout: Layout
    seat: Seat
    log: Log
    files: Files
    holdings: Holdings
    setbacks: Setbacks
    settling: Settling
    clock_s: Callable[[], float]
    tell: Telling
    partition_count: int = 0
    """Of each topic; 0 before it was asked for."""
    others_agree: bool = False
    """That no lane of the group has state from when there was another number of partitions."""

    def recover(self, writer: Writer) -> Sequence[Recovered]:
        """Those that could be; they are held now. Raises PipelineStopped, and what stores, sinks and brokers raise."""
        publishing = self.settling.publications.lanes
        lanes = [lane for lane in self.holdings.unknown if lane not in publishing and not self.setbacks.waits(lane)]
        if not lanes:
            return ()
        started_s = self.clock_s()
        partitions = [partition for lane in lanes for partition in lane.partitions]
        bounds = self.log.bounds(partitions)
        self.settling.settle(lanes)
        committed = self.seat.committed(partitions)
        self.note_count(topics.partition_count(self.log, self.settings.topics))
        try:
            found = [self._recover_lane(lane, committed, bounds) for lane in lanes]
        except PipelineStopped as stopped:
            if stopped.code not in DISAGREEMENTS or self.seat.committed(partitions) == committed:
                raise
            self.setbacks.meet(stopped.code, stopped.sentence, lanes, lane=stopped.lane)
            return ()  # Another owner has gone on between two looks: the next poll says so.
        held = self.holdings.held
        for position in (lane.position for lane in found):
            listing = sweep.list_lane(self.files, self.layout, position.lane, writer)
            held[position.lane] = Held(position, listing, self.clock_s())
        lags = {lane.position.lane: backlog(lane.position, bounds) for lane in found}
        lanes_now = [standing(held[lane].position, lags.get(lane)) for lane in sorted(held)]
        self.tell(Step.RECOVERED, writer, lanes_now, started_s=started_s)
        if unfinished := [lane.position for lane in found if lane.publish]:
            self.settling.roll_forward(unfinished, writer)
        return found

    def note_count(self, count: int) -> None:
        """As it was after the ends of the logs were asked for, and before anything is planned up to them."""
        if count == self.partition_count:
            return
        self.partition_count, self.others_agree = count, False
        if self.settings.stateful:
            for held in self.holdings.held.values():
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
        topics.check_partition_count(position.manifest, self.partition_count)
        if position.manifest is None and not self.others_agree:
            lanes = [Lane(self.settings.topics, PartitionId(number)) for number in range(self.partition_count)]
            at = self.seat.committed([lane.partitions[0] for lane in lanes])
            committed = {lane: at[lane.partitions[0]] for lane in lanes}
            topics.check_count_of_others(self.files, self.layout, committed, self.partition_count)
            self.others_agree = True
