"""Scenarios of SyncGroup, Heartbeat and LeaveGroup between rebalances (rules 2.9 to 2.12; 9.3)."""

from __future__ import annotations

from tests.oracle.classic_requests import PART_S, PASSED_S, RANGE, SHORT_MS, WIDER, Group
from tests.oracle.client_versions import ANY, EVERY, NAMED_LEAVERS, NEWEST, STATIC
from tests.oracle.scenarios import scenario

SHORT_TIMEOUTS = {"rebalance_timeout_ms": SHORT_MS}


@scenario("61", ANY)
def sync_leader_first(group: Group) -> None:
    rejoined(group)
    group.sync("A", {"A": b"first half", "B": b"second half"})
    group.describe()
    group.sync("B")
    group.describe()


@scenario("61", ANY)
def sync_follower_first(group: Group) -> None:
    rejoined(group)
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.describe()
    group.sync("A", {"A": b"first half", "B": b"second half"})
    group.receive("B")


@scenario("62", ANY)
def sync_stable_late(group: Group) -> None:
    group.stabilize("A", "B")
    group.sync("B")
    group.sync("A")
    group.sync("A", {"A": b"ignored", "B": b"ignored"})
    group.sync("B", {"A": b"ignored", "B": b"ignored"})
    group.describe()


@scenario("63", ANY)
def sync_missing_member(group: Group) -> None:
    rejoined(group)
    group.sync("A", {"A": b"all"})
    group.sync("B")
    group.describe()


@scenario("63", ANY)
def sync_of_a_leader_that_assigns_nothing(group: Group) -> None:
    rejoined(group)
    group.sync("A")
    group.sync("B")
    group.describe()


@scenario("64", ANY)
def sync_unknown_extra(group: Group) -> None:
    rejoined(group)
    group.session.member_ids["stranger"] = ["stranger-1"]
    group.sync("A", {"A": b"1", "stranger": b"ignored", "B": b"2"})
    group.sync("B")
    group.describe()


@scenario("65", EVERY)
def sync_of_unknown_members(group: Group) -> None:
    group.sync("A", member_id="nobody-1", generation=1)
    group.stabilize("A")
    group.sync("A", generation=0)
    group.sync("A", generation=7)
    group.sync("A", member_id="nobody-1")
    group.sync("A", member_id="nobody-1", generation=7)
    group.sync("A", member_id="")
    group.sync("A", generation=-1)


