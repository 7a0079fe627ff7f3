"""Planner of a member's bundles. Log ends are looked up in the background, so a slow broker delays no commit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tenure.limits.protocol import ARROW_BUFFER_BYTES_MAX
from tenure.pipeline.engine import topic_changes
from tenure.pipeline.engine.background_tasks import BackgroundTask, BackgroundTasks
from tenure.pipeline.engine.bundle_size import LaneCosts
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.values import plan
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import Bounds, Log
from tenure.pipeline.values.plan import Bundle, Position
from tenure.values import TopicPartition


@dataclass(slots=True)
class LogLookup:
    """Lookup of the log ends of some lanes, with the lanes' positions at the start of the lookup."""

    positions: tuple[Position, ...]
    started_s: float
    bounds: Mapping[TopicPartition, Bounds] = field(default_factory=dict)
    partition_count: int = 0
    """Number of partitions of each topic. It is queried after the bounds, so it is never older than they are."""


class Planner:
    def __init__(
        self,
        settings: EngineSettings,
        log: Log,
        background_tasks: BackgroundTasks,
        *,
        new_id: Callable[[], str],
        clock_s: Callable[[], float],
        now_ms: Callable[[], int],
    ) -> None:
        self.costs = LaneCosts(settings.max_records, settings.max_bytes, settings.target_batch_time_s * settings.tasks)
        self._settings = settings
        self._log = log
        self._background_tasks = background_tasks
        self._new_id = new_id
        self._clock_s = clock_s
        self._now_ms = now_ms
        self._under_way: tuple[LogLookup, BackgroundTask] | None = None

    @property
    def is_looking_up(self) -> bool:
        return self._under_way is not None

    def start_lookup(self, positions: Sequence[Position]) -> None:
        lookup = LogLookup(tuple(positions), self._clock_s())
        self._under_way = lookup, self._background_tasks.start(lambda: self._find(lookup))

    def poll_lookup(self, timeout_s: float) -> LogLookup | None:
        """Return the finished lookup; None if it still runs after `timeout_s` seconds.

        Raises:
            Unreachable: No broker answers.
            PipelineStopped: The topics have changed.
        """
        assert self._under_way is not None
        lookup, task = self._under_way
        is_over = True
        try:
            is_over = task.wait(timeout_s)
        finally:
            if is_over:
                self._under_way = None
        return lookup if is_over else None

    def bundles(self, lookup: LogLookup, free: Sequence[Position], slots: int, writer: Writer) -> list[Bundle]:
        """Return at most `slots` new bundles.

        Args:
            lookup: Log ends of the lanes.
            free: Positions of the lanes to plan, which are in no running bundle.
            slots: Maximum number of bundles.
            writer: Identity of the member.

        Raises:
            PipelineStopped: The next records of a lane were deleted.
        """
        for position in free:
            topic_changes.check_same_topics(position.manifest, lookup.bounds)
            topic_changes.check_records_are_there(position, lookup.bounds)
        max_records, tasks = self._settings.max_records, self._settings.tasks
        weights = self.costs.weights([position.lane for position in free])
        share = max(max_records * slots // tasks, 1)
        of_one_lane = max(max_records // tasks, 1)
        plans = plan.plan_lanes(
            free, lookup.bounds, lookup.partition_count, share, weights, self._now_ms(), of_one_lane
        )
        max_bytes = min(self._settings.max_bytes // tasks, ARROW_BUFFER_BYTES_MAX)
        plans = [replace(one, max_bytes=max_bytes) for one in plans]
        run_ids = [self._new_id() for _ in range(plan.tasks_for(plans, max_records, slots, weights))]
        return plan.bundles(plans, writer, run_ids, weights)

    def _find(self, lookup: LogLookup) -> None:
        partitions = [partition for position in lookup.positions for partition in position.offsets]
        lookup.bounds = self._log.bounds(partitions)
        lookup.partition_count = topic_changes.partition_count(self._log, self._settings.topics)
