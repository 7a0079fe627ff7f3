"""Static members: a seat outlives the process that sat in it (KIP-345, KIP-814; rule 2.6; 9.2)."""

from __future__ import annotations

from tests.oracle.actors import Group, subscription
from tests.oracle.scenarios import scenario

SWITCHED = {"sticky": subscription("oracle")}
CHANGED = {"range": subscription("oracle", "more")}


@scenario(A="a")
def the_first_static_member(group: Group) -> None:
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.describe()


@scenario(A="a", B="b")
def a_follower_restarts_twice(group: Group) -> None:
    group.settle("A", "B")
    for _ in range(2):
        group.join("B", "")
        group.sync("B")
        group.heartbeat("B")
    group.heartbeat("A")
    group.heartbeat("B", 1)
    group.heartbeat("B", 2)
    group.heartbeat("B", 1, instance=None)
    group.describe()


@scenario(A="a", B="b")
def the_leader_restarts_with_every_version(group: Group) -> None:
    group.settle("A", "B")
    for version in range(5, 10):
        group.join("A", "", version=version)
        group.sync("A", version=min(version, 5))
        group.heartbeat("A", version=min(version, 4))


@scenario(A="a", B="b")
def a_restart_with_another_subscription_but_the_same_protocol(group: Group) -> None:
    group.settle("A", "B")
    group.join("B", "", protocols={"range": subscription("elsewhere")})
    group.heartbeat("A")
    group.describe()
    group.join("B", protocols={"range": subscription("elsewhere")})


@scenario(A="a")
def a_restart_that_changes_the_protocol(group: Group) -> None:
    group.settle("A")
    group.join("A", "", protocols=SWITCHED)
    group.join("A", "", protocols=SWITCHED | {"range": subscription("oracle")})
    group.sync("A", {"A": b"all"}, protocol_name="sticky")
    group.describe()


@scenario(A="a", B="b")
def a_restart_while_assignments_are_awaited(group: Group) -> None:
    group.settle("A", "B")
    group.join("A", wait=False)
    group.parked("A")
    group.join("B")
    group.hear("A")
    group.sync("B", wait=False)
    group.parked("B")
    group.join("B2", "", instance="b", wait=False)
    group.hear("B")
    group.parked("B2")
    group.heartbeat("A")
    group.join("A")
    group.hear("B2")


@scenario(A="a", B="b", B2="b")
def two_processes_with_one_instance_both_waiting(group: Group) -> None:
    group.settle("A")
    group.join("B", wait=False)
    group.parked("B")
    group.join("B2", wait=False)
    group.hear("B")
    group.parked("B2")
    group.join("A")
    group.hear("B2")


@scenario(A="a", B="b")
def a_known_id_joins_again(group: Group) -> None:
    group.settle("A", "B")
    group.join("B")
    group.join("A", wait=False)
    group.parked("A")
    group.join("B")
    group.hear("A")


@scenario(A="a", B="b")
def the_id_of_one_with_the_instance_of_another(group: Group) -> None:
    group.settle("A", "B")
    group.join("B", instance="a")
    group.sync("B", instance="a")
    group.heartbeat("B", instance="a")
    group.commit("B", instance="a")
    group.leave("B", [(group.member_id("B"), "a")])
    group.describe()


@scenario(A="a")
def an_instance_that_nobody_has(group: Group) -> None:
    group.settle("A")
    group.join("A", instance="z")
    group.sync("A", instance="z")
    group.heartbeat("A", instance="z")
    group.commit("A", instance="z")
    group.leave("A", [(group.member_id("A"), "z"), ("", "z"), ("", None)])


@scenario(A="a", B="b")
def a_static_member_does_not_come_back_in_time(group: Group) -> None:
    hasty(group)
    group.join("A", rebalance_timeout_ms=600)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.describe()
    group.heartbeat("B")


@scenario(A="a", B="b")
def a_static_member_that_never_syncs_loses_its_seat(group: Group) -> None:
    hasty(group)
    group.join("A", rebalance_timeout_ms=600)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.session.parked("A")
    group.join("C", "", instance="c", rebalance_timeout_ms=600)
    group.describe()


@scenario(A="a", B="b")
def the_leader_does_not_come_back_in_time(group: Group) -> None:
    hasty(group)
    group.join("B", rebalance_timeout_ms=600, protocols=CHANGED)
    group.describe()
    group.sync("B", {"A": b"1", "B": b"2"})


@scenario(A="a", B="b")
def the_leader_leaves(group: Group) -> None:
    group.settle("A", "B")
    group.leave("admin", [("", "a")])
    group.describe()
    group.heartbeat("B")
    group.join("B")
    group.heartbeat("A")


@scenario(A="a", B="b", A2="a")
def the_leader_is_replaced_while_it_waits(group: Group) -> None:
    group.settle("A", "B")
    group.join("A", wait=False)
    group.parked("A")
    group.join("A2", wait=False)
    group.hear("A")
    group.parked("A2")
    group.join("B")
    group.hear("A2")
    group.sync("B", wait=False)
    group.sync("A2", {"A2": b"1", "B": b"2"})
    group.hear("B")
    group.describe()


@scenario(A="a")
def a_static_group_empties_and_fills_again(group: Group) -> None:
    group.settle("A")
    group.leave("admin", [("", "a")])
    group.describe()
    group.join("A")
    group.join("A", "")
    group.sync("A", {"A": b"again"})
    group.describe()


def hasty(group: Group) -> None:
    """A and B, Stable, with a rebalance timeout that a test can wait for."""
    group.join("A", rebalance_timeout_ms=600)
    group.sync("A", {"A": b"all"})
    group.join("B", rebalance_timeout_ms=600, wait=False)
    group.parked("B")
    group.join("A", rebalance_timeout_ms=600)
    group.hear("B")
    group.sync("B", wait=False)
    group.sync("A", {"A": b"first half", "B": b"second half"})
    group.hear("B")
