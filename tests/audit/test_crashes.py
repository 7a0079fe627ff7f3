"""An audit that is killed with `kill -9` at many places ends with the tables of one that is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import pytest

from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tests.audit.comparing import assert_is_record
from tests.audit.conftest import Day

BATCH_RECORDS = 250
KILLS = (4, 9, 13, 18)
"""Steps at which the runs are killed: between a plan, its commit, and its publication."""


def run(day: Day, directory: Path, kill_at: int) -> int:
    command = [sys.executable, "-m", "tests.audit.without_spark", day.address, str(directory)]
    done = subprocess.run([*command, str(BATCH_RECORDS), str(kill_at)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, -SIGKILL), done.stderr
    return done.returncode


@pytest.mark.long
def test_audit__killed_at_many_steps__ends_with_the_same_tables(day: Day, tmp_path: Path) -> None:
    killed = [run(day, tmp_path, kill_at) == -SIGKILL for kill_at in KILLS]
    assert sum(killed) >= 3, "the runs ended before they were killed"
    assert run(day, tmp_path, 0) == 0
    write_findings(tmp_path)
    assert_is_record(tmp_path, day.record)
    coverage = summary_of(tmp_path).coverage
    assert (coverage.unknown, coverage.damaged, coverage.not_there) == (0, 0, 0)
    assert not day.groups() & {"tenure-audit"}
