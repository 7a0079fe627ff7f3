"""Summary of an audit: the groups with the highest cost, and how much of the log was read."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.admin.times import duration_text
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.log_tables import rows_of
from tenure.audit.findings.tables import ADVICE, FLAPPING, GROUPS, REBALANCE_COSTS
from tenure.audit.reading import arrow_table
from tenure.audit.tables import RECORDS
from tenure.plural import format_count

SHOWN: Final = 10
"""Maximum number of groups that the summary names."""

TYPES: Final = {
    0: "offset commits",
    1: "offset commits",
    2: "classic groups",
    **dict.fromkeys(range(3, 9), "consumer groups"),
    **dict.fromkeys(range(9, 16), "share groups"),
    16: "consumer groups",
    **dict.fromkeys(range(17, 24), "streams groups"),
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """Part of the log that an audit has read."""

    records: int
    by_kind: dict[str, int]
    """Number of records by the object that they describe."""
    unknown: int
    """Number of records with a type or version that this version of Tenure does not know."""
    damaged: int
    missing_offsets: int
    """Number of offsets that have no record, between the first and the last record: the record was compacted or
    aborted, or the offset belongs to a transaction marker."""
    first_ms: int | None
    last_ms: int | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Groups, ranked by cost, and the coverage of the log."""

    groups: list[dict[str, Any]]
    causes: dict[str, int]
    flapping: list[dict[str, Any]]
    advice: list[dict[str, Any]]
    """Rows of the table of advice, as the last report has written it."""
    coverage: Coverage

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        coverage = self.coverage
        return {
            "records": coverage.records,
            "records_by_kind": coverage.by_kind,
            "unknown_records": coverage.unknown,
            "damaged_records": coverage.damaged,
            "missing_offsets": coverage.missing_offsets,
            "first_time_ms": coverage.first_ms,
            "last_time_ms": coverage.last_ms,
            "causes": self.causes,
            "groups": self.groups,
            "flapping_members": self.flapping,
            "advice": self.advice,
        }

    def as_text(self) -> str:
        """Return the summary as lines for a terminal."""
        active = [group for group in self.groups if group["rebalances"]]
        counts = (
            format_count(self.coverage.records, "record"),
            format_count(len(self.groups), "group"),
            format_count(sum(group["rebalances"] for group in active), "rebalance"),
            format_count(sum(group["moved"] for group in active), "partition") + " moved",
        )
        total = f"{', '.join(counts)}, {duration_text(sum(group['paused_ms'] for group in active))} of pauses."
        return "\n".join([total, *map(_line, active[:SHOWN])])


def _line(group: dict[str, Any]) -> str:
    return (
        f"  {group['group']}: {format_count(group['rebalances'], 'rebalance')}, "
        f"{format_count(group['moved'], 'partition')} moved"
        f" ({group['moved_without_need']} without need), {duration_text(group['paused_ms'])} of pauses"
    )


def summary_of(directory: AuditDirectory) -> Summary:
    """Return the summary of an audit with its findings."""
    groups = arrow_table(directory, GROUPS)
    causes = Counter(
        cause for causes in arrow_table(directory, REBALANCE_COSTS)["causes"].to_pylist() for cause in causes
    )
    return Summary(
        sorted(rows_of(groups), key=lambda row: (-row["paused_ms"], -row["moved"], -row["rebalances"], row["group"])),
        dict(causes.most_common()),
        rows_of(arrow_table(directory, FLAPPING)),
        rows_of(arrow_table(directory, ADVICE)),
        coverage_of(arrow_table(directory, RECORDS)),
    )


def coverage_of(records: pa.Table) -> Coverage:
    """Compute the coverage from the table of records."""
    by_kind: Counter[str] = Counter()
    by_status: Counter[str] = Counter()
    for kind, status, count in zip(
        *(records[name].to_pylist() for name in ("record_type", "status", "records")), strict=True
    ):
        by_kind[TYPES.get(kind, "unknown")] += count
        by_status[status] += count
    spans = records.group_by("log_partition").aggregate(
        [("first_log_offset", "min"), ("last_log_offset", "max"), ("records", "sum")]
    )
    lengths = pc.add(pc.subtract(spans["last_log_offset_max"], spans["first_log_offset_min"]), 1)
    times = [
        pc.min(records["first_time"]).cast(pa.int64()).as_py(),
        pc.max(records["last_time"]).cast(pa.int64()).as_py(),
    ]
    total = sum(by_status.values())
    return Coverage(
        total,
        dict(by_kind.most_common()),
        by_status["unknown"],
        by_status["damaged"],
        (pc.sum(lengths).as_py() or 0) - total,
        times[0],
        times[1],
    )
