"""A running group of classic consumers changes to `group.protocol=consumer` member by member, and back.

Its members are Java's and librdkafka's, static and dynamic, eager and cooperative. After every change each partition
has one owner, for the members and for the coordinator; no record is left unread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException

from tenure.protocol.messages import ListGroupsRequest
from tests.interop import group_of_three
from tests.interop.java_clients import JavaClients, JavaMember, java_clients
from tests.interop.mixed_group import JAVA_ASSIGNORS
from tests.interop.producing import create_topic, produce
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving
from tests.wire import Wire

PARTITIONS = 6
RECORDS = 60
SETTINGS = (
    "offsets.topic.num.partitions=1",
    "group.initial.rebalance.delay.ms=0",
    f"group.consumer.heartbeat.interval.ms={group_of_three.HEARTBEAT_INTERVAL_MS}",
    "group.consumer.assignment.interval.ms=0",
)
STEP_TIMEOUT_S = 60.0
HEARTBEAT_INTERVAL_MS = 300
CLASSIC, CONSUMER = "classic", "consumer"

pytestmark = [pytest.mark.interop]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tenure"), *SETTINGS) as broker:
        yield broker


@pytest.fixture(scope="module")
def java(broker: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaClients]:
    require_kafka()
    with java_clients(broker.address, tmp_path_factory.mktemp("java")) as java:
        yield java


class MigratedMember(Protocol):
    """Member over all of its processes."""

    @property
    def assigned(self) -> Sequence[int]: ...

    @property
    def read(self) -> set[tuple[int, int]]: ...

    def start(self, protocol: str) -> None: ...

    def stop(self) -> None: ...

    def poll(self) -> None: ...


class MigratedJavaMember:
    """Member of Java, whose process polls by itself."""

    def __init__(self, java: JavaClients, group: str, name: str, assignor: str, *, is_static: bool) -> None:
        self._java = java
        self._group = group
        self._name = f"{group}-{name}"
        self._assignor = assignor
        self._instance = name if is_static else None
        self._processes: list[JavaMember] = []

    def start(self, protocol: str) -> None:
        keys: dict[str, str | None] = {"group_protocol": protocol, "group_instance_id": self._instance}
        if protocol == CONSUMER:
            keys |= dict.fromkeys(("session_timeout_ms", "heartbeat_interval_ms", "partition_assignment_strategy"))
        name, assignor = f"{self._name}-{len(self._processes)}", JAVA_ASSIGNORS[self._assignor]
        self._processes.append(JavaMember(self._java, name, self._group, self._group, "", assignor, **keys))

    def stop(self) -> None:
        self._processes[-1].stop()

    def poll(self) -> None:
        failed = [process.failed for process in self._processes if process.failed]
        assert not failed, failed

    @property
    def assigned(self) -> Sequence[int]:
        return self._processes[-1].assigned

    @property
    def read(self) -> set[tuple[int, int]]:
        return {record for process in self._processes for record in process.read}


class MigratedLibrdkafkaMember:
    """Member of librdkafka. It makes progress when it is polled, and commits at once, except during a rebalance."""

    def __init__(self, address: str, group: str, assignor: str) -> None:
        self.assigned: list[int] = []
        self.read: set[tuple[int, int]] = set()
        self._config: dict[str, Any] = {
            "bootstrap.servers": address,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
        self._classic = {"partition.assignment.strategy": assignor, "heartbeat.interval.ms": HEARTBEAT_INTERVAL_MS}
        self._topic = group

    def start(self, protocol: str) -> None:
        keys = {"group.protocol": protocol} | (self._classic if protocol == CLASSIC else {})
        self._consumer = Consumer(self._config | keys)
        self._consumer.subscribe([self._topic])

    def stop(self) -> None:
        self._consumer.close()
        self.assigned = []

    def poll(self) -> None:
        polled = self._consumer.poll(0.02)
        if polled is not None and polled.error() is None:
            self.read.add((polled.partition(), polled.offset()))
            try:
                self._consumer.commit(polled, asynchronous=False)
            except KafkaException as refused:
                if refused.args[0].code() not in REBALANCE_ERRORS:
                    raise
        self.assigned = sorted(one.partition for one in self._consumer.assignment())


REBALANCE_ERRORS = (
    KafkaError.REBALANCE_IN_PROGRESS,
    KafkaError.ILLEGAL_GENERATION,
    KafkaError.UNKNOWN_MEMBER_ID,
    KafkaError._ASSIGNMENT_LOST,
)
"""Errors of a classic member's commit between two generations."""


def wait(what: str, members: Sequence[MigratedMember], holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + STEP_TIMEOUT_S
    while not holds():
        shares = [member.assigned for member in members]
        assert time.monotonic() < deadline, f"{what}: not within {STEP_TIMEOUT_S:.0f} s; {shares}"
        for member in members:
            member.poll()
        time.sleep(0.01)


def listed(broker: Serving, group: str) -> tuple[str, str]:
    """Return type and state of the group."""
    with Wire(broker.host, broker.port) as wire:
        return next(
            (g.group_type, g.group_state) for g in wire.ask(ListGroupsRequest(), 5).groups if g.group_id == group
        )


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky"])
def test_group__migrated_to_consumer_protocol_and_back__one_owner_per_partition_and_all_records_read(
    broker: Serving, java: JavaClients, assignor: str
) -> None:
    group = f"moves-{assignor}"
    create_topic(broker.address, group, PARTITIONS)
    members: list[MigratedMember] = [
        MigratedJavaMember(java, group, "java-static", assignor, is_static=True),
        MigratedJavaMember(java, group, "java-dynamic", assignor, is_static=False),
        MigratedLibrdkafkaMember(broker.address, group, assignor),
    ]
    written: set[tuple[int, int]] = set()

    def shared(kind: str) -> None:
        everything = list(range(PARTITIONS))
        wait(
            f"every partition has one owner in a {kind} group",
            members,
            lambda: (
                all(member.assigned for member in members)
                and sorted(p for member in members for p in member.assigned) == everything
                and listed(broker, group) == (kind, "Stable")
            ),
        )
        written.update(produce("confluent-kafka", broker.address, group, RECORDS))
        wait("everything is read", members, lambda: written <= {record for member in members for record in member.read})

    try:
        # The first one leads. It is Java's, because librdkafka as a leader puts userData into assignments, and a group
        # with userData cannot change to another protocol (rule 3.9).
        members[0].start(CLASSIC)
        wait("the first is a member", members[:1], lambda: bool(members[0].assigned))
        for member in members[1:]:
            member.start(CLASSIC)
        shared(CLASSIC)
        for member in members:
            member.stop()
            member.start(CONSUMER)
            shared(CONSUMER)
        for member in members:
            member.stop()
            member.start(CLASSIC)
            shared(CLASSIC if member is members[-1] else CONSUMER)
    finally:
        for member in members:
            member.stop()
    assert len(written) == 7 * RECORDS
