"""Data of one group for its charts: intervals of ownership, with readable names of the owners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tenure.audit.findings.log_tables import LogTables
from tenure.limits.audit import OWNER_INTERVALS_DRAWN_MAX


@dataclass(frozen=True, slots=True)
class GroupData:
    """Data from which the charts and notes of one group are made."""

    group: str
    row: Mapping[str, Any]
    """Row of the table of groups."""
    costs: Sequence[dict[str, Any]]
    pauses: Sequence[dict[str, Any]]
    owner_intervals: Sequence[dict[str, Any]]
    """Latest intervals in which a member owned a partition."""
    intervals_left_out: int
    """Number of earlier intervals that are not drawn."""
    lag: Sequence[tuple[int, int]]
    flapping: Sequence[dict[str, Any]]

    @property
    def span_ms(self) -> tuple[int, int]:
        """First and last time of the group's charts, with a margin so that no mark is cut off."""
        first, last = self.row["first_time"], self.row["last_time"]
        margin = max((last - first) // 50, 1)
        return first - margin, last + margin


def owner_names(log: LogTables, group: str) -> dict[str, str]:
    """Return a short name for each owner: the instance id, or the client id with the end of the member id."""
    names = {}
    for event in log.members.get(group, ()):
        if event["instance_id"] is not None:
            names[event["instance_id"]] = event["instance_id"]
        else:
            names[event["member_id"]] = f"{event['client_id'] or 'member'} …{event['member_id'][-4:]}"
    return names


def owner_intervals(log: LogTables, group: str, end_ms: int) -> tuple[list[dict[str, Any]], int]:
    """Return the latest intervals of ownership, and the number of earlier ones that are left out."""
    names = owner_names(log, group)
    open_intervals: dict[tuple[str, int], dict[str, Any]] = {}
    intervals: list[dict[str, Any]] = []
    for row in log.owner_changes.get(group, ()):
        key = (row["topic"], row["partition"])
        before = open_intervals.pop(key, None)
        if before is not None:
            before["to"] = row["time"]
        if row["owner"] is not None:
            interval = {
                "topic": row["topic"],
                "number": row["partition"],
                "partition": f"{row['topic']}-{row['partition']}",
                "owner": names.get(row["owner"], row["owner"][-8:]),
                "member": row["member_id"],
                "epoch": row["epoch"],
                "from": row["time"],
                "to": end_ms,
            }
            open_intervals[key] = interval
            intervals.append(interval)
    return intervals[-OWNER_INTERVALS_DRAWN_MAX:], max(len(intervals) - OWNER_INTERVALS_DRAWN_MAX, 0)


def instant(ms: int | None) -> str:
    """Return a time in UTC as text; empty for None."""
    if ms is None:
        return ""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
