"""Both brokers have the same state after a restart in the middle of requests (rule 6.5).

They are stopped and started again. Then they are stopped once more, and each continues with the other's log, to which
the test adds records that no request leads to.

Between the first two runs the maximum size of groups decreases to two members, which one loaded group exceeds
(scenario 39). While the coordinator loads, the errors 14 and 16 are retried; unit tests compare them.
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
from tests.oracle import handwritten_records, old_records
from tests.oracle.classic_requests import RANGE, STICKY, TOPIC, WIDER
from tests.oracle.conftest import FENCING_OF_KAFKA, IN_ORDER, SETTINGS, prepare, require_kafka, wait_for_coordinator
from tests.oracle.consumer_requests import LEAVES, LEAVES_TEMPORARILY, Consumers
from tests.oracle.handover import append, exchange
from tests.oracle.scenarios_migration import classic
from tests.oracle.side import PATIENCE_S, Side
from tests.serving import serving

pytestmark = pytest.mark.oracle

SMALL = {"group.max.size": "2"}
PATIENT = SETTINGS | {"group.consumer.session.timeout.ms": "300000"}
"""Settings with a session timeout so long that no session ends before everything is compared."""
MAX_OF_KAFKA = {"group.consumer.max.session.timeout.ms": "300000"}


class Broker(NamedTuple):
    side: Side
    stop: Callable[[], object]
    start: Callable[[], None]
    """Start the broker again on its data, with the settings SMALL."""
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


def create_groups(groups: dict[str, Consumers]) -> None:
    """Create a group in every state that a broker can have at a restart."""
    groups["stable"].stabilize("A", "B", protocols=RANGE | STICKY)
    groups["stable"].commit("A", {0: 7, 1: 8}, metadata="kept")
    groups["large"].stabilize("A", "B", "C")
    groups["simple"].commit_anonymously("A", {0: 3})
    groups["simple"].commit_anonymously("A", {1: 4}, version=4, retention_ms=3_600_000)
    groups["emptied"].stabilize("A")
    groups["emptied"].leave("A")
    groups["deleted"].commit_anonymously("A")
    groups["deleted"].delete()
    groups["pending"].join("D")
    groups["refused"].commit_anonymously("A", {0: 1}, metadata="x" * 5_000)
    groups["preparing"].stabilize("A", "B")
    groups["preparing"].join("B", protocols=WIDER, wait=False)
    groups["completing"].stabilize("A", "B")
    groups["completing"].rejoin_all("A", "B")
    groups["completing"].sync("B", wait=False)
    groups["replaced"].stabilize("A", "B")
    groups["replaced"].join("B", "")


def ask_groups(groups: dict[str, Consumers]) -> None:
    for group in groups.values():
        group.describe()
        group.fetch(partitions=None)
        group.heartbeat("A")
        group.heartbeat("B")
        group.list()
    groups["stable"].sync("B")
    groups["stable"].join("C", "", protocols=STICKY)
    groups["stable"].join("C", "", protocols=RANGE, wait=False)
    groups["stable"].record_if_parked("C")
    groups["stable"].describe()
    groups["pending"].join("D")
    for generation in (1, 2, 3):
        groups["completing"].heartbeat("A", generation=generation)
    groups["preparing"].commit("A", {0: 5})
    groups["replaced"].heartbeat("B", 1)
    groups["replaced"].sync("B")
    groups["large"].rejoin_all("A", "B", wait=False)
    groups["large"].join("C")
    groups["large"].record_if_parked("A")
    groups["large"].describe()


def create_consumer_groups(groups: dict[str, Consumers]) -> None:
    """Create a consumer group in every state, and members in every state that a request leads to."""
    groups["reconciled"].stabilize_consumers("A", "B")
    groups["reconciled"].consumer_commit("A", 0, offset=5)
    groups["away"].stabilize_consumers("A", "B")
    groups["away"].consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    groups["away"].consumer_leave("B", epoch=LEAVES_TEMPORARILY)
    groups["away"].consumer_join("B")
    groups["unrevoked"].consumer_join("C")
    groups["unrevoked"].consumer_join("D")
    groups["unrevoked"].consumer_heartbeat("C")
    groups["unreleased"].consumer_join("C")
    groups["unreleased"].consumer_join("D")
    groups["left"].consumer_join("C")
    groups["left"].consumer_commit("C", 1)
    groups["left"].consumer_leave("C", epoch=LEAVES)
    groups["ended"].consumer_join("C")
    groups["ended"].consumer_leave("C", epoch=LEAVES)
    groups["ended"].delete()
    groups["for-nothing"].consumer_join("C", names=[])
    groups["by-expression"].consumer_join("C", names=None, regex="orac.*", version=1)
    groups["by-expression"].wait_for_new_epoch("C")
    classic(groups["mixed"], {"A": (0, 1, 2, 3)})
    groups["mixed"].consumer_join("K")


def ask_consumer_groups(groups: dict[str, Consumers]) -> None:
    for group in groups.values():
        group.consumer_describe()
        group.fetch(partitions=None)
        group.list()
    for name in ("reconciled", "away"):
        for client in ("A", "B"):
            groups[name].proceed(client)
            groups[name].consumer_commit(client, 0, epoch=2)
        groups[name].consumer_join("A")
        groups[name].consumer_describe()
    for name in ("unrevoked", "unreleased"):
        groups[name].consumer_heartbeat("C")
        groups[name].consumer_commit("C", 3)
        groups[name].consumer_heartbeat("D")
        groups[name].consumer_heartbeat("C", owned={TOPIC: (0, 1)})
        groups[name].consumer_commit("C", 3, epoch=2)
        groups[name].consumer_heartbeat("D")
        groups[name].consumer_describe()
    groups["left"].consumer_join("C")
    groups["for-nothing"].consumer_heartbeat("C")
    groups["for-nothing"].consumer_heartbeat("C", names=[TOPIC])
    groups["mixed"].heartbeat("A", generation=2)
    groups["mixed"].consumer_heartbeat("K")
    groups["mixed"].consumer_describe()


GROUPS = (
    "stable", "large", "simple", "emptied", "deleted", "pending", "refused", "preparing", "completing", "replaced",
)  # fmt: skip
CONSUMER_GROUPS = (
    "reconciled", "away", "unrevoked", "unreleased", "left", "ended", "for-nothing", "by-expression", "mixed",
)  # fmt: skip


class BrokerRuns:
    """Runs of one broker; `trace` contains its answers and records."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        names = ((name, f"restarted-{name}") for name in (*GROUPS, *CONSUMER_GROUPS))
        instances = {"A": "a", "B": "b"}
        self.groups = {name: Consumers(broker.side.session(), group, instances) for name, group in names}
        self.old = {name: self.groups[name] for name in GROUPS}
        self.new = {name: self.groups[name] for name in CONSUMER_GROUPS}
        self.handwritten = {
            name: Consumers(broker.side.session(), name) for name in (*handwritten_records.GROUPS, *old_records.GROUPS)
        }

    def first(self) -> None:
        create_groups(self.old)
        create_consumer_groups(self.new)
        self.close_connection()

    def second(self) -> None:
        wait_for_coordinator(self.broker.side.host, self.broker.side.port)
        ask_groups(self.old)
        ask_consumer_groups(self.new)
        self.close_connection()

    def third(self) -> None:
        """Continue with the log of the other broker."""
        wait_for_coordinator(self.broker.side.host, self.broker.side.port)
        self.broker.side.log.read_from_the_beginning()
        for name in ("stable", "simple", "emptied", "replaced"):
            self.old[name].describe()
            self.old[name].fetch(partitions=None)
        self.old["stable"].heartbeat("A")
        ask_consumer_groups(self.new)
        handwritten_records.ask(self.handwritten)
        old_records.ask(self.handwritten)

    def close_connection(self) -> None:
        for group in self.groups.values():
            group.session.close()

    @property
    def trace(self) -> list[str]:
        groups = [*self.groups.values(), *self.handwritten.values()]
        return [line for group in groups for line in group.session.trace + group.session.log(group.id)]


