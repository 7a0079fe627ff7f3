"""Scenarios of consumer groups: members that leave and return, changes of topics and of the protocol.

Rules 3.4, 3.5, 3.9; 9.5. As in `scenarios_consumers.py`, A has the first partitions of `oracle`, and a single member
has all.
"""

from __future__ import annotations

from tenure.protocol.messages import CreatePartitionsRequest, CreatePartitionsTopic
from tests.oracle.classic_requests import OWN, TOPIC, WIDER
from tests.oracle.consumer_requests import LEAVES, LEAVES_TEMPORARILY, Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.scenarios_offsets import delete_topic, make_topic

BOTH = (9, 10)
"""Versions 0 and 1 of heartbeats and descriptions; 9 and 10 of commits and fetches."""


# --- leaving and returning --------------------------------------------------------------------------------------------


@scenario("122", BOTH)
def leave(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A", epoch=LEAVES)
    group.consumer_describe()
    group.consumer_heartbeat("A")
    group.consumer_leave("A")
    group.proceed("B")
    group.consumer_leave("B")
    group.consumer_describe()
    group.list()
    group.list(states=["Empty"])
    group.consumer_join("C")
    group.consumer_describe()


@scenario("122", BOTH, A="a", B="b")
def leave_static(group: Consumers) -> None:
    leave(group)


@scenario("122")
def leave_before_partitions_are_revoked(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_leave("A")
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("122", BOTH)
def a_dynamic_member_cannot_leave_temporarily(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY, instance="a")
    group.consumer_leave("A", epoch=LEAVES, instance="a")
    group.consumer_describe()


@scenario("123", BOTH, A="a", B="b")
def static_leave_return(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_describe()
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_heartbeat("B")
    group.consumer_join("A")
    group.consumer_describe()
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("B")


@scenario("123", BOTH, A="a")
def static_leave_return_under_the_same_id(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_join("A", again=True)
    group.consumer_heartbeat("A")
    group.consumer_describe()


@scenario("123", A="a", B="b")
def static_leave_return_with_other_properties(group: Consumers) -> None:
    """Change rack, host and timeout: one more record, the same epoch."""
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.session.connection = "elsewhere"
    group.consumer_join("A", rack="there", rebalance_timeout_ms=7_000, assignor=None)
    group.session.connection = ""
    group.consumer_describe()


@scenario("123", A="a", B="b")
def static_leave_before_partitions_are_revoked(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_heartbeat("A")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_join("A")
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_describe()


@scenario("123", A="a", B="b")
def static_leave_and_others_join_meanwhile(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_join("B")
    group.consumer_heartbeat("B")
    group.consumer_describe()
    group.consumer_join("A")
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("123", A="a", B="b")
def static_leave_for_good_after_a_temporary_leave(group: Consumers) -> None:
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_leave("A")
    group.consumer_describe()
    group.consumer_heartbeat("B")
    group.consumer_describe()


@scenario("124", BOTH, A="a", B="b")
def static_leave_return_new_topics(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.stabilize_consumers("A", "B")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_join("A", names=[TOPIC, more])
    group.proceed("A")
    group.proceed("B")
    group.consumer_describe()


@scenario("126", BOTH, A="a", B="a")
def static_unreleased(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_describe()
    group.consumer_heartbeat("A")


@scenario("127", BOTH, A="a")
def static_same_id_rejoins(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_join("A", again=True)
    group.consumer_heartbeat("A")
    group.consumer_describe()


@scenario("128", BOTH, A="a", B="a", C="c")
def static_fenced(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("B", 2, "B.9")
    group.consumer_join("B")
    group.consumer_heartbeat("A", 2)
    group.consumer_leave("A", epoch=LEAVES)
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_heartbeat("A", 2, instance=None)
    group.consumer_leave("A", epoch=LEAVES, instance=None)
    group.consumer_heartbeat("C", 2, "C.1")
    group.consumer_leave("C", epoch=LEAVES, member_id="C.1")
    group.consumer_leave("C", epoch=LEAVES_TEMPORARILY, member_id="C.1")
    group.consumer_heartbeat("B", instance=None)
    group.consumer_heartbeat("B", instance="c")
    group.consumer_leave("B", epoch=LEAVES, instance="c")
    group.consumer_leave("B", epoch=LEAVES, instance=None)
    group.consumer_describe()


@scenario("129", BOTH)
def states(group: Consumers) -> None:
    """Compute assignments no more often than the interval allows (KIP-1263); no timer starts the next one."""
    group.configure(consumer_assignment_interval_ms=15_000)
    group.consumer_join("A")
    group.consumer_describe()
    group.consumer_join("B")
    group.consumer_heartbeat("B")
    group.consumer_heartbeat("A")
    group.consumer_describe()
    group.list(states=["assigning"])
    group.consumer_commit("B", 3)
    group.consumer_leave("B")
    group.consumer_join("B")
    group.consumer_describe()
    group.configure(consumer_assignment_interval_ms=0)
    group.consumer_describe()
    group.consumer_heartbeat("A")
    group.consumer_describe()
    group.list(states=["reconciling"])
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_heartbeat("B")
    group.consumer_describe()
    group.consumer_leave("A")
    group.consumer_describe()
    group.consumer_leave("B")
    group.consumer_describe()


@scenario("129", A="a")
def static_leave_while_an_assignment_is_delayed(group: Consumers) -> None:
    group.configure(consumer_assignment_interval_ms=15_000)
    group.consumer_join("A")
    group.consumer_join("B")
    group.consumer_leave("A", epoch=LEAVES_TEMPORARILY)
    group.consumer_join("A")
    group.consumer_describe()
    group.configure(consumer_assignment_interval_ms=0)
    group.consumer_heartbeat("B")
    group.consumer_describe()
    group.consumer_heartbeat("A")
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_describe()


# --- topics -----------------------------------------------------------------------------------------------------------


@scenario("132", BOTH)
def topic_growth(group: Consumers) -> None:
    topic = f"grows-{group.id}"
    group.make_topic(topic)
    group.consumer_join("A", names=[topic])
    grow(group, topic, 4)
    group.wait_for_new_epoch("A")
    group.consumer_describe()


@scenario("132")
def subscribed_topic_created_later(group: Consumers) -> None:
    topic = f"comes-{group.id}"
    group.consumer_join("A", names=[TOPIC, topic])
    make_topic(group, topic)
    group.wait_for_new_epoch("A")
    group.consumer_describe()


@scenario("132")
def topic_of_a_member_deleted(group: Consumers) -> None:
    topic = f"doomed-{group.id}"
    group.make_topic(topic)
    group.consumer_join("A", names=[TOPIC, topic])
    group.consumer_commit("A", 0, topic=topic)
    group.consumer_commit("A", 0)
    delete_topic(group, topic)
    group.session.ask_until(lambda: group.consumer_heartbeat("A"), lambda answer: answer.assignment is not None)
    group.consumer_describe()
    group.consumer_heartbeat("A", owned=OWN)
    group.consumer_describe()
    group.fetch(partitions=None)


def grow(group: Consumers, topic: str, count: int) -> None:
    wanted = CreatePartitionsTopic(name=topic, count=count, assignments=None)
    group.session.ask("admin", CreatePartitionsRequest(topics=[wanted], timeout_ms=10_000), 3)


# --- change of protocol -----------------------------------------------------------------------------------------------


@scenario("149", BOTH)
def an_empty_classic_group_is_replaced(group: Consumers) -> None:
    group.stabilize("A")
    group.commit("A", {0: 5})
    group.leave("A")
    group.consumer_join("B")
    group.consumer_describe()
    group.describe()
    group.list()
    group.consumer_fetch("B")


@scenario("149")
def a_simple_group_is_replaced(group: Consumers) -> None:
    group.commit_anonymously("A", {0: 5})
    group.consumer_join("B")
    group.consumer_describe()
    group.consumer_fetch("B")
    group.consumer_leave("B")
    group.commit_anonymously("A", {0: 6})
    group.fetch()


@scenario("150")
def a_classic_member_joins_an_empty_consumer_group(group: Consumers) -> None:
    group.consumer_join("A")
    group.consumer_commit("A", 0)
    group.consumer_leave("A")
    group.join_with_id("B")
    group.sync("B", {"B": b"all"})
    group.describe()
    group.consumer_describe()
    group.list()
    group.fetch()
    group.delete_offsets(partitions=(0,))
    group.join("B", protocols=WIDER)


# --- default assignor -------------------------------------------------------------------------------------------------


@scenario("3.12")
def uniform_assigns_alike_if_all_shares_are_equal(group: Consumers) -> None:
    """Compare equal shares only: unequal ones go to different members (docs/differences.md)."""
    group.stabilize_consumers("A", "B", assignor=None)
    group.consumer_describe()
    group.consumer_leave("B")
    group.proceed("A")
    group.consumer_describe()
