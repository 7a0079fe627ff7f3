"""Producer that writes all the time, also while no broker runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from confluent_kafka import Producer

from tests.interop.producing import TIMEOUT_S

PAUSE_S: Final = 0.05
DELIVERY_MS: Final = 300_000
"""Time within which a record must be delivered: longer than a busy machine needs to start Apache Kafka."""


class SteadyProducer:
    """Idempotent producer of librdkafka in a thread. It writes one record after the other until it is stopped."""

    def __init__(self, address: str, topic: str) -> None:
        self._producer = Producer(
            {"bootstrap.servers": address, "enable.idempotence": True, "message.timeout.ms": DELIVERY_MS}
        )
        self._topic = topic
        self._written: set[tuple[int, int]] = set()
        self._errors: list[object] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def written(self) -> set[tuple[int, int]]:
        """Return partition and offset of each record that is acknowledged so far."""
        assert not self._errors, self._errors
        return self._written.copy()

    def stop(self) -> None:
        """Wait until all records are acknowledged, and stop."""
        self._stopping.set()
        self._thread.join()
        assert self._producer.flush(TIMEOUT_S) == 0

    def _write(self) -> None:
        number = 0
        while not self._stopping.wait(PAUSE_S):
            self._producer.produce(self._topic, key=f"key-{number}", value="steady", on_delivery=self._acknowledged)
            self._producer.poll(0)
            number += 1

    def _acknowledged(self, error: Any, record: Any) -> None:
        if error is not None:
            self._errors.append(error)
        else:
            self._written.add((record.partition(), record.offset()))


@contextmanager
def steady_producer(address: str, topic: str) -> Iterator[SteadyProducer]:
    producer = SteadyProducer(address, topic)
    try:
        yield producer
    finally:
        producer.stop()
