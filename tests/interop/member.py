"""Member of a group as a program: `python -m tests.interop.member LIBRARY ADDRESS GROUP INSTANCE TOPIC`.

It consumes and commits until SIGTERM, with Tenure's client or with one of three other libraries, as the library's
documentation recommends. It prints one JSON line per event: `{"assigned": [0, 3]}` for a new assignment, `{"read":
[[partition, offset], ...]}` after these records are committed, and `{"fenced": true}` when another member took over its
instance id.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any

SESSION_TIMEOUT_MS = 30_000
"""Session timeout, longer than a busy machine needs to restart a killed member, whose membership must not end."""
HEARTBEAT_INTERVAL_MS = 500
JOINING_MS = 600_000
DEBUG = os.environ.get("TENURE_LIBRDKAFKA_DEBUG", "")
"""Debug contexts of librdkafka, for its log lines on standard error: "cgrp,broker,protocol"."""
STOPPING = threading.Event()


def print_event(**event: object) -> None:
    print(json.dumps(event), flush=True)


def print_assigned(partitions: Iterable[Any]) -> None:
    print_event(assigned=sorted(one.partition for one in partitions))


def join_in_one_poll(consumer: Any) -> None:
    """Let each poll wait for the responses to JoinGroup and SyncGroup.

    If a poll of kafka-python (3.0.12) ends between the two, the member sends no heartbeats from then on.
    """
    poll = consumer._coordinator.poll
    consumer._coordinator.poll = lambda **_: poll(timeout_ms=JOINING_MS)


def kafka_python(address: str, group: str, instance: str, topic: str) -> None:
    from kafka import ConsumerRebalanceListener, KafkaConsumer
    from kafka.errors import KafkaConnectionError

    class AssignmentPrinter(ConsumerRebalanceListener):  # type: ignore[misc]
        def on_partitions_revoked(self, revoked: Any) -> None:
            pass

        def on_partitions_assigned(self, assigned: Any) -> None:
            print_assigned(assigned)

    consumer = KafkaConsumer(
        bootstrap_servers=address,
        group_id=group,
        group_instance_id=instance,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        session_timeout_ms=SESSION_TIMEOUT_MS,
        heartbeat_interval_ms=HEARTBEAT_INTERVAL_MS,
        metadata_max_age_ms=2_000,
    )
    join_in_one_poll(consumer)
    consumer.subscribe([topic], listener=AssignmentPrinter())
    while not STOPPING.is_set():
        try:
            records = [one for batch in consumer.poll(timeout_ms=200).values() for one in batch]
        except KafkaConnectionError:  # while no broker runs
            time.sleep(0.1)
            continue
        if records:
            consumer.commit()
            print_event(read=[[one.partition, one.offset] for one in records])
    consumer.close()


def aiokafka(address: str, group: str, instance: str, topic: str) -> None:
    from aiokafka import AIOKafkaConsumer
    from aiokafka.abc import ConsumerRebalanceListener

    class AssignmentPrinter(ConsumerRebalanceListener):  # type: ignore[misc]
        def on_partitions_revoked(self, revoked: Any) -> None:
            pass

        def on_partitions_assigned(self, assigned: Any) -> None:
            print_assigned(assigned)

    async def consume() -> None:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=address,
            group_id=group,
            group_instance_id=instance,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            session_timeout_ms=SESSION_TIMEOUT_MS,
            heartbeat_interval_ms=HEARTBEAT_INTERVAL_MS,
            metadata_max_age_ms=2_000,
        )
        consumer.subscribe([topic], listener=AssignmentPrinter())
        await consumer.start()
        while not STOPPING.is_set():
            records = [one for batch in (await consumer.getmany(timeout_ms=200)).values() for one in batch]
            if records:
                await consumer.commit()
                print_event(read=[[one.partition, one.offset] for one in records])
        await consumer.stop()

    asyncio.run(consume())


def confluent(address: str, group: str, instance: str, topic: str) -> None:
    classic = {"session.timeout.ms": SESSION_TIMEOUT_MS, "heartbeat.interval.ms": HEARTBEAT_INTERVAL_MS}
    consume_with_librdkafka(address, group, instance, topic, classic)


def confluent_kip_848(address: str, group: str, instance: str, topic: str) -> None:
    consume_with_librdkafka(address, group, instance, topic, {"group.protocol": "consumer"})


def consume_with_librdkafka(address: str, group: str, instance: str, topic: str, protocol: dict[str, Any]) -> None:
    from confluent_kafka import Consumer, KafkaError, KafkaException

    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": group,
            "group.instance.id": instance,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "topic.metadata.refresh.interval.ms": 2_000,
            **({"debug": DEBUG} if DEBUG else {}),
            **protocol,
        }
    )
    held: set[int] = set()

    def on_assign(_: Consumer, partitions: list[Any]) -> None:
        """Report all partitions; in the consumer protocol `partitions` are the new ones."""
        held.update(one.partition for one in partitions)
        print_event(assigned=sorted(held))

    def on_revoke(_: Consumer, partitions: list[Any]) -> None:
        held.difference_update(one.partition for one in partitions)

    consumer.subscribe([topic], on_assign=on_assign, on_revoke=on_revoke, on_lost=on_revoke)
    while not STOPPING.is_set():
        records = []
        polled = consumer.poll(0.2)  # `consume`, in batches, would hide a fatal error
        while polled is not None:
            if polled.error() is None:
                records.append(polled)
            elif polled.error().code() == KafkaError._FATAL:
                raise KafkaException(polled.error())
            polled = consumer.poll(0) if len(records) < 500 else None
        if records:
            consumer.commit(asynchronous=False)
            print_event(read=[[one.partition(), one.offset()] for one in records])
    consumer.close()


def tenure(address: str, group: str, instance: str, topic: str) -> None:
    from tenure.client import Consumer

    settings = {"group.id": group, "group.instance.id": instance, "auto.offset.reset": "earliest"}
    timeouts = {"session.timeout.ms": SESSION_TIMEOUT_MS, "heartbeat.interval.ms": HEARTBEAT_INTERVAL_MS}
    with Consumer({"bootstrap.servers": address, "enable.auto.commit": False, **settings, **timeouts}) as consumer:
        consumer.subscribe([topic], on_assigned=lambda _: print_assigned(consumer.assignment()))
        while not STOPPING.is_set():
            records = consumer.poll(0.2)
            if records:
                consumer.commit()
                print_event(read=[[one.partition, one.offset] for one in records])


LIBRARIES = {"kafka-python": kafka_python, "aiokafka": aiokafka, "confluent-kafka": confluent}
"""Classes of members by library, for classic groups."""
PROGRAMS = LIBRARIES | {"confluent-kafka, KIP-848": confluent_kip_848, "tenure": tenure}


def main() -> None:
    library, address, group, instance, topic = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: STOPPING.set())
    try:
        PROGRAMS[library](address, group, instance, topic)
    except Exception as error:
        if "fenced" not in repr(error).lower():
            raise
        print_event(fenced=True)


if __name__ == "__main__":
    main()
