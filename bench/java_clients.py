"""Java's producer and consumer, by Kafka's own programs for performance tests, in a process of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tests.apache_kafka import java

TIMEOUT_S: Final = 120.0
TOTAL: Final = re.compile(r"^(\d+) records sent, ([\d.]+) records/sec", re.MULTILINE)


def produce(
    address: str, topic: str, records: int, size: int, settings: Mapping[str, str], options: Sequence[str]
) -> float:
    """Write `records` records of `size` bytes; return the seconds. `options` are those of the Java process."""
    asked = ["--bootstrap-server", address, "--topic", topic, "--throughput", "-1"]
    asked += ["--num-records", str(records), "--record-size", str(size)]
    if settings:
        asked += ["--command-property", *(f"{key}={value}" for key, value in settings.items())]
    program = "org.apache.kafka.tools.ProducerPerformance"
    told = java(program, *asked, heap="1G", options=options, timeout_s=TIMEOUT_S)
    sent, per_second = TOTAL.findall(told)[-1]
    assert int(sent) == records, told
    return records / float(per_second)


def consume(address: str, topic: str, records: int, settings: Mapping[str, str], options: Sequence[str]) -> float:
    """Read `records` records; return the program's own figure for the time of fetches, without that of the group."""
    asked = ["--bootstrap-server", address, "--topic", topic, "--num-records", str(records)]
    for key, value in settings.items():
        asked += ["--command-property", f"{key}={value}"]
    program = "org.apache.kafka.tools.ConsumerPerformance"
    told = java(program, *asked, heap="1G", options=options, timeout_s=TIMEOUT_S)
    heads, values = (line.split(", ") for line in told.splitlines() if ", " in line)
    row = dict(zip(heads, values, strict=True))
    assert int(row["data.consumed.in.nMsg"]) >= records, told
    return float(row["fetch.time.ms"]) / 1e3
