"""JoinGroup: who gets in, who waits for whom, and who leads (rules 2.4 to 2.8; 9.1)."""

from __future__ import annotations

from tests.oracle.actors import Group, subscription
from tests.oracle.scenarios import scenario

RANGE = {"range": subscription("oracle")}
STICKY = {"sticky": subscription("oracle")}
BOTH = STICKY | RANGE
CHANGED = {"range": subscription("oracle", "more")}


@scenario()
def every_version_of_a_dynamic_member(group: Group) -> None:
    for version in range(10):
        answer = group.join("A", "", version=version)
        if answer.error_code:
            group.join("A", version=version)
        group.sync("A", {"A": b"all"}, version=min(version, 5))
        group.heartbeat("A", version=min(version, 4))
        group.describe(version=min(version, 6))
        group.leave("A", version=min(version, 5))


@scenario()
def a_new_dynamic_member_is_given_an_id_first(group: Group) -> None:
    group.join("A")
    group.describe()
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.describe()


@scenario()
def a_pending_member_holds_the_rebalance_up(group: Group) -> None:
    group.join("A")
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.join("B")
    group.join("A", wait=False)
    group.parked("A")
    group.describe()
    group.join("B")
    group.hear("A")
    group.sync("B", wait=False)
    group.sync("A", {"A": b"half", "B": b"other half"})
    group.hear("B")


@scenario()
def a_pending_member_runs_out_of_its_session(group: Group) -> None:
    group.join("A")
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.join("B", session_timeout_ms=6_000)
    group.join("A", wait=False)
    group.parked("A")
    group.hear("A")


@scenario()
def an_unknown_member_id(group: Group) -> None:
    group.join("A", "nobody-1")
    group.describe()
    group.join("A", "", version=3)
    group.join("B", "nobody-1")
    group.join("C", "nobody-1", instance="c")


@scenario()
def nothing_to_agree_on(group: Group) -> None:
    group.join("A", "", protocol_type="")
    group.join("B", "", protocols={})
    group.join("C", "", version=3, protocols=RANGE)
    group.join("D", "", protocol_type="connect")
    group.join("E", "", protocols=STICKY)
    group.join("C", protocols=STICKY)


@scenario()
def session_timeouts_out_of_bounds(group: Group) -> None:
    for session_timeout_ms in (5_999, 6_000, 1_800_000, 1_800_001):
        group.join(f"member{session_timeout_ms}", session_timeout_ms=session_timeout_ms)
    group.join("A", "echoed", session_timeout_ms=1)


@scenario()
def an_empty_group_id(group: Group) -> None:
    group.id = ""
    group.join("A")
    group.join("A", version=5)
    group.sync("A")
    group.heartbeat("A")
    group.leave("A")
    group.leave("A", version=2)
    group.describe()


@scenario()
def a_follower_joins_again_unchanged_then_changed(group: Group) -> None:
    pair(group)
    group.join("B")
    group.join("B", protocols=CHANGED, wait=False)
    group.parked("B")
    group.heartbeat("A")
    group.join("A")
    group.hear("B")


@scenario()
def the_leader_joins_again_unchanged(group: Group) -> None:
    pair(group)
    group.join("A", wait=False)
    group.parked("A")
    group.heartbeat("B")
    group.join("B")
    group.hear("A")
    group.join("A")
    group.join("B")
    group.describe()


@scenario()
def protocols_change_while_assignments_are_awaited(group: Group) -> None:
    pair(group)
    group.join("A", wait=False)
    group.parked("A")
    group.join("B")
    group.hear("A")
    group.sync("B", wait=False)
    group.parked("B")
    group.describe()
    group.join("A", protocols=CHANGED, wait=False)
    group.hear("B")
    group.describe()
    group.join("B")
    group.hear("A")


@scenario()
def the_group_votes_for_a_protocol(group: Group) -> None:
    group.join("A", "", version=3, protocols=BOTH)
    group.sync("A", {"A": b"all"}, protocol_name="sticky")
    group.join("B", "", version=3, protocols=RANGE, wait=False)
    group.parked("B")
    group.join("A", protocols=BOTH)
    group.hear("B")
    group.describe()
    group.sync("B", wait=False)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.hear("B")
    group.describe()


@scenario()
def members_that_do_not_come_back(group: Group) -> None:
    pair(group, rebalance_timeout_ms=600)
    group.join("A", rebalance_timeout_ms=600)
    group.describe()
    group.heartbeat("B")
    group.sync("A", {"A": b"all"})
    group.join("B")


@scenario()
def a_parked_join_is_superseded(group: Group) -> None:
    pair(group)
    group.join("A", wait=False)
    group.parked("A")
    group.session.hang_up("A")
    group.join("A", wait=False)
    group.parked("A")
    group.join("B")
    group.hear("A")


@scenario()
def a_pending_id_joins_with_an_instance(group: Group) -> None:
    group.join("A")
    group.join("A", instance="a")
    group.join("A")


@scenario()
def the_rebalance_waits_for_the_slowest(group: Group) -> None:
    group.join("A", "", version=3, rebalance_timeout_ms=300)
    group.sync("A", {"A": b"all"})
    group.join("B", "", version=3, rebalance_timeout_ms=1_500, wait=False)
    group.parked("B")
    group.parked("B")
    group.parked("B")
    group.hear("B")


def pair(group: Group, rebalance_timeout_ms: int = 1_800_000) -> None:
    """Two dynamic members, Stable; A leads."""
    group.join("A", "", version=3, rebalance_timeout_ms=rebalance_timeout_ms)
    group.sync("A", {"A": b"all"})
    group.join("B", "", version=3, rebalance_timeout_ms=rebalance_timeout_ms, wait=False)
    group.parked("B")
    group.join("A", rebalance_timeout_ms=rebalance_timeout_ms)
    group.hear("B")
    group.sync("B", wait=False)
    group.sync("A", {"A": b"first half", "B": b"second half"})
    group.hear("B")
