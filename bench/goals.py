"""Benchmarks of the speed goals, in a form of about a minute each: `python -m bench goals` runs all of them.

Every figure is printed with its goal, for both builds, and beside the other side in the same run. The forms are short,
but sizes, Java's options and warm-up are those of the full benchmarks, so a figure can be judged by on a quiet machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from bench import assignors, client, coordinator, data_path, load_log, server_assignors, start
from bench.extent import QUICK, SHORT, Extent
from bench.figures import Figure
from bench.peers import compare
from bench.pipelines import rows

NAME: Final = "goals"
"""Name that stands for all of these benchmarks."""


def heartbeats(directory: Path, quick: bool) -> Iterable[Figure]:
    return coordinator.measure_heartbeats(directory, extent(quick), coordinator.HEARTBEATS)


def consumer_heartbeats(directory: Path, quick: bool) -> Iterable[Figure]:
    return coordinator.measure_heartbeats(directory, extent(quick), coordinator.CONSUMER_HEARTBEATS)


def commits(directory: Path, quick: bool) -> Iterable[Figure]:
    return coordinator.measure_commits(directory, extent(quick))


def produce(protocol: str, directory: Path, quick: bool) -> Iterable[Figure]:
    return data_path.measure_produce(directory, extent(quick), (protocol,), with_syncs=False)


def fetch(protocol: str, directory: Path, quick: bool) -> Iterable[Figure]:
    return data_path.measure_fetch(directory, extent(quick), (protocol,))


def extent(quick: bool) -> Extent:
    return QUICK if quick else SHORT


BENCHES: Final[dict[str, Callable[[Path, bool], Iterable[Figure]]]] = {
    "goal-heartbeats": heartbeats,
    "goal-consumer-heartbeats": consumer_heartbeats,
    "goal-commits": commits,
    "goal-produce": partial(produce, data_path.CLEAR),
    "goal-produce-tls": partial(produce, data_path.TLS),
    "goal-fetch": partial(fetch, data_path.CLEAR),
    "goal-fetch-tls": partial(fetch, data_path.TLS),
    "goal-assignors": assignors.measure_goals,
    "goal-server-assignors": server_assignors.measure,
    "goal-start": start.measure_goals,
    "goal-load": load_log.measure_goals,
    "goal-stateful": compare.measure_counts,
    "goal-first-million": rows.measure_first_goals,
    "goal-arrow": client.measure_goals,
}
