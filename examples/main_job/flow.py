"""Flow of records: a thread produces the flights at an even rate until the job needs no more."""

import threading
import time
from collections.abc import Callable
from typing import Final, Self

from examples.flights_data import TOPIC, flights, records
from tenure.client.producer.producer import Producer

PACE_RECORDS_PER_S: Final = 3_000
"""Rate that two cores can process while Spark starts and stops beside it."""

RESERVE_SECONDS: Final = 60
"""Shortest time for which the remaining records must last; the flow slows down before they run out."""

CHUNK_RECORDS: Final = 300


class Flow:
    """Producing thread; the end of the block stops it. `check` and `finish` raise the error of the producer."""

    def __init__(self, bootstrap_servers: str, count: int | None, on_progress: Callable[[int], None]) -> None:
        self._bootstrap_servers = bootstrap_servers
        self._count = count
        self._on_progress = on_progress
        self._at_full_speed = threading.Event()
        self._cancelled = threading.Event()
        self._error: BaseException | None = None
        self.produced = 0
        self._thread = threading.Thread(target=self._run, name="flow", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._cancelled.set()
        self._at_full_speed.set()
        self._thread.join()

    def finish(self) -> None:
        """Produce the remaining records without pauses."""
        self._at_full_speed.set()
        while self._thread.is_alive():  # with a time-out, so that Ctrl-C gets through
            self._thread.join(0.2)
        self.check()

    def check(self) -> None:
        """Raise the error that stopped the producer, if there is one."""
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            with Producer({"bootstrap.servers": self._bootstrap_servers, "linger.ms": 20}) as producer:
                self._produce(producer)
        except BaseException as error:
            self._error = error

    def _produce(self, producer: Producer) -> None:
        total = len(flights(self._count))
        next_at = time.monotonic()
        for key, value in records(self._count):
            producer.send(TOPIC, key, value)
            self.produced += 1
            if self.produced % CHUNK_RECORDS:
                continue
            self._on_progress(self.produced)
            pace = min(PACE_RECORDS_PER_S, (total - self.produced) / RESERVE_SECONDS)
            next_at += CHUNK_RECORDS / max(pace, 1)
            self._at_full_speed.wait(max(0.0, next_at - time.monotonic()))
            if self._cancelled.is_set():
                return
        producer.flush()
        self._on_progress(self.produced)
