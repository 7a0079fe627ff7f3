"""The client beside confluent-kafka and aiokafka: rows and Arrow, written and read, with each codec and two sizes.

All clients write or read the same records at the same broker, in turns, with the settings of `kafka_clients`. They run
in this process, so the processor time is that of all their threads. Values are sentences of few words, which each codec
reduces to a third or less, as it does with JSON. No value occurs twice in a batch.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bench import kafka_clients
from bench.brokers import Broker, create_topic, kafka, tenure
from bench.extent import FULL, QUICK, Extent
from bench.figures import Figure, Sample
from bench.kafka_clients import PARTITIONS, Clock, Read, Write, Written
from bench.records import RECORDS_PER_BATCH, batch_of, fill
from tenure.limits.protocol import BATCH_UNPACKED_BYTES_MAX
from tenure.protocol.batches import HEADER
from tenure.protocol.compression import Codec, decompress

RECORDS_READ: Final = 500_000
RECORDS_WRITTEN: Final = 200_000
KEYS: Final = 1_000
CONFLUENT, AIOKAFKA = "confluent-kafka", "aiokafka"
PEERS: Final = (CONFLUENT, AIOKAFKA)
POLL_ARROW: Final = "poll_arrow"
DECOMPRESSED_BYTES: Final = 20_000_000
"""Compressed bytes that are decompressed in a round."""
WORDS: Final = [start + end for start in ("order", "paid", "shipped", "customer") for end in ("", "-id", "-at", "-by")]


def name_of(codec: Codec) -> str:
    return codec.name.lower()


class Case(NamedTuple):
    """Records of one topic."""

    what: str
    topic: str
    size: int
    codec: Codec
    per_batch: int
    part: float
    """Number of records, as a share of those of 100 B."""
    times_confluent: Mapping[str, float]
    """Promised speed of our functions, as multiples of confluent-kafka's."""
    times_spark: float
    """Promised speed of `poll_arrow`, as a multiple of that of Spark's connector."""
    is_written: bool = True


SHORT: Final = {"send_arrow": 2, "poll": 1, POLL_ARROW: 4}
LONG: Final = {"poll": 1, POLL_ARROW: 3}
"""Promised speed with records of 100 B and of 1 KB."""
CASES: Final = (
    *(Case(f"100 B, {name_of(codec)}", f"100-{codec}", 100, codec, RECORDS_PER_BATCH, 1, SHORT, 5) for codec in Codec),
    *(Case(f"1 KB, {name_of(codec)}", f"1000-{codec}", 1_000, codec, 900, 0.25, LONG, 5) for codec in Codec),
    Case("100 B, none, 10 to a batch", "small-batches", 100, Codec.NONE, 10, 0.2, {POLL_ARROW: 1}, 3, is_written=False),
)

WRITERS: Final[Mapping[str, Write]] = {
    "send": kafka_clients.send,
    "send_arrow": kafka_clients.send_arrow,
    CONFLUENT: kafka_clients.confluent_produce,
    AIOKAFKA: kafka_clients.aiokafka_send,
}
READERS: Final[Mapping[str, Read]] = {
    "poll": kafka_clients.poll,
    POLL_ARROW: kafka_clients.poll_arrow,
    CONFLUENT: kafka_clients.confluent_consume,
    AIOKAFKA: kafka_clients.aiokafka_getmany,
}
WRITER_PARTS: Final = {AIOKAFKA: 0.1}
"""Share of the records that a slow writer writes."""


class Rate(NamedTuple):
    """Speed of a client in one round."""

    per_second: float
    per_cpu_second: float


Run = Callable[[], Rate]


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    with tenure(directory) as broker:
        yield from measured(broker, QUICK if quick else FULL)


def measure_on_kafka(directory: Path, quick: bool) -> Iterator[Figure]:
    with kafka(directory, quick) as broker:
        yield from measured(broker, QUICK if quick else FULL)


def measure_goals(directory: Path, quick: bool) -> Iterator[Figure]:
    """Measure only what has a goal: reading into Arrow, beside confluent-kafka."""
    readers = {name: READERS[name] for name in (POLL_ARROW, CONFLUENT)}
    with tenure(directory) as broker:
        yield from measured(broker, QUICK if quick else FULL._replace(rounds=3), {}, readers)


def measured(
    broker: Broker,
    extent: Extent,
    writers: Mapping[str, Write] = WRITERS,
    readers: Mapping[str, Read] = READERS,
) -> Iterator[Figure]:
    for case in CASES:
        values = values_of(case.size)
        if writers and case.is_written:
            records = written(values, int(RECORDS_WRITTEN * case.part * extent.records))
            create_topic(broker, f"written-{case.topic}", PARTITIONS)
            runs = {name: partial(one_write, broker, case, records, name, write) for name, write in writers.items()}
            yield from figures(case, in_turns(runs, extent))
        count = int(RECORDS_READ * case.part * extent.records)
        count = fill(broker, case.topic, PARTITIONS, count, case.per_batch, values, codec=case.codec)
        rates = in_turns({name: partial(one_read, broker, case, count, read) for name, read in readers.items()}, extent)
        yield from figures(case, rates)
        if case.codec:
            yield decompression(case, rates, extent.rounds)


