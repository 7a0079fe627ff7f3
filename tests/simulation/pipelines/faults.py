"""Faults of a pipeline: those of its group (`simulation.faults`), and faults of its work."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from tests.simulation.faults import WEIGHTS, Faults

if TYPE_CHECKING:
    from tests.simulation.pipelines.application import Application
    from tests.simulation.pipelines.life import PipelineCluster

STOPS_PIPELINES: Final = ("resubscribe", "grow topic", "replace topic")
"""Faults that stop a pipeline on purpose, with a code of their own: docs/when-pipelines-stop.md."""

STORE_OPERATIONS_MAX: Final = 60
"""Approximate number of actions of one batch."""

PIPELINE_WEIGHTS: Final = {
    **{kind: weight for kind, weight in WEIGHTS.items() if kind not in STOPS_PIPELINES},
    "die in an operation of the store": 30,
    "make zombie": 16,
    "lose power": 8,
    "stop": 4,
    "pause pipeline": 4,
    "full store": 4,
    "slow store": 4,
    "failing tasks": 4,
}


class PipelineFaults(Faults):
    weights: ClassVar[Mapping[str, int]] = PIPELINE_WEIGHTS

    def __init__(self, pipelines: "PipelineCluster", longest_ms: int) -> None:
        super().__init__(pipelines, longest_ms)
        self._pipelines: Final = pipelines

    def stop(self) -> None:
        self._pipelines.model.store.full = False
        self._pipelines.store_ms = 5
        self._pipelines.task_takes_ms = 100
        self._pipelines.tasks_fail = 0.0
        for application in self._pipelines.living():
            application.doom = None
            application.engine.resume()
        super().stop()

    def _worsen_network(self) -> None:
        """Worsen the network without repeated requests: an answered commit has arrived, and TCP delivers it once."""
        super()._worsen_network()
        self._pipelines.network.quality.twice = 0.0

    def _die_in_an_operation_of_the_store(self) -> None:
        """Kill an application during an operation on the store."""
        if application := self._random_application():
            application.doom = self._random.randrange(STORE_OPERATIONS_MAX)

    def _make_zombie(self) -> None:
        """Suspend a working application until its session has ended or it was replaced, while its tasks continue.

        Its next action is a commit, or the rest of a publication.
        """
        busy = [application for application in self._pipelines.living() if application.engine.is_busy]
        if not busy:
            return
        zombie = self._random.choice(busy)
        seat = next(seat for seat in self._pipelines.seats if zombie in seat.processes)
        zombie.pause()
        self._maybe_start(seat, beside=seat.is_static)
        self._after(self._random.randrange(2 * seat.settings.session_timeout_ms), zombie.resume)

    def _lose_power(self) -> None:
        """Cut the power of the machine with all applications and the store, but not the broker."""
        for application in self._pipelines.living():
            application.kill()
        for application in self._pipelines.applications:
            application.end_tasks()
        self._pipelines.model.store.crash(self._random if self._random.random() < 0.7 else None)
        self._pipelines.model.power_failed()

    def _stop(self) -> None:
        if application := self._random_application():
            application.engine.stop()

    def _pause_pipeline(self) -> None:
        if application := self._random_application():
            application.engine.pause()
            self._after(self._random.randrange(1, self._longest_ms), application.engine.resume)

    def _full_store(self) -> None:
        self._pipelines.model.store.full = True
        self._after(self._random.randrange(1, 20_000), self._clear_store)

    def _clear_store(self) -> None:
        self._pipelines.model.store.full = False

    def _slow_store(self) -> None:
        before_ms, self._pipelines.store_ms = self._pipelines.store_ms, 2_000
        self._after(
            self._random.randrange(1, 20_000), lambda: setattr(self._pipelines, "store_ms", min(before_ms, 100))
        )

    def _failing_tasks(self) -> None:
        self._pipelines.tasks_fail = 0.5
        self._after(self._random.randrange(1, 20_000), lambda: setattr(self._pipelines, "tasks_fail", 0.0))

    def _random_application(self) -> "Application | None":
        living = self._pipelines.living()
        return self._random.choice(living) if living else None
