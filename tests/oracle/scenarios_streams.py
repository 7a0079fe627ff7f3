"""Scenarios of streams groups: joins, assignments, revocations and answers (rules 5.1 to 5.6b, 4.4).

The topic `oracle` has four partitions. Neither initial delays nor assignment intervals delay assignments unless a
scenario says so.
"""

from __future__ import annotations

from tenure.protocol.apis import ApiKey
from tenure.protocol.messages import StreamsHeartbeatTopology, TopologyDescription
from tests.kafka_versions import newest_version, versions_in_kafka
from tests.oracle.classic_requests import PASSED_S, SHORT_MS, TOPIC
from tests.oracle.client_versions import NEWEST
from tests.oracle.consumer_requests import LEAVES, LEAVES_TEMPORARILY
from tests.oracle.scenarios import scenario
from tests.oracle.streams_requests import EVERY, NONE, Streams, subtopology

BOTH = (9, 10)


# --- joins ------------------------------------------------------------------------------------------------------------


@scenario("5.2", BOTH)
def streams_join_first(group: Streams) -> None:
    group.streams_join("A")
    group.streams_heartbeat("A")
    group.own("A")
    group.streams_describe()
    group.streams_describe(version=0)
    if newest_version(ApiKey.STREAMS_GROUP_DESCRIBE) >= 1:
        group.streams_describe(described=True)
    group.list(types=["streams"])
    group.list(types=["consumer"])
    group.list(states=["stable"])
    group.describe()
    group.consumer_describe()


@scenario("5.6b", NEWEST if versions_in_kafka(ApiKey.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE) else ())
def streams_topology_description(group: Streams) -> None:
    group.streams_join("A")
    group.describe_topology("A")
    group.describe_topology("A", epoch=7)
    group.describe_topology("A", description=TopologyDescription())
    group.describe_topology("A", "unknown")
    group.describe_topology("A", "")
    group.describe_topology("A", group="nobody")
    group.describe_topology("A", group="")
    group.own("A")
    group.streams_describe(described=True)


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
        {"active": {"0": ()}},
        {"standby": {"0": ()}},
        {"active": None},
        {"standby": None},
        {"active": None, "standby": None, "warmup": None},
        {"topology": None},
    ):
        group.streams_join("A", **how)
    for each in (
        subtopology(regexes=["o.*"]),
        subtopology(sources=["__consumer_offsets"]),
        subtopology(sources=["not valid"]),
        subtopology(sources=[]),
        subtopology(repartition={"r": 0}),
        subtopology(sources=[], repartition={"r": 0}, sinks=["r"]),
    ):
        group.streams_join("C", each)
    group.streams_heartbeat("A", 1)
    group.streams_heartbeat("A", LEAVES)
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    group.streams_heartbeat("A", -3)
    group.streams_join("B")
    group.streams_heartbeat("B", 7)
    group.streams_heartbeat("B", 1)
    group.streams_heartbeat("X", 1, "unknown")
    group.streams_heartbeat("B", active=NONE)
    group.streams_heartbeat("B", active={"7": [0]}, standby=NONE, warmup=NONE)
    group.streams_heartbeat("B", active={"0": [4]}, standby=NONE, warmup=NONE)
    group.streams_heartbeat("B", active=NONE, standby={"0": [-1]}, warmup=NONE)
    group.streams_describe(others=["nobody", ""])


@scenario("5.2")
def streams_topologies(group: Streams) -> None:
    group.streams_join("A", epoch=3)
    group.streams_join("B", epoch=2)
    group.streams_join("C", subtopology("other"), epoch=3)
    group.streams_join("C", epoch=4)
    group.streams_heartbeat("B", LEAVES)
    group.own("A")
    group.streams_describe()


@scenario("5.2")
def streams_missing_source_topic(group: Streams) -> None:
    source = f"{group.id}-source"
    group.streams_join("A", subtopology(sources=[source]))
    group.streams_heartbeat("A")
    group.streams_describe()
    group.make_topic(source, 2)
    group.session.ask_until(lambda: group.own("A"), lambda answer: not answer.status)
    group.streams_describe()


