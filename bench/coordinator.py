"""Requests per second that a coordinator answers: heartbeats and offset commits of static members.

Every connection waits for its answer before it asks again. Ours and Apache Kafka take turns, several times.
"""

from __future__ import annotations

from pathlib import Path

from bench import machine
from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample, short
from bench.load import Rate, run
from bench.members import COMMIT_VERSION, HEARTBEAT_VERSION, TOPIC, form, load

CONNECTIONS = (50, 1, 1_000)
HEARTBEATS_MIN = 45_000
COMMITS_MIN = 25_000
COMMIT_CONNECTIONS = 50
SATURATED = 0.95


def heartbeats(directory: Path, quick: bool) -> list[Figure]:
    rounds, seconds = (1, 2.0) if quick else (3, 5.0)
    ours: dict[int, list[Rate]] = {size: [] for size in CONNECTIONS}
    theirs: dict[int, list[Rate]] = {size: [] for size in CONNECTIONS}
    with tenure(directory / "tenure") as our_broker, kafka(directory / "kafka") as their_broker:
        for number in range(rounds):
            for size in CONNECTIONS:
                ours[size].append(beat(our_broker, f"beat-{number}-{size}", size, seconds))
                theirs[size].append(beat(their_broker, f"beat-{number}-{size}", size, seconds))
    return [
        rate_figure(
            f"heartbeats/s, static member, {size} connection{'s' * (size > 1)}",
            ours[size],
            theirs[size],
            HEARTBEATS_MIN if size == CONNECTIONS[0] else None,
        )
        for size in CONNECTIONS
    ]


def beat(broker: Broker, group_id: str, size: int, seconds: float) -> Rate:
    formed = form(broker, group_id, size)
    return run(load(broker, formed.heartbeats(), HEARTBEAT_VERSION, seconds))


def commits(directory: Path, quick: bool) -> list[Figure]:
    rounds, seconds = (1, 2.0) if quick else (3, 5.0)
    with tenure(directory / "os", tenure_coordinator_durability="os") as ours, kafka(directory / "kafka") as theirs:
        for broker in (ours, theirs):
            create_topic(broker, TOPIC, 1)
        paged = [(commit(ours, f"os-{n}", seconds), commit(theirs, f"os-{n}", seconds)) for n in range(rounds)]
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
    return [
        rate_figure(
            f"offset commits/s, os, {COMMIT_CONNECTIONS} connections",
            [pair[0] for pair in paged],
            [pair[1] for pair in paged],
            COMMITS_MIN,
        ),
        fsynced,
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
        peer="Apache Kafka" if theirs else "",
        theirs=Sample.of([rate.per_second for rate in theirs]) if theirs else None,
    )
    busy = max(rate.busy for rate in [*ours, *theirs])
    if busy >= SATURATED:
        figure.remarks.append(f"the load generator was {busy:.0%} busy: more may be possible")
    return figure
