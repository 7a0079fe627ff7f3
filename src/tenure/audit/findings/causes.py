"""Causes of rebalances. Offset commits are used to find out why members departed.

The records of a group show that a member is gone. They do not show whether the member left or its session timed out.
The commits of the member may show this:

- A member that committed within its session timeout before the rebalance has left: its session cannot have ended.
- A member that sent no commit for longer than its session timeout, although it had committed more often before, has
  timed out.
- In all other cases the cause is `leave-or-timeout`.

The time without commits is measured until the start of the rebalance. No record shows this start, because the record of
the new generation is written at the end of the rebalance. So the start is estimated: Members usually commit until a
rebalance begins. So the other members made their last commit before the rebalance, and their next one would have been
due after its start. If all members commit at the same interval, the rebalance began at most one commit interval after
the last commit of the other members. An interval may be twice as long as usual, for example on a busy host. So the
estimate is two intervals after this commit. A member that left is not mistaken for one that timed out: it was silent
for one interval more at most, and its session timeout is longer than three intervals (SILENT_INTERVALS).
"""

import sys
from typing import Any, Final, NamedTuple

from tenure.audit.findings.log_tables import LogTables, Rows
from tenure.audit.groups.classic_group import LEAVE
from tenure.limits.audit import SESSION_TIMEOUT_MS, SILENT_INTERVALS

TIMEOUT: Final = "session-timeout"
UNDECIDED: Final = "leave-or-timeout"
UNKNOWN: Final = "unknown"


class LostPartition(NamedTuple):
    """Partition that a member lost."""

    key: tuple[str, str, int]
    """Group, topic and partition."""
    log_offset: int
    """Log offset at which the member lost the partition."""
    until: int
    """Log offset at which the partition got another owner. Until then, its last commit is one of this member."""


def causes_of(log: LogTables, group: str) -> list[list[str]]:
    """Return the causes of each rebalance of the group."""
    departures: dict[int, Rows] = {}
    for event in log.members.get(group, ()):
        if event["event"] == "left":
            departures.setdefault(event["log_offset"], []).append(event)
    lost = _lost_partitions(log, group)
    found = []
    for rebalance in log.rebalances.get(group, ()):
        causes = []
        for cause in rebalance["causes"]:
            if cause == LEAVE:
                departed = departures.get(rebalance["log_offset"], ())
                causes += sorted({_departure(log, group, event, lost) for event in departed} or {UNDECIDED})
            else:
                causes.append(cause)
        found.append(causes or [UNKNOWN])
    return found


def _lost_partitions(log: LogTables, group: str) -> dict[str, list[LostPartition]]:
    """Return for each member id the partitions that it lost."""
    found: dict[str, list[LostPartition]] = {}
    next_change: dict[tuple[str, str, int], int] = {}
    for row in reversed(log.owner_changes.get(group, ())):
        key, log_offset = (group, row["topic"], row["partition"]), row["log_offset"]
        if row["previous_member_id"] is not None:
            until = log_offset if row["owner"] is not None else next_change.get(key, sys.maxsize)
            found.setdefault(row["previous_member_id"], []).append(LostPartition(key, log_offset, until))
        next_change[key] = log_offset
    return found


def _departure(log: LogTables, group: str, event: dict[str, Any], lost: dict[str, list[LostPartition]]) -> str:
    """Return why one member is gone: `leave`, `session-timeout` or `leave-or-timeout`."""
    own = {
        each.key for each in lost.get(event["member_id"], ()) if each.log_offset <= event["log_offset"] <= each.until
    }
    last_ms, interval_ms = _last_commit(log, own, event["log_offset"])
    if last_ms is None:
        return UNDECIDED
    others = set(log.commits.keys_of.get(group, ())) - own
    others_ms, _ = _last_commit(log, others, event["log_offset"])
    timeout_ms = event["session_timeout_ms"] or SESSION_TIMEOUT_MS
    if event["time"] - last_ms < timeout_ms:
        return LEAVE
    if interval_ms is None or interval_ms * SILENT_INTERVALS >= timeout_ms:
        return UNDECIDED
    silence_ms = (others_ms + 2 * interval_ms if others_ms is not None else event["time"]) - last_ms
    if silence_ms >= timeout_ms:
        return TIMEOUT
    return UNDECIDED


def _last_commit(log: LogTables, keys: set[tuple[str, str, int]], log_offset: int) -> tuple[int | None, float | None]:
    """Return the time of the last commit of these partitions before a record, and the mean interval of commits.

    The interval is the mean of the last two windows of the partition with the last commit; None for a single commit.
    """
    commits = log.commits
    rows = [(row, key) for key in sorted(keys) if (row := commits.around(key, log_offset)[0]) is not None]
    if not rows:
        return None, None
    last, key = max(rows, key=lambda each: int(commits.columns["last_time"][each[0]]))
    last_ms = int(commits.columns["last_time"][last])
    first = max(last - 1, commits.slice_of(key).start)
    count = int(commits.columns["commits"][first : last + 1].sum())
    span_ms = last_ms - int(commits.columns["first_time"][first])
    return last_ms, span_ms / (count - 1) if count > 1 else None
