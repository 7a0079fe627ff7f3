"""Scenarios of JoinGroup: which members may join, and for whom a join waits (rules 2.3 to 2.5 and 2.7; 9.1)."""

from __future__ import annotations

from tests.oracle.classic_requests import (
    BOTH,
    LONG_MS,
    MIN_SESSION_TIMEOUT_MS,
    PASSED_S,
    RANGE,
    SHORT_MS,
    STICKY,
    WIDER,
    Group,
)
from tests.oracle.client_versions import ANY, BEFORE_IDS, EVERY, NEWEST, SINCE_IDS, STATIC
from tests.oracle.scenarios import scenario


@scenario("1", SINCE_IDS)
def join_new_dynamic(group: Group) -> None:
    group.join("A")
    group.describe()
    group.join("A", "")
    group.describe()


@scenario("2", BEFORE_IDS)
def join_new_dynamic_before_ids(group: Group) -> None:
    group.join("A")
    group.describe()
    group.join("A")


@scenario("3", SINCE_IDS)
def pending_completes(group: Group) -> None:
    group.join("A")
    group.join("A")
    group.sync("A", {"A": b"all"})
    group.describe()


@scenario("4", SINCE_IDS)
def pending_expires(group: Group) -> None:
    group.stabilize("A")
    group.join("B", session_timeout_ms=SHORT_MS)
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.receive("A")


