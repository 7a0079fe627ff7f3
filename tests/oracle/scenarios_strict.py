"""Scenarios for a broker with small limits and short times.

It has an initial delay, at most two members in a group (three in a consumer group), one minute of retention of empty
groups, and consumer groups with short sessions. Groups without members and without offsets are removed at every check
(rule 6.4.6): no scenario here depends on one.
"""

from __future__ import annotations

import time

from tests.oracle.actors import INITIAL_DELAY_MS, RANGE, SHORT_SESSION_MS, TOPIC, WIDER, Group
from tests.oracle.consumers import STEPS_OUT, Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.vintages import BEFORE_IDS

RETENTION_S = 60.0
CHECKED_S = 3.0
"""Some intervals of `offsets.retention.check.interval.ms`."""
SHORT_RETENTION_MS = 4_000
EXPIRED_S = SHORT_RETENTION_MS / 1000 + CHECKED_S
DELAY_S = INITIAL_DELAY_MS / 1000


@scenario("20", BEFORE_IDS, strict=True)
def initial_delay(group: Group) -> None:
    began_s = time.monotonic()
    group.join("A", "", wait=False)
    group.session.rest(0.5)
    group.parked("A")
    group.describe()
    group.hear("A")
    assert time.monotonic() - began_s > 0.95 * DELAY_S


@scenario("21", BEFORE_IDS, strict=True)
def initial_delay_extends(group: Group) -> None:
    group.join("A", "", wait=False)
    group.session.rest(1.0)
    group.join("B", "", wait=False)
    group.session.rest(DELAY_S)
    group.parked("A")
    group.parked("B")
    group.hear("A")
    group.hear("B")


@scenario("22", BEFORE_IDS[1:], strict=True)
def initial_delay_cap(group: Group) -> None:
    group.join("A", "", rebalance_timeout_ms=INITIAL_DELAY_MS + 1_500, wait=False)
    group.session.rest(0.3)
    group.join("B", "", rebalance_timeout_ms=INITIAL_DELAY_MS + 1_500, wait=False)
    group.hear("A")
    group.hear("B")


@scenario("2.7.3", strict=True, A="a", B="b")
def an_initial_rebalance_never_completes_early(group: Group) -> None:
    group.gather("A", "B", wait=False)
    group.session.rest(0.2)
    group.describe()
    group.leave("admin", [("", "b")])
    group.hear("B")
    group.describe()
    group.hear("A")


@scenario("2.7.3", strict=True, A="a", B="a")
def a_static_member_restarts_in_the_initial_delay(group: Group) -> None:
    group.join("A", wait=False)
    group.session.rest(0.2)
    group.join("B", wait=False)
    group.hear("A")
    group.hear("B")


@scenario("36", (4, 9), strict=True)
def max_size_79(group: Group) -> None:
    group.commit_anonymously("admin")
    group.gather("A", "B")
    group.gather("A", "B")
    group.share("A", "B")
    group.join("C")
    group.join("C")
    group.describe()
    group.heartbeat("A")


@scenario("36", BEFORE_IDS, strict=True)
def max_size_before_ids(group: Group) -> None:
    group.gather("A", "B")
    group.share("A", "B")
    group.join("C")
    group.join("C", "nobody-1")
    group.join("B")


@scenario("37", strict=True, A="a", B="b", C="c")
def max_size_preparing(group: Group) -> None:
    group.gather("A", "B")
    group.share("A", "B")
    group.leave("admin", [("", "b")])
    group.join("B", "", wait=False)
    group.parked("B")
    group.join("A", wait=False)
    group.hear("A")
    group.hear("B")
    group.join("C", "")
    group.describe()


@scenario("38", (5, 9), strict=True, A="a", B="b")
def max_size_static_restart(group: Group) -> None:
    group.gather("A", "B")
    group.share("A", "B")
    group.join("B", "")
    group.join("B", 1)
    group.heartbeat("A")


