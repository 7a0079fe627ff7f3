"""`python -m tests.spark.matrix`: pipelines on every supported version of Spark, on both brokers; a table of results.

Each cell is a process of its own with its own broker and Spark. Each version of Spark, in its newest patch, is
installed once below `.work/matrix`, where the output of the cells is, too.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.pipeline.crashes.__main__ import BROKERS
from tests.spark.matrix.cell import CELLS
from tests.spark.matrix.environments import ROOT, WORK, environment, installed_patch

VERSIONS: Final = ("3.5", "4.0", "4.1", "4.2", "4.3")
QUICK_CELLS: Final = ("transform", "kill-9", "source")
CELL_TIMEOUT_S: Final = 300.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make matrix", description=__doc__)
    parser.add_argument("--spark", choices=VERSIONS, action="append", help="[default: all]")
    parser.add_argument("--broker", choices=BROKERS, action="append", help="[default: both]")
    parser.add_argument("--cell", choices=CELLS, action="append", help="[default: all]")
    parser.add_argument("--quick", action="store_true", help="our broker; one pipeline, one crash, one query")
    parser.add_argument("--python", default=sys.executable, help="another Python that has Tenure's extra `test`")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # Cells are in process groups of their own.
    brokers = given.broker or (BROKERS[:1] if given.quick else BROKERS)
    cells = given.cell or (QUICK_CELLS if given.quick else list(CELLS))
    print(f"{'Spark':<7} {'broker':<7}" + "".join(f"{cell:>11}" for cell in cells), flush=True)
    failures = []
    for version in given.spark or VERSIONS:
        directory = environment(given.python, version)
        patch = installed_patch(directory)
        for broker in brokers:
            print(f"{patch:<7} {broker:<7}", end="", flush=True)
            for cell in cells:
                log = WORK / f"{directory.name}-{broker}-{cell}.log"
                began_s = time.monotonic()
                passed = run(given.python, directory, cell, broker, log)
                print(f"{f'{time.monotonic() - began_s:.0f} s' if passed else 'FAILED':>11}", end="", flush=True)
                failures += [] if passed else [log]
            print(flush=True)
    for log in failures:
        print(f"\n--- {log.relative_to(ROOT)}\n{log.read_text(errors='replace')[-2000:]}")
    return bool(failures)


def run(python: str, directory: Path, cell: str, broker: str, log: Path) -> bool:
    """Run a cell in a process group of its own, within the time limit. Return whether it succeeded."""
    variables = {key: value for key, value in os.environ.items() if "SPARK" not in key}
    variables["PYTHONPATH"] = os.pathsep.join(map(str, (directory, ROOT / "src", ROOT)))
    command = [python, "-m", "tests.spark.matrix.cell", cell, broker]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, env=variables, cwd=ROOT, stdout=output, stderr=output, start_new_session=True
        ) as process,
    ):
        try:
            return process.wait(CELL_TIMEOUT_S) == 0
        except subprocess.TimeoutExpired:
            output.write(f"no end within {CELL_TIMEOUT_S:.0f} s\n".encode())
            return False
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # Also what the cell has left behind.


if __name__ == "__main__":
    sys.exit(main())
