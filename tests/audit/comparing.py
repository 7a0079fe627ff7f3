"""Comparison of an audit's tables with the record of a script."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.log_tables import rows_of
from tenure.audit.findings.tables import PAUSES, REBALANCE_COSTS
from tenure.audit.reading import arrow_table
from tenure.audit.tables import ASSIGNMENTS, COMMITS, MEMBERS, REBALANCES, AuditTable
from tests.audit.scripted_groups import Record


def rows(directory: Path | AuditDirectory, table: AuditTable) -> list[dict[str, Any]]:
    """Return the rows of a table in the order of the log."""
    audited = AuditDirectory.at(directory) if isinstance(directory, Path) else directory
    found = rows_of(arrow_table(audited, table))
    return sorted(found, key=lambda row: (row["log_partition"], row.get("log_offset", 0), row.get("partition", 0)))


def assert_is_record(directory: Path | AuditDirectory, record: Record, *, pauses_within_ms: int = 0) -> None:
    """Check that tables and findings are what the script did, no more and no less.

    Pauses may differ by `pauses_within_ms`, where the broker has a clock of its own.
    """
    costs = [
        (row["group"], row["epoch"], tuple(sorted(row["causes"])), row["members"])
        for row in rows(directory, REBALANCE_COSTS)
    ]
    assert sorted(costs) == sorted(record.rebalances)
    assert len(rows(directory, REBALANCES)) == len(record.rebalances)
    moves = [
        (row["group"], row["partition"], row["previous_owner"], row["owner"])
        for row in rows(directory, ASSIGNMENTS)
        if row["moved"]
    ]
    assert Counter(moves) == Counter(record.moves)
    pauses = [(row["group"], row["partition"], row["pause_ms"]) for row in rows(directory, PAUSES)]
    known = sorted(pause for pause in pauses if pause[2] is not None)
    assert [pause[:2] for pause in known] == sorted(pause[:2] for pause in record.pauses)
    for found, expected in zip(known, sorted(record.pauses), strict=True):
        assert abs(found[2] - expected[2]) <= pauses_within_ms
    replaced = [
        (row["group"], row["previous_member_id"], row["member_id"])
        for row in rows(directory, MEMBERS)
        if row["event"] == "replaced"
    ]
    assert replaced == record.replaced
    commits: Counter[tuple[str, int]] = Counter()
    for row in rows(directory, COMMITS):
        commits[row["group"], row["partition"]] += row["commits"]
    assert commits == record.commits
