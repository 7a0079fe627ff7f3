"""Members of a consumer group: how they come, what they get, give up and are told (rules 3.3 to 3.7; 9.5).

The topic `oracle` has four partitions. The members' assignor is `range`: A has the first of them, a single member all.
Assignments are not held back (`consumer.assignment.interval.ms` is 0) but where a scenario says so.
"""

from __future__ import annotations

from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    HeartbeatTopicPartitions,
)
from tests.oracle.actors import LONG_MS, OWN, SHORT_MS, TOPIC
from tests.oracle.consumers import ALL, LEAVES, NOTHING, STEPS_OUT, Consumers
from tests.oracle.scenarios import scenario

BOTH = (9, 10)
"""Versions 0 and 1 of heartbeats and descriptions; 9 and 10 of commits and fetches."""
HALF = {TOPIC: (0, 1)}
OTHER_HALF = {TOPIC: (2, 3)}


# --- coming -----------------------------------------------------------------------------------------------------------


@scenario("107", BOTH)
def join_first(group: Consumers) -> None:
    group.come("A")
    group.look()
    for types in ([], ["consumer"], ["classic"], ["Consumer", "share"], ["nonsense"]):
        group.list(types=types)
    group.list(states=["stable"])
    group.list(states=["Assigning", "Reconciling"])
    group.describe()


@scenario("107", BOTH, A="a")
def join_first_static(group: Consumers) -> None:
    group.come("A", rack="here", rebalance_timeout_ms=0)
    group.look()


@scenario("107", BOTH)
def the_broker_draws_an_id_before_v1(group: Consumers) -> None:
    group.beat("A", 0, "", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS, version=0)
    group.beat("A", version=0)
    group.save("A", 0)
    group.look()


@scenario("107", BOTH)
def join_for_nothing(group: Consumers) -> None:
    group.come("A", names=[])
    group.look()
    group.come("B", names=["nobody-has-it"])
    group.beat("A")
    group.look()
    group.come("C", names=[TOPIC, TOPIC, "nobody-has-it"])
    group.beat("A")
    group.beat("B")
    group.look()


@scenario("107", (10,))
def join_with_an_empty_expression(group: Consumers) -> None:
    group.come("A", names=None, regex="")
    group.beat("A", names=[TOPIC])
    group.beat("A", regex="")
    group.look()


@scenario("108", BOTH)
def validation(group: Consumers) -> None:
    group.come("A", instance=" ")
    group.come("A", instance="")
    group.come("A", rack=" ")
    joins = {"owned": NOTHING, "names": [TOPIC], "rebalance_timeout_ms": LONG_MS}
    group.beat("A", 0, "", version=1, **joins)
    group.beat("A", 0, " ", version=1, **joins)
    group.beat("A", 1, "", version=0)
    group.beat("A", 1, "")
    group.beat("A", LEAVES, "")
    group.come("A", rebalance_timeout_ms=-1)
    group.come("A", owned=None)
    group.come("A", owned=ALL)
    group.come("A", names=None)
    group.go("A", epoch=STEPS_OUT)
    group.go("A", epoch=-3)
    group.come("A", assignor="sticky")
    group.come("A", assignor="")
    group.look()


@scenario("108", BOTH)
def of_several_mistakes_the_first_is_told(group: Consumers) -> None:
    group.beat("A", 0, "", instance=" ", rack=" ", owned=ALL, version=1)
    group.beat("A", 0, "", rack=" ", owned=ALL, version=1)
    group.beat("A", 0, "A", owned=ALL)
    group.beat("A", 0, "A", owned=ALL, rebalance_timeout_ms=7)
    group.beat("A", -3, "", instance=" ")
    group.beat("A", -3, "A", assignor="sticky")
    group.beat("A", 5, "A", assignor="sticky")
    group.beat("A", 5, "A", rack="")
    group.id = ""
    group.beat("A", -3, "", instance=" ")
    group.id = " "
    group.come("A")


