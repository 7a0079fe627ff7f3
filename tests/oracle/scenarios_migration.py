"""Groups that go over from one protocol to the other while they work, and members of both in one group (3.9; 9.7).

A, B and C speak the classic protocol; K, L and M the new one, and vote for `range`: it gives static members, by their
instance ids, the first partitions, then the others by their member ids, of which "K.1" comes before "client-A-...".
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
from tests.oracle.actors import PASSED_S, RANGE, SHORT_MS, SHORT_SESSION_MS, STICKY, TOPIC, subscription
from tests.oracle.consumers import LEAVES, STEPS_OUT, Consumers
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
    told = ConsumerProtocolSubscription(list(topics), None, parts, generation)  # type: ignore[arg-type]
    return {"range": struct.pack(">h", version) + encode(told, version)}


def classic(group: Consumers, shares: Shares, **how: object) -> None:
    """Stable, with these members and shares; the first leads."""
    leader, *others = shares
    group.settle(leader, *others, **how)
    group.gather(leader, *others, **how)
    share_out(group, shares)


def share_out(group: Consumers, shares: Shares) -> None:
    leader, *others = shares
    for member in others:
        group.sync(member, wait=False)
    group.sync(leader, {member: assigned(*partitions) for member, partitions in shares.items()})
    for member in others:
        group.hear(member)


def catch_up(group: Consumers, actor: str, **how: object) -> None:
    """Let a classic member follow a rebalance: join, and fetch the assignment."""
    answer = group.join(actor, **how)
    if not answer.error_code:
        group.sync(actor, generation=answer.generation_id)


# --- upgrade ----------------------------------------------------------------------------------------------------------


@scenario("146", (9, 10))
def upgrade_of_a_stable_group(group: Consumers) -> None:
    classic(group, TWO)
    before = group.generation
    group.commit("A", {0: 5})
    group.come("K")
    group.look()
    group.describe()
    group.list()
    group.beat("K")
    group.heartbeat("A", generation=before)
    group.heartbeat("B", generation=before - 1)
    group.commit("A", {0: 6}, generation=before)
    group.commit("A", {2: 6}, generation=before)
    group.save("K", 0)
    group.read("A", before, partitions=(0,))
    group.sync("A", generation=before)
    catch_up(group, "A")
    group.look()
    group.commit("A", {0: 7}, generation=before)
    group.commit("A", {0: 8})
    group.heartbeat("A")
    group.go_on("K")
    group.heartbeat("B", generation=before)
    catch_up(group, "B")
    group.go_on("K")
    group.go_on("K")
    group.heartbeat("A")
    group.heartbeat("B")
    group.look()


@scenario("146", A="a", B="b")
def upgrade_of_a_group_of_static_members(group: Consumers) -> None:
    classic(group, TWO)
    group.come("K", instance="k")
    for actor in ("A", "B"):
        catch_up(group, actor)
    group.go_on("K")
    group.look()
    group.leave("A", [("", "b")])
    group.heartbeat("B")


@scenario("146", A="a", B="b", K="a")
def upgrade_by_who_takes_over_a_seat(group: Consumers) -> None:
    classic(group, TWO)
    group.come("K")
    group.look()
    group.heartbeat("A")
    group.heartbeat("B", generation=group.generation)
    group.go_on("K")
    group.commit("B", {2: 5})
    group.look()


@scenario("146")
def upgrade_with_cooperative_members(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)}, protocols=owning())
    group.come("K")
    group.heartbeat("A")
    catch_up(group, "A", protocols=owning(0, 1, 2, 3))
    group.heartbeat("A")
    group.go_on("K")
    group.look()
    catch_up(group, "A", protocols=owning(2, 3))
    group.heartbeat("A")
    group.go_on("K")
    group.go_on("K")
    group.look()


@scenario("146")
def upgrade_by_a_member_that_wants_nothing(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)})
    group.come("K", names=[])
    group.heartbeat("A")
    group.look()
    group.beat("K", names=[TOPIC])
    group.heartbeat("A")


@scenario("146")
def upgrade_of_what_nobody_subscribes_to(group: Consumers) -> None:
    group.settle("A")
    group.gather("A")
    group.sync("A", {"A": assigned(0, 7, topic="nobody-has-it")})
    group.come("K")
    group.look()


@scenario("147")
def upgrade_of_a_group_that_gathers(group: Consumers) -> None:
    classic(group, TWO)
    group.join("A", wait=False)
    group.parked("A")
    group.come("K")
    group.hear("A")
    group.look()
    group.heartbeat("B")
    catch_up(group, "A")
    catch_up(group, "B")
    group.look()


@scenario("147")
def upgrade_of_a_group_that_syncs(group: Consumers) -> None:
    classic(group, TWO)
    group.gather("A", "B")
    group.sync("B", wait=False)
    group.parked("B")
    group.come("K")
    group.hear("B")
    group.look()
    group.heartbeat("A")
    catch_up(group, "B")
    catch_up(group, "A")


@scenario("147")
def upgrade_while_somebody_waits_for_the_first_time(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)})
    group.enter("B", wait=False)
    group.parked("B")
    group.come("K")
    group.hear("B")
    group.look()
    catch_up(group, "B")
    catch_up(group, "A")
    group.go_on("K")
    group.look()


@scenario("147")
def upgrade_while_an_id_is_pending(group: Consumers) -> None:
    classic(group, {"A": (0, 1, 2, 3)})
    group.join("B", "")
    group.come("K")
    catch_up(group, "B")
    group.look()


@scenario("148")
def no_upgrade_of_another_type(group: Consumers) -> None:
    group.enter("A", protocol_type="connect", protocols={"range": b"x"})
    group.sync("A", {"A": b"all"}, protocol_type="connect")
    group.come("K")
    group.beat("K", 3)
    group.heartbeat("A")


@scenario("148")
def no_upgrade_of_what_cannot_be_read(group: Consumers) -> None:
    group.settle("A")
    group.come("K")
    group.heartbeat("A")
    group.gather("A", protocols={"range": b"\0"})
    group.sync("A", {"A": assigned(0)})
    group.come("K")
    group.heartbeat("A")


@scenario("148")
def upgrade_of_members_with_user_data_of_their_own(group: Consumers) -> None:
    told = ConsumerProtocolSubscription([TOPIC], b"mine")  # type: ignore[list-item]
    group.settle("A", protocols={"range": b"\0\1" + encode(told, 1)})
    group.gather("A", protocols={"range": b"\0\1" + encode(told, 1)})
    group.sync("A", {"A": assigned(0, 1, 2, 3)})
    group.come("K")
    group.look()


@scenario("148")
def no_upgrade_of_a_custom_assignors_group(group: Consumers) -> None:
    group.settle("A")
    group.gather("A")
    group.sync("A", {"A": assigned(0, user_data=b"mine")})
    group.come("K")
    group.heartbeat("A")
    group.gather("A")
    group.sync("A", {"A": assigned(0, user_data=b"")})
    group.come("K")


@scenario("149")
def upgrade_of_an_empty_group(group: Consumers) -> None:
    group.settle("A")
    group.commit("A", {0: 5})
    group.leave("A")
    group.beat("K", 5, "K.0")
    group.come("K")
    group.read("K")


# --- classic members of a consumer group ------------------------------------------------------------------------------


@scenario("150")
def join_a_consumer_group_that_is_empty(group: Consumers) -> None:
    group.settle_consumers("K")
    group.save("K", 0)
    group.go("K")
    group.enter("A")
    group.look()
    group.fetch(partitions=(0,))


@scenario("3.9")
def join_a_consumer_group(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("A", "")
    group.join("B", "B.1", protocol_type="connect")
    group.join("B", "B.1", protocols={})
    group.join("B", "B.1", protocols={"range": b"\0"})
    group.join("B", "B.1", instance="b")
    group.join("B", "B.1", protocols=RANGE | STICKY)
    group.look()
    group.join("C", "C.1", protocols={"other": subscription(TOPIC)})
    group.join("C", "C.1", protocols=STICKY)
    group.join("C", "C.2", protocols=RANGE)
    group.sync("B", member_id="B.1", protocol_name="sticky")
    group.sync("B", member_id="B.1", protocol_type="connect")
    group.sync("B", member_id="B.2")
    group.sync("K")
    group.heartbeat("K")
    group.heartbeat("B", "B.2")
    group.look()


@scenario("3.9")
def join_a_consumer_group_without_an_id_of_ones_own(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("A", "", version=3, protocols={"range": subscription("nobody-has-it")})
    group.heartbeat("A")
    group.look()
    group.leave("A", version=1)


@scenario("3.9", B="b")
def join_a_consumer_group_as_a_static_member(group: Consumers) -> None:
    group.settle_consumers("K")
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
    group.look()
    group.come("K", instance="b", again=True)
    group.look()


@scenario("152")
def assignments_in_the_version_of_the_subscription(group: Consumers) -> None:
    group.settle_consumers("K")
    for version in (0, 1, 2, 3, 9):
        answer = group.join("A", "A.1", protocols={"range": subscription(TOPIC, version=min(version, 3))})
        group.sync("A", member_id="A.1", generation=answer.generation_id)
    group.leave("A", [("A.1", None)])


@scenario("151")
def a_classic_member_hears_of_rebalances(group: Consumers) -> None:
    group.settle_consumers("K")
    first = group.join("A", "A.1").generation_id
    group.heartbeat("A", "A.1", generation=first)
    group.sync("A", member_id="A.1", generation=first)
    group.go_on("K")
    group.go_on("K")
    group.heartbeat("A", "A.1", generation=first)
    second = group.join("A", "A.1").generation_id
    group.sync("A", member_id="A.1", generation=second)
    group.heartbeat("A", "A.1", generation=second)
    group.come("L")
    group.heartbeat("A", "A.1", generation=second)
    group.sync("A", member_id="A.1", generation=second)
    group.look()


@scenario("153", long=True)
def a_classic_member_does_not_join_again(group: Consumers) -> None:
    group.settle_consumers("K")
    answer = group.join("A", "A.1", rebalance_timeout_ms=SHORT_MS)
    group.sync("A", member_id="A.1", generation=answer.generation_id)
    group.go_on("K")
    group.heartbeat("A", "A.1", generation=answer.generation_id)
    group.session.rest(PASSED_S)
    group.heartbeat("A", "A.1", generation=answer.generation_id)
    group.look()


@scenario("153", long=True)
def a_classic_member_does_not_sync(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("A", "A.1", rebalance_timeout_ms=SHORT_MS)
    group.session.rest(PASSED_S)
    group.sync("A", member_id="A.1")
    group.look()


@scenario("153", long=True)
def the_session_of_a_classic_member_ends(group: Consumers) -> None:
    group.settle_consumers("K")
    answer = group.join("A", "A.1", session_timeout_ms=SHORT_MS)
    group.sync("A", member_id="A.1", generation=answer.generation_id)
    group.session.rest(PASSED_S)
    group.heartbeat("A", "A.1", generation=answer.generation_id)
    group.look()


@scenario("154")
def classic_members_leave_a_consumer_group(group: Consumers) -> None:
    group.settle_consumers("K", "L")
    for actor in ("A", "B", "C"):
        group.join(actor, f"{actor}.1")
    group.leave("A", [("A.1", None), ("B.1", None), ("B.1", None), ("", None), ("D.1", None), ("", "nobody")])
    group.look()
    group.leave("A", [("A.1", None)])
    group.leave("C", [("C.1", "c")])
    group.leave("admin", [("K.1", None)])
    group.look()


@scenario("154", B="b")
def a_static_classic_member_leaves_a_consumer_group(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("B")
    group.leave("admin", [("", "b"), ("other", "b")])
    group.join("B", "")
    group.leave("admin", [("other", "b")])
    group.leave("B", [(group.member_id("B"), "b")])


# --- downgrade --------------------------------------------------------------------------------------------------------


def mixed(group: Consumers, **how: object) -> int:
    """A is classic and has half, K the other half."""
    group.settle_consumers("K")
    group.join("A", "A.1", **how)
    group.sync("A", member_id="A.1")
    group.go_on("K")
    group.go_on("K")
    generation: int = group.join("A", "A.1", **how).generation_id
    group.sync("A", member_id="A.1", generation=generation)
    group.go_on("K")
    group.look()
    return generation


@scenario("155")
def the_last_consumer_leaves(group: Consumers) -> None:
    generation = mixed(group)
    group.go("K")
    group.describe()
    group.look()
    group.list()
    group.heartbeat("A", "A.1", generation=generation)
    group.commit("A", {0: 5}, "A.1", generation=generation)
    group.join("A", "A.1")
    group.sync("A", {"A.1": assigned(0, 1, 2, 3)}, "A.1")
    group.describe()


@scenario("155")
def the_last_consumer_leaves_before_the_others_have_come_along(group: Consumers) -> None:
    generation = mixed(group)
    group.come("L")
    group.go("K")
    group.go("L")
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
    group.look()


@scenario("155", strict=True, long=True)
def the_session_of_the_last_consumer_ends(group: Consumers) -> None:
    mixed(group)
    group.session.rest(1.5 * SHORT_SESSION_MS / 1000)
    group.describe()


@scenario("155", long=True)
def the_last_consumer_does_not_give_up_in_time(group: Consumers) -> None:
    group.settle_consumers("K", rebalance_timeout_ms=SHORT_MS)
    group.join("A", "A.1")
    group.sync("A", member_id="A.1")
    group.beat("K")
    group.session.rest(PASSED_S)
    group.describe()


@scenario("156", K="k", A="k")
def a_classic_member_takes_the_last_consumers_seat(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("A")
    group.describe()
    group.look()
    group.sync("A")
    group.heartbeat("A")
    group.beat("K")
    group.describe()


@scenario("156", K="k", A="k")
def a_classic_member_takes_the_last_consumers_seat_and_wants_more(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("A", protocols={"range": subscription(TOPIC, "more")})
    group.describe()
    group.sync("A")
    group.join("A", protocols={"range": subscription(TOPIC, "more")})
    group.describe()


@scenario("156", K="k", A="k", B="b")
def a_classic_member_takes_the_last_consumers_seat_beside_another(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("B")
    group.sync("B")
    group.go_on("K")
    group.go_on("K")
    catch_up(group, "B")
    group.go_on("K")
    group.join("A", protocols=STICKY | RANGE)
    group.describe()
    group.heartbeat("B")
    group.sync("A")


@scenario("156", K="k", L="l", A="k")
def a_classic_member_takes_the_seat_of_one_of_two_consumers(group: Consumers) -> None:
    group.settle_consumers("K", "L")
    group.join("A")
    group.sync("A")
    group.look()
    group.go("L", epoch=STEPS_OUT)
    group.look()
    group.go("L", epoch=LEAVES)
    group.describe()


@scenario("156", K="k", A="k")
def a_consumer_takes_back_its_seat_from_a_classic_member(group: Consumers) -> None:
    group.settle_consumers("L")
    group.join("A")
    group.sync("A")
    group.come("K")
    group.heartbeat("A")
    group.look()


@scenario("156")
def a_consumer_goes_on_as_a_classic_member_under_its_id(group: Consumers) -> None:
    group.settle_consumers("K")
    group.join("K", "K.1")
    group.look()
    group.sync("K", member_id="K.1")
    group.come("K", again=True)
    group.look()
    group.join("A", "A.1")
    group.go("K")
    group.look()
    group.describe()


@scenario("3.9", strict=True, K="k", C="k")
def a_classic_member_finds_the_group_full(group: Consumers) -> None:
    """Even the seat that it could take over."""
    group.settle_consumers("K")
    for actor in ("A", "B"):
        group.join(actor, f"{actor}.1")
    group.join("C")
    group.join("D", "D.1")
    group.join("A", "A.1")
    group.look()
    group.leave("A", [("A.1", None), ("B.1", None)])
    group.join("C")
    group.describe()