@pytest.mark.timeout(600)  # each broker starts three times, and they may share the machine with many others
def test_restart__of_both_brokers_during_requests__same_state_and_answers(tmp_path: Path) -> None:
    require_kafka()
    with kafka(tmp_path / "kafka") as theirs, tenure(tmp_path / "tenure") as ours, ThreadPoolExecutor(2) as pool:
        runs = [BrokerRuns(theirs), BrokerRuns(ours)]
        list(pool.map(BrokerRuns.first, runs))
        list(pool.map(lambda one: (one.broker.stop(), one.broker.start()), runs))
        list(pool.map(BrokerRuns.second, runs))
        assert_same(runs)
        list(pool.map(lambda one: one.broker.stop(), runs))
        exchange(theirs.data, ours.data, {theirs.side.topic_id(TOPIC): ours.side.topic_id(TOPIC)})
        for broker in (theirs, ours):
            append(broker.data, handwritten_records.records(broker.side.topic_id(TOPIC)))
            append(broker.data, old_records.records())
        list(pool.map(lambda one: one.broker.start(), runs))
        list(pool.map(BrokerRuns.third, runs))
        assert_same(runs)
        for one, other in (runs, runs[::-1]):
            (drawn_there, *_) = other.groups["stable"].session.member_ids["A"]
            assert drawn_there in str(one.broker.side.log.of("restarted-stable")), "nothing was exchanged"


def assert_same(runs: list[BrokerRuns]) -> None:
    """Compare traces until they are equal: Apache Kafka may answer before its decision is in the log (rule 2.4 J0)."""
    deadline = time.monotonic() + PATIENCE_S
    while (traces := [one.trace for one in runs])[0] != traces[1] and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(traces[0]) > 100
    difference = list(unified_diff(*traces, "Apache Kafka", "Tenure", lineterm="", n=6))
    assert not difference, "\n".join(difference)
