"""Sides of a comparison: both builds of Tenure and Apache Kafka, whose brokers are measured in turns."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bench.brokers import Broker, kafka, tenure
from bench.figures import Figure, Sample
from bench.load import Rate
from compiled.installed import compiled_python

OURS: Final = "interpreted"
OURS_COMPILED: Final = "compiled"
PEER: Final = "Apache Kafka"
TIMES_KAFKA_MIN: Final = {OURS: 0.6, OURS_COMPILED: 1.0}
SATURATED: Final = 0.95
"""Share of its core above which the generator limits the rate."""


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
    what: str, rates: Mapping[str, list[Rate]], times_kafka_min: Mapping[str, float] = TIMES_KAFKA_MIN
) -> Iterator[Figure]:
    """Yield the rate of each of our builds, and its ratio to Apache Kafka's, round by round.

    `times_kafka_min` has the promised ratio of each build.
    """
    theirs = rates[PEER]
    for name, ours in rates.items():
        if name == PEER:
            continue
        yield rate_figure(f"{what}, {name}", ours, theirs)
        ratios = [one.per_second / other.per_second for one, other in zip(ours, theirs, strict=True)]
        yield Figure("... times Apache Kafka", "x", Sample.of(ratios), times_kafka_min[name])


def rate_figure(what: str, ours: list[Rate], theirs: list[Rate]) -> Figure:
    figure = Figure(
        what,
        "/s",
        Sample.of([rate.per_second for rate in ours]),
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
