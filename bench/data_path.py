"""Records per second through librdkafka and Java's clients, written and read, in the clear and over TLS.

Each client is a process of its own, the same for every broker. On two cores the client is often the bottleneck, so the
broker's processor time for a million records is shown, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from bench import java_clients, librdkafka
from bench.brokers import Broker, create_topic, java_options, pid_of, tenure
from bench.extent import FULL, QUICK, Extent
from bench.figures import Figure, Sample
from bench.records import fill
from bench.secured_brokers import Side, secured_brokers
from bench.sides import OURS, OURS_COMPILED, PEER

PARTITIONS: Final = 4
RECORDS: Final = 2_000_000
SYNCED: Final = "fsync"
TIMES_KAFKA_MIN: Final = {OURS: 1.0, OURS_COMPILED: 1.2, SYNCED: 0.5}
"""Promised multiple of Apache Kafka's throughput into its page cache."""
PROCESSOR_TIME_MAX: Final = {OURS: 0.5, OURS_COMPILED: 0.5}
"""Promised processor time of the broker, as a part of Apache Kafka's."""
CLEAR, TLS = "in the clear", "TLS"
PRODUCE, CONSUME = "produce", "consume"


class Kind(NamedTuple):
    """Kind of records, and their number relative to `RECORDS`."""

    what: str
    value_bytes: int
    part: float


KINDS: Final = (Kind("100 B", 100, 1), Kind("1 KB", 1_000, 0.15))


@dataclass
class Runs:
    """Runs of one broker."""

    per_second: list[float] = field(default_factory=list)
    processor_s: list[float] = field(default_factory=list)
    """Processor time of the broker for a million records."""

    def add(self, broker: Broker, records: int, work: Callable[[], float]) -> None:
        """Add a run; `work` returns the seconds by the client's clock."""
        process = psutil.Process(pid_of(broker))
        before = process.cpu_times()
        self.per_second.append(records / work())
        after = process.cpu_times()
        used_s = after.user + after.system - before.user - before.system
        self.processor_s.append(used_s / records * 1e6)


class Transfer(NamedTuple):
    """Records that a client writes to a topic or reads from it, through one listener of a broker."""

    action: str
    side: Side
    protocol: str
    topic: str
    records: int
    kind: Kind
    is_quick: bool

    @property
    def address(self) -> str:
        return self.side.listeners["SSL"] if self.protocol == TLS else self.side.broker.address

    def by_librdkafka(self) -> float:
        settings = {"security.protocol": "SSL", "ssl.ca.location": self.side.ca} if self.protocol == TLS else {}
        size = self.kind.value_bytes
        return librdkafka.client(self.action, self.address, self.topic, PARTITIONS, self.records, size, settings)

    def by_java(self) -> float:
        trust = {"ssl.truststore.type": "PEM", "ssl.truststore.location": self.side.ca}
        settings = {"security.protocol": "SSL", **trust} if self.protocol == TLS else {}
        options, size = java_options(self.is_quick), self.kind.value_bytes
        if self.action == PRODUCE:
            return java_clients.produce(self.address, self.topic, self.records, size, settings, options)
        return java_clients.consume(self.address, self.topic, self.records, settings, options)


CLIENTS: Final[Mapping[str, Callable[[Transfer], float]]] = {
    "librdkafka": Transfer.by_librdkafka,
    "Java": Transfer.by_java,
}


def produce(directory: Path, quick: bool) -> Iterator[Figure]:
    return measure_produce(directory, QUICK if quick else FULL)


def fetch(directory: Path, quick: bool) -> Iterator[Figure]:
    return measure_fetch(directory, QUICK if quick else FULL)


def cases(extent: Extent, protocols: tuple[str, ...]) -> Iterator[tuple[str, Kind, str]]:
    """Yield protocol, kind of records and client. A short run has each of them, but only one kind per protocol."""
    pairs = zip(protocols, KINDS, strict=False) if extent.is_quick else product(protocols, KINDS)
    for (protocol, kind), client in product(pairs, CLIENTS):
        yield protocol, kind, client


