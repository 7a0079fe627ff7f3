"""How an engine tells its observer of each step."""

from collections.abc import Callable, Sequence

from tenure.pipeline.lanes import Writer
from tenure.pipeline.progress import LaneProgress, Observer, Progress, Step
from tenure.pipeline.seat import Seat


class Telling:
    def __init__(self, observer: Observer, seat: Seat, clock_s: Callable[[], float], group: str) -> None:
        self._observer = observer
        self._seat = seat
        self._clock_s = clock_s
        self._group = group

    def __call__(
        self,
        step: Step,
        writer: Writer | None,
        lanes: Sequence[LaneProgress] = (),
        *,
        run_id: str = "",
        files: Sequence[str] = (),
        reason: str = "",
        started_s: float | None = None,
    ) -> None:
        """`writer` is who did it: the member as it is, or as it was when it planned the bundle `run_id`."""
        self._observer(
            Progress(
                step=step,
                member=self._seat.name,
                generation_id=-1 if writer is None else writer.generation_id,
                member_id="" if writer is None else writer.member_id,
                bundle=run_id,
                lanes=tuple(lanes),
                seconds=0.0 if started_s is None else self._clock_s() - started_s,
                files=tuple(files),
                reason=reason,
                group=self._group,
            )
        )