@scenario("109", BOTH, B="b")
def nobodys_epochs(group: Consumers) -> None:
    for actor in ("A", "B"):
        for epoch in (5, LEAVES):
            group.beat(actor, epoch, f"{actor}.1")
    group.beat("B", STEPS_OUT, "B.1")
    group.look()
    group.come("C")
    for actor in ("A", "B"):
        for epoch in (5, LEAVES):
            group.beat(actor, epoch, f"{actor}.1")
    group.beat("B", STEPS_OUT, "B.1")
    group.look()


@scenario("109")
def a_classic_group_with_members_is_none(group: Consumers) -> None:
    group.settle("A")
    group.look()
    group.beat("B", 5, "B.1")
    group.beat("B", LEAVES, "B.1")


@scenario("3.11", BOTH)
def describe_what_is_not_there(group: Consumers) -> None:
    group.look(others=["nobody's", ""])
    group.commit_anonymously("A")
    group.look()
    group.session.ask("admin", ConsumerGroupDescribeRequest([]), 1)
    group.session.ask("admin", ConsumerGroupDescribeRequest([group.id], include_authorized_operations=True), 0)
    group.come("A")
    group.session.ask("admin", ConsumerGroupDescribeRequest([group.id], include_authorized_operations=True), 1)


# --- epochs -----------------------------------------------------------------------------------------------------------


