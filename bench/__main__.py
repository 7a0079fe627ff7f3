"""`python -m bench [NAME ...] [--quick]`: run benchmarks, print each figure, and write all to `.work/bench` as JSON.

Without `--quick` they are also added to `bench/history.jsonl`, and the run fails if a ratio has fallen
(`bench/history.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from bench import goals, history, machine
from bench.benchmarks import BENCHES, ONLY_BY_NAME, Begun, left_out, measures
from bench.figures import Figure, short
from bench.history import History
from compiled.installed import compiled_python

WHAT_WIDTH = 64
"""Width of the first column."""
RESULTS = Path(__file__).resolve().parent.parent / ".work" / "bench"


def main() -> int:
    arguments = parse()
    console = Console()
    report = Report(quick=arguments.quick, history=None if arguments.quick else history.of_this_machine())
    with tempfile.TemporaryDirectory(prefix="bench-", dir=RESULTS) as scratch:
        report.machine = machine.present_speed(Path(scratch))
        with measures(arguments.names, Path(scratch), quick=arguments.quick) as begun, console.status("measuring ..."):
            for benchmark in begun:
                report.add(console, benchmark)
    for remark in remarks(arguments.names, quick=arguments.quick):
        console.print(f"  {remark}", highlight=False, soft_wrap=True)
    console.print("  this machine: " + ", ".join(f"{what} {value:.3g}" for what, value in report.machine.items()))
    console.print(f"  kept in {report.path}", soft_wrap=True)
    for what, fall in report.fallen.items():
        console.print(f"[bold red]slower:[/] {what} {fall}", highlight=False, soft_wrap=True)
    for name, error in report.failed.items():
        console.print(f"[bold red]failed:[/] {name}: {error}", highlight=False)
    return 0 if report.is_good else 1


def remarks(names: list[str], *, quick: bool) -> Iterator[str]:
    """Yield a sentence about each part that the run leaves out."""
    if not names:
        yield f"left out: {', '.join(sorted(left_out(quick=quick)))}, which are only measured if they are named"
    if compiled_python() is None:
        yield "left out: the compiled build, because .work/compiled has none of this source (make compiled-wheel)"


class Report:
    """Figures of one run. Each is printed and written as soon as it is measured, even if a later benchmark fails."""

    def __init__(self, *, quick: bool, history: History | None = None) -> None:
        """Begin a report. Quick figures are not comparable, so they have no history."""
        RESULTS.mkdir(parents=True, exist_ok=True)
        self.path = RESULTS / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
        self.quick = quick
        self.machine: dict[str, float] = {}
        self.figures: list[Figure] = []
        self.seconds: dict[str, float] = {}
        """Time that the run waited for each benchmark."""
        self.failed: dict[str, str] = {}
        """Error of each failed benchmark."""
        self.fallen: dict[str, str] = {}
        """Present and recorded ratio of each figure that is much slower now."""
        self._history = history

    def add(self, console: Console, benchmark: Begun) -> None:
        """Run one benchmark. Its failure is reported, and does not end the run."""
        name, measure, seconds = benchmark
        began = time.monotonic()
        console.print(f"[bold]{name}[/]")
        try:
            for figure in measure():
                self.figures.append(figure)
                show(console, figure)
                self.compare(name, figure)
                self.write()
        except Exception as error:
            console.print_exception()
            self.failed[name] = repr(error)
        self.seconds[name] = seconds() or time.monotonic() - began
        console.print(f"  ({self.seconds[name]:.0f} s)", highlight=False)
        self.write()

    def compare(self, name: str, figure: Figure) -> None:
        """Compare a figure with the history, and record it there."""
        fall = None if self._history is None else self._history.record(name, figure)
        if fall is not None:
            self.fallen[f"{name}, {figure.what}"] = fall

    def write(self) -> None:
        """Write everything measured so far as JSON."""
        told = [asdict(figure) | {"median": figure.ours.median, "kept": figure.kept} for figure in self.figures]
        kept = {
            "quick": self.quick,
            "machine": self.machine,
            "seconds": self.seconds,
            "failed": self.failed,
            "fallen": self.fallen,
            "figures": told,
        }
        self.path.write_text(json.dumps(kept, indent=2))

    @property
    def is_good(self) -> bool:
        return not self.failed and not self.fallen and all(figure.kept is not False for figure in self.figures)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"{', '.join(BENCHES)}; {goals.NAME} is all that begin with goal-; "
        f"without any, all but {', '.join(sorted(ONLY_BY_NAME))}",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="few, short runs: whether it works, not how fast it is; without names, several at the same time",
    )
    arguments = parser.parse_args()
    if goals.NAME in arguments.names:
        at = arguments.names.index(goals.NAME)
        arguments.names[at : at + 1] = goals.BENCHES
    unknown = set(arguments.names) - set(BENCHES)
    if unknown:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    return arguments


def show(console: Console, figure: Figure) -> None:
    """Print a figure with its promised bound and the peer's figure."""
    line = f"  {figure.what:<{WHAT_WIDTH}} {figure.ours} {figure.unit}"
    if figure.promised is not None:
        verdict = "kept" if figure.kept else "[bold red]missed[/]"
        line += f"  {'≤' if figure.less_is_better else '≥'} {short(figure.promised)} {verdict}"
    if figure.theirs:
        line += f"  {figure.peer}: {figure.theirs}"
    console.print(line, highlight=False, soft_wrap=True)
    for remark in figure.remarks:
        console.print(f"    {remark}", highlight=False, markup=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
