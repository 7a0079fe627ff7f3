"""Scenarios of consumer groups: joins, assignments, revocations and answers (rules 3.3 to 3.7; 9.5).

The topic `oracle` has four partitions. The members' assignor is `range`: A has the first of them, a single member all.
New assignments are not delayed (`consumer.assignment.interval.ms` is 0) unless a scenario says so.
"""

from __future__ import annotations

from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    HeartbeatTopicPartitions,
)
from tests.oracle.classic_requests import LONG_MS, OWN, SHORT_MS, TOPIC
from tests.oracle.consumer_requests import ALL, LEAVES, LEAVES_TEMPORARILY, NOTHING, Consumers
from tests.oracle.scenarios import scenario

BOTH = (9, 10)
"""Versions 0 and 1 of heartbeats and descriptions; 9 and 10 of commits and fetches."""
HALF = {TOPIC: (0, 1)}
OTHER_HALF = {TOPIC: (2, 3)}


# --- joins ------------------------------------------------------------------------------------------------------------


@scenario("107", BOTH)
def join_first(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_describe()
    for types in ([], ["consumer"], ["classic"], ["Consumer", "share"], ["nonsense"]):
        group.list(types=types)
    group.list(states=["stable"])
    group.list(states=["Assigning", "Reconciling"])
    group.describe()


@scenario("107", BOTH, A="a")
def join_first_static(group: Consumers) -> None:
    group.consumer_join("A", rack="here", rebalance_timeout_ms=0)
    group.consumer_describe()


@scenario("107", BOTH)
def the_broker_generates_a_member_id_before_v1(group: Consumers) -> None:
    group.consumer_heartbeat("A", 0, "", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS, version=0)
    group.consumer_heartbeat("A", version=0)
    group.consumer_commit("A", 0)
    group.consumer_describe()


@scenario("107", BOTH)
def join_without_existing_topics(group: Consumers) -> None:
    group.consumer_join("A", names=[])
    group.consumer_describe()
    group.consumer_join("B", names=["missing-topic"])
    group.consumer_heartbeat("A")
    group.consumer_describe()
    group.consumer_join("C", names=[TOPIC, TOPIC, "missing-topic"])
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("107", (10,))
def join_with_an_empty_regex(group: Consumers) -> None:
    group.consumer_join("A", names=None, regex="")
    group.consumer_heartbeat("A", names=[TOPIC])
    group.consumer_heartbeat("A", regex="")
    group.consumer_describe()


@scenario("108", BOTH)
def validation(group: Consumers) -> None:
    group.consumer_join("A", instance=" ")
    group.consumer_join("A", instance="")
    group.consumer_join("A", rack=" ")
    joins = {"owned": NOTHING, "names": [TOPIC], "rebalance_timeout_ms": LONG_MS}
    group.consumer_heartbeat("A", 0, "", version=1, **joins)
    group.consumer_heartbeat("A", 0, " ", version=1, **joins)
    group.consumer_heartbeat("A", 1, "", version=0)
    group.consumer_heartbeat("A", 1, "")
    group.consumer_heartbeat("A", LEAVES, "")
    group.consumer_join("A", rebalance_timeout_ms=-1)
    group.consumer_join("A", owned=None)
    group.consumer_join("A", owned=ALL)
    group.consumer_join("A", names=None)
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_leave("A", epoch=-3)
    group.consumer_join("A", assignor="sticky")
    group.consumer_join("A", assignor="")
    group.consumer_describe()


@scenario("108", BOTH)
def the_first_of_several_mistakes_is_reported(group: Consumers) -> None:
    group.consumer_heartbeat("A", 0, "", instance=" ", rack=" ", owned=ALL, version=1)
    group.consumer_heartbeat("A", 0, "", rack=" ", owned=ALL, version=1)
    group.consumer_heartbeat("A", 0, "A", owned=ALL)
    group.consumer_heartbeat("A", 0, "A", owned=ALL, rebalance_timeout_ms=7)
    group.consumer_heartbeat("A", -3, "", instance=" ")
    group.consumer_heartbeat("A", -3, "A", assignor="sticky")
    group.consumer_heartbeat("A", 5, "A", assignor="sticky")
    group.consumer_heartbeat("A", 5, "A", rack="")
    group.id = ""
    group.consumer_heartbeat("A", -3, "", instance=" ")
    group.id = " "
    group.consumer_join("A")


@scenario("109", BOTH, B="b")
def epochs_of_unknown_members(group: Consumers) -> None:
    for client in ("A", "B"):
        for epoch in (5, LEAVES):
            group.consumer_heartbeat(client, epoch, f"{client}.1")
    group.consumer_heartbeat("B", LEAVES_TEMPORARILY, "B.1")
    group.consumer_describe()
    group.consumer_join("C")
    for client in ("A", "B"):
        for epoch in (5, LEAVES):
            group.consumer_heartbeat(client, epoch, f"{client}.1")
    group.consumer_heartbeat("B", LEAVES_TEMPORARILY, "B.1")
    group.consumer_describe()


@scenario("109")
def consumer_requests_for_a_classic_group_with_members(group: Consumers) -> None:
    group.stabilize("A")
    group.consumer_describe()
    group.consumer_heartbeat("B", 5, "B.1")
    group.consumer_heartbeat("B", LEAVES, "B.1")


@scenario("3.11", BOTH)
def describe_missing_groups(group: Consumers) -> None:
    group.consumer_describe(others=["missing-group", ""])
    group.commit_anonymously("A")
    group.consumer_describe()
    group.session.ask("admin", ConsumerGroupDescribeRequest([]), 1)
    group.session.ask("admin", ConsumerGroupDescribeRequest([group.id], include_authorized_operations=True), 0)
    group.consumer_join("A")
    group.session.ask("admin", ConsumerGroupDescribeRequest([group.id], include_authorized_operations=True), 1)


# --- epochs -----------------------------------------------------------------------------------------------------------


@scenario("110", BOTH)
def epochs(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_heartbeat("A", 4)
    group.consumer_heartbeat("A", 2)
    for owned in (HALF, {TOPIC: (0,)}, NOTHING, {TOPIC: ()}, {TOPIC: (0, 1, 2)}, OTHER_HALF, {"missing-topic": (0,)}):
        group.consumer_heartbeat("A", 2, owned=owned)
    group.consumer_heartbeat("A", 1, owned=HALF)
    group.consumer_heartbeat("A", 1)
    group.consumer_heartbeat("B", 2, owned=NOTHING)
    group.consumer_describe()


@scenario("110", BOTH)
def previous_epoch_with_a_topic_no_longer_assigned(group: Consumers) -> None:
    """Treat a topic that is listed without partitions as owned (rule 3.4)."""
    group.consumer_join("A")
    group.consumer_heartbeat("A", names=["missing-topic"], owned=NOTHING)
    group.consumer_heartbeat("A", 1, owned={TOPIC: ()})
    group.consumer_heartbeat("A", 1, owned=NOTHING)
    group.consumer_heartbeat("A", 2, owned={TOPIC: ()})
    group.consumer_heartbeat("A", 2, owned=NOTHING)
    group.consumer_describe()


@scenario("114", BOTH)
def an_owned_topic_is_listed_twice(group: Consumers) -> None:
    group.stabilize_consumers("A")
    group.consumer_join("B")
    topic_id = group.session.side.topic_id(TOPIC)
    for numbers in (((0, 1, 2, 3), ()), ((0,), (1,)), ((), (0, 1))):
        owned = [HeartbeatTopicPartitions(topic_id, list(each)) for each in numbers]
        request = ConsumerGroupHeartbeatRequest(
            group_id=group.id,
            member_id=group.member_id("A", OWN),
            member_epoch=group.consumer_state("A").epoch,
            topic_partitions=owned,
        )
        group.ask("A", request, group.newest, wait=True)
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("110", BOTH, A="a", B="b")
def static_epochs(group: Consumers) -> None:
    epochs(group)


@scenario("110", BOTH)
def a_dynamic_member_joins_again(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_join("A", again=True)
    group.consumer_heartbeat("A", 0)
    group.consumer_heartbeat("A")
    group.consumer_join("C")
    group.consumer_heartbeat("A")
    group.consumer_join("A", again=True)
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_describe()


@scenario("110", BOTH)
def previous_epoch_is_the_one_before_the_last_record(group: Consumers) -> None:
    """Use the present epoch as the previous one after a record that keeps the epoch (rule 3.4)."""
    group.stabilize_consumers("A", "B")
    group.consumer_join("C")
    group.consumer_heartbeat("A")
    group.consumer_join("D")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", 3, owned=HALF)
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("A", 3, owned=NOTHING)
    group.consumer_heartbeat("A", 4, owned=NOTHING)
    group.consumer_describe()


@scenario("111", BOTH)
def subscription_change(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.consumer_join("A")
    for names in ([TOPIC, more], [more, TOPIC], [more], [], [TOPIC, "missing-topic"], [TOPIC]):
        group.consumer_heartbeat("A", names=names)
        group.consumer_heartbeat("A")
        group.consumer_heartbeat("A", owned=OWN)
        group.consumer_describe()


@scenario("111", BOTH)
def unsubscribed_partitions_dropped_in_the_same_heartbeat(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.consumer_join("A", names=[TOPIC, more])
    group.consumer_heartbeat("A", owned={more: (0, 1)}, names=[more])
    group.consumer_describe()
    group.consumer_join("B", names=[TOPIC, more])
    group.consumer_heartbeat("A", owned=NOTHING, names=[TOPIC])
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("111")
def subscription_change_before_partitions_are_revoked(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.consumer_join("A", names=[TOPIC, more])
    group.consumer_join("B", names=[TOPIC, more])
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", names=[more])
    group.consumer_describe()
    group.consumer_heartbeat("A", owned={TOPIC: (0,), more: (0,)})
    group.consumer_heartbeat("A", owned={more: (0,)})
    group.consumer_heartbeat("B")
    group.consumer_describe()
    group.consumer_heartbeat("A", names=[TOPIC])
    group.consumer_heartbeat("A", owned=NOTHING)
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("B", owned=OWN)
    group.consumer_heartbeat("A")
    group.consumer_describe()


@scenario("111", BOTH)
def subscription_change_while_an_assignment_is_delayed(group: Consumers) -> None:
    """Revoke unwanted partitions at once, without a new target and under the same epoch."""
    more = f"more-{group.id}"
    group.make_topic(more)
    group.configure(consumer_assignment_interval_ms=15_000)
    group.consumer_join("A", names=[TOPIC, more])
    group.consumer_heartbeat("A", names=[more])
    group.consumer_describe()
    group.consumer_heartbeat("A", names=[more, "missing-topic"])
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("A", owned={more: (0,)}, names=[TOPIC])
    group.consumer_heartbeat("A", owned={}, names=[])
    group.consumer_describe()


@scenario("3.4", BOTH, A="a")
def changes_that_leave_the_epoch_unchanged(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_heartbeat("A", rack="there")
    group.consumer_heartbeat("A", rack="there")
    group.consumer_heartbeat("A", rebalance_timeout_ms=SHORT_MS)
    group.consumer_heartbeat("A", assignor="uniform")
    group.consumer_heartbeat("A", names=[TOPIC])
    group.session.connection = "elsewhere"
    group.consumer_heartbeat("A")
    group.session.connection = ""
    group.consumer_describe()


@scenario("3.4", BOTH)
def a_dynamic_member_sends_an_instance_id(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_heartbeat("A", instance="a")
    group.consumer_heartbeat("A", 0, instance="a", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.consumer_describe()
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY, instance="a")
    group.consumer_heartbeat("A")
    group.consumer_describe()


@scenario("118", BOTH)
def votes_for_an_assignor(group: Consumers) -> None:
    group.consumer_join("A", assignor=None)
    group.consumer_describe()
    group.consumer_join("B", assignor="range")
    group.consumer_describe()
    group.consumer_heartbeat("A", assignor="range")
    group.consumer_heartbeat("B", assignor="uniform")
    group.consumer_heartbeat("A", assignor="uniform")
    group.consumer_describe()
    group.consumer_leave("A")
    group.consumer_leave("B")
    group.consumer_describe()


# --- revocation and assignment ----------------------------------------------------------------------------------------


@scenario("112", BOTH)
def second_member(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_describe()
    group.consumer_heartbeat("A")
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("B", owned=OWN)
    group.consumer_describe()


@scenario("112", BOTH, A="a", B="b")
def second_static_member(group: Consumers) -> None:
    second_member(group)


@scenario("112", B="b")
def a_static_member_comes_before_dynamic_ones(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_describe()


@scenario("112", BOTH)
def one_of_three_members_leaves(group: Consumers) -> None:
    group.stabilize_consumers("A", "B", "C")
    group.consumer_describe()
    group.consumer_leave("B")
    group.proceed("A")
    group.proceed("C")
    group.proceed("A")
    group.proceed("C")
    group.consumer_describe()


@scenario("113", BOTH)
def null_does_not_confirm(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    for owned in (None, None, ALL, {TOPIC: (0, 3)}, OTHER_HALF):
        group.consumer_heartbeat("A", owned=owned)
        group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("A", owned={TOPIC: (0,)})
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("114", BOTH)
def owned_not_containing(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A", owned=HALF)
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("114")
def revocation_confirmed_before_it_is_requested(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_heartbeat("A", owned=NOTHING)
    group.consumer_join("B")
    group.consumer_heartbeat("A", owned=OTHER_HALF)
    group.consumer_heartbeat("A", owned=HALF)
    group.consumer_describe()


@scenario("3.6", BOTH)
def a_newer_target_revokes_more_during_a_revocation(group: Consumers) -> None:
    """Move the member by one epoch, not to the epoch of the newer target."""
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_join("C")
    group.consumer_join("D")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=HALF)
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("A", owned={TOPIC: (0,)})
    group.consumer_describe()
    for client in ("B", "C", "D"):
        group.consumer_heartbeat(client)
    group.consumer_describe()


@scenario("3.6", BOTH)
def partitions_to_be_revoked_are_assigned_again(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_leave("B")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=ALL)
    group.consumer_heartbeat("A", owned=HALF)
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_describe()


@scenario("3.6")
def partitions_awaited_from_two_members(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A")
    group.consumer_join("C")
    group.consumer_join("A")
    group.consumer_describe()
    for client in ("C", "B", "A", "B", "C", "A", "C", "B"):
        group.proceed(client)
        group.consumer_describe()


@scenario("3.6", BOTH)
def a_new_target_for_a_member_that_owns_nothing(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_join("C")
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("B")
    group.consumer_join("D")
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("C")
    group.consumer_heartbeat("D")
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("C", owned=OWN)
    group.consumer_describe()


@scenario("115", A="a")
def rebalance_timeout(group: Consumers) -> None:
    group.consumer_join("A", rebalance_timeout_ms=SHORT_MS)
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.session.ask_until_error(lambda: group.consumer_heartbeat("A"))
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("115")
def rebalance_timeout_ends_with_the_confirmation(group: Consumers) -> None:
    group.consumer_join("A", rebalance_timeout_ms=SHORT_MS)
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=OWN)
    group.session.rest(1.5 * SHORT_MS / 1000)
    group.consumer_heartbeat("A")
    group.consumer_describe()


@scenario("115")
def rebalance_timeout_restarts_with_the_next_record(group: Consumers) -> None:
    patience_s = 10.0
    group.consumer_join("A", rebalance_timeout_ms=round(patience_s * 1000))
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_join("C")
    group.consumer_join("D")
    group.session.rest(0.6 * patience_s)
    group.consumer_heartbeat("A", owned=HALF)
    group.session.rest(0.6 * patience_s)
    group.consumer_heartbeat("A")
    group.session.ask_until_error(lambda: group.consumer_heartbeat("A"))
    group.consumer_describe()


# --- contents of answers ----------------------------------------------------------------------------------------------


@scenario("120", BOTH)
def full_request(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_heartbeat("A", owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.consumer_heartbeat("A", owned=OWN, names=[TOPIC])
    group.consumer_heartbeat("A", owned=OWN, rebalance_timeout_ms=LONG_MS)
    group.consumer_heartbeat("A", names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.consumer_join("B")
    group.consumer_heartbeat("B", owned=NOTHING, names=[TOPIC], rebalance_timeout_ms=LONG_MS)
    group.consumer_heartbeat("A", owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS)


@scenario("120", (10,))
def full_request_with_a_regex(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_heartbeat("A", owned=OWN, regex="", rebalance_timeout_ms=LONG_MS)


@scenario("121", BOTH)
def partial_request(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=ALL)
    group.consumer_heartbeat("A", owned=NOTHING)
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=OWN)
