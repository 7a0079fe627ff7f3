"""`python -m bench [NAME ...] [--quick]`: the figures, printed as a table and kept as JSON in `.work/bench`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import (
    assignors,
    client,
    columnar,
    consumers,
    coordinator,
    data_path,
    groups,
    load_log,
    machine,
    memory,
    producers,
    seats,
    server_assignors,
    start,
    transactions,
)
from bench.figures import Figure, short
from bench.pipelines import batches, crash, driver, keys, restart, rows

RESULTS = Path(__file__).resolve().parent.parent / ".work" / "bench"

BENCHES: dict[str, Callable[[Path, bool], list[Figure]]] = {
    "start": start.measure,
    "heartbeats": coordinator.heartbeats,
    "commits": coordinator.commits,
    "bounces": groups.bounces,
    "rebalances": groups.rebalances,
    "consumer-heartbeats": consumers.heartbeats,
    "consumer-rebalances": consumers.rebalances,
    "produce": data_path.produce,
    "fetch": data_path.fetch,
    "transactions": transactions.measure,
    "memory": memory.measure,
    "producers": producers.measure,
    "load": load_log.measure,
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
    "pipeline-driver": driver.measure,
}


def main() -> int:
    arguments = parse()
    console = Console()
    figures: list[Figure] = []
    RESULTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=RESULTS) as scratch:
        today = machine.of_today(Path(scratch))
        for name in arguments.names or BENCHES:
            with console.status(f"{name} ..."):
                directory = Path(scratch) / name
                directory.mkdir()
                figures += BENCHES[name](directory, arguments.quick)
    console.print(table(figures))
    for figure in figures:
        for remark in figure.remarks:
            console.print(f"  {figure.what}: {remark}", highlight=False)
    console.print("  this machine: " + ", ".join(f"{what} {value:.3g}" for what, value in today.items()))
    console.print(f"  kept in {keep(figures, today, arguments.quick)}")
    return 0 if all(figure.kept is not False for figure in figures) else 1


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHES)}; all without any")
    parser.add_argument("--quick", action="store_true", help="few, short runs: whether it works, not how fast it is")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(BENCHES)
    if unknown:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    return arguments


def table(figures: list[Figure]) -> Table:
    shown = Table("what", "median (spread)", "promised", "", "peer, same run")
    for figure in figures:
        bound = "" if figure.promised is None else f"{'≤' if figure.less_is_better else '≥'} {short(figure.promised)}"
        verdict = {True: "kept", False: "[bold red]missed[/]", None: ""}[figure.kept]
        peer = f"{figure.peer}: {figure.theirs}" if figure.theirs else ""
        shown.add_row(figure.what, f"{figure.ours} {figure.unit}", bound, verdict, peer)
    return shown


def keep(figures: list[Figure], today: dict[str, float], quick: bool) -> Path:
    path = RESULTS / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    told = [asdict(figure) | {"median": figure.ours.median, "kept": figure.kept} for figure in figures]
    path.write_text(json.dumps({"quick": quick, "machine": today, "figures": told}, indent=2))
    return path


if __name__ == "__main__":
    sys.exit(main())
