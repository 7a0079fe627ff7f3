"""Both brokers are stopped in the middle of everything and started again: what they remember is the same (rule 6.5).

Between the two lives the largest group that is allowed shrinks to two members, which one loaded group exceeds
(scenario 39). Waiting for the coordinator lets 14 and 16 pass by; what they are to is compared in unit tests.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path

import pytest

from tests.apache_kafka import apache_kafka
from tests.oracle.actors import RANGE, STICKY, WIDER, Group
from tests.oracle.conftest import IN_ORDER, SETTINGS, prepare, require_kafka, wait_for_coordinator
from tests.oracle.side import Side
from tests.serving import serving

pytestmark = pytest.mark.oracle

SMALL = {"group.max.size": "2"}
Restart = Callable[[], None]


@contextlib.contextmanager
def kafka(directory: Path) -> Iterator[tuple[Side, Restart]]:
    with apache_kafka(directory, settings=SETTINGS | IN_ORDER) as broker:
        prepare(broker.host, broker.port)
        with Side("kafka", broker.host, broker.port) as side:
            yield side, lambda: broker.restart(SMALL)


@contextlib.contextmanager
def tenure(directory: Path) -> Iterator[tuple[Side, Restart]]:
    directory.mkdir()
    with serving(directory, *[f"{key}={value}" for key, value in SETTINGS.items()]) as broker:
        prepare(broker.host, broker.port)
        with Side("tenure", broker.host, broker.port) as side:
            yield side, lambda: broker.restart(*[f"{key}={value}" for key, value in SMALL.items()])


def before(groups: dict[str, Group]) -> None:
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


def after(groups: dict[str, Group]) -> None:
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


GROUPS = (
    "stable", "large", "simple", "emptied", "deleted", "pending", "refused", "preparing", "completing", "replaced",
)  # fmt: skip


def live_twice(side: Side, restart: Restart) -> list[str]:
    instances = {"A": "a", "B": "b", "C": "c"}
    groups = {name: Group(side.session(), f"restarted-{name}", instances) for name in GROUPS}
    before(groups)
    for group in groups.values():
        group.session.close()
    restart()
    wait_for_coordinator(side.host, side.port)
    after(groups)
    return [line for group in groups.values() for line in group.session.trace + group.session.log(group.id)]


def test_restart__in_the_middle_of_everything__the_same_is_remembered_and_answered(tmp_path: Path) -> None:
    require_kafka()
    with kafka(tmp_path / "kafka") as theirs, tenure(tmp_path / "tenure") as ours, ThreadPoolExecutor(2) as pool:
        told = list(pool.map(lambda one: live_twice(*one), (theirs, ours)))
    assert len(told[0]) > 100
    difference = list(unified_diff(*told, "Apache Kafka", "Tenure", lineterm="", n=6))
    assert not difference, "\n".join(difference)
