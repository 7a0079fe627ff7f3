"""Steady requests per second beside Apache Kafka: heartbeats, commits, and commits in transactions.

Every connection waits for its answer before the next request. Tenure, its compiled build (after `make compiled`) and
Apache Kafka are measured in turns, with the same groups in all turns.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bench import steady_requests
from bench.brokers import Broker, tenure
from bench.extent import FULL, QUICK, Extent
from bench.figures import Figure, Sample
from bench.load import Load, Rate, run
from bench.sides import OURS, OURS_COMPILED, PEER, beside_kafka, brokers
from bench.sync_counters import SyncCounters
from compiled.installed import compiled_python
from tests.apache_kafka import free_ports

HEARTBEATS_TIMES_KAFKA_MIN: Final = {OURS: 1.0, OURS_COMPILED: 1.5}
COMMITS_TIMES_KAFKA_MIN: Final = {OURS: 1.2, OURS_COMPILED: 2.0}
WARM_UP_S: Final = 0.5
"""Warm-up of each load."""
SETTINGS: Final = {"group_consumer_session_timeout_ms": "60000"}
"""Sessions that last while other sides are measured."""
CONNECTIONS: Final = steady_requests.CONNECTIONS


class Kind(NamedTuple):
    """Kind of requests; the promised multiple of Apache Kafka's rate, by build."""

    what: str
    load_of: Callable[[Broker], Load]
    times_kafka_min: Mapping[str, float]


def beats(connections: int) -> Kind:
    what = f"heartbeats/s, static member, {connections} connection{'s' * (connections > 1)}"
    load_of = partial(steady_requests.heartbeats, name=f"beats-{connections}", connections=connections)
    return Kind(what, load_of, HEARTBEATS_TIMES_KAFKA_MIN)


def consumer_beats(members: int) -> Kind:
    what = f"heartbeats/s, consumer group of {members} members, steady"
    load_of = partial(steady_requests.consumer_heartbeats, connections=members)
    return Kind(what, load_of, HEARTBEATS_TIMES_KAFKA_MIN)


HEARTBEATS: Final = (beats(1), beats(CONNECTIONS), beats(1_000))
HEARTBEATS_QUICKLY: Final = (beats(CONNECTIONS),)
CONSUMER_HEARTBEATS: Final = (consumer_beats(1_000),)
CONSUMER_HEARTBEATS_QUICKLY: Final = (consumer_beats(100),)
COMMITS: Final = (
    Kind("offset commits/s", steady_requests.commits, COMMITS_TIMES_KAFKA_MIN),
    Kind("offset commits in a transaction/s", steady_requests.transactional_commits, COMMITS_TIMES_KAFKA_MIN),
)


def heartbeats(directory: Path, quick: bool) -> Iterator[Figure]:
    return measure_heartbeats(directory, QUICK if quick else FULL, HEARTBEATS_QUICKLY if quick else HEARTBEATS)


def consumer_heartbeats(directory: Path, quick: bool) -> Iterator[Figure]:
    kinds = CONSUMER_HEARTBEATS_QUICKLY if quick else CONSUMER_HEARTBEATS
    return measure_heartbeats(directory, QUICK if quick else FULL, kinds)


def commits(directory: Path, quick: bool) -> Iterator[Figure]:
    return measure_commits(directory, QUICK if quick else FULL)


def measure_heartbeats(directory: Path, extent: Extent, kinds: Sequence[Kind]) -> Iterator[Figure]:
    with brokers(directory, extent.is_quick, SETTINGS, **SETTINGS) as sides:
        for kind in kinds:
            rates = in_turns(sides, kind, extent)
            yield from beside_kafka(kind.what, rates, kind.times_kafka_min)
            yield from latencies(rates)


def measure_commits(directory: Path, extent: Extent) -> Iterator[Figure]:
    """Measure commits into the page cache, and durable ones. Apache Kafka's are in its page cache."""
    with brokers(directory, extent.is_quick, tenure_coordinator_durability="os") as sides, synced(directory) as durable:
        every_side = sides | {f"{name}, fsync": side.broker for name, side in durable.items()}
        for kind in COMMITS:
            before = {name: SyncCounters.of(side.metrics) for name, side in durable.items()}
            rates = in_turns(every_side, kind, extent)
            of_durable = {name: rates[f"{name}, fsync"] for name in durable} | {PEER: rates[PEER]}
            of_sides = {name: rates[name] for name in sides}
            for durability, compared in (("os", of_sides), ("fsync", of_durable)):
                what = f"{kind.what}, {durability}, {CONNECTIONS} connections"
                yield from beside_kafka(what, compared, kind.times_kafka_min)
            syncs = [f"{name}: {SyncCounters.of(of.metrics).since(before[name])}" for name, of in durable.items()]
            yield from latencies(rates, f"Apache Kafka does not sync; {'; '.join(syncs)}")


class SyncedSide(NamedTuple):
    """Broker of ours with durable commits, and the address of its metrics."""

    broker: Broker
    metrics: str


@contextlib.contextmanager
def synced(directory: Path) -> Iterator[dict[str, SyncedSide]]:
    """Start both builds with commits that are durable before they are answered."""
    builds = {OURS: Path(sys.executable)}
    if python := compiled_python():
        builds[OURS_COMPILED] = python
    with contextlib.ExitStack() as running:
        sides: dict[str, SyncedSide] = {}
        for name, port in zip(builds, free_ports("127.0.0.1", len(builds)), strict=True):
            metrics = f"127.0.0.1:{port}"
            started = tenure(
                directory / f"{name}-fsync",
                builds[name],
                metrics,
                tenure_coordinator_durability="fsync",
            )
            sides[name] = SyncedSide(running.enter_context(started), metrics)
        yield sides


def in_turns(sides: Mapping[str, Broker], kind: Kind, extent: Extent) -> dict[str, list[Rate]]:
    """Form the groups of all sides, then measure one after the other in each round."""
    loads = {
        name: replace(kind.load_of(broker), warm_up_s=min(WARM_UP_S, extent.seconds), seconds=extent.seconds)
        for name, broker in sides.items()
    }
    rates: dict[str, list[Rate]] = {name: [] for name in sides}
    for number in extent.turns:
        for name, load in loads.items():
            rate = run(load)
            if number:
                rates[name].append(rate)
    return rates


def latencies(rates: Mapping[str, Sequence[Rate]], *remarks: str) -> Iterator[Figure]:
    """Compare the latency of each build with Apache Kafka's."""
    p99s = {name: Sample.of([rate.p99_ms for rate in of_side]) for name, of_side in rates.items()}
    theirs = p99s.pop(PEER)
    for name, ours in p99s.items():
        yield Figure(f"... p99 latency, {name}", "ms", ours, theirs.median, True, PEER, theirs, list(remarks))
