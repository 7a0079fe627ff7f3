"""`tenure audit --follow` in a process of its own, with a report each half second instead of each minute."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGKILL
from typing import Final

PROGRAM: Final = """
import tenure.audit.audit_run as audit_run
from tenure.cli import main
audit_run.REPORT_INTERVAL_S = 0.5
main()
"""
PATIENCE_S: Final = 120.0
POLL_S: Final = 0.1


class FollowingAudit:
    """Audit that runs until Ctrl-C, in a process group of its own, as a command of a shell."""

    def __init__(self, address: str, directory: Path) -> None:
        command = [sys.executable, "-c", PROGRAM, "audit", "--follow", "--no-pictures"]
        command += ["--bootstrap-servers", address, "--out", str(directory), "--conf", "spark.ui.enabled=false"]
        self._log: Final = directory.with_suffix(".log")
        with self._log.open("wb") as log:
            self.process: Final = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")

    def wait_until(self, is_reached: Callable[[], bool]) -> None:
        """Wait for a condition. Fail if the audit ends before, or does not reach it in time."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_reached():
            assert self.process.poll() is None, f"the audit ended: {self.log}"
            assert time.monotonic() < deadline, f"the audit did not get there: {self.log}"
            time.sleep(POLL_S)

    def interrupt(self) -> str:
        """Send SIGINT to all its processes, as Ctrl-C does, and return its standard output."""
        os.killpg(self.process.pid, SIGINT)
        output, _ = self.process.communicate(timeout=PATIENCE_S)
        return output


@contextmanager
def following_audit(address: str, directory: Path) -> Iterator[FollowingAudit]:
    """Yield a running audit, which ends with the block."""
    audit = FollowingAudit(address, directory)
    try:
        yield audit
    finally:
        if audit.process.poll() is None:
            os.killpg(audit.process.pid, SIGKILL)
            audit.process.communicate()
