"""Comparison of an audit's tables with the record of a script."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.log_tables import rows_of
from tenure.audit.findings.tables import PAUSES, REBALANCE_COSTS
from tenure.audit.reading import arrow_table
from tenure.audit.tables import ASSIGNMENTS, COMMITS, MEMBERS, REBALANCES, AuditTable
from tests.audit.scripted_groups import Record

PARTITION: Final = itemgetter(0, 1)
"""Group and partition of a pause. The pauses of one partition are in the order of time."""


def rows(directory: Path | AuditDirectory, table: AuditTable) -> list[dict[str, Any]]:
    """Return the rows of a table in the order of the log."""
    audited = AuditDirectory.at(directory) if isinstance(directory, Path) else directory
    found = rows_of(arrow_table(audited, table))
    return sorted(found, key=lambda row: (row["log_partition"], row.get("log_offset", 0), row.get("partition", 0)))


def assert_is_record(directory: Path | AuditDirectory, record: Record) -> None:
    """Check that tables and findings equal the record of the script."""
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
    known = sorted((pause for pause in pauses if pause[2] is not None), key=PARTITION)
    assert list(map(PARTITION, known)) == sorted(map(PARTITION, record.pauses))
    for (*_, found_ms), (*_, shortest_ms, longest_ms) in zip(known, sorted(record.pauses, key=PARTITION), strict=True):
        assert shortest_ms <= found_ms <= longest_ms
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
