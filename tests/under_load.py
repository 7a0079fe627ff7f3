"""`make under-load ARGS='pytest's options'`: run the tests on a busy machine, which must make none of them fail.

Four processes keep the processors busy. At the same time one of the tests' processes is suspended for one to three
seconds, repeatedly, as on an overloaded host. Needs root on Linux: a control group suspends it, because SIGCONT would
also continue processes that a test itself has suspended. Ctrl-C ends all of them.
"""

import os
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

BUSY_PROCESSES = 4
STOP_S = (1.0, 3.0)
PAUSE_S = (1.0, 4.0)
"""Time between two suspensions."""
BUSY = "while True: pass"
CONTROL_GROUPS = Path("/sys/fs/cgroup")


class Freezer:
    """Control group (version 1 or 2) whose processes can be suspended."""

    def __init__(self, name: str) -> None:
        first = CONTROL_GROUPS / "freezer"
        self._parent = first if first.is_dir() else CONTROL_GROUPS
        self._group = self._parent / name
        self._group.mkdir()
        is_first = self._parent is first
        self._switch = self._group / ("freezer.state" if is_first else "cgroup.freeze")
        self._states = ("THAWED", "FROZEN") if is_first else ("0", "1")

    @contextmanager
    def frozen(self, pid: int) -> Iterator[None]:
        """Suspend a process within the block. Raises OSError if it has ended."""
        (self._group / "cgroup.procs").write_text(str(pid))
        try:
            self._switch.write_text(self._states[True])
            yield
        finally:
            self._switch.write_text(self._states[False])
            for child in (self._group / "cgroup.procs").read_text().split():
                move(int(child), self._parent)

    def close(self) -> None:
        self._group.rmdir()


def move(pid: int, group: Path) -> None:
    with suppress(ProcessLookupError):  # It has ended.
        (group / "cgroup.procs").write_text(str(pid))


def main() -> int:
    try:
        freezer = Freezer(f"tenure-tests-{os.getpid()}")
    except OSError as error:
        print(f"under load: cannot make a control group: {error}. Run it as root.", file=sys.stderr)
        return 2
    seed = random.randrange(1 << 32)
    print(f"under load: {BUSY_PROCESSES} busy processes, seed of the stops {seed}", flush=True)
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(BUSY_PROCESSES)]
    tests = psutil.Popen(["make", "test", f"ARGS={shlex.join(sys.argv[1:])}"], env=os.environ | {"CI": "true"})
    stops = 0
    try:
        draw = random.Random(seed)
        while tests.poll() is None:
            stops += stop_one(tests, freezer, draw)
            time.sleep(draw.uniform(*PAUSE_S))
    except KeyboardInterrupt:
        tests.wait()
    finally:
        for process in busy:
            process.kill()
            process.wait()
        freezer.close()
    print(f"under load: {stops} stops, exit status {tests.returncode}")
    return int(tests.returncode)


def stop_one(tests: psutil.Popen, freezer: Freezer, draw: random.Random) -> bool:
    """Suspend one of the processes for a while; return False if it has ended before."""
    try:
        process = draw.choice(tests.children(recursive=True) or [tests])
        with freezer.frozen(process.pid):
            time.sleep(draw.uniform(*STOP_S))
    except (OSError, psutil.NoSuchProcess):
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
