"""An audit that is killed with `kill -9` at many steps has the same tables at the end as one that is not killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import pytest

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.audit_pipeline import audit_pipeline
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tenure.pipeline.errors import PipelineConfigError
from tests.audit.comparing import assert_is_record
from tests.audit.conftest import Day

BATCH_RECORDS = 250
KILLS = (4, 9, 13, 18)
"""Steps at which the runs are killed: between a plan, its commit, and its publication."""


def run(day: Day, directory: Path, kill_at: int, table_format: str) -> int:
    command = [sys.executable, "-m", "tests.audit.without_spark", day.address, str(directory)]
    command += [str(BATCH_RECORDS), str(kill_at), table_format]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -SIGKILL), done.stderr
    return done.returncode


@pytest.mark.long
@pytest.mark.parametrize(("table_format", "kills"), [("parquet", KILLS), ("delta", KILLS[1:3])])
def test_audit__killed_at_many_steps_and_restarted__same_tables_at_the_end(
    day: Day, tmp_path: Path, table_format: str, kills: tuple[int, ...]
) -> None:
    killed = [run(day, tmp_path, kill_at, table_format) == -SIGKILL for kill_at in kills]
    assert sum(killed) >= len(kills) - 1, "the runs ended before they were killed"
    assert run(day, tmp_path, 0, table_format) == 0
    write_findings(AuditDirectory.at(tmp_path))
    assert_is_record(tmp_path, day.record)
    coverage = summary_of(AuditDirectory.at(tmp_path)).coverage
    assert (coverage.unknown, coverage.damaged, coverage.missing_offsets) == (0, 0, day.record.missing)
    assert not day.groups() & {"tenure-audit"}


def test_audit__tables_in_another_format__refused_with_the_remedy(tmp_path: Path) -> None:
    directory = AuditDirectory.at(tmp_path)
    audit_pipeline(directory, table_format="delta")
    with pytest.raises(PipelineConfigError, match="has tables in the format delta: use --format delta, or another"):
        audit_pipeline(directory)
    with pytest.raises(PipelineConfigError, match="Unknown format 'csv': an audit writes parquet or delta"):
        audit_pipeline(directory, table_format="csv")
