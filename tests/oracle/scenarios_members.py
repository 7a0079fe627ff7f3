"""SyncGroup, Heartbeat, LeaveGroup: the life of a member between rebalances (rules 2.9 to 2.12; 9.3)."""

from __future__ import annotations

from tests.oracle.actors import Group
from tests.oracle.scenarios import scenario

STALE_GENERATION = 0


@scenario(A="a", B="b")
def the_follower_syncs_first(group: Group) -> None:
    group.settle("A", "B")
    group.sync("A")
    group.sync("B")
    group.describe()


@scenario(A="a", B="b")
def the_leader_syncs_first_and_leaves_somebody_out(group: Group) -> None:
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.join("B", wait=False)
    group.parked("B")
    group.join("A")
    group.hear("B")
    group.session.member_ids["stranger"] = ["stranger-1"]
    group.sync("A", {"A": b"all", "stranger": b"ignored"})
    group.sync("B")
    group.sync("A", {"A": b"other", "B": b"other"})
    group.sync("B")


@scenario(A="a")
def who_may_not_sync(group: Group) -> None:
    group.settle("A")
    group.sync("A", generation=STALE_GENERATION)
    group.sync("A", generation=7)
    group.sync("A", member_id="nobody-1", instance=None)
    group.sync("A", member_id="nobody-1", instance=None, generation=7)
    group.sync("A", protocol_name="sticky")
    group.sync("A", protocol_type="connect")
    group.sync("A", protocol_name=None)
    group.sync("A", protocol_type=None)
    for version in range(6):
        group.sync("A", version=version)


@scenario()
def of_a_group_that_is_not_there(group: Group) -> None:
    group.sync("A", member_id="nobody-1", generation=1)
    group.heartbeat("A", "nobody-1", generation=1)
    group.heartbeat("A", "nobody-1", generation=1, version=0)
    group.leave("A", [("nobody-1", None), ("", "a")])
    group.leave("A", version=2)
    group.describe()
    group.describe(version=5)
    group.delete()


@scenario(A="a", B="b")
def a_sync_that_a_new_rebalance_overtakes(group: Group) -> None:
    group.settle("A")
    group.join("B", wait=False)
    group.parked("B")
    group.sync("A")
    group.heartbeat("A")
    group.join("A")
    group.hear("B")
    group.heartbeat("A")
    group.heartbeat("B")
    group.sync("B", wait=False)
    group.parked("B")
    group.join("C", "", instance="c", wait=False)
    group.hear("B")
    group.parked("C")
    group.join("A", wait=False)
    group.join("B")
    group.hear("A")
    group.hear("C")


@scenario(A="a", B="b")
def a_follower_that_never_syncs(group: Group) -> None:
    group.join("A", rebalance_timeout_ms=700)
    group.sync("A", {"A": b"all"})
    group.join("B", rebalance_timeout_ms=700, wait=False)
    group.parked("B")
    group.join("A", rebalance_timeout_ms=700)
    group.hear("B")
    group.sync("A", {"A": b"1", "B": b"2"})
    group.session.ask_until_error(lambda: group.heartbeat("A"))
    group.heartbeat("B")
    group.describe()


@scenario(A="a", B="b")
def a_leader_that_never_syncs(group: Group) -> None:
    group.join("A", rebalance_timeout_ms=700)
    group.sync("A", {"A": b"all"})
    group.join("B", rebalance_timeout_ms=700, wait=False)
    group.parked("B")
    group.join("A", rebalance_timeout_ms=700)
    group.hear("B")
    group.sync("B", wait=False)
    group.hear("B")
    group.heartbeat("A")
    group.join("B", rebalance_timeout_ms=700)
    group.describe()


@scenario(A="a")
def heartbeats_of_all_kinds(group: Group) -> None:
    group.settle("A")
    for version in range(5):
        group.heartbeat("A", version=version)
    group.heartbeat("A", generation=7)
    group.heartbeat("A", "nobody-1", instance=None, generation=7)
    group.heartbeat("A", "", instance=None)
    group.heartbeat("A", "", instance="a")
    group.join("B", "", version=3, wait=False)
    group.parked("B")
    group.heartbeat("A")
    group.heartbeat("A", generation=7)
    group.join("A")
    group.hear("B")
    group.heartbeat("A")


@scenario()
def the_last_member_leaves(group: Group) -> None:
    group.join("A", "", version=3)
    group.sync("A", {"A": b"all"})
    group.leave("A")
    group.describe()
    group.heartbeat("A")
    group.sync("A")
    group.leave("A")
    group.join("A", "", version=3)


@scenario()
def a_batch_leaves(group: Group) -> None:
    group.join("A", "", version=3)
    group.sync("A", {"A": b"all"})
    group.join("B")
    own = group.member_id("A")
    group.leave("admin", [(own, None), (group.member_id("B"), None), ("nobody-1", None), (own, None)])
    group.leave("admin", [])
    group.describe()


@scenario(A="a")
def only_a_pending_member_leaves(group: Group) -> None:
    group.settle("A")
    group.join("B")
    group.leave("B")
    group.heartbeat("A")
    group.describe()
    group.join("A")


@scenario()
def a_member_leaves_while_its_join_waits(group: Group) -> None:
    group.join("A", "", version=3)
    group.sync("A", {"A": b"all"})
    group.join("B")
    group.join("A", wait=False)
    group.parked("A")
    group.leave("admin", [(group.member_id("A"), None)])
    group.hear("A")
    group.join("B")
    group.describe()


@scenario(A="a")
def leaving_by_instance_only_by_id_only_and_by_both(group: Group) -> None:
    for leavers in (("", "a"), ("own", None), ("own", "a")):
        group.join("A")
        group.sync("A", {"A": b"all"})
        member_id = group.member_id("A") if leavers[0] else ""
        group.leave("admin", [(member_id, leavers[1])])
        group.describe()
        group.session.member_ids["A"].append("")


@scenario(A="a")
def a_session_runs_out(group: Group) -> None:
    group.join("A", session_timeout_ms=6_000)
    group.sync("A", {"A": b"all"})
    group.session.rest(3.5)
    group.commit("A", {0: 5})
    group.session.rest(3.5)
    group.heartbeat("A")
    group.session.rest(7.5)
    group.describe()
    group.heartbeat("A")
