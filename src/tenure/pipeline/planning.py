"""What a member takes on next. Where the logs of its free lanes end is found out beside its thread: a broker that takes
its time holds up no commit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tenure.limits import ARROW_BUFFER_BYTES_MAX
from tenure.pipeline import plan, topics
from tenure.pipeline.errands import Errand, Errands
from tenure.pipeline.lanes import TopicPartition, Writer
from tenure.pipeline.pace import Paces
from tenure.pipeline.plan import Bundle, Position
from tenure.pipeline.seat import Bounds, Log
from tenure.pipeline.settings import Settings


@dataclass(slots=True)
class Look:
    """At the logs of lanes that stood so when it began."""

    positions: tuple[Position, ...]
    started_s: float
    bounds: Mapping[TopicPartition, Bounds] = field(default_factory=dict)
    partition_count: int = 0
    """Of each topic; asked for after the bounds, so that nothing is planned up to them by an older one."""


class Planning:
    def __init__(
        self,
        settings: Settings,
        log: Log,
        errands: Errands,
        *,
        new_id: Callable[[], str],
        clock_s: Callable[[], float],
        now_ms: Callable[[], int],
    ) -> None:
        self.paces = Paces(settings.max_records, settings.max_bytes, settings.target_batch_time_s * settings.tasks)
        self._settings = settings
        self._log = log
        self._errands = errands
        self._new_id = new_id
        self._clock_s = clock_s
        self._now_ms = now_ms
        self._under_way: tuple[Look, Errand] | None = None

    @property
    def is_looking(self) -> bool:
        return self._under_way is not None

    def look(self, positions: Sequence[Position]) -> None:
        look = Look(tuple(positions), self._clock_s())
        self._under_way = look, self._errands.start(lambda: self._find(look))

    def seen(self, patience_s: float) -> Look | None:
        """None: it is still under way, after so long. Raises Unreachable, and PipelineStopped for topics that do not
        fit together any more."""
        assert self._under_way is not None
        look, errand = self._under_way
        is_over = True
        try:
            is_over = errand.wait(patience_s)
        finally:
            if is_over:
                self._under_way = None
        return look if is_over else None

    def bundles(self, look: Look, free: Sequence[Position], slots: int, writer: Writer) -> list[Bundle]:
        """Of lanes that were looked at and are `free`, for so many tasks. Raises PipelineStopped for records that are
        not there."""
        for position in free:
            topics.check_same_topics(position.manifest, look.bounds)
            topics.check_records_are_there(position, look.bounds)
        max_records, tasks = self._settings.max_records, self._settings.tasks
        weights = self.paces.weights([position.lane for position in free])
        share = max(max_records * slots // tasks, 1)
        of_one_lane = max(max_records // tasks, 1)
        plans = plan.take(free, look.bounds, look.partition_count, share, weights, self._now_ms(), of_one_lane)
        max_bytes = min(self._settings.max_bytes // tasks, ARROW_BUFFER_BYTES_MAX)
        plans = [replace(one, max_bytes=max_bytes) for one in plans]
        run_ids = [self._new_id() for _ in range(plan.tasks_for(plans, max_records, slots, weights))]
        return plan.bundles(plans, writer, run_ids, weights)

    def _find(self, look: Look) -> None:
        partitions = [partition for position in look.positions for partition in position.offsets]
        look.bounds = self._log.bounds(partitions)
        look.partition_count = topics.partition_count(self._log, self._settings.topics)