@scenario("5.2")
def streams_many_missing_source_topics(group: Streams) -> None:
    group.streams_join("A", subtopology(sources=[f"{group.id}-{letter}" for letter in "edcba"]))
    group.streams_heartbeat("A")


@scenario("5.2")
def streams_internal_topics(group: Streams) -> None:
    counts, store = f"{group.id}-counts", f"{group.id}-store"
    group.streams_join(
        "A", subtopology(sinks=[counts]), subtopology("1", [], repartition={counts: 0}, changelogs=[store])
    )
    group.make_internal_topics("A", counts, store)
    group.own("A")
    group.streams_describe()


@scenario("5.2")
def streams_copartitions(group: Streams) -> None:
    two = f"{group.id}-two"
    group.make_topic(two, 2)
    group.streams_join("A", subtopology(sources=[TOPIC, two], joined=[((0, 1), ())]))
    group.streams_describe()


@scenario("5.2")
def streams_repartition_topic_with_a_given_partition_count(group: Streams) -> None:
    name = f"{group.id}-r"
    group.streams_join(
        "A",
        subtopology(sinks=[name]),
        subtopology("1", [TOPIC], repartition={name: 3}, joined=[((0,), (0,))]),
    )
    group.streams_describe()


# --- tasks ------------------------------------------------------------------------------------------------------------


@scenario("5.3", BOTH)
def streams_tasks_move(group: Streams) -> None:
    group.streams_join("A")
    group.streams_join("B")
    group.own("B")
    group.streams_heartbeat("A")
    group.streams_heartbeat("A")
    group.streams_describe()
    group.own("A")
    group.own("B")
    group.own("B")
    group.own("A")
    group.streams_describe()
    group.streams_heartbeat("B", LEAVES)
    group.own("A")
    group.streams_describe()
    group.streams_heartbeat("A", LEAVES)
    group.streams_describe()
    group.streams_join("A")
    group.streams_describe()


@scenario("5.3")
def streams_two_members_of_a_process(group: Streams) -> None:
    group.stabilize_streams("A", "B", process="one")
    group.streams_describe()


@scenario("5.2")
def streams_previous_epoch(group: Streams) -> None:
    group.stabilize_streams("A", "B")
    group.streams_heartbeat("A", 2, active=NONE, standby=NONE, warmup=NONE)
    group.streams_heartbeat("A", 2, active=EVERY, standby=NONE, warmup=NONE)
    group.streams_heartbeat("A", 2)
    group.streams_heartbeat("A", 1)
    group.streams_heartbeat("A", 99)


@scenario("5.2")
def streams_join_again(group: Streams) -> None:
    group.stabilize_streams("A", "B")
    group.streams_join("A", again=True)
    group.streams_join("A", again=True, rack="here")
    group.streams_join("A", again=True, rack="here", process="another")
    group.own("B")
    group.own("A")
    group.streams_describe()


@scenario("5.3", long=True)
def streams_revocation_times_out(group: Streams) -> None:
    group.streams_join("A", rebalance_timeout_ms=SHORT_MS)
    group.streams_join("B")
    group.streams_heartbeat("A")
    group.session.rest(PASSED_S)
    group.streams_heartbeat("A")
    group.own("B")
    group.streams_describe()


@scenario("5.2")
def streams_standby(group: Streams) -> None:
    store = f"{group.id}-store"
    group.configure(streams_num_standby_replicas=1)
    group.streams_join("A", subtopology(changelogs=[store]))
    group.make_internal_topics("A", store)
    group.streams_join("B", subtopology(changelogs=[store]))
    for client in "ABABAB":
        group.own(client)
    group.streams_describe()
    group.streams_heartbeat("A", LEAVES)
    group.own("B")
    group.streams_describe()


