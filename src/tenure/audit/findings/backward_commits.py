"""Commits that lower a committed offset: a reset, or a member that committed old work."""

from typing import Any

import numpy

from tenure.audit.findings.log_tables import LogTables, Rows


def backward_commits(log: LogTables) -> Rows:
    """Return the commits with a lower offset than the previous commit of the partition.

    Of such commits within one row of the table of commits, only the number is known.
    """
    columns, rows = log.commits.columns, log.commits.rows
    if not len(rows):
        return []
    is_same = numpy.zeros(len(rows), bool)
    is_same[1:] = True
    is_same[log.commits.starts[:-1]] = False
    went_back = numpy.flatnonzero(is_same[1:] & (columns["first_offset"][1:] < columns["last_offset"][:-1])) + 1
    found = [_row(log, row, row - 1) for row in went_back.tolist()]
    found += [_row(log, row, None) for row in numpy.flatnonzero(columns["backward"]).tolist()]
    return sorted(found, key=lambda row: int(row["log_offset"]))


def _row(log: LogTables, row: int, before: int | None) -> dict[str, Any]:
    columns, rows = log.commits.columns, log.commits.rows
    is_known = before is not None
    return {
        "log_partition": log.log_partition,
        **{name: rows[name][row].as_py() for name in ("group", "topic", "partition")},
        "time": int(columns["first_time" if is_known else "window"][row]),
        "log_offset": int(columns["first_log_offset"][row]),
        "commits": 1 if is_known else int(columns["backward"][row]),
        "from_offset": int(columns["last_offset"][before]) if before is not None else None,
        "to_offset": int(columns["first_offset"][row]) if is_known else None,
    }
