"""The client's reads into Arrow beside those of Spark's connector into Python, in rows per second of processor time.

For Spark, the processor time of the whole application counts: its Java process and its Python workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.brokers import tenure
from bench.client import CASES, values_of
from bench.figures import Figure, Sample
from bench.kafka_clients import PARTITIONS, Clock, poll_arrow
from bench.pipelines.application import application
from bench.pipelines.rows import run
from bench.records import fill
from tenure.protocol.compression import Codec

RECORDS, QUICK_RECORDS = 2_000_000, 100_000
ROUNDS = 5
WARM_UP = "warm-up"


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    with tenure(directory / "tenure") as broker:
        fill(broker, WARM_UP, PARTITIONS, 120_000)
        for case in CASES:
            if case.codec is not Codec.NONE:
                continue
            count = int((QUICK_RECORDS if quick else RECORDS) * case.part)
            count = fill(broker, case.topic, PARTITIONS, count, case.per_batch, values_of(case.size))
            clock, ours = Clock(), []
            for _ in range(1 if quick else ROUNDS):
                poll_arrow(broker, case.topic, count, clock)
                ours.append(count / clock.cpu_s)
            with application("theirs", directory / case.topic, quick=quick, address=broker.address) as connector:
                connector.ask("read", topic=WARM_UP)
                theirs = run(connector, "read", case.topic, count).per_cpu_second
            name = f"poll_arrow, {case.what}"
            yield Figure(name, "rows/CPU-s", Sample.of(ours), peer="Spark's connector", theirs=Sample.of([theirs]))
            ratio = Sample.of(ours).median / theirs
            yield Figure("... times Spark's connector", "x", Sample.of([ratio]), case.times_spark)
