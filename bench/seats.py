"""Time from the kill of a static member of a consumer group (KIP-848) until its successor works.

The coordinator gives the seat to no other member before the session ends. Our successor takes the seat over. Java's
consumer treats the refusal as fatal, so a supervisor would start it again repeatedly. This is measured with sessions of
`SESSION_TIMEOUT_MS` instead of Kafka's 45 s. Java's time ends when the member has its partitions, and ours when it has
the first record.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample
from tenure.client import Consumer, Producer
from tests.interop.java_clients import JavaClients, JavaMember, java_clients

TAKEN_S_MAX = 1.0
SESSION_TIMEOUT_MS = 6_000
PATIENCE_S = 60.0
PARTITIONS = 4
SETTINGS = {
    "group_consumer_session_timeout_ms": str(SESSION_TIMEOUT_MS),
    "group_consumer_heartbeat_interval_ms": "1000",
}
KAFKAS_BOUNDS = {"group_consumer_min_session_timeout_ms": "1000", "group_consumer_min_heartbeat_interval_ms": "100"}


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds = 1 if quick else 11
    with tenure(directory / "tenure", **SETTINGS) as broker:
        on_ours = ours(broker, rounds)
    with kafka(directory / "kafka", quick, **SETTINGS, **KAFKAS_BOUNDS) as broker:
        on_kafka, javas = ours(broker, rounds), java_s(broker, directory)
    what = "static member of KIP-848 killed, from its successor's start to its first record"
    peer = f"Java's, session {SESSION_TIMEOUT_MS / 1000:g} s, until it has its partitions"
    return [
        Figure(f"{what}, our broker", "s", on_ours, TAKEN_S_MAX, less_is_better=True),
        Figure(f"{what}, Apache Kafka", "s", on_kafka, TAKEN_S_MAX, True, peer, Sample.of([javas])),
    ]


def ours(broker: Broker, rounds: int) -> Sample:
    create_topic(broker, "seats", PARTITIONS)
    with Producer(broker.address) as producer:
        for partition in range(PARTITIONS):
            producer.send("seats", b"k", b"v", partition)
    return Sample.of([one_s(broker) for _ in range(rounds)])


def one_s(broker: Broker) -> float:
    command = [sys.executable, "-m", "bench.seats", broker.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as member:
        assert member.stdout is not None
        try:
            assert member.stdout.readline() == "reads\n", "the member that is to be killed read nothing"
        finally:
            member.kill()
    started = time.perf_counter()
    with seat(broker.address) as successor:
        first_record(successor)
        return time.perf_counter() - started


def seat(address: str) -> Any:
    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": "bench-seats",
            "group.protocol": "consumer",
            "group.instance.id": "seat-1",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe(["seats"])
    return consumer


def first_record(consumer: Consumer) -> None:
    give_up_at = time.monotonic() + PATIENCE_S
    while not consumer.poll(0.5):
        assert time.monotonic() < give_up_at, f"no record for {PATIENCE_S:g} s"


def java_s(broker: Broker, directory: Path) -> float:
    """Measure Java. Both JVMs run before the clock starts."""
    for name in ("killed", "successor"):
        (directory / name).mkdir()
    with (
        java_clients(broker.address, directory / "killed") as killed,
        java_clients(broker.address, directory / "successor") as successor,
    ):
        first = java_member(killed)
        assert has_come(killed, first), "Java's member got no partitions"
        killed.kill()
        give_up_at = time.monotonic() + PATIENCE_S
        started = time.perf_counter()
        member = java_member(successor)
        while not has_come(successor, member):
            assert time.monotonic() < give_up_at, f"Java's successor was not let in for {PATIENCE_S:g} s"
            member.stop()
            member.failed = None
            member.start()
        return time.perf_counter() - started


def java_member(java: JavaClients) -> JavaMember:
    classic = dict.fromkeys(("session_timeout_ms", "heartbeat_interval_ms", "partition_assignment_strategy"))
    return JavaMember(java, "member", "bench-javas", "seats", "seat-1", "", group_protocol="consumer", **classic)


def has_come(java: JavaClients, member: JavaMember) -> bool:
    """Return whether the member has its partitions or was refused."""
    with java.changed:
        java.changed.wait_for(lambda: bool(member.assigned or member.failed), PATIENCE_S)
        return bool(member.assigned)


def main() -> None:
    """Join, read, and wait to be killed."""
    (address,) = sys.argv[1:]
    with seat(address) as consumer:
        first_record(consumer)
        print("reads", flush=True)
        while True:
            consumer.poll()


if __name__ == "__main__":
    main()