@scenario("5.6")
def streams_task_offsets(group: Streams) -> None:
    group.stabilize_streams("A")
    group.streams_describe()
    group.streams_heartbeat("A", offsets={("1", 2): 7, ("0", 11): 9, ("0", 2): 5}, end_offsets={("0", 2): 6})
    group.streams_describe()
    group.streams_heartbeat("A")
    group.streams_describe(version=0)
    group.streams_heartbeat("A", end_offsets={("0", 1): 8})
    group.streams_describe()
    group.streams_heartbeat("A", offsets={("0", 1): 3})
    group.streams_describe()
    group.streams_heartbeat("A", 9, offsets={("0", 1): 4})
    group.streams_describe()
    group.streams_heartbeat("A", offsets={})
    group.streams_describe()
    group.streams_heartbeat("A", offsets={("0", 0): 1, ("0", 1): 2}, end_offsets={("0", 0): 3})
    group.streams_join("A", again=True)
    group.streams_describe()
    group.stabilize_streams("B", offsets={("0", 1): 2})
    group.streams_heartbeat("A", LEAVES)
    group.streams_describe()


@scenario("5.6", A="a", B="a")
def streams_task_offsets_of_a_static_member(group: Streams) -> None:
    group.stabilize_streams("A")
    group.streams_heartbeat("A", offsets={("0", 0): 1, ("0", 1): 2}, end_offsets={("0", 0): 3})
    group.streams_describe()
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    group.streams_describe()
    group.streams_join("B")
    group.streams_describe()


@scenario("5.2")
def streams_standbys_by_task_offsets(group: Streams) -> None:
    """The assignment of a heartbeat already depends on its offsets."""
    store = f"{group.id}-store"
    group.configure(streams_num_standby_replicas=1)
    group.make_source(store, 4)
    group.stabilize_streams("A", "B", topology=StreamsHeartbeatTopology(0, [subtopology(changelogs=[store])]))
    group.streams_join("C", subtopology(changelogs=[store]), offsets={("0", 0): 9, ("0", 2): 9, ("0", 3): 9})
    group.streams_describe()
    group.streams_heartbeat("A", offsets={("0", 2): 7}, tags={"zone": "a"})
    group.streams_describe()


@scenario("5.2", long=True)
def streams_initial_delay_of_two_members(group: Streams) -> None:
    group.configure(streams_initial_rebalance_delay_ms=SHORT_MS)
    group.streams_join("A")
    group.streams_join("B")
    group.streams_heartbeat("A")
    group.session.rest(PASSED_S)
    group.streams_describe()
    for client in "ABAB":
        group.own(client)
    group.streams_describe()


# --- static members ---------------------------------------------------------------------------------------------------


@scenario("5.2", A="a", B="a")
def streams_static(group: Streams) -> None:
    group.streams_join("A", process="one")
    group.streams_join("B", process="one")
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    group.streams_describe()
    group.streams_join("B", process="one")
    group.streams_heartbeat("A", 2)
    group.streams_heartbeat("A", 2, instance="unknown")
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    group.streams_describe()
    group.own("B")
    group.streams_heartbeat("B", LEAVES_TEMPORARILY)
    group.streams_join("B", process="another")
    group.streams_heartbeat("B", LEAVES)
    group.streams_describe()


@scenario("5.2", A="a", B="b")
def streams_static_with_partial_heartbeats(group: Streams) -> None:
    group.stabilize_streams("A", "B")
    group.streams_heartbeat("A", rebalance_timeout_ms=77)
    group.streams_heartbeat("A", endpoint=("host", 1))
    group.streams_heartbeat("A", rack="here")
    group.own("B")
    group.streams_describe()


@scenario("5.2", A="a", B="b")
def streams_static_that_leaves_out_its_instance_id(group: Streams) -> None:
    group.stabilize_streams("A", "B")
    group.streams_heartbeat("A", instance=None)
    group.streams_heartbeat("A", instance=None, rebalance_timeout_ms=77)
    group.streams_heartbeat("A", rebalance_timeout_ms=78)
    group.own("B")
    group.streams_describe()


@scenario("5.2", A="a", B="a")
def streams_static_returns_while_tasks_move(group: Streams) -> None:
    group.streams_join("A", process="one")
    group.streams_join("C")
    group.streams_heartbeat("A")
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    group.streams_join("B", process="one")
    for client in "CBC":
        group.own(client)
    group.streams_describe()


