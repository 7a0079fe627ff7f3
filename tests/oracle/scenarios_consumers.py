"""Members of a consumer group: how they come, what they get and give up, how they go (rules 3.3 to 3.7; 9.5).

The topic `oracle` has four partitions. The members' assignor is `range`, under which A has the first partitions, whoever
is alone all; scenarios with another one look at counts. Assignments are not held back (`consumer.assignment.interval.ms`
is 0) but where a scenario sets that.
"""

from __future__ import annotations

from tests.oracle.actors import LONG_MS, OWN, SHORT_MS, TOPIC
from tests.oracle.consumers import ALL, LEAVES, NOTHING, STEPS_OUT, Consumers
from tests.oracle.scenarios import scenario

BOTH = (9, 10)
"""Versions 0 and 1 of heartbeats and descriptions."""
SEATS = {"A": "a", "B": "b", "C": "c"}


@scenario("107", BOTH)
def join_first(group: Consumers) -> None:
    group.come("A")
    group.look()
    group.list()
    group.list(types=["consumer"])
    group.list(types=["classic"])
    group.describe()


@scenario("107", BOTH, **SEATS)
def join_first_static(group: Consumers) -> None:
    group.come("A", rack="here", rebalance_timeout_ms=0)
    group.look()


@scenario("107")
def the_broker_draws_an_id_before_v1(group: Consumers) -> None:
    group.beat("A", 0, "", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS, version=0)
    group.beat("A", version=0)
    group.save("A", 0)
    group.look()


@scenario("112", BOTH)
def second_member(group: Consumers) -> None:
    group.come("A")
    group.look()
    group.come("B")
    group.look()
    group.beat("A")
    group.look()
    group.beat("A")
    group.beat("B")
    group.go_on("A")
    group.look()
    group.beat("B")
    group.go_on("B")
    group.look()


@scenario("112", BOTH, **SEATS)
def second_static_member(group: Consumers) -> None:
    second_member(group)


@scenario("108", BOTH)
def validation(group: Consumers) -> None:
    group.come("A", instance=" ")
    group.come("A", instance="")
    group.come("A", rack=" ")
    group.beat("A", 0, "", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS, version=1)
    group.beat("A", 0, " ", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS, version=1)
    group.beat("A", 1, "")
    group.beat("A", LEAVES, "")
    group.come("A", rebalance_timeout_ms=-1)
    group.come("A", rebalance_timeout_ms=-2)
    group.come("A", owned=None)
    group.come("A", owned=ALL)
    group.come("A", names=None)
    group.go("A", epoch=STEPS_OUT)
    group.go("A", epoch=-3)
    group.come("A", assignor="sticky")
    group.come("A", assignor="")
    group.look()


@scenario("115")
def rebalance_timeout(group: Consumers) -> None:
    group.come("A", rebalance_timeout_ms=SHORT_MS)
    group.come("B")
    group.beat("A")
    group.session.ask_until_error(lambda: group.beat("A"))
    group.look()
    group.beat("B")
    group.look()


@scenario("120", BOTH)
def full_request(group: Consumers) -> None:
    group.come("A")
    group.beat("A", owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.beat("A", owned=OWN, names=[TOPIC])
    group.beat("A", owned=OWN, rebalance_timeout_ms=LONG_MS)
    group.beat("A", names=[TOPIC], rebalance_timeout_ms=LONG_MS)
