"""Rows per CPU-second from record batches into Arrow columns, without the broker.

The peer is confluent-kafka with its best settings, which makes an object of each record.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from bench.brokers import Broker, tenure
from bench.figures import Figure, Sample
from bench.records import RECORDS_PER_BATCH, batch_of, fill, keys_of

ROWS_MIN = 3_000_000
IN_MEMORY_BATCHES = 20
"""Batches of about 16 MB, as one fetch returns."""

TUNED = {
    "queued.min.messages": 1_000_000,
    "queued.max.messages.kbytes": 1_048_576,
    "fetch.max.bytes": 64 << 20,
    "max.partition.fetch.bytes": 16 << 20,
    "fetch.message.max.bytes": 16 << 20,
}
CONSUME_AT_ONCE = 20_000


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, records = (2, 300_000) if quick else (5, 2_000_000)
    decoded = [in_memory(rounds=4 if quick else 20) for _ in range(rounds)]
    with tenure(directory) as broker:
        count = fill(broker, "bench", 1, records)
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(cpu_rate(count, lambda: fetch_all(broker, count)))
            theirs.append(cpu_rate(count, lambda: consume_all(broker, count)))
    settings = ", ".join(f"{key}={value}" for key, value in TUNED.items())
    return [
        Figure("columnar decode into Arrow, 100 B values, in memory", "rows/CPU-s", Sample.of(decoded), ROWS_MIN),
        Figure(
            "fetched from tenure serve into Arrow, 100 B values",
            "rows/CPU-s",
            Sample.of(ours),
            peer="confluent-kafka",
            theirs=Sample.of(theirs),
            remarks=[f"confluent-kafka with {settings}, consume({CONSUME_AT_ONCE})"],
        ),
    ]


def in_memory(rounds: int) -> float:
    from tenure.protocol.columnar.decode import to_arrow

    data = batch_of(keys_of(0, 1), RECORDS_PER_BATCH) * IN_MEMORY_BATCHES
    rows = to_arrow(data).num_rows
    assert rows == RECORDS_PER_BATCH * IN_MEMORY_BATCHES
    return cpu_rate(rows * rounds, lambda: sum(to_arrow(data).num_rows for _ in range(rounds)))


def cpu_rate(expected: int, work: Callable[[], int]) -> float:
    """Return rows per second of processor time, over all threads of this process."""
    started = time.process_time()
    rows = work()
    seconds = time.process_time() - started
    assert rows == expected, f"{rows} rows of {expected}"
    return rows / seconds


def fetch_all(broker: Broker, count: int) -> int:
    from tenure.client.consumer.fetch_arrow import fetch_arrow

    return sum(rows.num_rows for rows in fetch_arrow(broker.address, "bench", 0, 0, count))


def consume_all(broker: Broker, count: int) -> int:
    from confluent_kafka import Consumer, TopicPartition

    settings = {"bootstrap.servers": broker.address, "group.id": "bench", "enable.auto.commit": False}
    consumer = Consumer(settings | TUNED)
    consumer.assign([TopicPartition("bench", 0, 0)])
    rows = 0
    while rows < count:
        records = consumer.consume(min(CONSUME_AT_ONCE, count - rows), timeout=10)  # waits for all of them
        assert records, f"nothing came for 10 s, after {rows} records"
        rows += sum(record.value() is not None for record in records)
    consumer.close()
    return rows
