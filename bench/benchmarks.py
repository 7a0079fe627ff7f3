"""All benchmarks by name, and how a run begins them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from bench import (
    assignors,
    audit_report,
    client,
    client_spark,
    columnar,
    consumers,
    coordinator,
    dashboard,
    data_path,
    goals,
    groups,
    handover,
    instructions,
    load_log,
    memory,
    move,
    producers,
    seats,
    security,
    server_assignors,
    sockets,
    start,
    streams,
    streams_assignments,
    transactions,
    what_if,
)
from bench.figures import Figure
from bench.peers import compare
from bench.pipelines import audit, batches, crash, driver, first_row, formats, keys, lanes, restart, rows, takeover

BENCHES: dict[str, Callable[[Path, bool], Iterable[Figure]]] = {
    "start": start.measure,
    "heartbeats": coordinator.heartbeats,
    "commits": coordinator.commits,
    "instructions": instructions.measure,
    "sockets": sockets.measure,
    "bounces": groups.bounces,
    "rebalances": groups.rebalances,
    "consumer-heartbeats": coordinator.consumer_heartbeats,
    "consumer-rebalances": consumers.rebalances,
    "streams-heartbeats": streams.heartbeats,
    "streams-restarts": streams.restarts,
    "streams-assignments": streams_assignments.assignments,
    "produce": data_path.produce,
    "fetch": data_path.fetch,
    "transactions": transactions.measure,
    "move": move.measure,
    "secured-requests": security.requests,
    "logins": security.logins,
    "authorization": security.authorization,
    "dashboard": dashboard.measure,
    "memory": memory.measure,
    "producers": producers.measure,
    "load": load_log.measure,
    "handover": handover.measure,
    "columnar": columnar.measure,
    "client": client.measure,
    "client-kafka": client.measure_on_kafka,
    "client-spark": client_spark.measure,
    "seats": seats.measure,
    "assignors": assignors.measure,
    "server-assignors": server_assignors.measure,
    "pipeline": rows.measure,
    "pipeline-first-million": rows.measure_first,
    "pipeline-keys": keys.measure,
    "pipeline-batches": batches.measure,
    "pipeline-crash": crash.measure,
    "pipeline-formats": formats.measure,
    "pipeline-lanes": lanes.measure,
    "pipeline-restart": restart.measure,
    "pipeline-restart-10-gb": restart.measure_large,
    "pipeline-takeover": takeover.measure,
    "pipeline-start": first_row.measure,
    "pipeline-driver": driver.measure,
    "audit": audit.measure,
    "audit-report": audit_report.measure,
    "what-if": what_if.measure,
    "peers": compare.measure,
    "peers-goals": compare.measure_goals,
    **goals.BENCHES,
}

Measure = Callable[[], Iterable[Figure]]


class Begun(NamedTuple):
    """Benchmark that a run has begun; `measure` returns its figures."""

    name: str
    measure: Measure
    seconds: Callable[[], float | None] = lambda: None
    """Duration of a benchmark that ran in a process of its own; None if it fails, or runs in this process."""


AT_ONCE = 4
"""Short benchmarks at the same time, if all of them run; each waits half of its time for brokers and groups."""
LONG = {
    "produce",
    "fetch",
    "move",
    "handover",
    "pipeline",
    "pipeline-keys",
    "pipeline-batches",
    "pipeline-crash",
    "pipeline-restart",
    "pipeline-takeover",
    "pipeline-start",
    "pipeline-driver",
    "audit",
}
"""Short benchmarks that take longest."""
ONLY_BY_NAME = {
    "peers",
    "peers-goals",
    "instructions",
    "sockets",
    "client-kafka",
    "pipeline-restart-10-gb",
    *goals.BENCHES,
}
"""Benchmarks that a run without names leaves out.

They install other libraries, need valgrind or 60 GB, repeat another one on Apache Kafka, or are short forms of
others.
"""
NOT_QUICK = {"pipeline-first-million", "pipeline-lanes", "client-spark"}
"""Benchmarks that a short run without names leaves out as well, because others do the same with few records."""


@contextmanager
def measures(names: list[str], scratch: Path, *, quick: bool) -> Iterator[Iterable[Begun]]:
    """Yield the benchmarks of a run. All short ones are begun at once, and come in the order in which they end."""
    chosen = names or [name for name in BENCHES if name not in left_out(quick=quick)]
    for name in chosen:
        (scratch / name).mkdir()
    if names or not quick:
        yield [Begun(name, partial(BENCHES[name], scratch / name, quick)) for name in chosen]
        return
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            runs = {pool.submit(short_run_apart, name, scratch / name): name for name in longest_first(chosen)}
            yield (ended(runs[run], run) for run in as_completed(runs))
        finally:
            pool.shutdown(cancel_futures=True)  # After Ctrl-C, begin no further benchmarks.


def left_out(*, quick: bool) -> set[str]:
    """Return the benchmarks that only run by their names."""
    return ONLY_BY_NAME | NOT_QUICK if quick else ONLY_BY_NAME


def longest_first(names: list[str]) -> list[str]:
    """Return the names, long benchmarks first, so that none of these runs alone at the end."""
    return sorted(names, key=lambda name: name not in LONG)


def ended(name: str, run: Future[tuple[list[Figure], float]]) -> Begun:
    return Begun(name, lambda: run.result()[0], lambda: None if run.exception() else run.result()[1])


def short_run_apart(name: str, directory: Path) -> tuple[list[Figure], float]:
    """Measure in a process of its own, so that a crash ends no other benchmark."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(short_run, name, directory).result()


def short_run(name: str, directory: Path) -> tuple[list[Figure], float]:
    """Measure without promises, because other benchmarks run at the same time. Only a promised 0 is still checked.

    Returns the figures and the duration in seconds.
    """
    began = time.monotonic()
    figures = [
        figure if figure.promised == 0 else replace(figure, promised=None) for figure in BENCHES[name](directory, True)
    ]
    return figures, time.monotonic() - began
