"""`python -m tests.spark.matrix`: pipelines on every supported version of Spark, on both brokers; a table of results.

Each row is a process of its own with its own broker and Spark. Each version of Spark, in its newest patch, is
installed once below `.work/matrix`, where the output of the rows is, too. A cell shows seconds and processor seconds.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tests.pipeline.crashes.__main__ import BROKERS
from tests.spark.matrix.environments import ROOT, WORK, NotInstalled, environment, installed_patch
from tests.spark.matrix.row import CELLS
from tests.spark.patience import QUICK_PYTHON

VERSIONS: Final = ("3.5", "4.0", "4.1", "4.2", "4.3")
QUICK_CELLS: Final = tuple(cell for cell in CELLS if cell != "register")
"""Cells of the short form, without the one that starts Spark once more."""
START: Final = "start"
"""Column of the time until broker and Spark have started."""
CELL_TIMEOUT_S: Final = 300.0
UNVERIFIED: Final = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""Options with which Java does not verify the classes of Spark's jars: a fifth of the processor time of a start."""
LOG_CHARACTERS: Final = 3_000
RUNNING: Final[set[int]] = set()
"""Process groups of the rows that run."""


class Row(NamedTuple):
    """Result of one version of Spark on one broker."""

    results: dict[str, str]
    """Figures of each cell that has passed."""
    log: Path
    has_passed: bool


def main() -> int:
    given = parser().parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end_rows)
    versions = given.spark or (VERSIONS[:-1] if given.quick else VERSIONS)
    brokers = given.broker or (BROKERS[:1] if given.quick else BROKERS)
    cells = [cell for cell in CELLS if cell in (given.cell or (QUICK_CELLS if given.quick else CELLS))]
    failures: list[str] = []

    def show(version: str) -> None:
        try:
            directory = environment(given.python, version)
        except NotInstalled as reason:
            failures.append(f"Spark {version} was not tested: {reason}")
            return
        for broker in () if given.install else brokers:
            row = run(given.python, directory, broker, cells)
            told = "".join(f"{row.results.get(cell, 'FAILED'):>13}" for cell in (START, *cells))
            print(f"{installed_patch(directory):<7} {broker:<7}{told}", flush=True)
            failures.extend([] if row.has_passed else [end_of(row.log)])

    if not given.install:
        print(f"{'Spark':<7} {'broker':<7}" + "".join(f"{cell:>13}" for cell in (START, *cells)), flush=True)
    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(show, versions))
    for failure in failures:
        print(f"\n--- {failure}")
    return bool(failures)


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="make matrix", description=__doc__)
    options.add_argument("--spark", choices=VERSIONS, action="append", help="[default: all]")
    options.add_argument("--broker", choices=BROKERS, action="append", help="[default: both]")
    options.add_argument("--cell", choices=CELLS, action="append", help="[default: all]")
    options.add_argument("--quick", action="store_true", help="without Spark 4.3, which all tests run on; our broker")
    options.add_argument("--jobs", type=int, default=1, help="rows at the same time [default: 1]")
    options.add_argument("--install", action="store_true", help="only install the versions of Spark")
    options.add_argument("--python", default=sys.executable, help="another Python that has Tenure's extra `test`")
    return options


def run(python: str, directory: Path, broker: str, cells: list[str]) -> Row:
    """Run a row in a process group of its own, within the time limit."""
    log = WORK / f"{directory.name}-{broker}.log"
    results = log.with_suffix(".results")
    results.unlink(missing_ok=True)
    variables = {key: value for key, value in os.environ.items() if "SPARK" not in key}
    variables["PYTHONPATH"] = os.pathsep.join(map(str, (directory, ROOT / "src", ROOT, QUICK_PYTHON)))
    variables["JDK_JAVA_OPTIONS"] = UNVERIFIED
    command = [python, "-m", "tests.spark.matrix.row", broker, results, *cells]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, env=variables, cwd=ROOT, stdout=output, stderr=output, start_new_session=True
        ) as process,
    ):
        RUNNING.add(process.pid)
        try:
            has_passed = process.wait(CELL_TIMEOUT_S * len(cells)) == 0
        except subprocess.TimeoutExpired:
            output.write(f"no end within {CELL_TIMEOUT_S * len(cells):.0f} s\n".encode())
            has_passed = False
        finally:
            kill_group(process.pid)  # Also ends processes that the row has left.
            RUNNING.discard(process.pid)
    return Row(figures(results), log, has_passed)


def end_of(log: Path) -> str:
    """Return the last lines of a row's log, with its name."""
    return f"{log.relative_to(ROOT)}\n{log.read_text(errors='replace')[-LOG_CHARACTERS:]}"


def kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def end_rows(*_: object) -> None:
    """End this process and all rows at once: rows are in process groups of their own, which get no signal."""
    for group in list(RUNNING):
        kill_group(group)
    os._exit(1)


def figures(results: Path) -> dict[str, str]:
    """Return, by cell, its seconds and processor seconds."""
    if not results.exists():
        return {}
    told = (line.split() for line in results.read_text("utf-8").splitlines())
    return {cell: f"{wall_s} s/{processor_s}" for cell, wall_s, processor_s in told}


if __name__ == "__main__":
    sys.exit(main())
