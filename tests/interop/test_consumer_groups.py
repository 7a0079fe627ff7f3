"""Consumer groups (KIP-848) with static members of Java and librdkafka in one group.

A restarted member keeps its partitions without a rebalance, partitions of a leaving member move to the others, and no
commit is refused meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer
from confluent_kafka.admin import AdminClient

from tests.interop.group_of_three import HEARTBEAT_INTERVAL_MS, GroupOfThree
from tests.interop.java_clients import JavaClients, JavaMember, java_clients
from tests.interop.producing import create_topic, produce
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving

PARTITIONS = 6
RECORDS = 120
SETTINGS = (
    "offsets.topic.num.partitions=1",
    f"group.consumer.heartbeat.interval.ms={HEARTBEAT_INTERVAL_MS}",
    "group.consumer.assignment.interval.ms=0",
)
STEP_TIMEOUT_S = 60.0

pytestmark = [pytest.mark.interop]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path, *SETTINGS) as broker:
        create_topic(broker.address, "work", PARTITIONS)
        yield broker


class Member:
    """Consumer of librdkafka that commits each record at once. It makes progress when it is polled."""

    def __init__(self, address: str, instance: str | None = None) -> None:
        self.assigned: list[int] = []
        self.read: set[tuple[int, int]] = set()
        identity: dict[str, Any] = {"group.instance.id": instance} if instance else {}
        self._consumer = Consumer(
            {
                "bootstrap.servers": address,
                "group.id": "group",
                "group.protocol": "consumer",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                **identity,
            }
        )
        self._consumer.subscribe(
            ["work"], on_assign=self._on_assign, on_revoke=self._on_revoke, on_lost=self._on_revoke
        )

    def poll(self) -> None:
        polled = self._consumer.poll(0.02)
        if polled is not None and polled.error() is None:
            self._consumer.commit(polled, asynchronous=False)
            self.read.add((polled.partition(), polled.offset()))

    def close(self) -> None:
        self._consumer.close()

    def _on_assign(self, _: Consumer, partitions: list[Any]) -> None:
        self.assigned = sorted({*self.assigned, *(one.partition for one in partitions)})

    def _on_revoke(self, _: Consumer, partitions: list[Any]) -> None:
        self.assigned = sorted({*self.assigned} - {one.partition for one in partitions})


def wait(what: str, members: Sequence[Member], holds: Callable[[], bool]) -> None:
    """Wait for a condition; raise errors of commits."""
    deadline = time.monotonic() + STEP_TIMEOUT_S
    while not holds():
        assert time.monotonic() < deadline, f"{what}: not within {STEP_TIMEOUT_S:.0f} s"
        for one in members:
            one.poll()


def java_member(java: JavaClients, number: int) -> JavaMember:
    """Return a Java member without the keys of the classic protocol."""
    classic = dict.fromkeys(("session_timeout_ms", "heartbeat_interval_ms", "partition_assignment_strategy"))
    instance = f"instance-{number}"
    return JavaMember(java, f"java-{number}", "group", "work", instance, "", group_protocol="consumer", **classic)


def described(broker: Serving) -> tuple[str, str, int]:
    """Return state, type and number of members."""
    admin = AdminClient({"bootstrap.servers": broker.address})  # answers only as long as it is referenced
    answer = admin.describe_consumer_groups(["group"])["group"].result(timeout=STEP_TIMEOUT_S)
    return answer.state.name, answer.type.name, len(answer.members)


def test_librdkafka_members__one_joins_another_leaves_and_broker_restarts__all_records_read(
    broker: Serving,
) -> None:
    everything = list(range(PARTITIONS))
    with closing(Member(broker.address)) as first:
        wait("the first has everything", [first], lambda: first.assigned == everything)
        written = produce("confluent-kafka", broker.address, "work", RECORDS)
        with closing(Member(broker.address)) as second:
            both = [first, second]
            wait("each has half", both, lambda: len(first.assigned) == len(second.assigned) == PARTITIONS // 2)
            assert sorted(first.assigned + second.assigned) == everything
            written |= produce("confluent-kafka", broker.address, "work", RECORDS)
            wait("everything is read", both, lambda: written <= first.read | second.read)
            wait("the broker has heard of each half", both, lambda: described(broker) == ("STABLE", "CONSUMER", 2))
        wait("the first has everything again", [first], lambda: first.assigned == everything)
        broker.restart()
        written |= produce("confluent-kafka", broker.address, "work", RECORDS)
        wait("everything is read", [first], lambda: written <= first.read | second.read)
        assert len(written) == 3 * RECORDS


def test_java_and_librdkafka__static_members_restart__same_partitions(broker: Serving, tmp_path: Path) -> None:
    require_kafka()
    with java_clients(broker.address, tmp_path) as java, ExitStack() as running:
        members = [java_member(java, n) for n in (1, 2)]
        for member in members:
            running.callback(member.stop)
        ours = running.enter_context(closing(Member(broker.address, "instance-3")))
        group = GroupOfThree(members, java.changed)
        shares = [PARTITIONS // 3] * 3
        wait("the three share everything", [ours], lambda: [len(one.assigned) for one in (*members, ours)] == shares)
        written = produce("confluent-kafka", broker.address, "work", RECORDS)
        wait("everything is read", [ours], lambda: written <= group.read | ours.read)
        before, kept = {member.instance: member.assigned for member in members}, ours.assigned
        for member in members:
            member.stop()
            member.start()
            written |= produce("confluent-kafka", broker.address, "work", RECORDS)
            wait("everything is read", [ours], lambda written=written: written <= group.read | ours.read)
            assert {member.instance: member.assigned for member in members} == before
        assert ours.assigned == kept
        assert [member.failed for member in members] == [None, None]