@scenario("110", BOTH)
def epochs(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.beat("A", 4)
    group.beat("A", 2)
    for owned in (HALF, {TOPIC: (0,)}, NOTHING, {TOPIC: ()}, {TOPIC: (0, 1, 2)}, OTHER_HALF, {"nobody-has-it": (0,)}):
        group.beat("A", 2, owned=owned)
    group.beat("A", 1, owned=HALF)
    group.beat("A", 1)
    group.beat("B", 2, owned=NOTHING)
    group.look()


@scenario("110", BOTH)
def the_epoch_before_with_a_topic_that_is_not_assigned_any_more(group: Consumers) -> None:
    """A topic that is listed without partitions counts as owned (rule 3.4)."""
    group.come("A")
    group.beat("A", names=["nobody-has-it"], owned=NOTHING)
    group.beat("A", 1, owned={TOPIC: ()})
    group.beat("A", 1, owned=NOTHING)
    group.beat("A", 2, owned={TOPIC: ()})
    group.beat("A", 2, owned=NOTHING)
    group.look()


@scenario("114", BOTH)
def a_topic_is_listed_twice(group: Consumers) -> None:
    group.settle_consumers("A")
    group.come("B")
    topic_id = group.session.side.topic_id(TOPIC)
    for numbers in (((0, 1, 2, 3), ()), ((0,), (1,)), ((), (0, 1))):
        owned = [HeartbeatTopicPartitions(topic_id, list(each)) for each in numbers]
        request = ConsumerGroupHeartbeatRequest(
            group_id=group.id,
            member_id=group.member_id("A", OWN),
            member_epoch=group.seat("A").epoch,
            topic_partitions=owned,
        )
        group.ask("A", request, group.newest, wait=True)
    group.beat("B")
    group.look()


@scenario("110", BOTH, A="a", B="b")
def static_epochs(group: Consumers) -> None:
    epochs(group)


@scenario("110", BOTH)
def a_dynamic_member_begins_again(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.come("A", again=True)
    group.beat("A", 0)
    group.beat("A")
    group.come("C")
    group.beat("A")
    group.come("A", again=True)
    group.beat("A", owned=OWN)
    group.look()


@scenario("110", BOTH)
def the_epoch_before_is_the_one_before_the_last_record(group: Consumers) -> None:
    """A record that keeps the epoch makes it its own predecessor (rule 3.4)."""
    group.settle_consumers("A", "B")
    group.come("C")
    group.beat("A")
    group.come("D")
    group.beat("A")
    group.beat("A", 3, owned=HALF)
    group.beat("A", owned=OWN)
    group.beat("A", 3, owned=NOTHING)
    group.beat("A", 4, owned=NOTHING)
    group.look()


@scenario("111", BOTH)
def subscription_change(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.come("A")
    for names in ([TOPIC, more], [more, TOPIC], [more], [], [TOPIC, "nobody-has-it"], [TOPIC]):
        group.beat("A", names=names)
        group.beat("A")
        group.beat("A", owned=OWN)
        group.look()


@scenario("111", BOTH)
def a_member_tells_at_once_that_it_has_dropped_what_it_no_longer_wants(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.come("A", names=[TOPIC, more])
    group.beat("A", owned={more: (0, 1)}, names=[more])
    group.look()
    group.come("B", names=[TOPIC, more])
    group.beat("A", owned=NOTHING, names=[TOPIC])
    group.beat("B")
    group.look()


@scenario("111")
def subscription_change_while_something_is_to_be_revoked(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.come("A", names=[TOPIC, more])
    group.come("B", names=[TOPIC, more])
    group.beat("A")
    group.beat("A", names=[more])
    group.look()
    group.beat("A", owned={TOPIC: (0,), more: (0,)})
    group.beat("A", owned={more: (0,)})
    group.beat("B")
    group.look()
    group.beat("A", names=[TOPIC])
    group.beat("A", owned=NOTHING)
    group.beat("B")
    group.beat("B", owned=OWN)
    group.beat("A")
    group.look()


@scenario("111", BOTH)
def subscription_change_while_an_assignment_waits(group: Consumers) -> None:
    """Unwanted partitions are revoked at once, without a new target and under the same epoch."""
    more = f"more-{group.id}"
    group.make_topic(more)
    group.configure(consumer_assignment_interval_ms=15_000)
    group.come("A", names=[TOPIC, more])
    group.beat("A", names=[more])
    group.look()
    group.beat("A", names=[more, "nobody-has-it"])
    group.beat("A", owned=OWN)
    group.beat("A", owned={more: (0,)}, names=[TOPIC])
    group.beat("A", owned={}, names=[])
    group.look()


@scenario("3.4", BOTH, A="a")
def what_does_not_move_the_epoch(group: Consumers) -> None:
    group.come("A")
    group.beat("A", rack="there")
    group.beat("A", rack="there")
    group.beat("A", rebalance_timeout_ms=SHORT_MS)
    group.beat("A", assignor="uniform")
    group.beat("A", names=[TOPIC])
    group.session.ear = "elsewhere"
    group.beat("A")
    group.session.ear = ""
    group.look()


@scenario("3.4", BOTH)
def a_member_gets_an_instance(group: Consumers) -> None:
    group.come("A")
    group.beat("A", instance="a")
    group.beat("A", 0, instance="a", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.look()
    group.go("A", epoch=STEPS_OUT, instance="a")
    group.beat("A")
    group.look()


@scenario("118", BOTH)
def votes_for_an_assignor(group: Consumers) -> None:
    group.come("A", assignor=None)
    group.look()
    group.come("B", assignor="range")
    group.look()
    group.beat("A", assignor="range")
    group.beat("B", assignor="uniform")
    group.beat("A", assignor="uniform")
    group.look()
    group.go("A")
    group.go("B")
    group.look()


# --- giving up and getting ------------------------------------------------------------------------------------------


@scenario("112", BOTH)
def second_member(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.look()
    group.beat("A")
    group.look()
    group.beat("B")
    group.beat("A", owned=OWN)
    group.look()
    group.beat("B")
    group.beat("B", owned=OWN)
    group.look()


@scenario("112", BOTH, A="a", B="b")
def second_static_member(group: Consumers) -> None:
    second_member(group)


@scenario("112", B="b")
def a_static_member_comes_before_dynamic_ones(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.look()


@scenario("112", BOTH)
def three_members_and_back(group: Consumers) -> None:
    group.settle_consumers("A", "B", "C")
    group.look()
    group.go("B")
    group.go_on("A")
    group.go_on("C")
    group.go_on("A")
    group.go_on("C")
    group.look()


@scenario("113", BOTH)
def null_does_not_confirm(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    for owned in (None, None, ALL, {TOPIC: (0, 3)}, OTHER_HALF):
        group.beat("A", owned=owned)
        group.look()
    group.beat("B")
    group.beat("A", owned={TOPIC: (0,)})
    group.beat("B")
    group.look()


@scenario("114", BOTH)
def owned_not_containing(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.beat("A", owned=HALF)
    group.beat("B")
    group.look()


@scenario("114")
def what_it_confirms_before_it_is_asked(group: Consumers) -> None:
    group.come("A")
    group.beat("A", owned=NOTHING)
    group.come("B")
    group.beat("A", owned=OTHER_HALF)
    group.beat("A", owned=HALF)
    group.look()


@scenario("3.6", BOTH)
def asked_to_give_up_more_on_the_way(group: Consumers) -> None:
    """A newer target on the way: the member moves by one epoch, not to the target's."""
    group.come("A")
    group.come("B")
    group.beat("A")
    group.come("C")
    group.come("D")
    group.beat("A")
    group.beat("A", owned=HALF)
    group.look()
    group.beat("B")
    group.beat("A", owned={TOPIC: (0,)})
    group.look()
    for actor in ("B", "C", "D"):
        group.beat(actor)
    group.look()


@scenario("3.6", BOTH)
def what_was_to_be_given_up_comes_back(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.beat("A")
    group.go("B")
    group.beat("A")
    group.beat("A", owned=ALL)
    group.beat("A", owned=HALF)
    group.beat("A", owned=OWN)
    group.look()


@scenario("3.6")
def blocked_by_two(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.go("A")
    group.come("C")
    group.come("A")
    group.look()
    for actor in ("C", "B", "A", "B", "C", "A", "C", "B"):
        group.go_on(actor)
        group.look()


@scenario("3.6", BOTH)
def one_that_owns_nothing_is_given_a_new_target_on_the_way(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.come("C")
    group.beat("B")
    group.beat("A")
    group.beat("A", owned=OWN)
    group.beat("B")
    group.come("D")
    group.beat("B")
    group.beat("C")
    group.beat("D")
    group.beat("A", owned=OWN)
    group.beat("C", owned=OWN)
    group.look()


@scenario("115", A="a")
def rebalance_timeout(group: Consumers) -> None:
    group.come("A", rebalance_timeout_ms=SHORT_MS)
    group.come("B")
    group.beat("A")
    group.session.ask_until_error(lambda: group.beat("A"))
    group.look()
    group.beat("B")
    group.look()


@scenario("115")
def rebalance_timeout_of_who_has_confirmed(group: Consumers) -> None:
    group.come("A", rebalance_timeout_ms=SHORT_MS)
    group.come("B")
    group.beat("A")
    group.beat("A", owned=OWN)
    group.session.rest(1.5 * SHORT_MS / 1000)
    group.beat("A")
    group.look()


@scenario("115")
def rebalance_timeout_begins_anew_with_the_next_record(group: Consumers) -> None:
    patience_s = 10.0
    group.come("A", rebalance_timeout_ms=round(patience_s * 1000))
    group.come("B")
    group.beat("A")
    group.come("C")
    group.come("D")
    group.session.rest(0.6 * patience_s)
    group.beat("A", owned=HALF)
    group.session.rest(0.6 * patience_s)
    group.beat("A")
    group.session.ask_until_error(lambda: group.beat("A"))
    group.look()


# --- what an answer says ----------------------------------------------------------------------------------------------


@scenario("120", BOTH)
def full_request(group: Consumers) -> None:
    group.come("A")
    group.beat("A", owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.beat("A", owned=OWN, names=[TOPIC])
    group.beat("A", owned=OWN, rebalance_timeout_ms=LONG_MS)
    group.beat("A", names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.come("B")
    group.beat("B", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.beat("A", owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS)


@scenario("120", (10,))
def full_request_by_expression(group: Consumers) -> None:
    group.come("A")
    group.beat("A", owned=OWN, regex="", rebalance_timeout_ms=LONG_MS)


@scenario("121", BOTH)
def partial_request(group: Consumers) -> None:
    group.come("A")
    group.beat("A")
    group.beat("A", owned=ALL)
    group.beat("A", owned=NOTHING)
    group.come("B")
    group.beat("A")
    group.beat("A")
    group.beat("A", owned=OWN)
