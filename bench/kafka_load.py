"""Load of a coordinator's log by Apache Kafka, in milliseconds of its own metric `partition-load-time-max`.

The segments are copied into the directory of a stopped broker, before each start: its log cleaner would shorten them.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.brokers import SETTINGS, SETTLED_S, java_options, settle, wait
from tenure.protocol.messages import OffsetFetchRequest, OffsetFetchRequestGroup
from tenure.protocol.types import GroupId
from tests.apache_kafka import ApacheKafka, apache_kafka, free_ports, java
from tests.wire import Wire

FETCH_VERSION: Final = 8
METRICS: Final = "kafka.server:type=group-coordinator-metrics"
LOAD_TIME: Final = "partition-load-time-max"
"""Longest load of the last 30 to 60 seconds, and of this process. It begins after Kafka has opened the log."""


class KafkaLoads:
    """Apache Kafka, which starts on the same segments of `__consumer_offsets-0` again and again."""

    def __init__(self, broker: ApacheKafka, metrics_port: int) -> None:
        self._broker: Final = broker
        self._metrics_port: Final = metrics_port

    def load_s(self, segments: list[Path], groups: int, keys: int) -> float:
        """Start with these segments, wait until all groups answer, and return the seconds of the load."""
        self._broker.stop()
        partition = self._broker.log_directory / "__consumer_offsets-0"
        for path in partition.glob("0*"):
            path.unlink()
        for segment in segments:
            shutil.copy(segment, partition)
        self._broker.restart({})
        offsets = self._committed(groups)
        assert offsets == keys, f"Apache Kafka has loaded {offsets} offsets of {keys}"
        return self._metric_ms() / 1e3

    def _committed(self, groups: int) -> int:
        """Return the number of committed offsets in all groups, as soon as their coordinator answers."""
        asked = [OffsetFetchRequestGroup(GroupId(f"group-{number}"), topics=None) for number in range(groups)]
        deadline = time.monotonic() + SETTLED_S
        with Wire(self._broker.host, self._broker.port) as wire:
            while any(
                group.error_code for group in wire.ask(OffsetFetchRequest(groups=asked[:1]), FETCH_VERSION).groups
            ):
                wait(deadline, "OffsetFetch")
            found = wire.ask(OffsetFetchRequest(groups=asked), FETCH_VERSION).groups
        return sum(len(topic.partitions) for group in found for topic in group.topics)

    def _metric_ms(self) -> float:
        url = f"service:jmx:rmi:///jndi/rmi://127.0.0.1:{self._metrics_port}/jmxrmi"
        asked = ("--object-name", METRICS, "--attributes", LOAD_TIME, "--one-time", "--jmx-url", url)
        *_, line = java("org.apache.kafka.tools.JmxTool", *asked).split()
        return float(line.rpartition(",")[2])


@contextlib.contextmanager
def kafka_loads(directory: Path, quick: bool) -> Iterator[KafkaLoads]:
    """Start Apache Kafka with metrics on a port of the loopback, and let it create `__consumer_offsets`."""
    (port,) = free_ports("127.0.0.1", 1)
    options = [
        *java_options(quick),
        *(f"-Dcom.sun.management.jmxremote.{name}={port}" for name in ("port", "rmi.port")),
        *(f"-Dcom.sun.management.jmxremote.{name}=false" for name in ("authenticate", "ssl")),
        "-Dcom.sun.management.jmxremote.host=127.0.0.1",
        "-Djava.rmi.server.hostname=127.0.0.1",
    ]
    with apache_kafka(directory, settings=SETTINGS, options=options) as broker:
        settle(broker)
        yield KafkaLoads(broker, port)
