"""History of figures: one line of JSON per figure, with the machine and the commit, in `bench/history.jsonl`.

A ratio to a peer that falls by more than a tenth below the last recorded one on the same kind of machine fails its
run, and is not recorded: it fails the next run as well, until it is better again.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bench.figures import Figure, short

PATH: Final = Path(__file__).resolve().parent / "history.jsonl"
FALL_MAX: Final = 0.1
"""Share by which a ratio may fall between two recorded runs."""
CONTINUES: Final = "..."
"""Beginning of a figure's name if the name continues that of the figure before."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Recorded figure. `ratio` is to its peer, more is better; None for a figure without one."""

    day: str
    commit: str
    machine: str
    benchmark: str
    figure: str
    unit: str
    value: float
    ratio: float | None


class History:
    """Recorded figures of one kind of machine; `commit` is the one that is measured now."""

    def __init__(self, path: Path, machine: str, commit: str) -> None:
        self._path: Final = path
        self._machine: Final = machine
        self._commit: Final = commit
        self._heading = ""
        """Name of the last figure that does not continue another one."""
        self._last: Final[dict[tuple[str, str], Entry]] = {}
        lines = path.read_text().splitlines() if path.exists() else []
        for entry in (Entry(**json.loads(line)) for line in lines):
            if entry.machine == machine:
                self._last[entry.benchmark, entry.figure] = entry

    def record(self, benchmark: str, figure: Figure) -> str | None:
        """Record a figure. If its ratio has fallen, record nothing and return a sentence with the earlier ratio."""
        name = figure.what
        if name.startswith(CONTINUES):
            name = f"{self._heading} {name}"
        else:
            self._heading = name
        ratio, last = figure.ratio, self._last.get((benchmark, name))
        if ratio is not None and last is not None and last.ratio is not None and ratio < last.ratio * (1 - FALL_MAX):
            return f"fell to {short(ratio)}x: it was {short(last.ratio)}x at {last.commit} on {last.day}"
        day, value = time.strftime("%Y-%m-%d"), figure.ours.median
        entry = Entry(day, self._commit, self._machine, benchmark, name, figure.unit, value, ratio)
        self._last[benchmark, name] = entry
        with self._path.open("a") as file:
            file.write(json.dumps(asdict(entry)) + "\n")
        return None


def of_this_machine() -> History:
    return History(PATH, kind_of_machine(), present_commit())


def kind_of_machine() -> str:
    """Return processor, cores and interpreter: figures of different kinds are not compared."""
    told = dict.fromkeys(("model name", "cpu family", "model"), "")
    cpuinfo = Path("/proc/cpuinfo")
    for line in reversed(cpuinfo.read_text().splitlines() if cpuinfo.exists() else []):
        name, _, value = line.partition(":")
        if name.strip() in told:
            told[name.strip()] = value.strip()
    processor = " ".join(told.values()).strip() or platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def present_commit() -> str:
    """Return the commit of the source; `+` follows it if files have changed since."""

    def git(*arguments: str) -> str:
        ran = subprocess.run(["git", *arguments], cwd=PATH.parent, capture_output=True, text=True, check=False)
        return ran.stdout.strip()

    changed = [line for line in git("status", "--porcelain").splitlines() if PATH.name not in line]
    return (git("rev-parse", "--short=8", "HEAD") or "unknown") + "+" * bool(changed)
