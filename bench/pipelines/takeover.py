"""Take-over of a lane with 1 GB of state by a standby lane on another host, after `kill -9` of the owner.

Two hosts are members of one streams group, and the second has a standby task. The first one is killed. The clock begins
when the broker has removed it at the end of its session, and ends with the first commit of the other one. So it
includes the next heartbeat of the standby: the interval is set to 100 ms, Kafka's default is 5 s. Both times are read
at the broker, from the group's description and its committed offset, every 5 ms. A record waits in the topic meanwhile.

Tenure's pipeline is measured on both brokers, because the broker decides which member gets the lane. Kafka Streams is
measured on Apache Kafka: it keeps the last value of each key in a store with its defaults, too, and commits exactly
once. Sessions, heartbeats and standby tasks have the same settings, because they are the broker's.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample
from bench.peers import kafka_streams
from bench.pipelines.restart import KEYS, TOPIC, VALUE_BYTES, produce
from bench.pipelines.takeover_hosts import Host, Hosts, pipeline_hosts, streams_hosts
from tenure.protocol.messages import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    StreamsGroupDescribeRequest,
)
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.wire import Wire

TAKEOVER_S_MAX = 1.0
PATIENCE_S = 300.0
LOOK_S = 0.005
DESCRIBE_VERSION, FETCH_VERSION = 1, 9
SESSION_MS = 5_000
SETTINGS = {
    "group_streams_min_session_timeout_ms": str(SESSION_MS),
    "group_streams_session_timeout_ms": str(SESSION_MS),
    "group_streams_min_heartbeat_interval_ms": "100",
    "group_streams_heartbeat_interval_ms": "100",
    "group_streams_initial_rebalance_delay_ms": "0",
    "group_streams_assignment_interval_ms": "0",
    "group_streams_num_standby_replicas": "1",
}


class TakeOver(NamedTuple):
    """Seconds from the removal of the owner, and from `kill -9`, to the first commit of its successor."""

    from_removal_s: float
    from_kill_s: float


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, keys = (1, 20_000) if quick else (3, KEYS)
    kafka_streams.classes()
    with tenure(directory / "broker", **SETTINGS) as broker:
        fill(broker, keys)
        ours = take_overs(broker, pipeline_hosts(broker, directory / "tenure", keys), rounds, keys)
    with kafka(directory / "kafka", quick, **SETTINGS) as broker:
        fill(broker, keys)
        on_kafka = take_overs(broker, pipeline_hosts(broker, directory / "on-kafka", keys), rounds, keys)
        # The first part has added a record per round.
        theirs = take_overs(broker, streams_hosts(broker, directory / "streams", keys), rounds, keys + rounds)
    what = f"take-over of {keys * VALUE_BYTES / 1e9:.2g} GB of state after kill -9, from removal to commit"
    return [figure(what, ours), figure("... with Apache Kafka as the broker", on_kafka, theirs)]


def fill(broker: Broker, keys: int) -> None:
    create_topic(broker, TOPIC, 1)
    produce(broker, range(keys))


def figure(what: str, ours: list[TakeOver], theirs: list[TakeOver] | None = None) -> Figure:
    sides = {"Tenure": ours} | ({"Kafka Streams": theirs} if theirs else {})
    from_kill = {name: Sample.of([one.from_kill_s for one in all_]) for name, all_ in sides.items()}
    return Figure(
        what,
        "s",
        Sample.of([one.from_removal_s for one in ours]),
        TAKEOVER_S_MAX,
        less_is_better=True,
        peer="Kafka Streams" if theirs else "",
        theirs=Sample.of([one.from_removal_s for one in theirs]) if theirs else None,
        remarks=[f"from kill -9, {name}: {seconds} s" for name, seconds in from_kill.items()],
    )


def take_overs(broker: Broker, hosts: Hosts, rounds: int, records: int) -> list[TakeOver]:
    """Kill the owner `rounds` times. The topic has `records` records before; each round adds one."""
    taken: list[TakeOver] = []
    with contextlib.ExitStack() as running, Wire(broker.host, broker.port) as wire:
        group = ShownGroup(wire, GroupId(hosts.group))
        owner = running.enter_context(hosts.start(0))
        group.wait_for_commit(records, owner)
        for number in range(1, rounds + 1):
            standby = running.enter_context(hosts.start(number))
            wait_until(standby.has_copies, "complete copy", standby)
            owner.kill()
            killed_s = time.monotonic()
            produce(broker, range(1))
            removed_s = group.wait_for_one_member(standby)
            committed_s = group.wait_for_commit(records + number, standby)
            taken.append(TakeOver(committed_s - removed_s, committed_s - killed_s))
            owner = standby
    return taken


class ShownGroup:
    """Streams group as its broker shows it."""

    def __init__(self, wire: Wire, group_id: GroupId) -> None:
        self._wire: Final = wire
        self._id: Final = group_id

    def wait_for_one_member(self, host: Host) -> float:
        return wait_until(lambda: self._members() == 1, "removal of the killed member", host)

    def wait_for_commit(self, offset: int, host: Host) -> float:
        return wait_until(lambda: self._committed() >= offset, f"commit of offset {offset}", host)

    def _members(self) -> int:
        described = self._wire.ask(StreamsGroupDescribeRequest([self._id]), DESCRIBE_VERSION)
        return len(described.groups[0].members)

    def _committed(self) -> int:
        """Return the committed offset of the topic; -1 without one, or if its transaction is not over."""
        wanted = OffsetFetchRequestTopics(name=TopicName(TOPIC), partition_indexes=[PartitionId(0)])
        request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(self._id, topics=[wanted])], require_stable=True)
        (group,) = self._wire.ask(request, FETCH_VERSION).groups
        return max((found.committed_offset for topic in group.topics for found in topic.partitions), default=-1)


def wait_until(condition: Callable[[], bool], what: str, host: Host) -> float:
    """Return the time at which the condition became true, by the clock that all processes share."""
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end_s:
            raise TimeoutError(f"no {what} within {PATIENCE_S:g} s: {host.end_of_log}")
        time.sleep(LOOK_S)
    return time.monotonic()
