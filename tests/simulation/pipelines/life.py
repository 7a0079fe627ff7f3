"""One life of a pipeline: applications over one topic and one store, with faults, then without.

Each commit is checked when it is accepted, and each removal before it happens. When faults have stopped, everything
must be committed within a time that the protocols promise, and the output must equal a direct computation. Then more
records arrive, which must be processed, too.
"""

import logging
from collections.abc import Mapping
from random import Random
from typing import Any, Final, cast

from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS, TRANSACTION_STATE
from tenure.coordinator.shard import InvariantError
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tenure.protocol.types import GroupId
from tenure.simulation.wire import Broker
from tests.simulation.bank.entries import ENTRIES
from tests.simulation.bank.life import Bugs
from tests.simulation.bank.machine import Machine
from tests.simulation.broken import Broken
from tests.simulation.cluster import Cluster, Seat
from tests.simulation.coordinator import Coordinator
from tests.simulation.life import LOOKS_EVERY_MS, MIXED, Life
from tests.simulation.pipelines.application import Application
from tests.simulation.pipelines.faults import PipelineFaults
from tests.simulation.pipelines.model import TOPIC, PipelineModel
from tests.simulation.pipelines.written_rows import WrittenRows
from tests.simulation.process import Process

KINDS: Final = (CONSUMER, CLASSIC, CONSUMER, MIXED)
PATIENCE_MS: Final = 600_000
"""Time for all commits after the last fault: sessions, rebalances, pauses after failures, a backlog."""


class PipelineCluster(Cluster):
    def __init__(
        self, random: Random, settings: GroupSettings, shard_class: type[GroupsShard], drawn: Mapping[str, Any]
    ) -> None:
        self._drawn: Final = drawn
        self.to_topic: Final[bool] = drawn["to_topic"]
        self.entries_partitions: Final[int] = drawn["entries_partitions"]
        self.transaction_version: Final[int] = drawn["transaction_version"]
        self.transaction_timeout_ms: Final[int] = drawn["transaction_timeout_ms"]
        self.bugs: Final = Bugs()
        super().__init__(random, settings, shard_class)
        group_id = GroupId(drawn["groups"][0])
        self.model: Final = PipelineModel(group_id, drawn["partitions"], self.coordinator, random, self.trace)
        self.applications: Final[list[Application]] = []
        """All applications so far."""
        self.model.keys = drawn["keys"]
        self.grow_to_bytes: Final[int | None] = drawn["grow_to_bytes"]
        self.tasks: Final[int] = drawn["tasks"]
        self.task_takes_ms: int = drawn["task_takes_ms"]
        self.store_ms: int = drawn["store_ms"]
        self.tasks_fail = 0.0
        if self.to_topic:
            self.model.written = WrittenRows(self.machine)

    @property
    def machine(self) -> Machine:
        return cast("Machine", self.coordinator)

    def _new_coordinator(self, settings: GroupSettings, shard_class: type[GroupsShard]) -> Coordinator:
        if not self.to_topic:
            return super()._new_coordinator(settings, shard_class)
        for topic, partitions in ((ENTRIES, self.entries_partitions), (CONSUMER_OFFSETS, 1), (TRANSACTION_STATE, 1)):
            self.put_topic(topic, partitions)
        what = self.transaction_version, 1
        return Machine(what, self.agenda, self.random, self.topics, settings, shard_class, self.trace)

    def _new_broker(self) -> Broker:
        return self.machine.broker if self.to_topic else super()._new_broker()

    def check(self) -> None:
        super().check()
        if self.to_topic:
            broken = self.machine.broker.producers.broken or self.bugs.found
            if broken is not None:
                raise broken
            if self.machine.is_up:
                self.model.note_transactions()

    def _new_process(self, name: str, seat: Seat) -> Process:
        process = seat.settings, seat.habits, self.network, self.topics, self._changed
        application = Application(self, name, *process)
        self.applications.append(application)
        return application

    def new_id(self) -> str:
        return self.random.randbytes(11).hex()

    def store_delay_ms(self) -> int:
        return self.random.randrange(self.store_ms + 1)

    def maybe_fail_task(self) -> None:
        if self.tasks_fail and self.random.random() < self.tasks_fail:
            self.trace.did["task failed"] += 1
            raise ConnectionError("the line is dead")

    def living(self) -> list[Application]:
        return [application for application in self.applications if not application.is_gone]