@scenario("5", SINCE_IDS)
def pending_delays(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("C")
    group.rejoin_all("A", "B", wait=False)
    group.record_if_parked("A")
    group.record_if_parked("B")
    group.describe()
    group.join("C")
    group.receive("A")
    group.receive("B")
    group.sync_all("A", "B", "C")


@scenario("5", SINCE_IDS)
def several_ids_of_one_client_are_pending(group: Group) -> None:
    group.stabilize("A")
    group.join("B", "")
    group.join("B", "")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.join("B", 1, wait=False)
    group.record_if_parked("A")
    group.leave("admin", [(group.member_id("B", 2), None)], version=5)
    group.receive("A")
    group.receive("B")


@scenario("6", EVERY)
def unknown_id_no_group(group: Group) -> None:
    group.join("A", "nobody-1")
    group.describe()


@scenario("7", ANY)
def unknown_id_existing(group: Group) -> None:
    group.stabilize("A")
    group.join("B", "nobody-1")
    group.join("C", "nobody-1", instance="c")
    group.heartbeat("A")


@scenario("8", EVERY)
def unknown_group_empty_id(group: Group) -> None:
    group.join("A", "", protocol_type="consumer")
    group.describe()


@scenario("11", ANY)
def empty_protocol_type(group: Group) -> None:
    group.join("A", "", protocol_type="")
    group.describe()
    group.join_with_id("A")


@scenario("12", ANY)
def empty_protocol_list(group: Group) -> None:
    group.join("A", "", protocols={})
    group.describe()
    group.join("A", "", protocols={}, protocol_type="")


@scenario("13", ANY)
def type_mismatch(group: Group) -> None:
    group.stabilize("A")
    group.join("B", "", protocol_type="connect")
    group.join("B", "", protocol_type="")
    group.join("A", protocol_type="connect")
    group.heartbeat("A")


@scenario("13", NEWEST)
def a_group_of_another_type(group: Group) -> None:
    offered = {"default": b"connect's own"}
    group.join_with_id("A", protocol_type="connect", protocols=offered)
    group.sync("A", {"A": b"tasks"}, protocol_type="connect", protocol_name="default")
    group.describe()
    group.list(types=["classic"])
    group.join("B", "")
    group.commit("A")
    group.leave("A")
    group.describe()
    group.join_with_id("B")


@scenario("14", ANY)
def no_common_protocol(group: Group) -> None:
    group.stabilize("A")
    group.join("B", "", protocols=STICKY)
    group.join("A", protocols=STICKY)
    group.join("B", "", protocols={})
    group.heartbeat("A")
    group.describe()


@scenario("14", ANY)
def a_common_protocol_is_enough(group: Group) -> None:
    group.stabilize("A")
    group.join_with_id("B", protocols=BOTH, wait=False)
    group.join("A")
    group.receive("B")
    group.join("C", "", protocols=STICKY)
    group.sync_all("A", "B")


@scenario("15", ANY)
def session_bounds(group: Group) -> None:
    for session_timeout_ms in (MIN_SESSION_TIMEOUT_MS - 1, MIN_SESSION_TIMEOUT_MS, LONG_MS, LONG_MS + 1, 0, -1):
        group.join(f"member{session_timeout_ms}", session_timeout_ms=session_timeout_ms)
    group.join("A", "echoed", session_timeout_ms=1)


@scenario("16", EVERY)
def empty_group_id(group: Group) -> None:
    group.id = ""
    group.join("A")
    group.join("A", "nobody-1")
    group.sync("A")
    group.heartbeat("A")
    group.leave("A")


@scenario("18", EVERY)
def error_has_null_protocol(group: Group) -> None:
    group.join("A", "nobody-1", protocol_type="")
    group.join("A", "", protocol_type="")
    group.join("A", session_timeout_ms=1)


@scenario("19", EVERY)
def protocol_echo(group: Group) -> None:
    group.join_with_id("A", protocols=BOTH)
    group.sync("A", {"A": b"all"}, protocol_name="sticky")
    group.describe()


@scenario("23", ANY)
def follower_unchanged_stable(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B")
    group.heartbeat("A")
    group.describe()


@scenario("24", ANY)
def follower_changed_stable(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("B", protocols=WIDER, wait=False)
    group.record_if_parked("B")
    group.heartbeat("A")
    group.join("A")
    group.receive("B")
    group.sync_all("A", "B")
    group.describe()


@scenario("24", ANY)
def follower_offers_more_stable(group: Group) -> None:
    """Compare protocols by name and order, not by name alone."""
    group.stabilize("A", "B", protocols=BOTH)
    group.join("B", protocols=RANGE | STICKY, wait=False)
    group.record_if_parked("B")
    group.join("A", protocols=BOTH)
    group.receive("B")


@scenario("25", ANY)
def leader_unchanged_stable(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.heartbeat("B")
    group.join("B")
    group.receive("A")


@scenario("26", ANY)
def leader_unchanged_completing(group: Group) -> None:
    group.stabilize("A", "B")
    group.rejoin_all("A", "B")
    group.join("A")
    group.join("B")
    group.describe()
    group.sync_all("A", "B")


@scenario("27", ANY)
def changed_completing(group: Group) -> None:
    group.stabilize("A", "B")
    group.rejoin_all("A", "B")
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.join("A", protocols=WIDER, wait=False)
    group.receive("B")
    group.describe()
    group.join("B")
    group.receive("A")


@scenario("28", ANY)
def existing_in_empty(group: Group) -> None:
    group.stabilize("A")
    group.leave("A")
    group.join("A")
    group.join("A", "nobody-1")
    group.describe()


@scenario("30", ANY)
def generation_increments(group: Group) -> None:
    group.stabilize("A")
    for _ in range(3):
        group.join("A")
        group.sync("A", {"A": b"all"})
    group.describe()


@scenario("31", ANY)
def generation_on_empty(group: Group) -> None:
    group.stabilize("A", "B")
    group.leave("B")
    group.leave("A")
    group.describe()
    group.join_with_id("C")


@scenario("32", ANY)
def drop_silent_dynamic(group: Group) -> None:
    group.stabilize("A", "B", **short_timeouts(group))
    group.join("A", **short_timeouts(group))
    group.heartbeat("B")
    group.sync("A", {"A": b"all"})
    group.describe()


@scenario("33", ANY)
def all_silent(group: Group) -> None:
    group.stabilize("A", "B", **short_timeouts(group))
    group.leave("B")
    group.describe()
    group.session.rest(PASSED_S)
    group.describe()
    group.heartbeat("A")


@scenario("35", ANY)
def rebalance_timeout_is_max(group: Group) -> None:
    group.join_with_id("A", **short_timeouts(group))
    group.sync("A", {"A": b"all"})
    group.join_with_id("B", session_timeout_ms=LONG_MS, rebalance_timeout_ms=LONG_MS, wait=False)
    group.session.rest(PASSED_S)
    group.record_if_parked("B")
    group.describe()
    group.leave("A")
    group.receive("B")


@scenario("40", STATIC)
def pending_with_instance(group: Group) -> None:
    group.join("A")
    group.join("A", instance="a")
    group.join("A")


@scenario("2.5.2", ANY)
def a_parked_join_is_superseded(group: Group) -> None:
    group.stabilize("A", "B")
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.session.close_connection("A")
    group.join("A", protocols=WIDER, wait=False)
    group.record_if_parked("A")
    group.join("B")
    group.receive("A")


@scenario("2.4", ANY)
def the_group_votes_for_a_protocol(group: Group) -> None:
    group.join_with_id("A", protocols=BOTH)
    group.sync("A", {"A": b"all"}, protocol_name="sticky")
    group.join_with_id("B", protocols=RANGE, wait=False)
    group.record_if_parked("B")
    group.join("A", protocols=BOTH)
    group.receive("B")
    group.describe()
    group.sync_all("A", "B")
    group.describe()


@scenario("2.4", ANY)
def old_and_new_clients_in_one_group(group: Group) -> None:
    group.stabilize("A")
    for number, version in enumerate((0, 3, 6, 9)):
        client = "BCDE"[number]
        asked = group.join(client, version=version, wait=version >= 4)
        if version >= 4 and asked.error_code:
            group.join(client, version=version, wait=False)
        group.record_if_parked(client)
        group.rejoin_all("A", *"BCDE"[:number])
        group.receive(client)
        group.sync_all("A", *"BCDE"[: number + 1])


def short_timeouts(group: Group) -> dict[str, int]:
    """Return timeouts whose end a test can wait for.

    In JoinGroup v0 the session timeout is the rebalance timeout (2.1).
    """
    return {"session_timeout_ms": SHORT_MS if group.versions.join == 0 else LONG_MS, "rebalance_timeout_ms": SHORT_MS}
