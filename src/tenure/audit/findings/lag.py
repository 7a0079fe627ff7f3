"""Lag of groups: sampled ends of logs minus committed offsets."""

from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.log_tables import CommitLog
from tenure.audit.findings.tables import LAG
from tenure.audit.reading import arrow_table
from tenure.audit.tables import LOG_ENDS
from tenure.limits.audit import COMMIT_WINDOW_MS

Samples = dict[tuple[str, int], tuple[Any, Any]]
"""Times in ms and ends of the log of each partition, in the order of time."""

SAME_COLUMNS: Final = ("log_partition", "group", "topic", "partition", "window")
"""Columns that the tables of commits and of lag have in common."""


def samples_of(directory: AuditDirectory) -> Samples:
    """Return the sampled ends of all logs."""
    table = arrow_table(directory, LOG_ENDS)
    table = table.take(
        pc.sort_indices(table, [("topic", "ascending"), ("partition", "ascending"), ("time", "ascending")])
    )
    times, ends = table["time"].cast(pa.int64()).to_numpy(), table["end_offset"].to_numpy()
    found: dict[tuple[str, int], list[int]] = {}
    for row, key in enumerate(zip(table["topic"].to_pylist(), table["partition"].to_pylist(), strict=True)):
        found.setdefault(key, []).append(row)
    return {key: (times[rows], ends[rows]) for key, rows in found.items()}


def last_lag(commits: CommitLog, samples: Samples) -> dict[str, int]:
    """Return the present lag of each group: the last sampled log ends minus the last committed offsets."""
    found: dict[str, int] = {}
    for (group, topic, partition), code in commits.codes.items():
        sampled = samples.get((topic, partition))
        if sampled is not None:
            committed = int(commits.columns["last_offset"][commits.starts[code + 1] - 1])
            found[group] = found.get(group, 0) + max(int(sampled[1][-1]) - committed, 0)
    return found


def lag_by_window(commits: CommitLog, samples: Samples) -> pa.Table:
    """Return the rows of the table of lag: the windows in which the end of the log was sampled.

    If changes of members divide a window, it has several rows in `commits`, and one row in the result.
    """
    windows = commits.columns["window"]
    rows, ends, offsets = ([numpy.zeros(0, numpy.int64)] for _ in range(3))
    for key in commits.codes:
        sampled = samples.get((key[1], key[2]))
        if sampled is None:
            continue
        own = commits.slice_of(key)
        window = windows[own]
        sample = numpy.searchsorted(sampled[0], window + COMMIT_WINDOW_MS) - 1
        has_sample = (sample >= 0) & (sampled[0][sample] >= window)
        is_last_row = numpy.append(window[1:] != window[:-1], True)
        found = numpy.flatnonzero(has_sample & is_last_row)
        rows.append(own.start + found)
        ends.append(sampled[1][sample[found]])
        offsets.append(committed_at(commits, own, sampled[0][sample[found]]))
    chosen, end, committed = (numpy.concatenate(each) for each in (rows, ends, offsets))
    columns = [commits.rows[name].take(pa.array(chosen)) for name in SAME_COLUMNS]
    columns += [pa.array(values) for values in (committed, end, numpy.maximum(end - committed, 0))]
    return pa.table(columns, schema=LAG.schema)


def lag_over_time(commits: CommitLog, group: str, samples: Samples) -> list[tuple[int, int]]:
    """Return time and lag of a group at each sampled time, summed over its partitions."""
    total: dict[int, int] = {}
    for key in commits.keys_of.get(group, ()):
        sampled = samples.get((key[1], key[2]))
        if sampled is None:
            continue
        own = commits.slice_of(key)
        is_known = sampled[0] >= commits.columns["first_time"][own.start]
        times, ends = sampled[0][is_known], sampled[1][is_known]
        lags = numpy.maximum(ends - committed_at(commits, own, times), 0)
        for time_ms, lag in zip(times.tolist(), lags.tolist(), strict=True):
            total[time_ms] = total.get(time_ms, 0) + lag
    return sorted(total.items())


def committed_at(commits: CommitLog, own: slice, times_ms: Any) -> Any:
    """Return the committed offset of a partition at each of these times.

    Only the first and the last commit of a row are known, so the commits between them are taken to be evenly spread. At
    times before the first commit, the result is its offset.
    """
    first_times, last_times, first, last = (
        commits.columns[name][own] for name in ("first_time", "last_time", "first_offset", "last_offset")
    )
    row = numpy.maximum(numpy.searchsorted(first_times, times_ms, side="right") - 1, 0)
    passed_ms = numpy.clip(times_ms - first_times[row], 0, last_times[row] - first_times[row])
    span_ms = numpy.maximum(last_times[row] - first_times[row], 1)
    return first[row] + numpy.where(
        times_ms >= last_times[row], last[row] - first[row], (last[row] - first[row]) * passed_ms // span_ms
    )
