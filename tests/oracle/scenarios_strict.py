"""Scenarios for a broker with small limits and short times.

The broker has an initial delay, at most two members in a group (three in a consumer group), a retention of one minute
for empty groups, and short sessions in consumer groups. Each check removes groups without members and offsets (rule
6.4.6), so no scenario depends on such a group.
"""

from __future__ import annotations

import time

from tests.oracle.classic_requests import INITIAL_DELAY_MS, RANGE, SHORT_SESSION_MS, TOPIC, WIDER, Group
from tests.oracle.client_versions import BEFORE_IDS
from tests.oracle.consumer_requests import LEAVES_TEMPORARILY, Consumers
from tests.oracle.scenarios import scenario

RETENTION_S = 60.0
CHECKED_S = 3.0
"""Several intervals of `offsets.retention.check.interval.ms`."""
SHORT_RETENTION_MS = 4_000
EXPIRED_S = SHORT_RETENTION_MS / 1000 + CHECKED_S
DELAY_S = INITIAL_DELAY_MS / 1000


@scenario("20", BEFORE_IDS, strict=True)
def initial_delay(group: Group) -> None:
    began_s = time.monotonic()
    group.join("A", "", wait=False)
    group.session.rest(0.5)
    group.record_if_parked("A")
    group.describe()
    group.receive("A")
    assert time.monotonic() - began_s > 0.95 * DELAY_S


@scenario("21", BEFORE_IDS, strict=True)
def initial_delay_extends(group: Group) -> None:
    group.join("A", "", wait=False)
    group.session.rest(1.0)
    group.join("B", "", wait=False)
    group.session.rest(DELAY_S)
    group.record_if_parked("A")
    group.record_if_parked("B")
    group.receive("A")
    group.receive("B")


@scenario("22", BEFORE_IDS[1:], strict=True)
def initial_delay_cap(group: Group) -> None:
    group.join("A", "", rebalance_timeout_ms=INITIAL_DELAY_MS + 1_500, wait=False)
    group.session.rest(0.3)
    group.join("B", "", rebalance_timeout_ms=INITIAL_DELAY_MS + 1_500, wait=False)
    group.receive("A")
    group.receive("B")


@scenario("2.7.3", strict=True, A="a", B="b")
def an_initial_rebalance_never_completes_early(group: Group) -> None:
    group.rejoin_all("A", "B", wait=False)
    group.session.rest(0.2)
    group.describe()
    group.leave("admin", [("", "b")])
    group.receive("B")
    group.describe()
    group.receive("A")


@scenario("2.7.3", strict=True, A="a", B="a")
def a_static_member_restarts_in_the_initial_delay(group: Group) -> None:
    group.join("A", wait=False)
    group.session.rest(0.2)
    group.join("B", wait=False)
    group.receive("A")
    group.receive("B")


@scenario("36", (4, 9), strict=True)
def max_size_79(group: Group) -> None:
    group.commit_anonymously("admin")
    group.rejoin_all("A", "B")
    group.rejoin_all("A", "B")
    group.sync_all("A", "B")
    group.join("C")
    group.join("C")
    group.describe()
    group.heartbeat("A")


@scenario("36", BEFORE_IDS, strict=True)
def max_size_before_ids(group: Group) -> None:
    group.rejoin_all("A", "B")
    group.sync_all("A", "B")
    group.join("C")
    group.join("C", "nobody-1")
    group.join("B")


@scenario("37", strict=True, A="a", B="b", C="c")
def max_size_preparing(group: Group) -> None:
    group.rejoin_all("A", "B")
    group.sync_all("A", "B")
    group.leave("admin", [("", "b")])
    group.join("B", "", wait=False)
    group.record_if_parked("B")
    group.join("A", wait=False)
    group.receive("A")
    group.receive("B")
    group.join("C", "")
    group.describe()


@scenario("38", (5, 9), strict=True, A="a", B="b")
def max_size_static_restart(group: Group) -> None:
    group.rejoin_all("A", "B")
    group.sync_all("A", "B")
    group.join("B", "")
    group.join("B", 1)
    group.heartbeat("A")


