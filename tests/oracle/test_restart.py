"""Both brokers are stopped in the middle of everything and started again: what they remember is the same (rule 6.5).

Then they are stopped once more, and each goes on with the other's log, to which the test has added records that no
request leads to.

Between the first two lives the largest group that is allowed shrinks to two members, which one loaded group exceeds
(scenario 39). Waiting for the coordinator lets 14 and 16 pass by; what they are to is compared in unit tests.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.apache_kafka import apache_kafka
from tests.oracle import crafted
from tests.oracle.actors import RANGE, STICKY, TOPIC, WIDER
from tests.oracle.conftest import FENCING_OF_KAFKA, IN_ORDER, SETTINGS, prepare, require_kafka, wait_for_coordinator
from tests.oracle.consumers import LEAVES, STEPS_OUT, Consumers
from tests.oracle.handover import append, exchange
from tests.oracle.scenarios_migration import classic
from tests.oracle.side import PATIENCE_S, Side
from tests.serving import serving

pytestmark = pytest.mark.oracle

SMALL = {"group.max.size": "2"}
PATIENT = SETTINGS | {"group.consumer.session.timeout.ms": "300000"}
"""Session timeout so long that no session ends before all is compared."""
MAX_OF_KAFKA = {"group.consumer.max.session.timeout.ms": "300000"}


class Broker(NamedTuple):
    side: Side
    stop: Callable[[], object]
    start: Callable[[], None]
    """With what SMALL says; on the data that is there."""
    data: Path


@contextlib.contextmanager
def kafka(directory: Path) -> Iterator[Broker]:
    with apache_kafka(directory, settings=PATIENT | MAX_OF_KAFKA | IN_ORDER) as broker:
        prepare(broker.host, broker.port)
        with Side("kafka", broker.host, broker.port) as side:
            yield Broker(side, broker.stop, lambda: broker.restart(SMALL), broker.log_directory)


@contextlib.contextmanager
def tenure(directory: Path) -> Iterator[Broker]:
    directory.mkdir()
    with serving(directory, *[f"{key}={value}" for key, value in (PATIENT | FENCING_OF_KAFKA).items()]) as broker:
        prepare(broker.host, broker.port)
        assert broker.data_directory is not None
        with Side("tenure", broker.host, broker.port) as side:
            small = [f"{key}={value}" for key, value in SMALL.items()]
            yield Broker(side, broker.terminate, lambda: broker.restart(*small), broker.data_directory)


def before(groups: dict[str, Consumers]) -> None:
    """One group in every state that a restart can meet."""
    groups["stable"].settle("A", "B", protocols=RANGE | STICKY)
    groups["stable"].commit("A", {0: 7, 1: 8}, metadata="kept")
    groups["large"].settle("A", "B", "C")
    groups["simple"].commit_anonymously("A", {0: 3})
    groups["simple"].commit_anonymously("A", {1: 4}, version=4, retention_ms=3_600_000)
    groups["emptied"].settle("A")
    groups["emptied"].leave("A")
    groups["deleted"].commit_anonymously("A")
    groups["deleted"].delete()
    groups["pending"].join("D")
    groups["refused"].commit_anonymously("A", {0: 1}, metadata="x" * 5_000)
    groups["preparing"].settle("A", "B")
    groups["preparing"].join("B", protocols=WIDER, wait=False)
    groups["completing"].settle("A", "B")
    groups["completing"].gather("A", "B")
    groups["completing"].sync("B", wait=False)
    groups["replaced"].settle("A", "B")
    groups["replaced"].join("B", "")


def after(groups: dict[str, Consumers]) -> None:
    for group in groups.values():
        group.describe()
        group.fetch(partitions=None)
        group.heartbeat("A")
        group.heartbeat("B")
        group.list()
    groups["stable"].sync("B")
    groups["stable"].join("C", "", protocols=STICKY)
    groups["stable"].join("C", "", protocols=RANGE, wait=False)
    groups["stable"].parked("C")
    groups["stable"].describe()
    groups["pending"].join("D")
    for generation in (1, 2, 3):
        groups["completing"].heartbeat("A", generation=generation)
    groups["preparing"].commit("A", {0: 5})
    groups["replaced"].heartbeat("B", 1)
    groups["replaced"].sync("B")
    groups["large"].gather("A", "B", wait=False)
    groups["large"].join("C")
    groups["large"].parked("A")
    groups["large"].describe()


def before_of_consumers(groups: dict[str, Consumers]) -> None:
    """A consumer group in every state, and members in every state that a request leads to."""
    groups["reconciled"].settle_consumers("A", "B")
    groups["reconciled"].save("A", 0, offset=5)
    groups["away"].settle_consumers("A", "B")
    groups["away"].go("A", epoch=STEPS_OUT)
    groups["away"].go("B", epoch=STEPS_OUT)
    groups["away"].come("B")
    groups["unrevoked"].come("C")
    groups["unrevoked"].come("D")
    groups["unrevoked"].beat("C")
    groups["unreleased"].come("C")
    groups["unreleased"].come("D")
    groups["left"].come("C")
    groups["left"].save("C", 1)
    groups["left"].go("C", epoch=LEAVES)
    groups["ended"].come("C")
    groups["ended"].go("C", epoch=LEAVES)
    groups["ended"].delete()
    groups["for-nothing"].come("C", names=[])
    groups["by-expression"].come("C", names=None, regex="orac.*", version=1)
    groups["by-expression"].hear_news("C")
    classic(groups["mixed"], {"A": (0, 1, 2, 3)})
    groups["mixed"].come("K")


def after_of_consumers(groups: dict[str, Consumers]) -> None:
    for group in groups.values():
        group.look()
        group.fetch(partitions=None)
        group.list()
    for name in ("reconciled", "away"):
        for actor in ("A", "B"):
            groups[name].go_on(actor)
            groups[name].save(actor, 0, epoch=2)
        groups[name].come("A")
        groups[name].look()
    for name in ("unrevoked", "unreleased"):
        groups[name].beat("C")
        groups[name].save("C", 3)
        groups[name].beat("D")
        groups[name].beat("C", owned={TOPIC: (0, 1)})
        groups[name].save("C", 3, epoch=2)
        groups[name].beat("D")
        groups[name].look()
    groups["left"].come("C")
    groups["for-nothing"].beat("C")
    groups["for-nothing"].beat("C", names=[TOPIC])
    groups["mixed"].heartbeat("A", generation=2)
    groups["mixed"].beat("K")
    groups["mixed"].look()


GROUPS = (
    "stable", "large", "simple", "emptied", "deleted", "pending", "refused", "preparing", "completing", "replaced",
)  # fmt: skip
OF_CONSUMERS = (
    "reconciled", "away", "unrevoked", "unreleased", "left", "ended", "for-nothing", "by-expression", "mixed",
)  # fmt: skip


class Lives:
    """Lives of one broker; `told` contains its answers and records."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        names = ((name, f"restarted-{name}") for name in (*GROUPS, *OF_CONSUMERS))
        instances = {"A": "a", "B": "b"}
        self.groups = {name: Consumers(broker.side.session(), group, instances) for name, group in names}
        self.old = {name: self.groups[name] for name in GROUPS}
        self.new = {name: self.groups[name] for name in OF_CONSUMERS}
        self.crafted = {name: Consumers(broker.side.session(), name) for name in crafted.GROUPS}

    def first(self) -> None:
        before(self.old)
        before_of_consumers(self.new)
        self.hang_up()

    def second(self) -> None:
        wait_for_coordinator(self.broker.side.host, self.broker.side.port)
        after(self.old)
        after_of_consumers(self.new)
        self.hang_up()

    def third(self) -> None:
        """With another log."""
        wait_for_coordinator(self.broker.side.host, self.broker.side.port)
        self.broker.side.log.forget()
        for name in ("stable", "simple", "emptied", "replaced"):
            self.old[name].describe()
            self.old[name].fetch(partitions=None)
        self.old["stable"].heartbeat("A")
        after_of_consumers(self.new)
        crafted.ask(self.crafted)

    def hang_up(self) -> None:
        for group in self.groups.values():
            group.session.close()

    @property
    def told(self) -> list[str]:
        groups = [*self.groups.values(), *self.crafted.values()]
        return [line for group in groups for line in group.session.trace + group.session.log(group.id)]


