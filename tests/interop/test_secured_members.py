"""Static members of each client library on a secured broker: sessions end, certificates change, and members stay."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer as Librdkafka

from tenure.client import Consumer
from tenure.testing import Broker
from tests.interop.java_clients import JavaMember, java_clients
from tests.interop.member import join_in_one_poll
from tests.oracle.conftest import require_kafka

pytestmark = [pytest.mark.interop, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

TOPIC = "orders"
TIMEOUT_S = 90.0
SESSION_MS = 5_000
"""Session time of connections: longer than a login on a busy machine, and short enough to see re-authentication."""
MEMBER = {"auto.offset.reset": "earliest", "session.timeout.ms": 30_000, "heartbeat.interval.ms": 300}
Read = Callable[[], int]
"""Return the number of records that the member has read."""


class Reading(threading.Thread):
    """A member in a thread, until it is stopped."""

    def __init__(self, consume: Callable[[Reading], None]) -> None:
        super().__init__(name=consume.__name__)
        self.count = 0
        self.stopping = threading.Event()
        self._consume = consume

    def run(self) -> None:
        self._consume(self)


@contextmanager
def reading(consume: Callable[[Reading], None]) -> Iterator[Read]:
    thread = Reading(consume)
    thread.start()
    try:
        yield lambda: thread.count
    finally:
        thread.stopping.set()
        thread.join(TIMEOUT_S)


def tenure(broker: Broker, group: str) -> Any:
    def consume(reading: Reading) -> None:
        with Consumer({**broker.credentials().librdkafka, **MEMBER, "group.id": group, "group.instance.id": "i"}) as by:
            by.subscribe([TOPIC])
            while not reading.stopping.is_set():
                reading.count += len(by.poll(0.1))

    return reading(consume)


def librdkafka(broker: Broker, group: str) -> Any:
    config = {**broker.credentials().librdkafka, **MEMBER, "group.id": group, "group.instance.id": "i", "log_level": 0}

    def consume(reading: Reading) -> None:
        by = Librdkafka({**config, "error_cb": lambda _: None})
        by.subscribe([TOPIC])
        while not reading.stopping.is_set():
            record = by.poll(0.1)
            reading.count += record is not None and record.error() is None
        by.close()

    return reading(consume)


def arguments(group: str) -> dict[str, Any]:
    config = MEMBER | {"group.id": group, "group.instance.id": "i", "metadata.max.age.ms": 2_000}
    return {name.replace(".", "_"): value for name, value in config.items()}


def kafka_python(broker: Broker, group: str) -> Any:
    def consume(reading: Reading) -> None:
        from kafka import KafkaConsumer
        from kafka.errors import KafkaConnectionError

        by = KafkaConsumer(**broker.credentials().kafka_python, **arguments(group))
        join_in_one_poll(by)
        by.subscribe([TOPIC])
        while not reading.stopping.is_set():
            try:
                reading.count += sum(map(len, by.poll(timeout_ms=100).values()))
            except KafkaConnectionError:
                continue
        by.close()

    return reading(consume)


def aiokafka(broker: Broker, group: str) -> Any:
    async def run(reading: Reading) -> None:
        from aiokafka import AIOKafkaConsumer

        by = AIOKafkaConsumer(TOPIC, **broker.credentials().aiokafka, **arguments(group))
        await by.start()
        while not reading.stopping.is_set():
            reading.count += sum(map(len, (await by.getmany(timeout_ms=100)).values()))
        await by.stop()

    return reading(lambda reading: asyncio.run(run(reading)))


@contextmanager
def java(broker: Broker, group: str, directory: Path) -> Iterator[Read]:
    """Yield a member of Java. By default a leader without a broker forgets its topics and joins again (KIP-899)."""
    require_kafka()
    others = {**broker.credentials().java, "auto.offset.reset": "earliest", "metadata.recovery.strategy": "none"}
    with java_clients(broker.address, directory) as clients:
        given = {name.replace(".", "_"): value for name, value in others.items()}
        member = JavaMember(clients, "java", group, TOPIC, "i", "RangeAssignor", **given)
        yield lambda: len(member.read)
        member.stop()


def until(is_so: Callable[[], bool], what: Callable[[], object]) -> None:
    give_up_at = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < give_up_at, what()
        time.sleep(0.02)


@pytest.mark.oracle
def test_secured_static_members__sasl_sessions_end_and_certificates_change__same_members_and_generations(
    tmp_path: Path,
) -> None:
    libraries: dict[str, Callable[[Broker, str], Any]] = {
        "tenure": tenure,
        "librdkafka": librdkafka,
        "kafka-python": kafka_python,
        "aiokafka": aiokafka,
        "java": lambda broker, group: java(broker, group, tmp_path),
    }
    with Broker({"connections.max.reauth.ms": SESSION_MS}, security="SASL_SSL") as broker, ExitStack() as stack:
        broker.create_topic(TOPIC)
        counts = {name: stack.enter_context(member(broker, name)) for name, member in libraries.items()}

        def read_one_more(number: int) -> None:
            broker.produce(TOPIC, [f"{number}"])
            until(
                lambda: all(count() == number for count in counts.values()),
                lambda: {name: count() for name, count in counts.items()},
            )

        def groups() -> dict[str, object]:
            return {name: broker.wait_until_stable(name, 1) for name in libraries}

        read_one_more(1)
        before = groups()
        for number in (2, 3, 4):
            broker.advance(SESSION_MS / 1000)  # ends all sessions; no client knows that
            read_one_more(number)
        for number in (5, 6):
            broker.renew_certificates()
            broker.cut_connections()
            read_one_more(number)
        assert groups() == before
