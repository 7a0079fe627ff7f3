"""Scenarios of groups that change their protocol, and of groups with members of both protocols (3.9; 9.7).

A, B and C use the classic protocol; K, L and M the consumer protocol with the assignor `range`. It gives the first
partitions to static members, by instance id, then the others by member id; "K.1" is before "client-A-...".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from tenure.protocol.codec import encode
from tenure.protocol.generated.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    TopicPartition,
)
from tests.oracle.classic_requests import PASSED_S, RANGE, SHORT_MS, SHORT_SESSION_MS, STICKY, TOPIC, subscription
from tests.oracle.consumer_requests import LEAVES, LEAVES_TEMPORARILY, Consumers
from tests.oracle.scenarios import scenario

Shares = Mapping[str, Sequence[int]]
"""Partitions of the topic by actor."""

TWO: Shares = {"A": (0, 1), "B": (2, 3)}


def assigned(*partitions: int, topic: str = TOPIC, version: int = 1, user_data: bytes | None = None) -> bytes:
    parts = [TopicPartition(topic, list(partitions))] if partitions else []  # type: ignore[arg-type]
    return struct.pack(">h", version) + encode(ConsumerProtocolAssignment(parts, user_data), version)


def owning(
    *partitions: int, topics: Sequence[str] = (TOPIC,), version: int = 3, generation: int = -1
) -> dict[str, bytes]:
    """Return the protocols of a cooperative member."""
    parts = [TopicPartition(TOPIC, list(partitions))] if partitions else []  # type: ignore[arg-type]
    subscribed = ConsumerProtocolSubscription(list(topics), None, parts, generation)  # type: ignore[arg-type]
    return {"range": struct.pack(">h", version) + encode(subscribed, version)}


def classic(group: Consumers, shares: Shares, **how: object) -> None:
    """Make the group Stable with these members and shares; the first member leads."""
    leader, *others = shares
    group.stabilize(leader, *others, **how)
    group.rejoin_all(leader, *others, **how)
    share_out(group, shares)


def share_out(group: Consumers, shares: Shares) -> None:
    leader, *others = shares
    for member in others:
        group.sync(member, wait=False)
    group.sync(leader, {member: assigned(*partitions) for member, partitions in shares.items()})
    for member in others:
        group.receive(member)


def catch_up(group: Consumers, client: str, **how: object) -> None:
    """Let a classic member follow a rebalance: join, and fetch the assignment."""
    answer = group.join(client, **how)
    if not answer.error_code:
        group.sync(client, generation=answer.generation_id)


# --- upgrade ----------------------------------------------------------------------------------------------------------


@scenario("146", (9, 10))
def upgrade_of_a_stable_group(group: Consumers) -> None:
    classic(group, TWO)
    before = group.generation
    group.commit("A", {0: 5})
    group.consumer_join("K")
    group.consumer_describe()
    group.describe()
    group.list()
    group.consumer_heartbeat("K")
    group.heartbeat("A", generation=before)
    group.heartbeat("B", generation=before - 1)
    group.commit("A", {0: 6}, generation=before)
    group.commit("A", {2: 6}, generation=before)
    group.consumer_commit("K", 0)
    group.consumer_fetch("A", before, partitions=(0,))
    group.sync("A", generation=before)
    catch_up(group, "A")
    group.consumer_describe()
    group.commit("A", {0: 7}, generation=before)
    group.commit("A", {0: 8})
    group.heartbeat("A")
    group.proceed("K")
    group.heartbeat("B", generation=before)
    catch_up(group, "B")
    group.proceed("K")
    group.proceed("K")
    group.heartbeat("A")
    group.heartbeat("B")
    group.consumer_describe()


@scenario("146", A="a", B="b")
def upgrade_of_a_group_of_static_members(group: Consumers) -> None:
    classic(group, TWO)
    group.consumer_join("K", instance="k")
    for client in ("A", "B"):
        catch_up(group, client)
    group.proceed("K")
    group.consumer_describe()
    group.leave("A", [("", "b")])
    group.heartbeat("B")


@scenario("146", A="a", B="b", K="a")
def upgrade_by_a_member_that_takes_over_a_seat(group: Consumers) -> None:
    classic(group, TWO)
    group.consumer_join("K")
    group.consumer_describe()
    group.heartbeat("A")
    group.heartbeat("B", generation=group.generation)
    group.proceed("K")
    group.commit("B", {2: 5})
    group.consumer_describe()


@scenario("146")
def upgrade_with_cooperative_members(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)}, protocols=owning())
    group.consumer_join("K")
    group.heartbeat("A")
    catch_up(group, "A", protocols=owning(0, 1, 2, 3))
    group.heartbeat("A")
    group.proceed("K")
    group.consumer_describe()
    catch_up(group, "A", protocols=owning(2, 3))
    group.heartbeat("A")
    group.proceed("K")
    group.proceed("K")
    group.consumer_describe()


@scenario("146")
def upgrade_by_a_member_without_topics(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)})
    group.consumer_join("K", names=[])
    group.heartbeat("A")
    group.consumer_describe()
    group.consumer_heartbeat("K", names=[TOPIC])
    group.heartbeat("A")


@scenario("146")
def upgrade_with_a_missing_topic_assigned(group: Consumers) -> None:
    group.stabilize("A")
    group.rejoin_all("A")
    group.sync("A", {"A": assigned(0, 7, topic="missing-topic")})
    group.consumer_join("K")
    group.consumer_describe()


@scenario("147")
def upgrade_of_a_group_in_preparing_rebalance(group: Consumers) -> None:
    classic(group, TWO)
    group.join("A", wait=False)
    group.record_if_parked("A")
    group.consumer_join("K")
    group.receive("A")
    group.consumer_describe()
    group.heartbeat("B")
    catch_up(group, "A")
    catch_up(group, "B")
    group.consumer_describe()


@scenario("147")
def upgrade_of_a_group_in_completing_rebalance(group: Consumers) -> None:
    classic(group, TWO)
    group.rejoin_all("A", "B")
    group.sync("B", wait=False)
    group.record_if_parked("B")
    group.consumer_join("K")
    group.receive("B")
    group.consumer_describe()
    group.heartbeat("A")
    catch_up(group, "B")
    catch_up(group, "A")


@scenario("147")
def upgrade_while_a_new_member_is_joining(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)})
    group.join_with_id("B", wait=False)
    group.record_if_parked("B")
    group.consumer_join("K")
    group.receive("B")
    group.consumer_describe()
    catch_up(group, "B")
    catch_up(group, "A")
    group.proceed("K")
    group.consumer_describe()


@scenario("147")
def upgrade_while_an_id_is_pending(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)})
    group.join("B", "")
    group.consumer_join("K")
    catch_up(group, "B")
    group.consumer_describe()


@scenario("148")
def no_upgrade_of_another_protocol_type(group: Consumers) -> None:
    group.join_with_id("A", protocol_type="connect", protocols={"range": b"x"})
    group.sync("A", {"A": b"all"}, protocol_type="connect")
    group.consumer_join("K")
    group.consumer_heartbeat("K", 3)
    group.heartbeat("A")


@scenario("148")
def no_upgrade_with_unreadable_metadata(group: Consumers) -> None:
    group.stabilize("A")
    group.consumer_join("K")
    group.heartbeat("A")
    group.rejoin_all("A", protocols={"range": b"\0"})
    group.sync("A", {"A": assigned(0)})
    group.consumer_join("K")
    group.heartbeat("A")


@scenario("148")
def upgrade_of_members_with_user_data_of_their_own(group: Consumers) -> None:
    subscribed = ConsumerProtocolSubscription([TOPIC], b"mine")  # type: ignore[list-item]
    group.stabilize("A", protocols={"range": b"\0\1" + encode(subscribed, 1)})
    group.rejoin_all("A", protocols={"range": b"\0\1" + encode(subscribed, 1)})
    group.sync("A", {"A": assigned(0, 1, 2, 3)})
    group.consumer_join("K")
    group.consumer_describe()


@scenario("148")
def no_upgrade_of_a_custom_assignors_group(group: Consumers) -> None:
    group.stabilize("A")
    group.rejoin_all("A")
    group.sync("A", {"A": assigned(0, user_data=b"mine")})
    group.consumer_join("K")
    group.heartbeat("A")
    group.rejoin_all("A")
    group.sync("A", {"A": assigned(0, user_data=b"")})
    group.consumer_join("K")


@scenario("149")
def upgrade_of_an_empty_group(group: Consumers) -> None:
    group.stabilize("A")
    group.commit("A", {0: 5})
    group.leave("A")
    group.consumer_heartbeat("K", 5, "K.0")
    group.consumer_join("K")
    group.consumer_fetch("K")


# --- classic members of a consumer group ------------------------------------------------------------------------------


@scenario("150")
def join_a_consumer_group_that_is_empty(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.consumer_commit("K", 0)
    group.consumer_leave("K")
    group.join_with_id("A")
    group.consumer_describe()
    group.fetch(partitions=(0,))


@scenario("3.9")
def join_a_consumer_group(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("A", "")
    group.join("B", "B.1", protocol_type="connect")
    group.join("B", "B.1", protocols={})
    group.join("B", "B.1", protocols={"range": b"\0"})
    group.join("B", "B.1", instance="b")
    group.join("B", "B.1", protocols=RANGE | STICKY)
    group.consumer_describe()
    group.join("C", "C.1", protocols={"other": subscription(TOPIC)})
    group.join("C", "C.1", protocols=STICKY)
    group.join("C", "C.2", protocols=RANGE)
    group.sync("B", member_id="B.1", protocol_name="sticky")
    group.sync("B", member_id="B.1", protocol_type="connect")
    group.sync("B", member_id="B.2")
    group.sync("K")
    group.heartbeat("K")
    group.heartbeat("B", "B.2")
    group.consumer_describe()


@scenario("3.9")
def join_a_consumer_group_without_a_member_id(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("A", "", version=3, protocols={"range": subscription("missing-topic")})
    group.heartbeat("A")
    group.consumer_describe()
    group.leave("A", version=1)


@scenario("3.9", B="b")
def join_a_consumer_group_as_a_static_member(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("B")
    group.sync("B")
    group.join("B", "")
    group.join("B", "")
    group.heartbeat("B", 1)
    group.heartbeat("B", 2)
    group.heartbeat("B", 3)
    group.join("B", 1)
    group.sync("B", member_id=1)
    group.join("B", 3)
    group.heartbeat("B", 3, instance="nobody")
    group.consumer_describe()
    group.consumer_join("K", instance="b", again=True)
    group.consumer_describe()


@scenario("152")
def assignments_in_the_version_of_the_subscription(group: Consumers) -> None:
    group.stabilize_consumers("K")
    for version in (0, 1, 2, 3, 9):
        answer = group.join("A", "A.1", protocols={"range": subscription(TOPIC, version=min(version, 3))})
        group.sync("A", member_id="A.1", generation=answer.generation_id)
    group.leave("A", [("A.1", None)])


@scenario("151")
def a_classic_member_is_told_of_rebalances(group: Consumers) -> None:
    group.stabilize_consumers("K")
    first = group.join("A", "A.1").generation_id
    group.heartbeat("A", "A.1", generation=first)
    group.sync("A", member_id="A.1", generation=first)
    group.proceed("K")
    group.proceed("K")
    group.heartbeat("A", "A.1", generation=first)
    second = group.join("A", "A.1").generation_id
    group.sync("A", member_id="A.1", generation=second)
    group.heartbeat("A", "A.1", generation=second)
    group.consumer_join("L")
    group.heartbeat("A", "A.1", generation=second)
    group.sync("A", member_id="A.1", generation=second)
    group.consumer_describe()


@scenario("153", long=True)
def a_classic_member_does_not_join_again(group: Consumers) -> None:
    group.stabilize_consumers("K")
    answer = group.join("A", "A.1", rebalance_timeout_ms=SHORT_MS)
    group.sync("A", member_id="A.1", generation=answer.generation_id)
    group.proceed("K")
    group.heartbeat("A", "A.1", generation=answer.generation_id)
    group.session.rest(PASSED_S)
    group.heartbeat("A", "A.1", generation=answer.generation_id)
    group.consumer_describe()


@scenario("153", long=True)
def a_classic_member_does_not_sync(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("A", "A.1", rebalance_timeout_ms=SHORT_MS)
    group.session.rest(PASSED_S)
    group.sync("A", member_id="A.1")
    group.consumer_describe()


@scenario("153", long=True)
def the_session_of_a_classic_member_ends(group: Consumers) -> None:
    group.stabilize_consumers("K")
    answer = group.join("A", "A.1", session_timeout_ms=SHORT_MS)
    group.sync("A", member_id="A.1", generation=answer.generation_id)
    group.session.rest(PASSED_S)
    group.heartbeat("A", "A.1", generation=answer.generation_id)
    group.consumer_describe()


@scenario("154")
def classic_members_leave_a_consumer_group(group: Consumers) -> None:
    group.stabilize_consumers("K", "L")
    for client in ("A", "B", "C"):
        group.join(client, f"{client}.1")
    group.leave("A", [("A.1", None), ("B.1", None), ("B.1", None), ("", None), ("D.1", None), ("", "nobody")])
    group.consumer_describe()
    group.leave("A", [("A.1", None)])
    group.leave("C", [("C.1", "c")])
    group.leave("admin", [("K.1", None)])
    group.consumer_describe()


@scenario("154", B="b")
def a_static_classic_member_leaves_a_consumer_group(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("B")
    group.leave("admin", [("", "b"), ("other", "b")])
    group.join("B", "")
    group.leave("admin", [("other", "b")])
    group.leave("B", [(group.member_id("B"), "b")])


# --- downgrade --------------------------------------------------------------------------------------------------------


def mixed(group: Consumers, **how: object) -> int:
    """Let the classic member A and the consumer K have half of the partitions each."""
    group.stabilize_consumers("K")
    group.join("A", "A.1", **how)
    group.sync("A", member_id="A.1")
    group.proceed("K")
    group.proceed("K")
    generation: int = group.join("A", "A.1", **how).generation_id
    group.sync("A", member_id="A.1", generation=generation)
    group.proceed("K")
    group.consumer_describe()
    return generation


@scenario("155")
def the_last_consumer_leaves(group: Consumers) -> None:
    generation = mixed(group)
    group.consumer_leave("K")
    group.describe()
    group.consumer_describe()
    group.list()
    group.heartbeat("A", "A.1", generation=generation)
    group.commit("A", {0: 5}, "A.1", generation=generation)
    group.join("A", "A.1")
    group.sync("A", {"A.1": assigned(0, 1, 2, 3)}, "A.1")
    group.describe()


@scenario("155")
def the_last_consumer_leaves_before_the_others_have_rejoined(group: Consumers) -> None:
    generation = mixed(group)
    group.consumer_join("L")
    group.consumer_leave("K")
    group.consumer_leave("L")
    group.describe()
    group.heartbeat("A", "A.1", generation=generation)
    group.join("A", "A.1")
    group.describe()


@scenario("155")
def an_operator_removes_the_last_consumer(group: Consumers) -> None:
    mixed(group)
    group.leave("admin", [("K.1", None)])
    group.describe()


@scenario("155")
def the_last_consumer_and_the_last_classic_member_leave(group: Consumers) -> None:
    mixed(group)
    group.leave("admin", [("K.1", None), ("A.1", None)])
    group.consumer_describe()


@scenario("155", strict=True, long=True)
def the_session_of_the_last_consumer_ends(group: Consumers) -> None:
    mixed(group)
    group.session.rest(1.5 * SHORT_SESSION_MS / 1000)
    group.describe()


@scenario("155", long=True)
def the_last_consumer_does_not_revoke_in_time(group: Consumers) -> None:
    group.stabilize_consumers("K", rebalance_timeout_ms=SHORT_MS)
    group.join("A", "A.1")
    group.sync("A", member_id="A.1")
    group.consumer_heartbeat("K")
    group.session.rest(PASSED_S)
    group.describe()


@scenario("156", K="k", A="k")
def a_classic_member_takes_the_last_consumers_seat(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("A")
    group.describe()
    group.consumer_describe()
    group.sync("A")
    group.heartbeat("A")
    group.consumer_heartbeat("K")
    group.describe()


@scenario("156", K="k", A="k")
def a_classic_member_takes_the_last_consumers_seat_with_more_topics(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("A", protocols={"range": subscription(TOPIC, "more")})
    group.describe()
    group.sync("A")
    group.join("A", protocols={"range": subscription(TOPIC, "more")})
    group.describe()


@scenario("156", K="k", A="k", B="b")
def a_classic_member_takes_the_last_consumers_seat_beside_another(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("B")
    group.sync("B")
    group.proceed("K")
    group.proceed("K")
    catch_up(group, "B")
    group.proceed("K")
    group.join("A", protocols=STICKY | RANGE)
    group.describe()
    group.heartbeat("B")
    group.sync("A")


@scenario("156", K="k", L="l", A="k")
def a_classic_member_takes_the_seat_of_one_of_two_consumers(group: Consumers) -> None:
    group.stabilize_consumers("K", "L")
    group.join("A")
    group.sync("A")
    group.consumer_describe()
    group.consumer_leave("L", epoch=LEAVES_TEMPORARILY)
    group.consumer_describe()
    group.consumer_leave("L", epoch=LEAVES)
    group.describe()


@scenario("156", K="k", A="k")
def a_consumer_takes_back_its_seat_from_a_classic_member(group: Consumers) -> None:
    group.stabilize_consumers("L")
    group.join("A")
    group.sync("A")
    group.consumer_join("K")
    group.heartbeat("A")
    group.consumer_describe()


@scenario("156")
def a_consumer_joins_as_a_classic_member_with_its_member_id(group: Consumers) -> None:
    group.stabilize_consumers("K")
    group.join("K", "K.1")
    group.consumer_describe()
    group.sync("K", member_id="K.1")
    group.consumer_join("K", again=True)
    group.consumer_describe()
    group.join("A", "A.1")
    group.consumer_leave("K")
    group.consumer_describe()
    group.describe()


@scenario("3.9", strict=True, K="k", C="k")
def a_classic_member_finds_the_group_full(group: Consumers) -> None:
    """Refuse a classic member in a full group, unless it takes over a seat (4.3 refuses that, too)."""
    group.stabilize_consumers("K")
    for client in ("A", "B"):
        group.join(client, f"{client}.1")
    group.join("C")
    group.join("D", "D.1")
    group.join("A", "A.1")
    group.consumer_describe()
    group.leave("A", [("A.1", None), ("B.1", None)])
    group.join("C")
    group.describe()
