"""Findings of all groups, computed for one partition of `__consumer_offsets` after the other."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

import numpy
import pyarrow as pa

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.backward_commits import backward_commits
from tenure.audit.findings.causes import causes_of
from tenure.audit.findings.lag import lag_by_window, last_lag, samples_of
from tenure.audit.findings.log_tables import LogTables, Rows
from tenure.audit.findings.pauses import pauses_of
from tenure.audit.findings.returning_members import deployments, flapping_members
from tenure.audit.findings.tables import BACKWARD, FLAPPING, FOUND, GROUPS, LAG, PAUSES, REBALANCE_COSTS
from tenure.audit.reading import log_partitions


def write_findings(directory: AuditDirectory) -> None:
    """Compute the findings from the collected tables, and write them. Only one partition's tables are in memory."""
    samples = samples_of(directory)
    parts: dict[str, list[pa.Table]] = {table.name: [table.schema.empty_table()] for table in FOUND}
    for number in log_partitions(directory):
        log = LogTables.read(directory, number)
        parts[LAG.name].append(lag_by_window(log.commits, samples))
        for name, rows in findings_of(log, last_lag(log.commits, samples)).items():
            schema = next(table.schema for table in FOUND if table.name == name)
            parts[name].append(pa.Table.from_pylist(rows, schema=schema))
    for table in FOUND:
        directory.write_table(table, pa.concat_tables(parts[table.name]), "findings")


def findings_of(log: LogTables, lags: Mapping[str, int]) -> dict[str, Rows]:
    """Compute the findings of one partition of `__consumer_offsets`; return rows by table.

    `lags` has the present lag of each group.
    """
    found: dict[str, Rows] = {table.name: [] for table in FOUND}
    found[BACKWARD.name] = backward_commits(log)
    backward: dict[str, int] = {}
    for row in found[BACKWARD.name]:
        backward[row["group"]] = backward.get(row["group"], 0) + row["commits"]
    for group in log.groups:
        pauses, flapping = pauses_of(log, group), flapping_members(log, group)
        costs = rebalance_costs(log, group, pauses)
        found[PAUSES.name] += pauses
        found[FLAPPING.name] += flapping
        found[REBALANCE_COSTS.name] += costs
        row = group_row(log, group, costs, pauses)
        row |= {"flapping_members": len(flapping), "backward_commits": backward.get(group, 0), "lag": lags.get(group)}
        found[GROUPS.name].append(row)
    return found


def rebalance_costs(log: LogTables, group: str, pauses: Rows) -> Rows:
    """Return the causes and the cost of each rebalance. A move is attributed to the last rebalance before it."""
    rebalances = log.rebalances.get(group, [])
    places = [row["log_offset"] for row in rebalances]
    of_rebalance: list[Rows] = [[] for _ in rebalances]
    for pause in pauses:
        index = bisect_right(places, pause["log_offset"]) - 1
        if index >= 0:
            of_rebalance[index].append(pause)
    found = []
    for row, causes, moved in zip(rebalances, causes_of(log, group), of_rebalance, strict=True):
        known = [pause["pause_ms"] for pause in moved if pause["pause_ms"] is not None]
        needed = row["needed_moves"]
        columns = ("log_partition", "log_offset", "time", "group", "group_type", "epoch", "members")
        found.append(
            {name: row[name] for name in columns}
            | {
                "causes": causes,
                "moved": len(moved),
                "moved_without_need": None if needed is None else max(len(moved) - needed, 0),
                "paused_ms": sum(known),
                "longest_pause_ms": max(known, default=None),
            }
        )
    return found


def group_row(log: LogTables, group: str, costs: Rows, pauses: Rows) -> dict[str, Any]:
    """Return the table row of a group, without columns that come from other findings."""
    rebalances, members = log.rebalances.get(group, []), log.members.get(group, [])
    commits = log.commits
    own = [commits.slice_of(key) for key in commits.keys_of.get(group, ())]
    counts = [int(commits.columns["commits"][part].sum()) for part in own]
    times = [row["time"] for row in rebalances]
    times += [int(commits.columns["first_time"][part].min()) for part in own]
    times += [int(commits.columns["last_time"][part].max()) for part in own]
    known = [pause["pause_ms"] for pause in pauses if pause["pause_ms"] is not None]
    spans = deployments(log, group)
    return {
        "log_partition": log.log_partition,
        "group": group,
        "group_type": rebalances[-1]["group_type"] if rebalances else "simple",
        "members": rebalances[-1]["members"] if rebalances else 0,
        "first_time": min(times, default=None),
        "last_time": max(times, default=None),
        "commits": sum(counts),
        "rebalances": len(rebalances),
        "missed_epochs": sum(row["missed_epochs"] or 0 for row in rebalances),
        "moved": sum(row["moved"] for row in costs),
        "moved_without_need": sum(row["moved_without_need"] or 0 for row in costs),
        "paused_ms": sum(known),
        "median_pause_ms": int(numpy.percentile(known, 50)) if known else None,
        "p99_pause_ms": int(numpy.percentile(known, 99)) if known else None,
        "restarts": sum(event["event"] in ("left", "replaced") for event in members),
        "deployments": len(spans),
        "deployment_moves": sum(row["moved"] for row in costs if any(a <= row["time"] <= b for a, b in spans)),
        "expired_offsets": log.expired.get(group, 0),
    }