def measure_produce(
    directory: Path, extent: Extent, protocols: tuple[str, ...] = (CLEAR, TLS), *, with_syncs: bool = True
) -> Iterator[Figure]:
    """Measure writes, also through librdkafka in the clear to a broker that syncs each of them."""
    with contextlib.ExitStack() as running:
        sides = running.enter_context(secured_brokers(directory, extent.is_quick))
        if with_syncs:
            synced = running.enter_context(tenure(directory / SYNCED, tenure_data_durability="fsync"))
            sides[SYNCED] = Side(synced, {}, "")
        for protocol, kind, client in cases(extent, protocols):
            has_syncs = (protocol, client) == (CLEAR, "librdkafka")
            measured = {name: side for name, side in sides.items() if has_syncs or name != SYNCED}
            transfer_of = partial(new_topic, extent, protocol, kind, client)
            runs = in_turns(measured, extent, transfer_of, CLIENTS[client])
            yield from beside_kafka(f"produced by {client}, {kind.what}, {protocol}", runs)


def new_topic(extent: Extent, protocol: str, kind: Kind, client: str, side: Side, number: int) -> Transfer:
    """Create the topic of a side for one round."""
    topic = f"produced-{protocol}-{kind.value_bytes}-{client}-{number}".replace(" ", "-")
    create_topic(side.broker, topic, PARTITIONS)
    records = int(RECORDS * kind.part * extent.records)
    return Transfer(PRODUCE, side, protocol, topic, records, kind, extent.is_quick)


def measure_fetch(directory: Path, extent: Extent, protocols: tuple[str, ...] = (CLEAR, TLS)) -> Iterator[Figure]:
    with secured_brokers(directory, extent.is_quick) as sides:
        filled = {kind: filled_topic(kind, extent, sides) for kind in KINDS}
        for protocol, kind, client in cases(extent, protocols):
            transfer_of = partial(same_topic, extent, protocol, kind, *filled[kind])
            runs = in_turns(sides, extent, transfer_of, CLIENTS[client])
            yield from beside_kafka(f"fetched by {client}, {kind.what}, {protocol}", runs)


def filled_topic(kind: Kind, extent: Extent, sides: Mapping[str, Side]) -> tuple[str, int]:
    """Write records of a kind to a topic of each side; return its name and their number."""
    topic, per_batch = f"fetched-{kind.value_bytes}", 750_000 // kind.value_bytes
    records = int(RECORDS * kind.part * extent.records)
    for side in sides.values():
        records = fill(side.broker, topic, PARTITIONS, records, per_batch, bytes(kind.value_bytes))
    return topic, records


def same_topic(
    extent: Extent,
    protocol: str,
    kind: Kind,
    topic: str,
    records: int,
    side: Side,
    number: int,  # noqa: ARG001
) -> Transfer:
    """Read the same topic in each round."""
    return Transfer(CONSUME, side, protocol, topic, records, kind, extent.is_quick)


def in_turns(
    sides: Mapping[str, Side],
    extent: Extent,
    transfer_of: Callable[[Side, int], Transfer],
    work: Callable[[Transfer], float],
) -> dict[str, Runs]:
    """Run the client with one side after the other in each round."""
    runs = {name: Runs() for name in sides}
    for number in extent.turns:
        for name, side in sides.items():
            transfer = transfer_of(side, number)
            (runs[name] if number else Runs()).add(side.broker, transfer.records, partial(work, transfer))
    return runs


def beside_kafka(what: str, sides: Mapping[str, Runs]) -> list[Figure]:
    theirs = sides[PEER]
    figures: list[Figure] = []
    rate, processor = Sample.of(theirs.per_second), Sample.of(theirs.processor_s)
    for name, ours in sides.items():
        if name == PEER:
            continue
        ratios = [one / other for one, other in zip(ours.per_second, theirs.per_second, strict=True)]
        used = "... the broker's processor time for a million"
        part = PROCESSOR_TIME_MAX.get(name)
        bound = None if part is None else part * processor.median
        figures += [
            Figure(f"{what}, {name}", "records/s", Sample.of(ours.per_second), peer=PEER, theirs=rate),
            Figure("... times Apache Kafka", "x", Sample.of(ratios), TIMES_KAFKA_MIN[name]),
            Figure(used, "s", Sample.of(ours.processor_s), bound, True, PEER, processor),
        ]
    return figures
