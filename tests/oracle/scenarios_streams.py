"""Members of a streams group: how they come, what they get, give up and are told (rules 5.1 to 5.6b, 4.4).

The topic `oracle` has four partitions. Neither initial delays nor assignment intervals hold back assignments but where
a scenario says so.
"""

from __future__ import annotations

from tenure.protocol.messages import TopologyDescription
from tests.oracle.actors import PASSED_S, SHORT_MS, TOPIC
from tests.oracle.consumers import LEAVES, STEPS_OUT
from tests.oracle.scenarios import scenario
from tests.oracle.streams import EVERY, NONE, Streams, subtopology

BOTH = (9, 10)


# --- coming -----------------------------------------------------------------------------------------------------------


@scenario("5.2", BOTH)
def streams_join_first(group: Streams) -> None:
    group.come_streaming("A")
    group.stream("A")
    group.own("A")
    group.look_at_streams()
    group.look_at_streams(version=0)
    group.look_at_streams(described=True)
    group.list(types=["streams"])
    group.list(types=["consumer"])
    group.list(states=["stable"])
    group.describe()
    group.look()


@scenario("5.6b")
def streams_topology_description(group: Streams) -> None:
    group.come_streaming("A")
    group.describe_topology("A")
    group.describe_topology("A", epoch=7)
    group.describe_topology("A", description=TopologyDescription())
    group.describe_topology("A", "unknown")
    group.describe_topology("A", "")
    group.describe_topology("A", group="nobody")
    group.describe_topology("A", group="")
    group.own("A")
    group.look_at_streams(described=True)


@scenario("5.1")
def streams_validation(group: Streams) -> None:
    for how in (
        {"member_id": ""},
        {"member_id": " "},
        {"instance": ""},
        {"rack": " "},
        {"rebalance_timeout_ms": -1},
        {"active": EVERY},
        {"standby": EVERY},
        {"warmup": EVERY},
        {"active": None},
        {"standby": None},
        {"active": None, "standby": None, "warmup": None},
        {"topology": None},
    ):
        group.come_streaming("A", **how)
    for each in (
        subtopology(regexes=["o.*"]),
        subtopology(sources=["__consumer_offsets"]),
        subtopology(sources=["not valid"]),
        subtopology(sources=[]),
        subtopology(repartition={"r": 0}),
        subtopology(sources=[], repartition={"r": 0}, sinks=["r"]),
    ):
        group.come_streaming("C", each)
    group.stream("A", 1)
    group.stream("A", LEAVES)
    group.stream("A", STEPS_OUT)
    group.stream("A", -3)
    group.come_streaming("B")
    group.stream("B", 7)
    group.stream("B", 1)
    group.stream("X", 1, "unknown")
    group.stream("B", active=NONE)
    group.stream("B", active={"7": [0]}, standby=NONE, warmup=NONE)
    group.stream("B", active={"0": [4]}, standby=NONE, warmup=NONE)
    group.stream("B", active=NONE, standby={"0": [-1]}, warmup=NONE)
    group.look_at_streams(others=["nobody", ""])


@scenario("5.2")
def streams_topologies(group: Streams) -> None:
    group.come_streaming("A", epoch=3)
    group.come_streaming("B", epoch=2)
    group.come_streaming("C", subtopology("other"), epoch=3)
    group.come_streaming("C", epoch=4)
    group.stream("B", LEAVES)
    group.own("A")
    group.look_at_streams()


@scenario("5.2")
def streams_missing_source_topic(group: Streams) -> None:
    source = f"{group.id}-source"
    group.come_streaming("A", subtopology(sources=[source]))
    group.stream("A")
    group.look_at_streams()
    group.make_topic(source, 2)
    group.session.ask_until(lambda: group.own("A"), lambda answer: not answer.status)
    group.look_at_streams()


@scenario("5.2")
def streams_many_missing_source_topics(group: Streams) -> None:
    group.come_streaming("A", subtopology(sources=[f"{group.id}-{letter}" for letter in "edcba"]))
    group.stream("A")


@scenario("5.2")
def streams_internal_topics(group: Streams) -> None:
    counts, store = f"{group.id}-counts", f"{group.id}-store"
    group.come_streaming(
        "A", subtopology(sinks=[counts]), subtopology("1", [], repartition={counts: 0}, changelogs=[store])
    )
    group.make_internal_topics("A", counts, store)
    group.own("A")
    group.look_at_streams()


@scenario("5.2")
def streams_copartitions(group: Streams) -> None:
    two = f"{group.id}-two"
    group.make_topic(two, 2)
    group.come_streaming("A", subtopology(sources=[TOPIC, two], joined=[((0, 1), ())]))
    group.look_at_streams()


@scenario("5.2")
def streams_repartition_count_that_is_stated(group: Streams) -> None:
    name = f"{group.id}-r"
    group.come_streaming(
        "A",
        subtopology(sinks=[name]),
        subtopology("1", [TOPIC], repartition={name: 3}, joined=[((0,), (0,))]),
    )
    group.look_at_streams()


# --- tasks ------------------------------------------------------------------------------------------------------------


@scenario("5.3", BOTH)
def streams_tasks_move(group: Streams) -> None:
    group.come_streaming("A")
    group.come_streaming("B")
    group.own("B")
    group.stream("A")
    group.stream("A")
    group.look_at_streams()
    group.own("A")
    group.own("B")
    group.own("B")
    group.own("A")
    group.look_at_streams()
    group.stream("B", LEAVES)
    group.own("A")
    group.look_at_streams()
    group.stream("A", LEAVES)
    group.look_at_streams()
    group.come_streaming("A")
    group.look_at_streams()


