"""Figures with security: requests over SASL_SSL, handshakes, logins, and decisions about ACLs.

Each broker also has a listener without TLS, on which groups and topics are created.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import psutil

from bench.brokers import Broker, pid_of, tenure
from bench.figures import Figure, Sample
from bench.load import QUICK_S, Rate, run
from bench.members import COMMIT_VERSION, HEARTBEAT_VERSION, form, load
from bench.openings import FULL, LOGIN, RESUMED, Beats, Openings
from bench.secured_brokers import PASSWORD, USER, secured_brokers
from bench.secured_load import SecuredLoad
from bench.sides import OURS, OURS_COMPILED, PEER, rate_figure
from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.authorizer import Authorizer
from tenure.protocol.acls import Acl, AclOperation, PatternType, Permission, ResourceType

CONNECTIONS = 50
HEARTBEAT_P99_MS_MAX = 100.0
ACLS = 10_000
DECISIONS = 20_000
CACHED_US_MAX, UNCACHED_US_MAX = 2.0, 20.0
AUTHORIZER_MIN = 0.95


def requests(directory: Path, quick: bool) -> list[Figure]:
    """Measure heartbeats and commits over SASL_SSL."""
    rounds, seconds = (1, QUICK_S) if quick else (3, 5.0)
    rates: dict[tuple[str, str], list[Rate]] = {}
    with secured_brokers(directory, quick) as brokers:
        for number in range(rounds):
            for name, side in brokers.items():
                formed = form(side.broker, f"secured-{number}", CONNECTIONS)
                for what, frames, version in (
                    ("heartbeats", formed.heartbeats(), HEARTBEAT_VERSION),
                    ("offset commits, os", formed.commits(), COMMIT_VERSION),
                ):
                    plain = load(side.broker, frames, version, seconds)
                    host, port = side.address("SASL_SSL")
                    timed = plain.frames, plain.answers, plain.warm_up_s, plain.seconds
                    secured = SecuredLoad(host, port, *timed, side.ca, USER, PASSWORD)
                    rates.setdefault((what, name), []).append(run(secured, "bench.secured_load"))
    return [
        figure
        for what in dict.fromkeys(what for what, _ in rates)
        for figure in _beside_kafka(
            f"{what}/s, SASL_SSL, {CONNECTIONS} connections",
            {name: found for (of, name), found in rates.items() if of == what},
        )
    ]


def _beside_kafka(what: str, rates: Mapping[str, Sequence[Rate]], remarks: Sequence[str] = ()) -> Iterator[Figure]:
    theirs = list(rates[PEER])
    for name in (OURS, OURS_COMPILED):
        if name in rates:
            figure = rate_figure(f"{what}, {name}", list(rates[name]), theirs)
            figure.remarks.extend(remarks)
            yield figure
            ratios = [one.per_second / other.per_second for one, other in zip(rates[name], theirs, strict=True)]
            yield Figure("... times Apache Kafka", "x", Sample.of(ratios), 1.0 if name == OURS_COMPILED else None)


def logins(directory: Path, quick: bool) -> list[Figure]:
    """Measure TLS handshakes and SCRAM logins, and the heartbeats of other clients meanwhile."""
    rounds, seconds = (1, QUICK_S) if quick else (3, 5.0)
    kinds = {
        FULL: ("TLS handshakes/s, full", "SSL"),
        RESUMED: ("TLS handshakes/s, resumed", "SSL"),
        LOGIN: ("SCRAM logins/s", "SASL_PLAINTEXT"),
    }
    rates: dict[tuple[str, str], list[Rate]] = {}
    beats: dict[tuple[str, str], list[float]] = {}
    with secured_brokers(directory, quick) as brokers:
        for number in range(rounds):
            for name, side in brokers.items():
                formed = form(side.broker, f"beside-{number}", 1)
                (frame,) = load(side.broker, formed.heartbeats(), HEARTBEAT_VERSION, seconds).frames
                for kind, (_, protocol) in kinds.items():
                    if (kind, name) == (RESUMED, PEER):
                        continue
                    openings = Openings(
                        *side.address(protocol), kind, side.ca, USER, PASSWORD, min(1.0, seconds), seconds
                    )
                    with Beats(side.broker.host, side.broker.port, frame) as beside:
                        rate = run(openings, "bench.openings")
                    rates.setdefault((kind, name), []).append(rate)
                    beats.setdefault((kind, name), []).append(beside.p99_ms)
    rates[RESUMED, PEER], beats[RESUMED, PEER] = rates[FULL, PEER], beats[FULL, PEER]
    remarks = {RESUMED: ["Apache Kafka does not resume sessions of OpenSSL's client: its full handshakes are the peer"]}
    figures: list[Figure] = []
    for kind, (what, _) in kinds.items():
        of_kind = {name: found for (of, name), found in rates.items() if of == kind}
        figures += _beside_kafka(what, of_kind, remarks.get(kind, ()))
        for name in (OURS, OURS_COMPILED):
            if (kind, name) in beats:
                p99 = f"... p99 of heartbeats beside them, {name}"
                ours, theirs = Sample.of(beats[kind, name]), Sample.of(beats[kind, PEER])
                figures.append(Figure(p99, "ms", ours, HEARTBEAT_P99_MS_MAX, True, PEER, theirs))
    return figures


def authorization(directory: Path, quick: bool) -> list[Figure]:
    """Measure decisions about a heartbeat, and heartbeats of a broker with an authorizer that allows everything."""
    cached, uncached = zip(*(_decisions() for _ in range(1 if quick else 5)), strict=True)
    pairs = _with_and_without_authorizer(directory, *((5, QUICK_S) if quick else (31, 1.0)))
    rates = Sample.of([with_it.per_second / without.per_second for without, with_it in pairs])
    processor = Sample.of([with_it.cpu_us / without.cpu_us for without, with_it in pairs])
    what = f"decision about a heartbeat, {ACLS:,} ACLs"
    beats = "heartbeats with an authorizer that allows all, to those without"
    return [
        Figure(f"{what}, cached", "µs", Sample.of(cached), CACHED_US_MAX, less_is_better=True),
        Figure(f"{what}, not cached", "µs", Sample.of(uncached), UNCACHED_US_MAX, less_is_better=True),
        Figure(beats, "x", rates, AUTHORIZER_MIN, remarks=[f"quartiles of {len(pairs)} pairs: {_quartiles(rates)}"]),
        Figure("... processor time", "x", processor, 1 / AUTHORIZER_MIN, True, remarks=[_quartiles(processor)]),
    ]


class Turn(NamedTuple):
    """Heartbeats of one broker while the other one is idle."""

    per_second: float
    cpu_us: float
    """Processor time of the broker per heartbeat."""


def _with_and_without_authorizer(directory: Path, rounds: int, seconds: float) -> list[tuple[Turn, Turn]]:
    """Return pairs of short turns: without an authorizer, and with one. The first of a pair changes each time."""
    allows = {"authorizer_class_name": STANDARD_AUTHORIZER, "allow_everyone_if_no_acl_found": "true"}
    pairs: list[tuple[Turn, Turn]] = []
    with tenure(directory / "without") as without, tenure(directory / "with", **allows) as with_authorizer:
        turns = [_turns(broker, seconds) for broker in (without, with_authorizer)]
        for number in range(rounds + 1):
            of_side = {side: next(turns[side]) for side in ((0, 1) if number % 2 else (1, 0))}
            pairs.append((of_side[0], of_side[1]))
    return pairs[1:]  # the first pair warms up


def _turns(broker: Broker, seconds: float) -> Iterator[Turn]:
    requests = load(broker, form(broker, "beat", CONNECTIONS).heartbeats(), HEARTBEAT_VERSION, seconds)
    process = psutil.Process(pid_of(broker))
    while True:
        before = process.cpu_times()
        rate = run(replace(requests, warm_up_s=0.0))
        after = process.cpu_times()
        used_s = after.user + after.system - before.user - before.system
        yield Turn(rate.per_second, used_s / rate.count * 1e6)


def _quartiles(sample: Sample) -> str:
    low, _, high = statistics.quantiles(sample.values, n=4)
    return f"{low:.3f} to {high:.3f}"


def _decisions() -> tuple[float, float]:
    """Return µs of a decision that is cached, and of one that is not, for a group that one of many ACLs allows."""
    acls = Acls()
    for number in range(ACLS):
        pattern = PatternType.PREFIXED if number % 10 == 0 else PatternType.LITERAL
        acl = Acl(
            ResourceType.GROUP,
            f"group-{number}",
            pattern,
            f"User:{number % 100}",
            "*",
            AclOperation.READ,
            Permission.ALLOW,
        )
        acls.put(number.to_bytes(16, "big"), acl)
    authorizer = Authorizer(lambda: acls, (), allows_without_acls=False)
    names = [f"group-{number % ACLS}" for number in range(DECISIONS)]

    def spent_us(asked: Sequence[tuple[str, str]]) -> float:
        began = time.process_time()
        for principal, name in asked:
            authorizer.allows((principal, "127.0.0.1"), AclOperation.READ, ResourceType.GROUP, name)
        return (time.process_time() - began) / len(asked) * 1e6

    uncached = spent_us([(f"User:{number}-{number % 100}", name) for number, name in enumerate(names)])
    return spent_us([("User:7", "group-7")] * DECISIONS), uncached
