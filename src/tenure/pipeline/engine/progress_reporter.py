"""Reports of an engine's steps to its observer."""

from collections.abc import Callable, Sequence

from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import GroupMembership
from tenure.pipeline.values.progress import LaneProgress, Observer, Progress, ProgressStep


class ProgressReporter:
    def __init__(
        self, observer: Observer, membership: GroupMembership, clock_s: Callable[[], float], group: str
    ) -> None:
        self._observer = observer
        self._membership = membership
        self._clock_s = clock_s
        self._group = group

    def __call__(
        self,
        step: ProgressStep,
        writer: Writer | None,
        lanes: Sequence[LaneProgress] = (),
        *,
        run_id: str = "",
        files: Sequence[str] = (),
        reason: str = "",
        started_s: float | None = None,
    ) -> None:
        """Report a step to the observer.

        `writer` is the member's present identity; for a step of a bundle, it is the identity at plan time.
        """
        self._observer(
            Progress(
                step=step,
                member=self._membership.name,
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