@scenario("65", ANY)
def sync_preparing(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", protocols=WIDER, wait=False)
    group.record_if_parked("B")
    group.sync("A")
    group.heartbeat("A")
    group.join("A")
    group.receive("B")


@scenario("66", EVERY)
def sync_protocol_mismatch(group: Group) -> None:
    group.stabilize("A")
    group.sync("A", protocol_name="sticky")
    group.sync("A", protocol_type="connect")
    group.sync("A", protocol_name=None)
    group.sync("A", protocol_type=None)
    group.sync("A", protocol_name="")
    group.sync("A")


@scenario("66", NEWEST)
def sync_checks_the_protocol_last(group: Group) -> None:
    group.sync("A", member_id="nobody-1", generation=1, protocol_name=None)
    group.stabilize("A")
    group.sync("A", member_id="nobody-1", protocol_name="sticky")
    group.sync("A", generation=7, protocol_name="sticky")
    group.sync("A", generation=7, protocol_name=None)
    group.leave("A")
    group.sync("A", protocol_name="sticky")


@scenario("68", ANY[1:])
def sync_timeout_follower(group: Group) -> None:
    group.stabilize("A", "B", **SHORT_TIMEOUTS)
    group.rejoin_all("A", "B", **SHORT_TIMEOUTS)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.session.ask_until_error(lambda: group.heartbeat("A"))
    group.heartbeat("B")
    group.describe()
    group.join("A", **SHORT_TIMEOUTS)


@scenario("69", ANY[1:])
def sync_timeout_leader(group: Group) -> None:
    group.stabilize("A", "B", **SHORT_TIMEOUTS)
    group.rejoin_all("A", "B", **SHORT_TIMEOUTS)
    group.sync("B", wait=False)
    group.receive("B")
    group.heartbeat("A")
    group.join("B", **SHORT_TIMEOUTS)
    group.describe()


@scenario("70", ANY[1:])
def sync_all_received(group: Group) -> None:
    group.stabilize("A", "B", **SHORT_TIMEOUTS)
    group.session.rest(PASSED_S)
    group.heartbeat("A")
    group.heartbeat("B")
    group.describe()


@scenario("2.9", ANY)
def a_second_sync_supersedes_the_first(group: Group) -> None:
    rejoined(group)
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.session.close_connection("B")
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.sync("A", {"A": b"1", "B": b"2"})
    group.receive("B")


@scenario("71", EVERY)
def hb_ok_and_completing(group: Group) -> None:
    group.stabilize("A", "B")
    group.heartbeat("A")
    group.heartbeat("B")
    group.rejoin_all("A", "B")
    group.heartbeat("A")
    group.heartbeat("B")
    group.heartbeat("B", generation=group.generation - 1)


@scenario("72", (0,))
def hb_preparing_before_rebalance_timeouts(group: Group) -> None:
    """Remove a member that does not join again within its session, whatever else it sends (2.1)."""
    group.stabilize("A", "B", session_timeout_ms=SHORT_MS)
    group.join("B", protocols=WIDER, wait=False, session_timeout_ms=SHORT_MS)
    group.record_if_parked("B")
    group.session.rest(PART_S)
    group.heartbeat("A")
    group.receive("B")
    group.heartbeat("A")


@scenario("72", ANY[1:])
def hb_preparing(group: Group) -> None:
    group.stabilize("A", "B", session_timeout_ms=SHORT_MS)
    group.join("B", protocols=WIDER, wait=False, session_timeout_ms=SHORT_MS)
    group.record_if_parked("B")
    for _ in range(4):
        group.session.rest(PART_S)
        group.heartbeat("A")
    group.join("A", session_timeout_ms=SHORT_MS)
    group.receive("B")


@scenario("73", EVERY)
def hb_unknown_before_generation(group: Group) -> None:
    group.heartbeat("A", "nobody-1", generation=1)
    group.stabilize("A")
    group.heartbeat("A", "nobody-1", generation=7)
    group.heartbeat("A", generation=7)
    group.heartbeat("A", generation=-1)
    group.heartbeat("A", "")


@scenario("73", STATIC, A="a")
def heartbeat_of_a_static_member(group: Group) -> None:
    group.stabilize("A")
    group.heartbeat("A", "")
    group.heartbeat("A", "nobody-1", generation=7)
    group.heartbeat("A", instance="z", generation=7)
    group.heartbeat("A", instance=None)


@scenario("75", ANY)
def hb_empty(group: Group) -> None:
    group.stabilize("A")
    group.leave("A")
    group.heartbeat("A")
    group.sync("A")
    group.join("B")
    group.heartbeat("B")
    group.heartbeat("B", generation=0)


@scenario("76", ANY)
def session_expiry_stable(group: Group) -> None:
    group.stabilize("A")
    group.join_with_id("B", session_timeout_ms=SHORT_MS, wait=False)
    group.join("A")
    group.receive("B")
    group.sync_all("A", "B")
    group.session.ask_until_error(lambda: group.heartbeat("A"))
    group.heartbeat("B")
    group.join("A")
    group.describe()


@scenario("76", ANY)
def session_expiry_of_the_last(group: Group) -> None:
    group.stabilize("A", session_timeout_ms=SHORT_MS)
    group.session.rest(PASSED_S)
    group.describe()
    group.heartbeat("A")
    group.leave("A")


@scenario("77", ANY)
def session_expiry_while_parked(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", session_timeout_ms=SHORT_MS, wait=False)
    group.session.rest(PASSED_S)
    group.record_if_parked("A")
    group.join("B")
    group.receive("A")
    group.sync("A", {"A": b"1", "B": b"2"})
    group.heartbeat("A")


@scenario("77", ANY)
def session_expiry_while_a_sync_is_parked(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.join("B", protocols=WIDER, session_timeout_ms=SHORT_MS)
    group.receive("A")
    group.sync("B", wait=False)
    group.session.rest(PASSED_S)
    group.record_if_parked("B")
    group.sync("A", {"A": b"1", "B": b"2"})
    group.receive("B")


@scenario("77", ANY)
def a_session_continues_when_its_parked_sync_is_answered(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.join("B", protocols=WIDER, session_timeout_ms=SHORT_MS)
    group.receive("A")
    group.sync("B", wait=False)
    group.session.rest(PASSED_S)
    group.sync("A", {"A": b"1", "B": b"2"})
    group.receive("B")
    group.session.rest(PASSED_S)
    group.heartbeat("A")
    group.heartbeat("B")


@scenario("78", EVERY)
def leave_single(group: Group) -> None:
    group.stabilize("A", "B")
    group.leave("stranger")
    group.leave("B")
    group.leave("B")
    group.heartbeat("A")
    group.describe()


@scenario("79", NAMED_LEAVERS)
def leave_batch(group: Group) -> None:
    group.stabilize("A")
    group.join("B")
    own = group.member_id("A")
    group.leave("admin", [(own, None), (group.member_id("B"), None), ("nobody-1", None), (own, None)])
    group.leave("admin", [])
    group.describe()


@scenario("79", NAMED_LEAVERS)
def leave_batch_of_unknown_members(group: Group) -> None:
    """Start no rebalance, because LeaveGroup removes no member."""
    group.stabilize("A")
    group.leave("admin", [("nobody-1", None), ("", "a"), ("nobody-2", "b")])
    group.leave("admin", [])
    group.heartbeat("A")


@scenario("80", NAMED_LEAVERS, A="a", B="b", C="c")
def leave_static_admin(group: Group) -> None:
    group.stabilize("A", "B", "C")
    group.leave("admin", [("", "c"), ("", "b"), ("", "b")])
    group.heartbeat("A")
    group.describe()
    group.join("A")


@scenario("80", NAMED_LEAVERS, A="a")
def leave_by_member_id_with_and_without_instance_id(group: Group) -> None:
    for instance in (None, "a"):
        group.join("A", "")
        group.sync("A", {"A": b"all"})
        group.leave("A", [(group.member_id("A"), instance)])
        group.describe()


@scenario("81", NAMED_LEAVERS, A="a", B="b")
def leave_static_fenced(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", "")
    group.leave("admin", [(group.member_id("B", 1), "b"), (group.member_id("A"), "b"), (group.member_id("A"), "a")])
    group.describe()


@scenario("82", EVERY)
def leave_unknown_group(group: Group) -> None:
    group.leave("A")
    group.leave("A", [("nobody-1", None), ("", "a"), ("", None)])
    group.describe()


@scenario("83", (5, 6, 9), A="a")
def leave_pending_only_stable(group: Group) -> None:
    group.stabilize("A")
    group.join("B")
    group.leave("B")
    group.heartbeat("A")
    group.describe()
    group.join("A")


@scenario("83", (4, 9))
def leave_pending_only_empty(group: Group) -> None:
    group.join("A")
    group.leave("A")
    group.describe()
    group.join("A")


@scenario("84", ANY)
def leave_parked(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.leave("admin", [(group.member_id("A"), None)], version=3)
    group.receive("A")
    group.join("B")
    group.describe()


@scenario("84", ANY)
def leave_with_a_parked_sync(group: Group) -> None:
    """Never answer the parked sync of a member that leaves (2.11)."""
    rejoined(group)
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.leave("admin", [(group.member_id("B"), None)], version=3)
    group.record_if_parked("B")
    group.describe()
    group.join("A")
    group.record_if_parked("B")


@scenario("84", ANY)
def leaving_completes_a_join_phase(group: Group) -> None:
    group.stabilize("A", "B", "C")
    group.rejoin_all("A", "B", wait=False)
    group.record_if_parked("A")
    group.leave("C")
    group.receive("A")
    group.receive("B")


@scenario("2.12", ANY)
def the_leader_leaves_and_the_other_member_leads(group: Group) -> None:
    group.stabilize("A", "B")
    group.leave("A")
    group.heartbeat("B")
    group.join("B")
    group.sync("B", {"B": b"all"})
    group.describe()


@scenario("2.16", EVERY)
def describe_in_every_state(group: Group) -> None:
    group.describe()
    group.join_with_id("A")
    group.describe()
    group.sync("A", {"A": b"all"})
    group.describe()
    group.join_with_id("B", protocols=RANGE, wait=False)
    group.record_if_parked("B")
    group.describe()
    group.join("A")
    group.receive("B")
    group.describe()
    group.leave("B")
    group.leave("A")
    group.describe()


@scenario("2.16", EVERY)
def list_in_every_state(group: Group) -> None:
    filters = [()] + [(state,) for state in ("stable", "EMPTY", "PreparingRebalance", "completingrebalance", "Dead")]
    listed = filters if group.versions.list >= 4 else filters[:1]
    for move in (
        lambda: group.commit_anonymously("A"),
        lambda: group.join_with_id("A"),
        lambda: group.sync("A", {"A": b"all"}),
        lambda: group.join_with_id("B", wait=False),
        lambda: group.leave("A"),
        lambda: group.delete(),
    ):
        move()
        group.session.let_settle(group.id)
        for states in listed:
            group.list(states=states)


@scenario("2.16", NEWEST)
def list_with_filters(group: Group) -> None:
    group.stabilize("A")
    for types in (["classic"], ["Consumer"], ["CLASSIC", "share"], ["streams"], ["nonsense"], [""]):
        group.list(types=types)
    for states in (["Stable", "Empty"], ["nonsense"], ["Assigning"], [""], ["Stable", "nonsense"]):
        group.list(states=states)
        group.list(states=states, types=["classic"])


def rejoined(group: Group) -> None:
    """Let A and B join again: the group is in CompletingRebalance, and A leads."""
    group.stabilize("A", "B")
    group.rejoin_all("A", "B")
