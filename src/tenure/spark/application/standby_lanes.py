"""Standby lanes of an engine. A standby lane belongs to a standby task, so this host keeps a copy of the lane's state.

Only a streams group has standby tasks; `streams.num.standby.replicas` sets their number per task. The broker places a
standby task on another host than the active task. When the active task needs another owner, the broker prefers a member
with a standby task.
"""

import time
from collections.abc import Sequence
from typing import Final

from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.state.standby_copies import StandbyCopies
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.progress import LaneProgress, Observer, ProgressStep, ignore_progress, of_manifest
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.kafka.streams_memberships import SubtopologyMembership


class StandbyLanes:
    """Copies of an engine's standby lanes, which `refresh` brings up to date."""

    def __init__(
        self,
        membership: SubtopologyMembership,
        topics: Sequence[TopicName],
        copies: StandbyCopies,
        observer: Observer = ignore_progress,
        group: str = "",
    ) -> None:
        self._membership: Final = membership
        self._topics: Final = tuple(topics)
        self._copies: Final = copies
        self._tell: Final = ProgressReporter(observer, membership, time.monotonic, group)
        self._reported: list[LaneProgress] = []
        """Lanes in the last progress report."""

    def refresh(self) -> None:
        """Copy new state files of the standby lanes, and report the complete copies to broker and observer.

        The broker gets one position for each copy: the sum of the input offsets up to which the state was computed.
        """
        wanted = [Lane(self._topics, PartitionId(number)) for number in self._membership.standby_partitions]
        found = self._copies.refresh(wanted)
        self._membership.report_copies({lane.partition: sum(at.end.values()) for lane, at in found.items()})
        lanes = [of_manifest(manifest) for manifest in found.values()]
        if lanes != self._reported:
            self._reported = lanes
            self._tell(ProgressStep.COPIED, None, lanes)