@scenario("5.3")
def streams_two_members_of_a_process(group: Streams) -> None:
    group.settle_streams("A", "B", process="one")
    group.look_at_streams()


@scenario("5.2")
def streams_previous_epoch(group: Streams) -> None:
    group.settle_streams("A", "B")
    group.stream("A", 2, active=NONE, standby=NONE, warmup=NONE)
    group.stream("A", 2, active=EVERY, standby=NONE, warmup=NONE)
    group.stream("A", 2)
    group.stream("A", 1)
    group.stream("A", 99)


@scenario("5.2")
def streams_join_again(group: Streams) -> None:
    group.settle_streams("A", "B")
    group.come_streaming("A", again=True)
    group.come_streaming("A", again=True, rack="here")
    group.come_streaming("A", again=True, rack="here", process="another")
    group.own("B")
    group.own("A")
    group.look_at_streams()


@scenario("5.3", long=True)
def streams_revocation_times_out(group: Streams) -> None:
    group.come_streaming("A", rebalance_timeout_ms=SHORT_MS)
    group.come_streaming("B")
    group.stream("A")
    group.session.rest(PASSED_S)
    group.stream("A")
    group.own("B")
    group.look_at_streams()


@scenario("5.2")
def streams_standby(group: Streams) -> None:
    store = f"{group.id}-store"
    group.configure(streams_num_standby_replicas=1)
    group.come_streaming("A", subtopology(changelogs=[store]))
    group.make_internal_topics("A", store)
    group.come_streaming("B", subtopology(changelogs=[store]))
    for actor in "ABABAB":
        group.own(actor)
    group.look_at_streams()
    group.stream("A", LEAVES)
    group.own("B")
    group.look_at_streams()


# --- static members ---------------------------------------------------------------------------------------------------


@scenario("5.2", A="a", B="a")
def streams_static(group: Streams) -> None:
    group.come_streaming("A", process="one")
    group.come_streaming("B", process="one")
    group.stream("A", STEPS_OUT)
    group.look_at_streams()
    group.come_streaming("B", process="one")
    group.stream("A", 2)
    group.stream("A", 2, instance="unknown")
    group.stream("A", STEPS_OUT)
    group.look_at_streams()
    group.own("B")
    group.stream("B", STEPS_OUT)
    group.come_streaming("B", process="another")
    group.stream("B", LEAVES)
    group.look_at_streams()


@scenario("5.2", A="a", B="b")
def streams_static_that_tells_little(group: Streams) -> None:
    group.settle_streams("A", "B")
    group.stream("A", rebalance_timeout_ms=77)
    group.stream("A", endpoint=("host", 1))
    group.stream("A", rack="here")
    group.own("B")
    group.look_at_streams()


# --- offsets ----------------------------------------------------------------------------------------------------------


@scenario("4.4", BOTH)
def streams_commits(group: Streams) -> None:
    group.come_streaming("A")
    group.save("A", 0, 1)
    group.save("A", 0, epoch=1)
    group.save("A", 0, epoch=3)
    group.come_streaming("B")
    group.stream("A")
    group.save("A", 3)
    group.own("A")
    group.save("A", 0, epoch=2)
    group.save("A", 3, epoch=2)
    group.save("A", 3)
    group.own("B")
    group.save("B", 3)
    group.save("B", 3, epoch=2)
    group.save("X", 3, epoch=2)
    group.read("A")
    group.read("A", 1)
    group.read("X", 1)


# --- endpoints, shutdown ----------------------------------------------------------------------------------------------


@scenario("5.5")
def streams_endpoints(group: Streams) -> None:
    group.come_streaming("A", endpoint=("host-a", 8080))
    group.stream("A")
    group.stream("A", endpoints=5)
    group.come_streaming("B", endpoint=("host-b", 8080))
    group.stream("A", endpoints=1)
    group.own("A", endpoints=1)
    group.own("B", endpoints=2)
    group.own("B", endpoints=3)
    group.come_streaming("B", again=True)
    group.own("A")
    group.look_at_streams()


@scenario("5.2")
def streams_shutdown(group: Streams) -> None:
    group.settle_streams("A", "B")
    group.stream("A", shutdown=True)
    group.own("B")
    group.stream("A", LEAVES, shutdown=True)
    group.own("B")
    group.stream("B", LEAVES)
    group.come_streaming("A")


@scenario("5.2")
def streams_client_tags(group: Streams) -> None:
    group.come_streaming("A", tags={"zone": "a", "cluster": "k"})
    group.stream("A", tags={"zone": "b"})
    group.stream("A", tags={"zone": "b"})
    group.look_at_streams()


# --- kinds of groups --------------------------------------------------------------------------------------------------


@scenario("5.2")
def streams_beside_other_protocols(group: Streams) -> None:
    group.come_streaming("A")
    group.come("B")
    group.enter("C")
    group.stream("A", LEAVES)
    group.come("B")
    group.enter("C", wait=False)
    group.hear("C")
    group.come_streaming("D")


@scenario("5.2")
def streams_after_an_empty_classic_group(group: Streams) -> None:
    group.commit("admin", {0: 5}, generation=-1)
    group.come_streaming("A")
    group.fetch("admin")
    group.delete()
    group.stream("A", LEAVES)
    group.delete()
    group.look_at_streams()
