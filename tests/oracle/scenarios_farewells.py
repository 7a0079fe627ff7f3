"""Members of a consumer group leave and return; groups whose topics or protocol change (rules 3.4, 3.5, 3.9; 9.5).

As in `scenarios_consumers.py`, A has the first partitions of `oracle`, and a single member has all.
"""

from __future__ import annotations

from tenure.protocol.messages import CreatePartitionsRequest, CreatePartitionsTopic
from tests.oracle.actors import OWN, TOPIC, WIDER
from tests.oracle.consumers import LEAVES, STEPS_OUT, Consumers
from tests.oracle.scenarios import scenario
from tests.oracle.scenarios_offsets import delete_topic, make_topic

BOTH = (9, 10)
"""Versions 0 and 1 of heartbeats and descriptions; 9 and 10 of commits and fetches."""


# --- going ------------------------------------------------------------------------------------------------------------


@scenario("122", BOTH)
def leave(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.go("A", epoch=LEAVES)
    group.look()
    group.beat("A")
    group.go("A")
    group.go_on("B")
    group.go("B")
    group.look()
    group.list()
    group.list(states=["Empty"])
    group.come("C")
    group.look()


@scenario("122", BOTH, A="a", B="b")
def leave_static(group: Consumers) -> None:
    leave(group)


@scenario("122")
def leave_while_something_is_to_be_revoked(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.beat("A")
    group.go("A")
    group.beat("B")
    group.look()


@scenario("122", BOTH)
def a_dynamic_member_cannot_step_out(group: Consumers) -> None:
    group.come("A")
    group.go("A", epoch=STEPS_OUT)
    group.go("A", epoch=STEPS_OUT, instance="a")
    group.go("A", epoch=LEAVES, instance="a")
    group.look()


@scenario("123", BOTH, A="a", B="b")
def static_leave_return(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.go("A", epoch=STEPS_OUT)
    group.look()
    group.go("A", epoch=STEPS_OUT)
    group.beat("B")
    group.come("A")
    group.look()
    group.beat("A", owned=OWN)
    group.beat("B")


@scenario("123", BOTH, A="a")
def static_leave_return_under_the_same_id(group: Consumers) -> None:
    group.come("A")
    group.go("A", epoch=STEPS_OUT)
    group.come("A", again=True)
    group.beat("A")
    group.look()


@scenario("123", A="a", B="b")
def static_leave_return_differently(group: Consumers) -> None:
    """Another rack, host and timeout: a record more, no other epoch."""
    group.settle_consumers("A", "B")
    group.go("A", epoch=STEPS_OUT)
    group.session.ear = "elsewhere"
    group.come("A", rack="there", rebalance_timeout_ms=7_000, assignor=None)
    group.session.ear = ""
    group.look()


@scenario("123", A="a", B="b")
def static_leave_while_something_is_to_be_revoked(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.beat("A")
    group.go("A", epoch=STEPS_OUT)
    group.look()
    group.beat("B")
    group.come("A")
    group.beat("A", owned=OWN)
    group.look()


@scenario("123", A="a", B="b")
def static_leave_and_others_join_meanwhile(group: Consumers) -> None:
    group.come("A")
    group.go("A", epoch=STEPS_OUT)
    group.come("B")
    group.beat("B")
    group.look()
    group.come("A")
    group.beat("A", owned=OWN)
    group.beat("B")
    group.look()


@scenario("123", A="a", B="b")
def static_leave_for_good_after_leaving_for_a_while(group: Consumers) -> None:
    group.settle_consumers("A", "B")
    group.go("A", epoch=STEPS_OUT)
    group.go("A")
    group.look()
    group.beat("B")
    group.look()


@scenario("124", BOTH, A="a", B="b")
def static_leave_return_new_topics(group: Consumers) -> None:
    more = f"more-{group.id}"
    group.make_topic(more)
    group.settle_consumers("A", "B")
    group.go("A", epoch=STEPS_OUT)
    group.come("A", names=[TOPIC, more])
    group.go_on("A")
    group.go_on("B")
    group.look()


@scenario("126", BOTH, A="a", B="a")
def static_unreleased(group: Consumers) -> None:
    group.come("A")
    group.come("B")
    group.look()
    group.beat("A")


@scenario("127", BOTH, A="a")
def static_same_id_rejoins(group: Consumers) -> None:
    group.come("A")
    group.come("A", again=True)
    group.beat("A")
    group.look()


@scenario("128", BOTH, A="a", B="a", C="c")
def static_fenced(group: Consumers) -> None:
    group.come("A")
    group.go("A", epoch=STEPS_OUT)
    group.beat("A")
    group.beat("B", 2, "B.9")
    group.come("B")
    group.beat("A", 2)
    group.go("A", epoch=LEAVES)
    group.go("A", epoch=STEPS_OUT)
    group.beat("A", 2, instance=None)
    group.go("A", epoch=LEAVES, instance=None)
    group.beat("C", 2, "C.1")
    group.go("C", epoch=LEAVES, member_id="C.1")
    group.go("C", epoch=STEPS_OUT, member_id="C.1")
    group.beat("B", instance=None)
    group.beat("B", instance="c")
    group.go("B", epoch=LEAVES, instance="c")
    group.go("B", epoch=LEAVES, instance=None)
    group.look()


@scenario("129", BOTH)
def states(group: Consumers) -> None:
    """An assignment is as old as it must be (KIP-1263), and no timer makes the next one."""
    group.configure(consumer_assignment_interval_ms=15_000)
    group.come("A")
    group.look()
    group.come("B")
    group.beat("B")
    group.beat("A")
    group.look()
    group.list(states=["assigning"])
    group.save("B", 3)
    group.go("B")
    group.come("B")
    group.look()
    group.configure(consumer_assignment_interval_ms=0)
    group.look()
    group.beat("A")
    group.look()
    group.list(states=["reconciling"])
    group.beat("A", owned=OWN)
    group.beat("B")
    group.look()
    group.go("A")
    group.look()
    group.go("B")
    group.look()


@scenario("129", A="a")
def one_that_steps_out_while_an_assignment_waits(group: Consumers) -> None:
    group.configure(consumer_assignment_interval_ms=15_000)
    group.come("A")
    group.come("B")
    group.go("A", epoch=STEPS_OUT)
    group.come("A")
    group.look()
    group.configure(consumer_assignment_interval_ms=0)
    group.beat("B")
    group.look()
    group.beat("A")
    group.beat("A", owned=OWN)
    group.look()


# --- topics -----------------------------------------------------------------------------------------------------------


@scenario("132", BOTH)
def topic_growth(group: Consumers) -> None:
    topic = f"grows-{group.id}"
    group.make_topic(topic)
    group.come("A", names=[topic])
    grow(group, topic, 4)
    group.hear_news("A")
    group.look()


@scenario("132")
def topic_made_that_somebody_waits_for(group: Consumers) -> None:
    topic = f"comes-{group.id}"
    group.come("A", names=[TOPIC, topic])
    make_topic(group, topic)
    group.hear_news("A")
    group.look()


@scenario("132")
def topic_deleted_that_a_member_has(group: Consumers) -> None:
    topic = f"doomed-{group.id}"
    group.make_topic(topic)
    group.come("A", names=[TOPIC, topic])
    group.save("A", 0, topic=topic)
    group.save("A", 0)
    delete_topic(group, topic)
    group.session.ask_until(lambda: group.beat("A"), lambda answer: answer.assignment is not None)
    group.look()
    group.beat("A", owned=OWN)
    group.look()
    group.fetch(partitions=None)


def grow(group: Consumers, topic: str, count: int) -> None:
    wanted = CreatePartitionsTopic(name=topic, count=count, assignments=None)
    group.session.ask("admin", CreatePartitionsRequest(topics=[wanted], timeout_ms=10_000), 3)


# --- beside the classic protocol ------------------------------------------------------------------------------------


@scenario("149", BOTH)
def an_empty_classic_group_is_replaced(group: Consumers) -> None:
    group.settle("A")
    group.commit("A", {0: 5})
    group.leave("A")
    group.come("B")
    group.look()
    group.describe()
    group.list()
    group.read("B")


@scenario("149")
def a_simple_group_is_replaced(group: Consumers) -> None:
    group.commit_anonymously("A", {0: 5})
    group.come("B")
    group.look()
    group.read("B")
    group.go("B")
    group.commit_anonymously("A", {0: 6})
    group.fetch()


@scenario("150")
def a_classic_member_joins_an_empty_consumer_group(group: Consumers) -> None:
    group.come("A")
    group.save("A", 0)
    group.go("A")
    group.enter("B")
    group.sync("B", {"B": b"all"})
    group.describe()
    group.look()
    group.list()
    group.fetch()
    group.forget(partitions=(0,))
    group.join("B", protocols=WIDER)


# --- the assignor of who votes for none -------------------------------------------------------------------------------


@scenario("3.12")
def uniform_shares_alike_where_all_shares_are_equal(group: Consumers) -> None:
    """Shares of unequal size differ, because each side gives the larger ones to other members (docs/differences.md)."""
    group.settle_consumers("A", "B", assignor=None)
    group.look()
    group.go("B")
    group.go_on("A")
    group.look()
