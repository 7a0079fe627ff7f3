"""Takeovers of static members: time from the kill of a member until its successor works, for both group protocols.

In a consumer group, the coordinator gives the seat to no other member before the session ends. Our successor takes the
seat over. Java's consumer treats the refusal as fatal, so a supervisor would start it again repeatedly. This is
measured with sessions of `SESSION_TIMEOUT_MS` instead of Kafka's 45 s. Java's time ends when the member has its
partitions, and ours when it has the first record.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample
from tenure.client import Consumer, Producer
from tests.interop.java_clients import JavaClients, JavaMember, java_clients

TAKEN_S_MAX = {"classic": 0.3, "consumer": 1.0}
"""Promised time of each group protocol."""
SESSION_TIMEOUT_MS = 6_000
PATIENCE_S = 60.0
TOPIC, PARTITIONS = "seats", 4
SETTINGS = {
    "group_initial_rebalance_delay_ms": "0",
    "group_consumer_session_timeout_ms": str(SESSION_TIMEOUT_MS),
    "group_consumer_heartbeat_interval_ms": "1000",
}
KAFKAS_BOUNDS = {"group_consumer_min_session_timeout_ms": "1000", "group_consumer_min_heartbeat_interval_ms": "100"}


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    rounds = 1 if quick else 11
    with tenure(directory / "tenure", **SETTINGS) as broker:
        yield from figures(broker, "our broker", rounds)
    with kafka(directory / "kafka", quick, **SETTINGS, **KAFKAS_BOUNDS) as broker:
        yield from figures(broker, "Apache Kafka", rounds)
        taken_s = java_takeover_s(broker, directory)
    what = f"... Java's successor, session {SESSION_TIMEOUT_MS / 1000:g} s, until it has its partitions"
    yield Figure(what, "s", Sample.of([taken_s]), less_is_better=True)


def figures(broker: Broker, name: str, rounds: int) -> Iterator[Figure]:
    create_topic(broker, TOPIC, PARTITIONS)
    with Producer(broker.address) as producer:
        for partition in range(PARTITIONS):
            producer.send(TOPIC, b"k", b"v", partition)
    for protocol, bound in TAKEN_S_MAX.items():
        taken_s = Sample.of([takeover_s(broker, protocol) for _ in range(rounds)])
        what = f"static member of a {protocol} group killed, from its successor's start to its first record, {name}"
        yield Figure(what, "s", taken_s, bound, less_is_better=True)


def takeover_s(broker: Broker, protocol: str) -> float:
    command = [sys.executable, "-m", "bench.seats", broker.address, protocol]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as member:
        assert member.stdout is not None
        try:
            assert member.stdout.readline() == "reads\n", "the member that is to be killed read nothing"
        finally:
            member.kill()
    started = time.perf_counter()
    with static_consumer(broker.address, protocol) as successor:
        first_record(successor)
        return time.perf_counter() - started


def static_consumer(address: str, protocol: str) -> Any:
    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": f"bench-seats-{protocol}",
            "group.protocol": protocol,
            "group.instance.id": "seat-1",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([TOPIC])
    return consumer


def first_record(consumer: Consumer) -> None:
    give_up_at = time.monotonic() + PATIENCE_S
    while not consumer.poll(0.5):
        assert time.monotonic() < give_up_at, f"no record for {PATIENCE_S:g} s"


def java_takeover_s(broker: Broker, directory: Path) -> float:
    """Measure a takeover by Java's consumer. Both JVMs run before the clock starts."""
    for name in ("killed", "successor"):
        (directory / name).mkdir()
    with (
        java_clients(broker.address, directory / "killed") as killed,
        java_clients(broker.address, directory / "successor") as successor,
    ):
        first = java_member(killed)
        assert has_joined(killed, first), "Java's member got no partitions"
        killed.kill()
        give_up_at = time.monotonic() + PATIENCE_S
        started = time.perf_counter()
        member = java_member(successor)
        while not has_joined(successor, member):
            assert time.monotonic() < give_up_at, f"Java's successor was not let in for {PATIENCE_S:g} s"
            member.stop()
            member.failed = None
            member.start()
        return time.perf_counter() - started


def java_member(java: JavaClients) -> JavaMember:
    classic = dict.fromkeys(("session_timeout_ms", "heartbeat_interval_ms", "partition_assignment_strategy"))
    return JavaMember(java, "member", "bench-javas", TOPIC, "seat-1", "", group_protocol="consumer", **classic)


def has_joined(java: JavaClients, member: JavaMember) -> bool:
    """Wait until the member has its partitions or was refused; return whether it has them."""
    with java.changed:
        java.changed.wait_for(lambda: bool(member.assigned or member.failed), PATIENCE_S)
        return bool(member.assigned)


def main() -> None:
    """Join, read, and wait to be killed."""
    address, protocol = sys.argv[1:]
    with static_consumer(address, protocol) as consumer:
        first_record(consumer)
        print("reads", flush=True)
        while True:
            consumer.poll()


if __name__ == "__main__":
    main()
