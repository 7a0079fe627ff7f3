"""Kafka Streams 4.4 with `group.protocol=streams` in several situations, in one process, against `tenure serve`.

`test_kafka_streams.py` kills applications.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Producer

from tenure.admin import Admin
from tenure.protocol.messages import MetadataRequest, MetadataRequestTopic, StreamsGroupDescribeRequest
from tenure.protocol.types import GroupId
from tests.interop.kafka_streams import StreamsApplications, compiled
from tests.interop.producing import create_topic
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving
from tests.wire import Wire

TIMEOUT_S = 90.0
PARTITIONS = 3
TOPICS = {
    "lines": PARTITIONS, "more-lines": PARTITIONS, "counts": 1, "visits": PARTITIONS, "names": PARTITIONS, "joined": 1,
    "copies": 1, "late-copies": 1,
}  # fmt: skip
SETTINGS = (
    "offsets.topic.num.partitions=1",
    "transaction.state.log.num.partitions=1",
    "group.streams.initial.rebalance.delay.ms=0",
    "group.streams.assignment.interval.ms=0",
    "group.streams.heartbeat.interval.ms=200",
)

pytestmark = [pytest.mark.interop]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    require_kafka()
    with serving(tmp_path_factory.mktemp("broker"), *SETTINGS) as broker:
        for name, partitions in TOPICS.items():
            create_topic(broker.address, name, partitions)
        write(broker, "lines", {f"{number}": "a b a" for number in range(20)})
        yield broker


@pytest.fixture(scope="module")
def applications(broker: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamsApplications]:
    directory = tmp_path_factory.mktemp("streams")
    found = StreamsApplications(compiled(directory), broker.address, directory)
    try:
        yield found
    finally:
        found.kill()


def test_kafka_streams_join__table_and_stream__every_matching_pair(
    broker: Serving, applications: StreamsApplications
) -> None:
    write(broker, "names", {"u1": "ann", "u2": "bob"})
    applications.start("join", "join", "joining", max_task_idle_ms="500")
    wait_until(lambda: is_stable(broker, "joining", members=1))
    write(broker, "visits", {"u1": "shop", "u2": "bank", "u3": "park"})
    assert read(broker, "joined", {"u1": "ann shop", "u2": "bob bank"}).keys() == {"u1", "u2"}
    applications.stop("join")


def test_kafka_streams_repartition__number_of_partitions_given__topic_has_this_number(
    broker: Serving, applications: StreamsApplications
) -> None:
    applications.start("repartition", "repartition", "repartitioning")
    read(broker, "copies", {"0": "a b a", "19": "a b a"})
    assert partitions(broker, "repartitioning-two-repartition") == 2
    applications.stop("repartition")


def test_kafka_streams__source_topic_created_later__application_runs(
    broker: Serving, applications: StreamsApplications
) -> None:
    """An application waits for two heartbeat intervals, then gives up: the test needs a long interval (rule 5.4)."""
    with Admin(broker.address) as admin:
        admin.alter_group_configs("coming-late", {"streams.heartbeat.interval.ms": "10000"})
    applications.start("late", "late", "coming-late")
    wait_until(lambda: describe(broker, "coming-late").group_state == "NotReady")
    create_topic(broker.address, "late-lines", 1)
    write(broker, "late-lines", {"k": "v"})
    read(broker, "late-copies", {"k": "v"})
    assert not any("EXCEPTION" in state for state in applications.states("late"))
    applications.stop("late")


def test_kafka_streams__static_members_restarted_one_by_one__no_rebalance(
    broker: Serving, applications: StreamsApplications
) -> None:
    def start(name: str) -> None:
        applications.start(name, "counts", "static", group_instance_id=name)

    start("s1")
    start("s2")
    wait_until(lambda: is_stable(broker, "static", members=2))
    before = describe(broker, "static")
    for name in ("s1", "s2"):
        applications.stop(name)
        wait_until(lambda name=name: "CLOSED" in applications.states(name))
        seen = len(applications.states(name))
        start(name)
        wait_until(lambda name=name, seen=seen: "RUNNING" in applications.states(name)[seen:])
    wait_until(lambda: is_stable(broker, "static", members=2))
    after = describe(broker, "static")
    assert after.group_epoch == before.group_epoch
    assert tasks_by_instance(after) == tasks_by_instance(before)
    for name in ("s1", "s2"):
        applications.stop(name)


def test_kafka_streams_standby__one_of_two_applications_stops__other_is_stable_without_standby_tasks(
    broker: Serving, applications: StreamsApplications
) -> None:
    with Admin(broker.address) as admin:
        admin.alter_group_configs("copied", {"streams.num.standby.replicas": "1"})
    applications.start("c1", "counts", "copied")
    applications.start("c2", "counts", "copied")
    wait_until(lambda: is_stable(broker, "copied", members=2) and standbys(broker, "copied") == PARTITIONS)
    applications.stop("c1")
    wait_until(lambda: "CLOSED" in applications.states("c1"))
    wait_until(lambda: is_stable(broker, "copied", members=1))
    assert standbys(broker, "copied") == 0
    applications.stop("c2")


def test_kafka_streams__member_with_another_topology_joins__refused_and_the_group_continues(
    broker: Serving, applications: StreamsApplications
) -> None:
    """Apache Kafka 4.4 answers INVALID_REQUEST, too: topologies of a group cannot change (rule 5.2, point 4)."""
    applications.start("v1", "counts", "upgraded")
    wait_until(lambda: is_stable(broker, "upgraded", members=1) and applications.states("v1")[-1] == "RUNNING")
    applications.start("v2", "other-counts", "upgraded")
    wait_until(lambda: any("EXCEPTION" in state for state in applications.states("v2")))
    assert is_stable(broker, "upgraded", members=1)
    assert applications.states("v1")[-1] == "RUNNING"
    applications.stop("v1")


def write(broker: Serving, topic: str, records: Mapping[str, str]) -> None:
    producer = Producer({"bootstrap.servers": broker.address})
    for key, value in records.items():
        producer.produce(topic, key=key, value=value)
    assert producer.flush(TIMEOUT_S) == 0


def read(broker: Serving, topic: str, expected: Mapping[str, str]) -> dict[str, str]:
    """Wait until a topic has these records; return all newest values by key."""
    settings = {"bootstrap.servers": broker.address, "group.id": str(uuid4()), "auto.offset.reset": "earliest"}
    consumer = Consumer(settings)
    consumer.subscribe([topic])
    seen: dict[str, str] = {}

    def has_all() -> bool:
        message = consumer.poll(0.2)
        if message is not None and message.error() is None:
            seen[message.key().decode()] = message.value().decode()
        return seen.items() >= expected.items()

    try:
        wait_until(has_all, seen)
    finally:
        consumer.close()
    return seen


def describe(broker: Serving, group_id: str) -> Any:
    with Wire(broker.host, broker.port) as wire:
        return wire.ask(StreamsGroupDescribeRequest([GroupId(group_id)]), 1).groups[0]


def is_stable(broker: Serving, group_id: str, *, members: int) -> bool:
    group = describe(broker, group_id)
    active = [task for member in group.members for task in member.assignment.active_tasks]
    return group.group_state == "Stable" and len(group.members) == members and bool(active)


def standbys(broker: Serving, group_id: str) -> int:
    members = describe(broker, group_id).members
    return sum(len(task.partitions) for member in members for task in member.assignment.standby_tasks)


def tasks_by_instance(group: Any) -> dict[str, list[tuple[str, list[int]]]]:
    return {
        member.instance_id: sorted(
            (task.subtopology_id, sorted(task.partitions)) for task in member.assignment.active_tasks
        )
        for member in group.members
    }


def partitions(broker: Serving, topic: str) -> int:
    with Wire(broker.host, broker.port) as wire:
        request = MetadataRequest(topics=[MetadataRequestTopic(name=topic)], allow_auto_topic_creation=False)
        return len(wire.ask(request).topics[0].partitions)


def wait_until(holds: Callable[[], bool], seen: object = None) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < deadline, seen
        time.sleep(0.05)
