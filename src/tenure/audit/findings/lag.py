"""Lag of groups: sampled ends of logs minus committed offsets."""

from typing import Any

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.log_tables import CommitLog
from tenure.audit.reading import arrow_table, log_partitions
from tenure.audit.tables import COMMITS, LOG_ENDS

Samples = dict[tuple[str, int], tuple[Any, Any]]
"""Times in ms and ends of the log of each partition, in the order of time."""


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


def last_lag(directory: AuditDirectory) -> dict[str, int]:
    """Return the present lag of each group: the last sampled log ends minus the last committed offsets."""
    samples, found = samples_of(directory), dict[str, int]()
    for number in log_partitions(directory):
        commits = CommitLog.of(arrow_table(directory, COMMITS, number))
        for (group, topic, partition), code in commits.codes.items():
            sampled = samples.get((topic, partition))
            if sampled is not None:
                committed = int(commits.columns["last_offset"][commits.starts[code + 1] - 1])
                found[group] = found.get(group, 0) + max(int(sampled[1][-1]) - committed, 0)
    return found


def lag_over_time(commits: CommitLog, group: str, samples: Samples) -> list[tuple[int, int]]:
    """Return time and lag of a group at each sampled time, summed over its partitions."""
    total: dict[int, int] = {}
    for key in commits.keys_of.get(group, ()):
        sampled = samples.get((key[1], key[2]))
        if sampled is None:
            continue
        own = commits.slice_of(key)
        last_times, last_offsets = commits.columns["last_time"][own], commits.columns["last_offset"][own]
        which: Any = numpy.searchsorted(last_times, sampled[0], side="right") - 1
        for index, time_ms, end in zip(which.tolist(), sampled[0].tolist(), sampled[1].tolist(), strict=True):
            if index >= 0:
                total[time_ms] = total.get(time_ms, 0) + max(end - int(last_offsets[index]), 0)
    return sorted(total.items())
