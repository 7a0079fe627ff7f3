"""The client: rows per second of its processor time, into Arrow, in Python and out of Arrow, beside its peers.

Every client reads or writes the same records of the same broker, in turns, with the settings that serve it best, which
are printed. `python -m bench.client ADDRESS TOPIC` is the static member that is killed, and whose successor is timed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.brokers import Broker, create_topic, kafka, tenure
from bench.columnar import CONSUME_AT_ONCE, TUNED, cpu_rate
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.pipelines.rows import run
from bench.records import RECORDS_PER_BATCH, VALUE, fill
from tenure.protocol.compression import Codec

PARTITIONS = 4
REJOIN_MS_MAX = 300.0
NOTHING_CAME_S = 10.0

OURS = {"fetch.max.bytes": 28 << 20, "max.partition.fetch.bytes": 7 << 20}
"""Settings of our client. Polls return 500 rows, as by default, for us and for kafka-python; short-lived rows cost the
garbage collector least."""
KAFKA_PYTHON = {
    "fetch_max_bytes": 64 << 20,
    "max_partition_fetch_bytes": 16 << 20,
    "receive_buffer_bytes": 4 << 20,
}
PRODUCING = {"batch.size": 1_000_000, "linger.ms": 50, "acks": "all", "enable.idempotence": True}
LIBRDKAFKA_PRODUCING = {
    "queue.buffering.max.messages": 1_000_000,
    "queue.buffering.max.kbytes": 1_048_576,
    "batch.num.messages": 100_000,
    "partitioner": "murmur2_random",
}


class Records(NamedTuple):
    """Records of a topic, and the promised speed of reading them into Arrow."""

    topic: str
    what: str
    value: bytes | Sequence[bytes]
    per_batch: int
    part: float
    """Share of the number of records of other topics."""
    times_confluent: float
    times_spark: float | None = None
    codec: Codec = Codec.NONE


TOPICS = (
    Records("bench-100", "100 B values", VALUE, RECORDS_PER_BATCH, 1, 4, 5),
    Records("bench-1000", "1 KB values", VALUE * 10, 900, 0.25, 3, 5),
    Records("bench-small", "100 B values, 10 to a batch", VALUE, 10, 0.1, 1, 3),
)


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    rounds, records = (1, 100_000) if quick else (5, 2_000_000)
    with tenure(directory / "tenure", group_initial_rebalance_delay_ms="0") as broker:
        yield from into_arrow(broker, "tenure serve", directory, rounds, records, with_spark=not quick)
        yield from into_rows(broker, rounds, records)
        yield from out_of_arrow(broker, rounds, records // 2)
        yield rejoin(broker, 3 if quick else 15)
    with kafka(directory / "kafka", quick) as broker:
        yield from into_arrow(broker, "Apache Kafka", directory, rounds, records, with_spark=False)


def times(what: str, ours: list[float], theirs: list[float], promised: float | None) -> Figure:
    """Return a figure of times, compared round by round, because both sides of a round run on the same machine."""
    ratios = Sample.of([one / other for one, other in zip(ours, theirs, strict=True)])
    return Figure(f"... times {what}", "x", ratios, promised)


# --- reading ----------------------------------------------------------------------------------------------------------


def into_arrow(
    broker: Broker, name: str, directory: Path, rounds: int, records: int, *, with_spark: bool
) -> list[Figure]:
    figures: list[Figure] = []
    for kind in TOPICS:
        count = fill(broker, kind.topic, PARTITIONS, int(records * kind.part), kind.per_batch, kind.value)
        figures += beside_confluent(broker, name, kind, count, rounds)
    if with_spark:
        fill(broker, "warm-up", PARTITIONS, 120_000)
        figures += [beside_spark(broker, kind, directory, figures[2 * n].ours) for n, kind in enumerate(TOPICS)]
    return figures


def beside_confluent(broker: Broker, name: str, kind: Records, count: int, rounds: int) -> list[Figure]:
    ours, theirs = in_turns(
        rounds,
        lambda: cpu_rate(count, lambda: poll_arrow(broker, kind.topic, count)),
        lambda: cpu_rate(count, lambda: consume(broker, kind.topic, count)),
    )
    return [
        Figure(
            f"Consumer into Arrow from {name}, {kind.what}",
            "rows/CPU-s",
            Sample.of(ours),
            peer="confluent-kafka",
            theirs=Sample.of(theirs),
            remarks=[f"with {said(OURS)}; confluent-kafka with {said(TUNED)}, consume({CONSUME_AT_ONCE})"],
        ),
        times("confluent-kafka", ours, theirs, kind.times_confluent),
    ]


def beside_spark(broker: Broker, kind: Records, directory: Path, ours: Sample) -> Figure:
    count = count_of(broker, kind.topic)
    scratch = directory / f"spark-{kind.topic}"
    with application("theirs", scratch, address=broker.address) as connector:
        connector.ask("read", topic="warm-up")
        rate = run(connector, "read", kind.topic, count).per_cpu_second
    return Figure(
        f"... times Spark's connector into Python, {kind.what}",
        "x",
        Sample.of([ours.median / rate]),
        kind.times_spark,
        peer="Spark's connector, rows/CPU-s",
        theirs=Sample.of([rate]),
    )


def into_rows(broker: Broker, rounds: int, records: int) -> list[Figure]:
    topic, count = TOPICS[0].topic, count_of(broker, TOPICS[0].topic)
    ours, theirs = in_turns(
        rounds,
        lambda: cpu_rate(count, lambda: poll(broker, topic, count)),
        lambda: cpu_rate(count, lambda: consume(broker, topic, count)),
    )
    some = min(count, max(records // 10, 10_000))
    slow = [at_least_rate(lambda: kafka_python(broker, topic, some)) for _ in range(rounds)]
    return [
        Figure(
            "Consumer, rows in Python, 100 B values",
            "rows/CPU-s",
            Sample.of(ours),
            peer="confluent-kafka",
            theirs=Sample.of(theirs),
        ),
        times("confluent-kafka", ours, theirs, 0.5),
        times(f"kafka-python with {said(KAFKA_PYTHON)}", ours, slow, 8),
    ]


def in_turns(rounds: int, ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[list[float], list[float]]:
    """Run both sides in turns.

    The first turn is not counted: modules are imported in it, and the broker reads from its disk.
    """
    both = [(ours(), theirs()) for _ in range(rounds + 1)][1:]
    return [one for one, _ in both], [other for _, other in both]


def poll_arrow(broker: Broker, topic: str, count: int) -> int:
    with reader(broker, topic) as consumer:
        rows = 0
        while rows < count:
            table = consumer.poll_arrow(NOTHING_CAME_S)
            assert table is not None, f"nothing came for {NOTHING_CAME_S:g} s, after {rows} records"
            rows += len(table)
        return rows


def poll(broker: Broker, topic: str, count: int) -> int:
    with reader(broker, topic) as consumer:
        rows = 0
        while rows < count:
            found = consumer.poll(NOTHING_CAME_S)
            assert found, f"nothing came for {NOTHING_CAME_S:g} s, after {rows} records"
            rows += sum(record.value is not None for record in found)
        return rows


def reader(broker: Broker, topic: str) -> Any:
    from tenure.client import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": broker.address} | OURS)
    consumer.assign({TopicPartition(topic, number): 0 for number in range(PARTITIONS)})
    return consumer


def consume(broker: Broker, topic: str, count: int) -> int:
    from confluent_kafka import Consumer, TopicPartition

    settings = {"bootstrap.servers": broker.address, "group.id": "bench", "enable.auto.commit": False}
    consumer = Consumer(settings | TUNED)
    consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
    rows = 0
    while rows < count:
        records = consumer.consume(min(CONSUME_AT_ONCE, count - rows), timeout=NOTHING_CAME_S)  # waits for all of them
        assert records, f"nothing came for {NOTHING_CAME_S:g} s, after {rows} records"
        rows += sum(record.value() is not None for record in records)
    consumer.close()
    return rows


def kafka_python(broker: Broker, topic: str, at_least: int) -> int:
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(bootstrap_servers=broker.address, **KAFKA_PYTHON)
    partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    consumer.assign(partitions)
    consumer.seek_to_beginning(*partitions)
    rows = 0
    while rows < at_least:
        found = consumer.poll(timeout_ms=int(NOTHING_CAME_S * 1e3))
        assert found, f"nothing came for {NOTHING_CAME_S:g} s, after {rows} records"
        rows += sum(record.value is not None for records in found.values() for record in records)
    consumer.close()
    return rows


def at_least_rate(work: Callable[[], int]) -> float:
    started = time.process_time()
    rows = work()
    return rows / (time.process_time() - started)


def count_of(broker: Broker, topic: str) -> int:
    from tenure.client.queries.blocking import end_offsets
    from tenure.client.values import TopicPartition

    return sum(end_offsets(broker.address, [TopicPartition(topic, n) for n in range(PARTITIONS)]).values())


# --- writing ----------------------------------------------------------------------------------------------------------


def out_of_arrow(broker: Broker, rounds: int, records: int) -> list[Figure]:
    import pyarrow as pa

    keys = [b"key-%d" % (number % 1_000) for number in range(records)]
    table = pa.table({"key": pa.array(keys), "value": pa.array([VALUE] * records)})
    create_topic(broker, "produced", PARTITIONS)
    ours, theirs = in_turns(
        rounds,
        lambda: cpu_rate(records, lambda: send_arrow(broker, table)),
        lambda: cpu_rate(records, lambda: produce(broker, keys)),
    )
    return [
        Figure(
            "Producer.send_arrow, keys and 100 B values",
            "rows/CPU-s",
            Sample.of(ours),
            peer="confluent-kafka",
            theirs=Sample.of(theirs),
            remarks=[f"both with {said(PRODUCING)}; confluent-kafka also with {said(LIBRDKAFKA_PRODUCING)}"],
        ),
        times("confluent-kafka", ours, theirs, 2),
    ]


def send_arrow(broker: Broker, table: Any) -> int:
    from tenure.client import Producer

    with Producer({"bootstrap.servers": broker.address} | PRODUCING) as producer:
        producer.send_arrow("produced", table)
    return len(table)


def produce(broker: Broker, keys: list[bytes]) -> int:
    from confluent_kafka import Producer

    producer = Producer({"bootstrap.servers": broker.address} | PRODUCING | LIBRDKAFKA_PRODUCING)
    for number, key in enumerate(keys):
        while True:
            try:
                producer.produce("produced", VALUE, key)
                break
            except BufferError:
                producer.poll(0.01)
        if number % 10_000 == 0:
            producer.poll(0)
    assert producer.flush(60) == 0, "not all was written within a minute"
    return len(keys)


# --- a seat taken again -----------------------------------------------------------------------------------------------


def rejoin(broker: Broker, rounds: int) -> Figure:
    """Measure from the successor's first poll to its first record, after the member before it was killed."""
    fill(broker, "seats", PARTITIONS, 4_000, per_batch=1_000)
    return Figure(
        "static member killed, its successor's first poll to its first record",
        "ms",
        Sample.of([one_rejoin_ms(broker) for _ in range(rounds)]),
        REJOIN_MS_MAX,
        less_is_better=True,
    )


