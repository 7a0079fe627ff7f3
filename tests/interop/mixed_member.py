"""One member of a mixed group as a program: `python -m tests.interop.mixed_member` and `MemberConfig` as JSON.

It reads until SIGTERM and leaves commits to its library. It prints events as lines of JSON: `{"assigned": [0, 3]}`, and
`{"read": [[partition, offset], ...]}` before those records can be committed, so an offset without a line was skipped.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from tests.interop.member import join_in_one_poll

POLL_MS = 100
SESSION_TIMEOUT_MS = 10_000
STATIC_SESSION_TIMEOUT_MS = 30_000
"""Longer than a busy machine needs to restart a member, so that its membership has not timed out."""
HEARTBEAT_INTERVAL_MS = 300
COMMIT_INTERVAL_MS = 300
STOPPING = threading.Event()


class MemberConfig(NamedTuple):
    name: str
    library: str
    address: str
    group: str
    topic: str
    assignor: str
    """Assignor; empty if the broker assigns (KIP-848)."""
    is_static: bool


Polled: TypeAlias = tuple[Iterable[int], list[tuple[int, int]]]
"""Owned partitions, and the records of a poll."""


def config_of(member: MemberConfig) -> dict[str, Any]:
    """Return the config under Kafka's keys."""
    config = {
        "bootstrap.servers": member.address,
        "group.id": member.group,
        "client.id": member.name,
        "auto.offset.reset": "earliest",
        "auto.commit.interval.ms": COMMIT_INTERVAL_MS,
    }
    if member.assignor:
        session_timeout_ms = STATIC_SESSION_TIMEOUT_MS if member.is_static else SESSION_TIMEOUT_MS
        config |= {"session.timeout.ms": session_timeout_ms, "heartbeat.interval.ms": HEARTBEAT_INTERVAL_MS}
    else:
        config |= {"group.protocol": "consumer"}
    return config | {"group.instance.id": member.name} if member.is_static else config


ASSIGNORS = {
    "range": "range.RangePartitionAssignor",
    "roundrobin": "roundrobin.RoundRobinPartitionAssignor",
    "sticky": "sticky.sticky_assignor.StickyPartitionAssignor",
    "cooperative-sticky": "cooperative_sticky.CooperativeStickyAssignor",
}
"""Modules of kafka-python's assignors; aiokafka has all but the last one."""


def python_config(member: MemberConfig) -> dict[str, Any]:
    """Return the settings under the names of kafka-python and aiokafka."""
    module, _, name = ASSIGNORS[member.assignor].rpartition(".")
    package = "kafka" if member.library == "kafka-python" else "aiokafka"
    assignor = getattr(import_module(f"{package}.coordinator.assignors.{module}"), name)
    config = {key.replace(".", "_"): value for key, value in config_of(member).items()}
    return config | {"partition_assignment_strategy": [assignor], "metadata_max_age_ms": 2_000}


def with_assignor(member: MemberConfig) -> dict[str, Any]:
    return config_of(member) | ({"partition.assignment.strategy": member.assignor} if member.assignor else {})


def tenure(member: MemberConfig) -> Iterator[Polled]:
    from tenure.client import Consumer

    with Consumer(with_assignor(member)) as consumer:
        consumer.subscribe([member.topic])
        while True:
            records = consumer.poll(POLL_MS / 1000)
            yield [one.partition for one in consumer.assignment()], [(one.partition, one.offset) for one in records]


def kafka_python(member: MemberConfig) -> Iterator[Polled]:
    from kafka import KafkaConsumer

    consumer = KafkaConsumer(member.topic, **python_config(member))
    join_in_one_poll(consumer)
    try:
        while True:
            records = [one for batch in consumer.poll(POLL_MS).values() for one in batch]
            yield [one.partition for one in consumer.assignment()], [(one.partition, one.offset) for one in records]
    finally:
        consumer.close()


def aiokafka(member: MemberConfig) -> Iterator[Polled]:
    from aiokafka import AIOKafkaConsumer

    async def started() -> Any:
        consumer = AIOKafkaConsumer(member.topic, **python_config(member))
        await consumer.start()
        return consumer

    with asyncio.Runner() as runner:
        consumer = runner.run(started())
        try:
            while True:
                batches = runner.run(consumer.getmany(timeout_ms=POLL_MS))
                records = [one for batch in batches.values() for one in batch]
                yield [one.partition for one in consumer.assignment()], [(one.partition, one.offset) for one in records]
        finally:
            runner.run(consumer.stop())


def librdkafka(member: MemberConfig) -> Iterator[Polled]:
    from confluent_kafka import Consumer

    consumer = Consumer(with_assignor(member))
    consumer.subscribe([member.topic])
    try:
        while True:
            records = [one for one in consumer.consume(500, timeout=POLL_MS / 1000) if one.error() is None]
            owns = [one.partition for one in consumer.assignment()]
            yield owns, [(one.partition(), one.offset()) for one in records]
    finally:
        consumer.close()


LIBRARIES = {"tenure": tenure, "kafka-python": kafka_python, "aiokafka": aiokafka, "librdkafka": librdkafka}


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: STOPPING.set())
    member = MemberConfig(*json.loads(sys.argv[1]))
    owned: list[int] = []
    polling = LIBRARIES[member.library](member)
    for owns, read in polling:
        if sorted(owns) != owned:
            owned = sorted(owns)
            print_event(assigned=owned)
        if read:
            print_event(read=read)
        if STOPPING.is_set():
            break
    polling.close()  # type: ignore[attr-defined]


def print_event(**event: object) -> None:
    print(json.dumps(event), flush=True)


if __name__ == "__main__":
    main()