def in_turns(runs: Mapping[str, Run], extent: Extent) -> dict[str, list[Rate]]:
    """Run one client after the other in each round.

    Round 0 is not counted, because clients import modules in it and the broker reads from its disk.
    """
    rates: dict[str, list[Rate]] = {name: [] for name in runs}
    for number in extent.turns:
        for name, run in runs.items():
            rate = run()
            if number:
                rates[name].append(rate)
    return rates


def one_write(broker: Broker, case: Case, records: Written, name: str, write: Write) -> Rate:
    count = int(len(records.keys) * WRITER_PARTS.get(name, 1))
    some = Written(records.keys[:count], records.values[:count], records.table[:count])
    topic, clock = f"written-{case.topic}", Clock()
    before = count_of(broker, topic)
    write(broker, topic, name_of(case.codec), some, clock)
    more = count_of(broker, topic) - before
    assert more == count + 1, f"{name} wrote {more} records, not {count} and the first one"
    return Rate(count / clock.seconds, count / clock.cpu_s)


def one_read(broker: Broker, case: Case, count: int, read: Read) -> Rate:
    clock = Clock()
    read(broker, case.topic, count, clock)
    return Rate(count / clock.seconds, count / clock.cpu_s)


def count_of(broker: Broker, topic: str) -> int:
    from tenure.client.queries.blocking import end_offsets
    from tenure.client.values import TopicPartition

    return sum(end_offsets(broker.address, [TopicPartition(topic, n) for n in range(PARTITIONS)]).values())


# --- records ----------------------------------------------------------------------------------------------------------


def written(values: Sequence[bytes], count: int) -> Written:
    import pyarrow as pa

    keys = [b"key-%d" % (number % KEYS) for number in range(count)]
    repeated = list(itertools.islice(itertools.cycle(values), count))
    return Written(keys, repeated, pa.table({"key": pa.array(keys), "value": pa.array(repeated)}))


def values_of(size: int) -> list[bytes]:
    """Return one sentence of `size` bytes for each record of a batch, the same ones in each run."""
    drawn = random.Random(size)
    return [" ".join(drawn.choices(WORDS, k=size // 4)).encode()[:size] for _ in range(RECORDS_PER_BATCH)]


# --- figures ----------------------------------------------------------------------------------------------------------


def figures(case: Case, rates: Mapping[str, list[Rate]]) -> Iterator[Figure]:
    """Yield the speed of our functions, and its ratio to each peer, compared round by round."""
    peers = [name for name in PEERS if name in rates]
    for name in [name for name in rates if name not in PEERS]:
        per_second = {each: Sample.of([rate.per_second for rate in rates[each]]) for each in (name, *peers)}
        remarks = ["records/s: " + ", ".join(f"{each} {sample}" for each, sample in per_second.items())]
        ours = [rate.per_cpu_second for rate in rates[name]]
        yield Figure(f"{name}, {case.what}", "records/CPU-s", Sample.of(ours), remarks=remarks)
        for peer in peers:
            theirs = [rate.per_cpu_second for rate in rates[peer]]
            ratios = Sample.of([one / other for one, other in zip(ours, theirs, strict=True)])
            promised = case.times_confluent.get(name) if peer == CONFLUENT else None
            yield Figure(f"... times {peer}", "x", ratios, promised, peer="records/CPU-s", theirs=Sample.of(theirs))


def decompression(case: Case, rates: Mapping[str, list[Rate]], rounds: int) -> Figure:
    """Measure the codec's library alone. All clients spend this time, so it bounds the ratio."""
    batch = batch_of([b"key"], case.per_batch, values_of(case.size), case.codec)[HEADER.size :]
    repeated = range(max(1, DECOMPRESSED_BYTES // len(batch)))
    spent_us = []
    for _ in range(rounds):
        began_s = time.process_time()
        for _ in repeated:
            decompress(case.codec, batch, BATCH_UNPACKED_BYTES_MAX)
        spent_us.append((time.process_time() - began_s) / len(repeated) / case.per_batch * 1e9)
    all_us = {name: 1e9 / Sample.of([rate.per_cpu_second for rate in each]).median for name, each in rates.items()}
    remark = "all in all: " + ", ".join(f"{name} {us:.0f}" for name, us in all_us.items())
    remark += f"; the goal leaves {all_us[CONFLUENT] / case.times_confluent[POLL_ARROW]:.0f}"
    return Figure("... of it decompression", "µs for 1,000 records", Sample.of(spent_us), remarks=[remark])
