"""All benchmarks by name, and how a run begins them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from bench import (
    assignors,
    client,
    columnar,
    consumers,
    coordinator,
    dashboard,
    data_path,
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
    start,
    streams,
    transactions,
    what_if,
)
from bench.figures import Figure
from bench.peers import compare
from bench.pipelines import audit, batches, crash, driver, first_row, keys, restart, rows

BENCHES: dict[str, Callable[[Path, bool], Iterable[Figure]]] = {
    "start": start.measure,
    "heartbeats": coordinator.heartbeats,
    "commits": coordinator.commits,
    "instructions": instructions.measure,
    "bounces": groups.bounces,
    "rebalances": groups.rebalances,
    "consumer-heartbeats": consumers.heartbeats,
    "consumer-rebalances": consumers.rebalances,
    "streams-heartbeats": streams.heartbeats,
    "streams-restarts": streams.restarts,
    "produce": data_path.produce,
    "fetch": data_path.fetch,
    "transactions": transactions.measure,
    "move": move.measure,
    "secured-requests": security.requests,
    "secured-records": security.records,
    "logins": security.logins,
    "authorization": security.authorization,
    "dashboard": dashboard.measure,
    "memory": memory.measure,
    "producers": producers.measure,
    "load": load_log.measure,
    "handover": handover.measure,
    "columnar": columnar.measure,
    "client": client.measure,
    "seats": seats.measure,
    "assignors": assignors.measure,
    "server-assignors": server_assignors.measure,
    "pipeline": rows.measure,
    "pipeline-keys": keys.measure,
    "pipeline-batches": batches.measure,
    "pipeline-crash": crash.measure,
    "pipeline-restart": restart.measure,
    "pipeline-start": first_row.measure,
    "pipeline-driver": driver.measure,
    "audit": audit.measure,
    "what-if": what_if.measure,
    "peers": compare.measure,
    "peers-goals": compare.measure_goals,
}

Measure = Callable[[], Iterable[Figure]]
AT_ONCE = 3
"""Short benchmarks at the same time, if all of them run."""
ONLY_BY_NAME = {"peers", "peers-goals", "instructions"}
"""Benchmarks that a run without names leaves out: they install other stream processors, or need valgrind."""


@contextmanager
def measures(names: list[str], scratch: Path, *, quick: bool) -> Iterator[dict[str, Measure]]:
    """Yield the benchmarks of a run. All short ones are begun at once: they mostly wait for members and processes."""
    chosen = names or [name for name in BENCHES if name not in ONLY_BY_NAME]
    for name in chosen:
        (scratch / name).mkdir()
    if names or not quick:
        yield {name: partial(BENCHES[name], scratch / name, quick) for name in chosen}
        return
    with ProcessPoolExecutor(AT_ONCE, get_context("spawn"), max_tasks_per_child=1) as pool:
        try:
            yield {name: pool.submit(short_run, name, scratch / name).result for name in chosen}
        finally:
            pool.shutdown(cancel_futures=True)  # Ctrl-C does not wait for those that have not begun.


def short_run(name: str, directory: Path) -> list[Figure]:
    """Measure without bounds, since other benchmarks run meanwhile. Only what must not happen at all stays bounded."""
    return [
        figure if figure.promised == 0 else replace(figure, promised=None) for figure in BENCHES[name](directory, True)
    ]