@scenario("6.4.5", strict=True)
def a_retention_of_its_own_expires(group: Group) -> None:
    group.commit_anonymously("A", {0: 1}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.commit_anonymously("A", {1: 2}, version=4, retention_ms=3_600_000)
    group.session.rest(EXPIRED_S)
    group.fetch("A")
    group.describe()


@scenario("6.4.6", strict=True)
def a_group_whose_offsets_have_all_expired_goes(group: Group) -> None:
    group.commit_anonymously("A", {0: 1, 1: 2}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.session.rest(EXPIRED_S)
    group.fetch("A")
    group.describe()


@scenario("6.4.6", strict=True)
def an_empty_group_goes_whose_only_joiner_is_pending(group: Group) -> None:
    group.join("A")
    group.session.rest(CHECKED_S)
    group.describe()
    group.join("A")


@scenario("6.4.5", strict=True, A="a")
def a_subscribed_topic_never_expires(group: Group) -> None:
    group.settle("A")
    group.commit("A", {0: 1}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.session.rest(EXPIRED_S)
    group.fetch("A")


@scenario("104", strict=True, A="a", B="b")
def expire_preparing(group: Group) -> None:
    group.enter("A", protocols=ELSEWHERE)
    group.sync("A", {"A": b"all"})
    group.enter("B", wait=False, protocols=ELSEWHERE)
    group.parked("B")
    group.commit("A", {0: 1}, version=4, retention_ms=SHORT_RETENTION_MS)
    group.session.rest(EXPIRED_S)
    group.describe()
    group.fetch("A")
    group.join("A", protocols=ELSEWHERE)
    group.hear("B")
    group.session.rest(CHECKED_S)
    group.fetch("A")
    group.share("A", "B")
    group.session.rest(CHECKED_S)
    group.fetch("A")


@scenario("102", strict=True, long=True, A="a")
def expire_empty_group(group: Group) -> None:
    group.settle("A")
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
    group.enter("A", protocols=WIDER)
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
    group.enter("A", protocol_type="connect")
    group.sync("A", {"A": b"tasks"}, protocol_type="connect")
    group.commit("A", {0: 1})
    group.session.rest(RETENTION_S + CHECKED_S)
    group.fetch("A", None)


@scenario("6.4.5", strict=True, long=True, A="a")
def metadata_that_cannot_be_read_keeps_everything(group: Group) -> None:
    """Subscriptions unknown: whatever the group committed may be subscribed (rule 2.17)."""
    group.enter("A", protocols={"range": b"\x00"})
    group.sync("A", {"A": b"all"})
    group.commit("A", {0: 1})
    group.session.rest(RETENTION_S + CHECKED_S)
    group.fetch("A", None)
    group.describe()


ELSEWHERE = {"range": WIDER["range"].replace(b"oracle", b"others")}
assert RANGE["range"] not in ELSEWHERE.values()


@scenario("2.7.3", strict=True)
def the_last_pending_id_that_expires_ends_an_initial_rebalance(group: Group) -> None:
    """It would go on for two seconds more: the second member has prolonged it."""
    group.join("A", session_timeout_ms=2 * INITIAL_DELAY_MS - 4_000)
    group.join("B", "", version=3, wait=False)
    group.session.rest(1.0)
    group.join("C", "", version=3, wait=False)
    group.session.rest(2 * DELAY_S - 3.0)
    group.describe()
    group.hear("B")
    group.hear("C")


# --- consumer groups ------------------------------------------------------------------------------------------------

SESSION_S = SHORT_SESSION_MS / 1000
BEFORE_AND_AFTER_S = (0.3 * SESSION_S, 0.3 * SESSION_S, 0.7 * SESSION_S)
"""The first two end long before a session that began with them, the third long after it."""


@scenario("119", (9, 10), strict=True, C="c", D="d")
def consumers_max_size(group: Consumers) -> None:
    group.configure(consumer_session_timeout_ms=60_000)
    for actor in ("A", "B", "C", "D"):
        group.come(actor)
    group.come("A", again=True)
    group.beat("D", 0, "", names=[TOPIC], owned={}, rebalance_timeout_ms=1, version=0)
    group.beat("D", 5, "D.1")
    group.go("C", epoch=STEPS_OUT)
    group.come("C")
    group.look()
    group.beat("C", 0, "C.1", names=[TOPIC], owned={}, rebalance_timeout_ms=1)


@scenario("116", (9, 10), strict=True, B="b")
def consumers_session_timeout(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    for rest_s in BEFORE_AND_AFTER_S:
        group.session.rest(rest_s)
        group.beat("A")
    group.look()
    group.beat("B")
    group.save("B", 3)
    group.beat("A")
    group.look()


@scenario("116", strict=True)
def consumers_session_is_not_prolonged_by_commits(group: Consumers) -> None:
    group.come("A")
    for offset, rest_s in enumerate(BEFORE_AND_AFTER_S):
        group.session.rest(rest_s)
        group.save("A", 0, offset=offset)
    group.look()
    group.beat("A")
    group.come("A", again=True)
    group.look()


@scenario("125", (9, 10), strict=True, A="a")
def consumers_static_leave_expires(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.session.rest(0.3 * SESSION_S)
    group.go("A", epoch=STEPS_OUT)
    group.beat("B")
    group.look()
    group.session.rest(0.3 * SESSION_S)
    group.beat("B")
    group.session.rest(0.6 * SESSION_S)
    group.beat("B")
    group.look()
    group.come("A")
    group.beat("A")


@scenario("6.4.5", (9, 10), strict=True)
def consumers_offsets_expire_by_topic(group: Consumers) -> None:
    """An explicit expiry time is valid only for unsubscribed topics, and removes an empty group as well."""
    group.configure(consumer_session_timeout_ms=60_000)
    group.commit("admin", {0: 1}, generation=-1, member_id="", version=4, retention_ms=SHORT_RETENTION_MS)
    group.come("A")
    group.session.rest(EXPIRED_S)
    group.fetch("A", None)
    group.beat("A", names=[])
    group.session.rest(CHECKED_S)
    group.fetch("A", None)
    group.look()
    group.go("A")
    group.session.rest(CHECKED_S)
    group.look()


@scenario("6.4.5", strict=True, long=True)
def consumers_offsets_grow_old(group: Consumers) -> None:
    group.configure(consumer_session_timeout_ms=60_000)
    group.come("A", names=["others"])
    group.save("A", 0)
    group.session.rest(12.0)
    group.save("A", 1)
    group.beat("A")
    group.session.rest(RETENTION_S - 6.0)
    group.fetch("A", None)
    group.beat("A")
    group.session.rest(6.0 + CHECKED_S)
    group.fetch("A", None)
    group.look()
