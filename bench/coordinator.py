"""Heartbeats and offset commits of static members per second.

Every connection waits for its answer before the next request. Tenure, its compiled build (after `make compiled`) and
Apache Kafka are measured in turns.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench import machine
from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample, short
from bench.load import QUICK_S, Rate, run
from bench.members import COMMIT_VERSION, HEARTBEAT_VERSION, TOPIC, form, load
from compiled.installed import compiled_python

CONNECTIONS = (50, 1, 1_000)
HEARTBEATS_MIN = 45_000
COMMITS_MIN = 25_000
COMMIT_CONNECTIONS = 50
SATURATED = 0.95

OURS, OURS_COMPILED, PEER = "interpreted", "compiled", "Apache Kafka"
TIMES_KAFKA_MIN = {OURS: 0.6, OURS_COMPILED: 1.0}
SYNCED_TIMES_KAFKA_MIN = 0.3


def heartbeats(directory: Path, quick: bool) -> list[Figure]:
    rounds, seconds, sizes = (1, QUICK_S, CONNECTIONS[:1]) if quick else (3, 5.0, CONNECTIONS)
    rates: dict[tuple[str, int], list[Rate]] = {}
    with brokers(directory, quick) as sides:
        for number in range(rounds):
            for size in sizes:
                for name, broker in sides.items():
                    rates.setdefault((name, size), []).append(beat(broker, f"beat-{number}-{size}", size, seconds))
    return [
        figure
        for size in sizes
        for figure in beside_kafka(
            f"heartbeats/s, static member, {size} connection{'s' * (size > 1)}",
            {name: rates[name, size] for name in sides},
            HEARTBEATS_MIN if size == CONNECTIONS[0] else None,
            is_promised=size > 1,
        )
    ]


@contextlib.contextmanager
def brokers(
    directory: Path, quick: bool, kafka_settings: Mapping[str, str] | None = None, **settings: str
) -> Iterator[dict[str, Broker]]:
    """Start Tenure, its compiled build if there is one, and Apache Kafka, which are measured in turns."""
    with contextlib.ExitStack() as running:
        sides = {OURS: running.enter_context(tenure(directory / "tenure", **settings))}
        if python := compiled_python():
            sides[OURS_COMPILED] = running.enter_context(tenure(directory / "compiled", python, **settings))
        sides[PEER] = running.enter_context(kafka(directory / "kafka", quick, **(kafka_settings or {})))
        yield sides


def beside_kafka(
    what: str, rates: dict[str, list[Rate]], promised: float | None, *, is_promised: bool = True
) -> Iterator[Figure]:
    """Return the rate of each of our builds, and its ratio to Apache Kafka's, round by round."""
    for name, times_kafka_min in TIMES_KAFKA_MIN.items():
        if name not in rates:
            continue
        ours, theirs = rates[name], rates[PEER]
        yield rate_figure(f"{what}, {name}", ours, theirs, promised if name == OURS else None)
        ratios = [one.per_second / other.per_second for one, other in zip(ours, theirs, strict=True)]
        yield Figure("... times Apache Kafka", "x", Sample.of(ratios), times_kafka_min if is_promised else None)


def beat(broker: Broker, group_id: str, size: int, seconds: float) -> Rate:
    formed = form(broker, group_id, size)
    return run(load(broker, formed.heartbeats(), HEARTBEAT_VERSION, seconds))


def commits(directory: Path, quick: bool) -> list[Figure]:
    rounds, seconds = (1, QUICK_S) if quick else (3, 5.0)
    paged: dict[str, list[Rate]] = {}
    with brokers(directory, quick, tenure_coordinator_durability="os") as sides:
        for broker in sides.values():
            create_topic(broker, TOPIC, 1)
        for number in range(rounds):
            for name, broker in sides.items():
                paged.setdefault(name, []).append(commit(broker, f"os-{number}", seconds))
    syncs_s = []
    safe = []
    with tenure(directory / "fsync", tenure_coordinator_durability="fsync") as ours:
        create_topic(ours, TOPIC, 1)
        for number in range(rounds):
            syncs_s.append(machine.fdatasync_s(directory))
            safe.append(commit(ours, f"fsync-{number}", seconds))
    syncs_s.append(machine.fdatasync_s(directory))
    sync = Sample.of(syncs_s)
    bound = COMMIT_CONNECTIONS / sync.median / 2
    promised = min(bound, COMMITS_MIN)
    fsynced = rate_figure(f"offset commits/s, fsync, {COMMIT_CONNECTIONS} connections", safe, [], promised)
    fsynced.remarks.append(
        f"promised: half of {COMMIT_CONNECTIONS} / {sync.median * 1e3:.2f} ms, this disk's median fdatasync, which is "
        f"{short(bound)}/s; where the disk is that fast, no more than in the page cache"
    )
    ratios = [one.per_second / other.per_second for one, other in zip(safe, paged[PEER], strict=True)]
    return [
        *beside_kafka(f"offset commits/s, os, {COMMIT_CONNECTIONS} connections", paged, COMMITS_MIN),
        fsynced,
        Figure("... times Apache Kafka, which does not sync", "x", Sample.of(ratios), SYNCED_TIMES_KAFKA_MIN),
    ]


def commit(broker: Broker, group_id: str, seconds: float) -> Rate:
    formed = form(broker, group_id, COMMIT_CONNECTIONS)
    return run(load(broker, formed.commits(), COMMIT_VERSION, seconds))


def rate_figure(what: str, ours: list[Rate], theirs: list[Rate], promised: float | None) -> Figure:
    figure = Figure(
        what,
        "/s",
        Sample.of([rate.per_second for rate in ours]),
        promised,
        peer=PEER if theirs else "",
        theirs=Sample.of([rate.per_second for rate in theirs]) if theirs else None,
    )
    told = {"we": ours, PEER: theirs} if theirs else {"we": ours}
    p99s = [f"{who} {Sample.of([rate.p99_ms for rate in rates])} ms" for who, rates in told.items()]
    figure.remarks.append(f"p99 latency: {', '.join(p99s)}")
    busy = max(rate.busy for rate in [*ours, *theirs])
    if busy >= SATURATED:
        figure.remarks.append(f"the load generator was {busy:.0%} busy: more may be possible")
    return figure