class PipelineLife(Life):
    @property
    def pipelines(self) -> PipelineCluster:
        assert isinstance(self.cluster, PipelineCluster)
        return self.cluster

    def _more_parameters(self, random: Random) -> Mapping[str, Any]:
        return {
            "hours": random.choice((0.05, 0.1, 0.2)),
            "groups": (KINDS[random.randrange(len(KINDS))],),
            "seats": random.randint(1, 3),
            "partitions": random.randint(1, 4),
            "keys": random.choice((5, 100)),
            "grow_to_bytes": random.choice((None, 4_000)),
            "tasks": random.randint(1, 3),
            "task_takes_ms": random.choice((100, 2_000, 20_000)),
            "store_ms": random.choice((0, 5, 100)),
            "produce_every_ms": random.choice((3_000, 10_000, 30_000)),
            "fault_every_ms": random.choice((3_000, 10_000, 30_000)),
            "longest_ms": random.choice((10_000, 60_000)),
            "to_topic": random.random() < 0.4,
            "entries_partitions": random.randint(1, 3),
            "transaction_version": random.choice((1, 2, 2)),
            "transaction_timeout_ms": random.choice((20_000, 60_000)),
        }

    def _new_cluster(self, settings: GroupSettings, shard_class: type[GroupsShard]) -> Cluster:
        return PipelineCluster(self.random, settings, shard_class, self.drawn)

    def _put_topics(self) -> None:
        self.cluster.put_topic(TOPIC, self.drawn["partitions"])

    def _new_faults(self) -> PipelineFaults:
        return PipelineFaults(self.pipelines, self.drawn["longest_ms"])

    def _subscription(self, kind: str) -> tuple[tuple[str, ...], str | None]:  # noqa: ARG002
        return (TOPIC,), None

    def run(self) -> None:
        broker_log = logging.getLogger("tenure.broker")
        broker_log.addHandler(self.pipelines.bugs)
        try:
            self._produce()
            for seat in self.pipelines.seats:
                self.pipelines.start(seat)
            self._run_with_faults()
            self.faults.stop()
            self._await_end()
            self.pipelines.model.produce()
            self._await_end()
        except InvariantError as broken:
            raise Broken("Structure", broken) from broken
        finally:
            broker_log.removeHandler(self.pipelines.bugs)
            for application in self.pipelines.applications:
                application.end_for_good()

    def _produce(self) -> None:
        """Produce records repeatedly until the faults stop."""
        if not self.faults.have_stopped:
            self.pipelines.model.produce()
            self.pipelines.agenda.after(1 + self.random.randrange(2 * self.drawn["produce_every_ms"]), self._produce)

    def _await_end(self) -> None:
        agenda, until_ms = self.pipelines.agenda, self.pipelines.agenda.now_ms + PATIENCE_MS
        while (why := self._why_not_over()) is not None:
            if agenda.now_ms >= until_ms:
                raise Broken("EventuallyCommitted", f"nothing went wrong for {PATIENCE_MS} ms, and {why}")
            self.faults.supervise_at_once()
            self._run_until(agenda.now_ms + LOOKS_EVERY_MS)
        self.pipelines.model.check_end()

    def _why_not_over(self) -> str | None:
        living = self.pipelines.living()
        if not living:
            return "no application is alive"
        if not self.pipelines.model.is_done:
            return f"only {self.pipelines.model.committed} is committed"
        if self.pipelines.to_topic and (undecided := self.pipelines.machine.undecided()) is not None:
            return undecided
        if busy := [application.name for application in living if not application.engine.idle]:
            return f"{busy} are not idle"
        held = {lane for application in living for lane in application.engine.owned_lanes.known}
        unheld = [str(lane) for lane in self.pipelines.model.lanes if lane not in held]
        return f"no application owns {unheld}, where something may not be published yet" if unheld else None