@scenario("6.4.5", strict=True)
def a_commit_with_its_own_retention_expires(group: Group) -> None:
    group.commit_anonymously("A", {0: 1}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.commit_anonymously("A", {1: 2}, version=4, retention_ms=3_600_000)
    group.session.rest(EXPIRED_S)
    group.fetch("A")
    group.describe()


@scenario("6.4.6", strict=True)
def a_group_is_removed_after_all_its_offsets_have_expired(group: Group) -> None:
    group.commit_anonymously("A", {0: 1, 1: 2}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.session.rest(EXPIRED_S)
    group.fetch("A")
    group.describe()


@scenario("6.4.6", strict=True)
def an_empty_group_with_only_a_pending_member_is_removed(group: Group) -> None:
    group.join("A")
    group.session.rest(CHECKED_S)
    group.describe()
    group.join("A")


@scenario("6.4.5", strict=True, A="a")
def a_subscribed_topic_never_expires(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.session.rest(EXPIRED_S)
    group.fetch("A")


@scenario("104", strict=True, A="a", B="b")
def expire_preparing(group: Group) -> None:
    group.join_with_id("A", protocols=ELSEWHERE)
    group.sync("A", {"A": b"all"})
    group.join_with_id("B", wait=False, protocols=ELSEWHERE)
    group.record_if_parked("B")
    group.commit("A", {0: 1}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.session.rest(EXPIRED_S)
    group.describe()
    group.fetch("A")
    group.join("A", protocols=ELSEWHERE)
    group.receive("B")
    group.session.rest(CHECKED_S)
    group.fetch("A")
    group.sync_all("A", "B")
    group.session.rest(CHECKED_S)
    group.fetch("A")


@scenario("102", strict=True, long=True, A="a")
def expire_empty_group(group: Group) -> None:
    group.stabilize("A")
    group.commit("A", {0: 1})
    group.session.rest(12.0)
    group.leave("admin", [("", "a")])
    group.session.rest(RETENTION_S - 6.0)
    group.fetch("A")
    group.session.rest(6.0 + CHECKED_S)
    group.fetch("A")
    group.describe()


@scenario("103", strict=True, long=True, A="a")
def expire_stable_unsubscribed(group: Group) -> None:
    group.join_with_id("A", protocols=WIDER)
    group.sync("A", {"A": b"all"})
    group.commit("A", {0: 1})
    group.join("A", protocols=ELSEWHERE)
    group.commit("A", {1: 1})
    group.sync("A", {"A": b"all"})
    group.commit("A", {2: 1})
    group.session.rest(RETENTION_S - 5.0)
    group.fetch("A", None)
    group.session.rest(5.0 + CHECKED_S)
    group.fetch("A", None)
    group.describe()


@scenario("6.4.5", strict=True, long=True)
def a_simple_group_expires_by_its_commits(group: Group) -> None:
    group.commit_anonymously("A", {0: 1})
    group.session.rest(12.0)
    group.commit_anonymously("A", {1: 1})
    group.session.rest(RETENTION_S - 6.0)
    group.fetch("A", None)
    group.describe()
    group.session.rest(6.0 + CHECKED_S)
    group.fetch("A", None)
    group.describe()


@scenario("6.4.5", strict=True, long=True, A="a")
def a_group_of_another_type_never_expires(group: Group) -> None:
    group.join_with_id("A", protocol_type="connect")
    group.sync("A", {"A": b"tasks"}, protocol_type="connect")
    group.commit("A", {0: 1})
    group.session.rest(RETENTION_S + CHECKED_S)
    group.fetch("A", None)


@scenario("6.4.5", strict=True, long=True, A="a")
def unreadable_metadata_keeps_all_offsets(group: Group) -> None:
    """Keep all offsets: with unknown subscriptions, any topic may be subscribed (rule 2.17)."""
    group.join_with_id("A", protocols={"range": b"\x00"})
    group.sync("A", {"A": b"all"})
    group.commit("A", {0: 1})
    group.session.rest(RETENTION_S + CHECKED_S)
    group.fetch("A", None)
    group.describe()


ELSEWHERE = {"range": WIDER["range"].replace(b"oracle", b"others")}
assert RANGE["range"] not in ELSEWHERE.values()


@scenario("2.7.3", strict=True)
def the_last_pending_id_that_expires_ends_an_initial_rebalance(group: Group) -> None:
    """End an initial rebalance, which would last two more seconds because of the second member."""
    group.join("A", session_timeout_ms=2 * INITIAL_DELAY_MS - 4_000)
    group.join("B", "", version=3, wait=False)
    group.session.rest(1.0)
    group.join("C", "", version=3, wait=False)
    group.session.rest(2 * DELAY_S - 3.0)
    group.describe()
    group.receive("B")
    group.receive("C")


# --- consumer groups --------------------------------------------------------------------------------------------------

SESSION_S = SHORT_SESSION_MS / 1000
BEFORE_AND_AFTER_S = (0.3 * SESSION_S, 0.3 * SESSION_S, 0.7 * SESSION_S)
"""Pauses: the first two end long before a session that began with them, the third long after it."""


@scenario("119", (9, 10), strict=True, C="c", D="d")
def consumers_max_size(group: Consumers) -> None:
    group.configure(consumer_session_timeout_ms=60_000)
    for client in ("A", "B", "C", "D"):
        group.consumer_join(client)
    group.consumer_join("A", again=True)
    group.consumer_heartbeat("D", 0, "", names=[TOPIC], owned={}, rebalance_timeout_ms=1, version=0)
    group.consumer_heartbeat("D", 5, "D.1")
    group.consumer_leave("C", epoch=LEAVES_TEMPORARILY)
    group.consumer_join("C")
    group.consumer_describe()
    group.consumer_heartbeat("C", 0, "C.1", names=[TOPIC], owned={}, rebalance_timeout_ms=1)


@scenario("116", (9, 10), strict=True, B="b")
def consumers_session_timeout(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    for rest_s in BEFORE_AND_AFTER_S:
        group.session.rest(rest_s)
        group.consumer_heartbeat("A")
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_commit("B", 3)
    group.consumer_heartbeat("A")
    group.consumer_describe()


@scenario("116", strict=True)
def consumers_session_is_not_prolonged_by_commits(group: Consumers) -> None:
    group.consumer_join("A")
    for offset, rest_s in enumerate(BEFORE_AND_AFTER_S):
        group.session.rest(rest_s)
        group.consumer_commit("A", 0, offset=offset)
    group.consumer_describe()
    group.consumer_heartbeat("A")
    group.consumer_join("A", again=True)
    group.consumer_describe()


@scenario("125", (9, 10), strict=True, A="a")
def consumers_static_leave_expires(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.session.rest(0.3 * SESSION_S)
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_heartbeat("B")
    group.consumer_describe()
    group.session.rest(0.3 * SESSION_S)
    group.consumer_heartbeat("B")
    group.session.rest(0.6 * SESSION_S)
    group.consumer_heartbeat("B")
    group.consumer_describe()
    group.consumer_join("A")
    group.consumer_heartbeat("A")


@scenario("6.4.5", (9, 10), strict=True)
def consumers_offsets_expire_by_topic(group: Consumers) -> None:
    """Expire offsets with an explicit expiry time of unsubscribed topics only; the empty group is removed, too."""
    group.configure(consumer_session_timeout_ms=60_000)
    group.commit("admin", {0: 1}, generation=-1, member_id="", version=4, retention_ms=SHORT_RETENTION_MS)
    group.consumer_join("A")
    group.session.rest(EXPIRED_S)
    group.fetch("A", None)
    group.consumer_heartbeat("A", names=[])
    group.session.rest(CHECKED_S)
    group.fetch("A", None)
    group.consumer_describe()
    group.consumer_leave("A")
    group.session.rest(CHECKED_S)
    group.consumer_describe()


@scenario("6.4.5", strict=True, long=True)
def consumers_offsets_expire_by_commit_time(group: Consumers) -> None:
    group.configure(consumer_session_timeout_ms=60_000)
    group.consumer_join("A", names=["others"])
    group.consumer_commit("A", 0)
    group.session.rest(12.0)
    group.consumer_commit("A", 1)
    group.consumer_heartbeat("A")
    group.session.rest(RETENTION_S - 6.0)
    group.fetch("A", None)
    group.consumer_heartbeat("A")
    group.session.rest(6.0 + CHECKED_S)
    group.fetch("A", None)
    group.consumer_describe()