@scenario("5.2", A="a", B="a")
def streams_static_returns_after_a_refused_join(group: Streams) -> None:
    """Without warm-up tasks, Apache Kafka keeps no second copy of the target, which refused joins change."""
    group.configure(streams_num_warmup_replicas=0)
    group.streams_join("A", process="one")
    group.streams_join("C")
    group.streams_join("B", process="one")
    group.streams_heartbeat("A")
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    group.streams_join("B", process="one")
    for client in "CBC":
        group.own(client)
    group.streams_describe()


@scenario("5.2", A="a", B="b")
def streams_late_heartbeat_after_a_temporary_leave(group: Streams) -> None:
    group.stabilize_streams("A", "B")
    group.streams_heartbeat("A", LEAVES_TEMPORARILY)
    for epoch in (2, 3):
        group.streams_heartbeat("A", epoch, active=NONE, standby=NONE, warmup=NONE)
    group.streams_describe()


# --- offsets ----------------------------------------------------------------------------------------------------------


@scenario("4.4", BOTH)
def streams_commits(group: Streams) -> None:
    group.streams_join("A")
    group.consumer_commit("A", 0, 1)
    group.consumer_commit("A", 0, epoch=1)
    group.consumer_commit("A", 0, epoch=3)
    group.streams_join("B")
    group.streams_heartbeat("A")
    group.consumer_commit("A", 3)
    group.own("A")
    group.consumer_commit("A", 0, epoch=2)
    group.consumer_commit("A", 3, epoch=2)
    group.consumer_commit("A", 3)
    group.own("B")
    group.consumer_commit("B", 3)
    group.consumer_commit("B", 3, epoch=2)
    group.consumer_commit("X", 3, epoch=2)
    group.consumer_fetch("A")
    group.consumer_fetch("A", 1)
    group.consumer_fetch("X", 1)


# --- endpoints and shutdown -------------------------------------------------------------------------------------------


@scenario("5.5")
def streams_endpoints(group: Streams) -> None:
    group.streams_join("A", endpoint=("host-a", 8080))
    group.streams_heartbeat("A")
    group.streams_heartbeat("A", endpoints=5)
    group.streams_join("B", endpoint=("host-b", 8080))
    group.streams_heartbeat("A", endpoints=1)
    group.own("A", endpoints=1)
    group.own("B", endpoints=2)
    group.own("B", endpoints=3)
    group.streams_join("B", again=True)
    group.own("A")
    group.streams_describe()


@scenario("5.2")
def streams_shutdown(group: Streams) -> None:
    group.stabilize_streams("A", "B")
    group.streams_heartbeat("A", shutdown=True)
    group.own("B")
    group.streams_heartbeat("A", LEAVES, shutdown=True)
    group.own("B")
    group.streams_heartbeat("B", LEAVES)
    group.streams_join("A")


@scenario("5.2")
def streams_client_tags(group: Streams) -> None:
    group.streams_join("A", tags={"zone": "a", "cluster": "k"})
    group.streams_heartbeat("A", tags={"zone": "b"})
    group.streams_heartbeat("A", tags={"zone": "b"})
    group.streams_describe()


# --- kinds of groups --------------------------------------------------------------------------------------------------


@scenario("5.2")
def streams_beside_other_protocols(group: Streams) -> None:
    group.streams_join("A")
    group.consumer_join("B")
    group.join_with_id("C")
    group.streams_heartbeat("A", LEAVES)
    group.consumer_join("B")
    group.join_with_id("C", wait=False)
    group.receive("C")
    group.streams_join("D")


@scenario("5.2")
def streams_after_an_empty_classic_group(group: Streams) -> None:
    group.commit("admin", {0: 5}, generation=-1)
    group.streams_join("A")
    group.fetch("admin")
    group.delete()
    group.streams_heartbeat("A", LEAVES)
    group.delete()
    group.streams_describe()
