"""Scenarios of static members, which keep their partitions over restarts (KIP-345, KIP-814; rule 2.6; 9.2)."""

from __future__ import annotations

from tests.oracle.classic_requests import BOTH, PASSED_S, RANGE, SHORT_MS, STICKY, WIDER, Group, subscription
from tests.oracle.client_versions import NAMED_LEAVERS, NEWEST, STATIC
from tests.oracle.scenarios import scenario

SHORT_TIMEOUTS = {"rebalance_timeout_ms": SHORT_MS}


@scenario("41", STATIC, A="a")
def static_first(group: Group) -> None:
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.describe()


@scenario("42", STATIC, A="a", B="b")
def static_different_id_each_restart(group: Group) -> None:
    group.stabilize("A", "B")
    for _ in range(2):
        group.join("B", "")
        group.sync("B")
        group.heartbeat("B")
    group.heartbeat("A")
    group.heartbeat("B", 1)
    group.heartbeat("B", 2)
    group.heartbeat("B", 1, instance=None)
    group.join("B", 1)
    group.join("B", 1, instance=None)
    group.sync("B", member_id=2)
    group.describe()


@scenario("43", STATIC, A="a", B="b")
def static_restart_stable_follower(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", "")
    group.heartbeat("A")
    group.sync("B")
    group.describe()


@scenario("44", (9, 10), A="a", B="b")
def static_restart_stable_leader_v9(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", "")
    group.sync("A")
    group.heartbeat("B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.join("B")
    group.receive("A")


@scenario("45", (5, 6, 7, 8), A="a", B="b")
def static_restart_stable_leader_v8(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", "")
    group.sync("A")
    group.heartbeat("B")
    group.describe()


@scenario("45", NEWEST, A="a", B="b")
def the_leader_restarts_with_each_version_in_turn(group: Group) -> None:
    group.stabilize("A", "B")
    for version in range(5, 10):
        group.join("A", "", version=version)
        group.sync("A", version=min(version, 5))
        group.heartbeat("A", version=min(version, 4))


@scenario("46", STATIC, A="a", B="b")
def static_restart_subscription_changed(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", "", protocols={"range": subscription("elsewhere")})
    group.heartbeat("A")
    group.describe()
    group.join("B", protocols={"range": subscription("elsewhere")})


@scenario("47", STATIC, A="a")
def static_restart_protocol_changed(group: Group) -> None:
    group.stabilize("A")
    group.join("A", "", protocols=STICKY)
    group.join("A", "", protocols=BOTH)
    group.sync("A", {"A": b"all"}, protocol_name="sticky")
    group.describe()


@scenario("47", STATIC, A="a", B="b")
def static_restart_protocol_changed_beside_another(group: Group) -> None:
    group.stabilize("A", "B", protocols=BOTH)
    group.describe()
    group.join("B", "", protocols=RANGE, wait=False)
    group.record_if_parked("B")
    group.heartbeat("A")
    group.join("A", protocols=BOTH)
    group.receive("B")


@scenario("49", STATIC, A="a", B="b", B2="b", C="c")
def static_restart_completing(group: Group) -> None:
    group.stabilize("A", "B", "C")
    group.rejoin_all("A", "B", "C")
    group.sync("B", wait=False)
    group.sync("C", wait=False)
    group.record_if_parked("B")
    group.record_if_parked("C")
    group.join("B2", "", wait=False)
    group.receive("B")
    group.receive("C")
    group.record_if_parked("B2")
    group.heartbeat("A")
    group.rejoin_all("A", "C")
    group.receive("B2")
    group.describe()


@scenario("49", STATIC, A="a", B="b", A2="a")
def the_leader_restarts_completing(group: Group) -> None:
    group.stabilize("A", "B")
    group.rejoin_all("A", "B")
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.join("A2", "", wait=False)
    group.receive("B")
    group.sync("A", {"A": b"1", "B": b"2"})
    group.join("B")
    group.receive("A2")
    group.sync_all("A2", "B")


@scenario("50", STATIC, A="a", B="b", B2="b")
def static_duplicate_join(group: Group) -> None:
    group.stabilize("A")
    group.join("B", wait=False)
    group.record_if_parked("B")
    group.join("B2", wait=False)
    group.receive("B")
    group.record_if_parked("B2")
    group.join("A")
    group.receive("B2")


@scenario("50", STATIC, A="a", B="b", A2="a")
def the_leader_is_replaced_while_it_waits(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.join("A2", wait=False)
    group.receive("A")
    group.record_if_parked("A2")
    group.join("B")
    group.receive("A2")
    group.sync_all("A2", "B")
    group.describe()


@scenario("51", STATIC, A="a", B="b")
def static_known_id_follower(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B")
    group.heartbeat("A")


@scenario("52", STATIC, A="a", B="b")
def static_known_id_leader(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.join("B")
    group.receive("A")


@scenario("53", STATIC, A="a", B="b")
def static_mismatched_id(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", instance="a")
    group.sync("B", instance="a")
    group.heartbeat("B", instance="a")
    group.commit("B", instance="a")
    group.leave("B", [(group.member_id("B"), "a")])
    group.describe()


@scenario("54", STATIC, A="a")
def static_unknown_instance_known_id(group: Group) -> None:
    group.stabilize("A")
    group.join("A", instance="z")
    group.sync("A", instance="z")
    group.heartbeat("A", instance="z")
    group.commit("A", instance="z")
    group.leave("A", [(group.member_id("A"), "z"), ("", "z"), ("", None)])


@scenario("54", STATIC, A="a")
def static_without_its_instance(group: Group) -> None:
    """Skip the check of a static member that omits its instance id (2.4, after row 14)."""
    group.stabilize("A")
    group.join("A", instance=None)
    group.sync("A", {"A": b"all"}, instance=None)
    group.heartbeat("A", instance=None)
    group.commit("A", instance=None)
    group.describe()


@scenario("55", STATIC, A="a", B="b")
def static_not_rejoining(group: Group) -> None:
    group.stabilize("A", "B", **SHORT_TIMEOUTS)
    group.join("A", **SHORT_TIMEOUTS)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.describe()
    group.heartbeat("B")


@scenario("56", STATIC, A="a", B="b", C="c")
def static_not_rejoining_expires(group: Group) -> None:
    group.stabilize("A", "B", **SHORT_TIMEOUTS)
    group.join("A", **SHORT_TIMEOUTS)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.session.ask_until_error(lambda: group.heartbeat("A"))
    group.describe()
    group.heartbeat("B")
    group.join("C", "", **SHORT_TIMEOUTS, wait=False)
    group.join("A", **SHORT_TIMEOUTS)
    group.receive("C")


@scenario("57", STATIC, A="a", B="b")
def static_leader_not_rejoining(group: Group) -> None:
    group.stabilize("A", "B", **SHORT_TIMEOUTS)
    group.join("B", **SHORT_TIMEOUTS, protocols=WIDER)
    group.describe()
    group.sync("B", {"A": b"1", "B": b"2"})


@scenario("58", STATIC, A="a", B="b", C="c")
def static_none_rejoin(group: Group) -> None:
    group.stabilize("A", "B", "C", **SHORT_TIMEOUTS)
    group.leave("admin", [("", "c")], version=5)
    group.describe()
    group.session.rest(1.5 * PASSED_S)
    group.describe()
    group.heartbeat("A")
    group.heartbeat("B")
    group.rejoin_all("A", "B", **SHORT_TIMEOUTS)


@scenario("59", STATIC, A="a", B="b")
def static_close_no_leave(group: Group) -> None:
    group.stabilize("A")
    group.join_with_id("B", session_timeout_ms=SHORT_MS, wait=False)
    group.join("A")
    group.receive("B")
    group.sync_all("A", "B")
    group.session.close_connection("B")
    group.heartbeat("A")
    group.describe()
    group.session.ask_until_error(lambda: group.heartbeat("A"))
    group.heartbeat("B")


@scenario("2.6", NAMED_LEAVERS, A="a", B="b")
def the_leader_is_removed(group: Group) -> None:
    group.stabilize("A", "B")
    group.leave("admin", [("", "a")])
    group.describe()
    group.heartbeat("B")
    group.join("B")
    group.heartbeat("A")


@scenario("2.6", NAMED_LEAVERS, A="a")
def a_static_group_becomes_empty_and_gets_a_member_again(group: Group) -> None:
    group.stabilize("A")
    group.leave("admin", [("", "a")])
    group.describe()
    group.join("A")
    group.join("A", "")
    group.sync("A", {"A": b"again"})
    group.describe()


@scenario("2.6", STATIC, A="a", B="b")
def static_and_dynamic_members_together(group: Group) -> None:
    group.stabilize("A", "C", "B")
    group.join("B", "")
    group.sync("B")
    group.leave("C")
    group.rejoin_all("A", "B")
    group.sync_all("A", "B")
    group.describe()


@scenario("2.6.1", STATIC, A="a", B="b")
def the_seat_is_kept_when_its_old_member_id_leaves(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", "")
    group.leave("admin", [(group.member_id("B", 1), "b"), (group.member_id("B", 1), None)], version=4)
    group.heartbeat("B")
    group.describe()


@scenario("2.6.4", STATIC, A="a", B="b")
def a_restart_in_preparing(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.join("B", "")
    group.receive("A")
    group.heartbeat("B", 1)
    group.sync_all("A", "B")


@scenario("2.6.3", STATIC, A="a", B="b")
def the_first_session_after_a_restart_has_the_old_timeout(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", "", session_timeout_ms=SHORT_MS)
    group.session.rest(PASSED_S)
    group.heartbeat("B")
    group.session.rest(PASSED_S)
    group.heartbeat("B")
    group.heartbeat("A")


@scenario("2.6.3", STATIC, A="a", B="b", C="b")
def the_replacement_of_a_waiting_new_member_is_not_new(group: Group) -> None:
    group.stabilize("A")
    group.join_with_id("B", session_timeout_ms=SHORT_MS, wait=False)
    group.record_if_parked("B")
    group.join("C", "", session_timeout_ms=SHORT_MS, wait=False)
    group.receive("B")
    group.session.rest(PASSED_S)
    group.record_if_parked("C")
    group.join("A")
    group.receive("C")


@scenario("2.17", STATIC, A="a")
def a_restart_with_other_topics_leaves_the_old_ones_subscribed(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 5, 1: 6})
    group.join("A", "", protocols={"range": subscription("elsewhere")})
    group.delete_offsets(partitions=[0])
    group.join("A", protocols={"range": subscription("elsewhere")})
    group.sync("A", {"A": b"all"})
    group.delete_offsets(partitions=[0, 1])
    group.fetch()