@pytest.mark.timeout(600)  # each broker starts three times, and they may share the machine with many others
def test_restart__during_requests__same_state_and_answers(tmp_path: Path) -> None:
    require_kafka()
    with kafka(tmp_path / "kafka") as theirs, tenure(tmp_path / "tenure") as ours, ThreadPoolExecutor(2) as pool:
        lives = [Lives(theirs), Lives(ours)]
        list(pool.map(Lives.first, lives))
        list(pool.map(lambda one: (one.broker.stop(), one.broker.start()), lives))
        list(pool.map(Lives.second, lives))
        assert_same(lives)
        list(pool.map(lambda one: one.broker.stop(), lives))
        exchange(theirs.data, ours.data, {theirs.side.topic_id(TOPIC): ours.side.topic_id(TOPIC)})
        for broker in (theirs, ours):
            append(broker.data, crafted.records(broker.side.topic_id(TOPIC)))
        list(pool.map(lambda one: one.broker.start(), lives))
        list(pool.map(Lives.third, lives))
        assert_same(lives)
        for one, other in (lives, lives[::-1]):
            (drawn_there, *_) = other.groups["stable"].session.member_ids["A"]
            assert drawn_there in str(one.broker.side.log.of("restarted-stable")), "nothing was exchanged"


def assert_same(lives: list[Lives]) -> None:
    """Apache Kafka may answer before what it decided is in the log (rule 2.4 J0)."""
    deadline = time.monotonic() + PATIENCE_S
    while (told := [one.told for one in lives])[0] != told[1] and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(told[0]) > 100
    difference = list(unified_diff(*told, "Apache Kafka", "Tenure", lineterm="", n=6))
    assert not difference, "\n".join(difference)