def one_rejoin_ms(broker: Broker) -> float:
    command = [sys.executable, "-m", "bench.client", broker.address, "seats"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as member:
        assert member.stdout is not None
        try:
            assert member.stdout.readline() == "reads\n", "the member that is to be killed read nothing"
        finally:
            member.kill()
    with seat(broker.address, "seats") as successor:
        started = time.perf_counter()
        first_record(successor)
        return (time.perf_counter() - started) * 1e3


def seat(address: str, topic: str) -> Any:
    from tenure.client import Consumer

    settings = {"group.id": "bench-seats", "group.instance.id": "seat-1", "auto.offset.reset": "earliest"}
    consumer = Consumer({"bootstrap.servers": address, "enable.auto.commit": False} | settings)
    consumer.subscribe([topic])
    return consumer


def first_record(consumer: Any) -> None:
    give_up_at = time.monotonic() + NOTHING_CAME_S
    while not consumer.poll(0.5):
        assert time.monotonic() < give_up_at, f"no record for {NOTHING_CAME_S:g} s"


def said(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in settings.items())


def main() -> None:
    """Join, read, and wait to be killed."""
    address, topic = sys.argv[1:]
    with seat(address, topic) as consumer:
        first_record(consumer)
        print("reads", flush=True)
        while True:
            consumer.poll()


if __name__ == "__main__":
    main()
