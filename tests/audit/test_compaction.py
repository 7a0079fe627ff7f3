"""A log that is compacted between two runs of an audit: lost records are counted, and no other rows appear."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tenure.audit.tables import COMMITS, REBALANCES
from tenure.pipeline.task.range_records import RECORDS
from tests.audit.collecting import records_of, write_batches
from tests.audit.comparing import rows
from tests.audit.conftest import LOG_PARTITIONS, Day

MIGRATED = "moving"
"""Group whose epochs begin again when it changes its protocol."""


def compacted(records: pa.Table) -> pa.Table:
    """Return the last record of each key, as Kafka's log cleaner leaves them."""
    last = {row["key"]: row for row in records.to_pylist()}
    return pa.Table.from_pylist(sorted(last.values(), key=lambda row: row["offset"]), RECORDS)


def test_audit__log_is_compacted_between_two_runs__lost_records_are_counted(day: Day, tmp_path: Path) -> None:
    dropped = 0
    for partition in range(LOG_PARTITIONS):
        records = records_of(day.address, partition)
        assert records is not None
        half = len(records) // 2
        rest = compacted(records.slice(half))
        dropped += len(records) - half - len(rest)
        write_batches([records.slice(0, half), rest], partition, tmp_path)
    directory = AuditDirectory.at(tmp_path)
    write_findings(directory)
    assert dropped > 0
    assert summary_of(directory).coverage.missing_offsets == day.record.missing + dropped

    found, missed = Counter[str](), Counter[str]()
    recorded = {(group, epoch) for group, epoch, *_ in day.record.rebalances}
    for row in rows(tmp_path, REBALANCES):
        assert (row["group"], row["epoch"]) in recorded
        found[row["group"]] += 1
        missed[row["group"]] += row["missed_epochs"] or 0
    expected = Counter(group for group, *_ in day.record.rebalances)
    for group in expected.keys() - {MIGRATED}:
        assert found[group] + missed[group] == expected[group], group
    assert missed.total() > 0

    commits, last = Counter[tuple[str, int]](), dict[tuple[str, int], int]()
    for row in rows(tmp_path, COMMITS):
        key = row["group"], row["partition"]
        commits[key] += row["commits"]
        last[key] = max(last.get(key, 0), row["last_offset"])
    assert commits <= Counter(day.record.commits)
    assert last == day.record.offsets
