"""Standby lanes of an engine. A standby lane belongs to a standby task, so this host keeps a copy of the lane's state.

Only a streams group has standby tasks; `streams.num.standby.replicas` sets their number per task. The broker places a
standby task on another host than the active task. When the active task needs another owner, the broker prefers a member
with a standby task.
"""

import logging
import threading
import time
from collections.abc import Sequence
from typing import Final

from tenure.client.errors import ClientError
from tenure.limits.pipeline import STANDBY_COPY_S
from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.state.standby_copies import StandbyCopies
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.membership import MemberFenced, Unreachable
from tenure.pipeline.values.progress import LaneProgress, Observer, Step, ignore_progress, of_manifest
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.kafka.streams_memberships import SubtopologyMembership

log: Final = logging.getLogger("tenure.pipeline")


class StandbyLanes:
    """Thread that keeps the copies of an engine's standby lanes up to date, from `start` to `close`."""

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
        self._is_closed: Final = threading.Event()

    def start(self) -> None:
        """Start the thread."""
        name = f"standby-{self._membership.subtopology_id}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def close(self) -> None:
        """Make the thread end after its current refresh. Until then it may still copy a file."""
        self._is_closed.set()

    def _run(self) -> None:
        while not self._is_closed.wait(STANDBY_COPY_S):
            try:
                self.refresh()
            except (ClientError, Unreachable, MemberFenced):
                continue  # The engine meets these errors, too, and reports them.
            except Exception:  # A copy only saves time: its failure ends nothing.
                log.exception("standby lanes of %s: their state cannot be copied", "+".join(self._topics))

    def refresh(self) -> None:
        """Copy new state files of the standby lanes, and report the complete copies to broker and observer.

        The position of a copy is the sum of the input offsets that the state contains.
        """
        wanted = [Lane(self._topics, PartitionId(number)) for number in self._membership.standby_partitions]
        found = self._copies.refresh(wanted)
        self._membership.report_copies({lane.partition: sum(at.end.values()) for lane, at in found.items()})
        lanes = [of_manifest(manifest) for manifest in found.values()]
        if lanes != self._reported:
            self._reported = lanes
            self._tell(Step.COPIED, None, lanes)
