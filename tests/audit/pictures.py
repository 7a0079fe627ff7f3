"""Makes the picture of docs/audit.md and README.md from the scripted day: `python -m tests.audit.pictures`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.report.report import PICTURES, write_report
from tests.audit.collecting import write_tables
from tests.audit.conftest import LOG_PARTITIONS, run_day
from tests.docs.pages import DOCS


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch, run_day() as day:
        directory = AuditDirectory.at(scratch)
        write_tables(day.address, LOG_PARTITIONS, Path(scratch))
        write_findings(directory)
        write_report(directory, pictured_groups=1)
        shutil.copy(Path(scratch, PICTURES, "group-1-owners.png"), DOCS / "audit-owners.png")


if __name__ == "__main__":
    main()
