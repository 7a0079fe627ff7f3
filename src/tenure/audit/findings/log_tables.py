"""Tables of one partition of `__consumer_offsets`, prepared for findings."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.reading import arrow_table
from tenure.audit.tables import ASSIGNMENTS, COMMITS, EXPIRED, MEMBERS, REBALANCES, TOPICS, AuditTable

Rows = list[dict[str, Any]]


@dataclass(slots=True)
class LogTables:
    """Rows of one partition of `__consumer_offsets`, in the order of its log. Times are in ms."""

    log_partition: int
    rebalances: Mapping[str, Rows]
    members: Mapping[str, Rows]
    owner_changes: Mapping[str, Rows]
    """Rows of the table of assignments, by group."""
    commits: "CommitLog"
    expired: Mapping[str, int]

    @classmethod
    def read(cls, directory: AuditDirectory, log_partition: int, groups: Collection[str] | None = None) -> "LogTables":
        """Read the tables of one partition of `__consumer_offsets`, and replace topic ids by names.

        With `groups`, read only the rows of these groups.
        """

        def chosen(table: pa.Table) -> pa.Table:
            return table if groups is None else of_groups(table, groups)

        def rows(table: AuditTable) -> pa.Table:
            return chosen(arrow_table(directory, table, log_partition))

        commits = arrow_table(directory, COMMITS, log_partition)
        names = topic_names(commits, arrow_table(directory, TOPICS))
        owner_changes = _by_group(rows(ASSIGNMENTS))
        for changes in owner_changes.values():
            for row in changes:
                row["topic"] = row["topic"] or names.get(row["topic_id"], row["topic_id"])
        return cls(
            log_partition,
            _by_group(rows(REBALANCES)),
            _by_group(rows(MEMBERS)),
            owner_changes,
            CommitLog.of(chosen(commits)),
            _counts(rows(EXPIRED)),
        )

    @property
    def groups(self) -> list[str]:
        """Names of all groups with a row in one of the tables."""
        return sorted({*self.rebalances, *self.members, *self.owner_changes, *self.commits.groups, *self.expired})


@dataclass(slots=True)
class CommitLog:
    """Windows of commits, sorted by partition and log offset."""

    rows: pa.Table
    codes: Mapping[tuple[str, str, int], int]
    """Number of each key (group, topic, partition). Keys are numbered from 0 in the order of the rows."""
    keys_of: Mapping[str, list[tuple[str, str, int]]]
    """Keys (group, topic, partition) by group."""
    starts: Any
    """Index of the first row of each key, by the number of the key. The last entry is the number of rows."""
    columns: Mapping[str, Any]
    """Numeric columns as numpy arrays."""

    @classmethod
    def of(cls, commits: pa.Table) -> "CommitLog":
        order = pc.sort_indices(
            commits, [(name, "ascending") for name in ("group", "topic", "partition", "first_log_offset")]
        )
        rows = merged(commits.take(order).combine_chunks())
        keys = rows.select(["group", "topic", "partition"])
        runs = _starts_of_runs(keys)
        distinct = keys.take(pa.array(runs)).to_pydict()
        names = zip(distinct["group"], distinct["topic"], distinct["partition"], strict=True)
        numbers = [name for name in rows.column_names if not pa.types.is_string(rows.schema.field(name).type)]
        columns = {name: rows[name].cast(pa.int64()).to_numpy() for name in numbers}
        codes = {key: code for code, key in enumerate(names)}
        keys_of: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        for key in codes:
            keys_of[key[0]].append(key)
        return cls(rows, codes, dict(keys_of), numpy.append(runs, len(rows)), columns)

    @property
    def groups(self) -> set[str]:
        return set(self.keys_of)

    def slice_of(self, key: tuple[str, str, int]) -> slice:
        """Return the range of row indices of a key (group, topic, partition); an empty range for an unknown key."""
        code = self.codes.get(key)
        return slice(0, 0) if code is None else slice(int(self.starts[code]), int(self.starts[code + 1]))

    def around(self, key: tuple[str, str, int], log_offset: int) -> tuple[int | None, int | None]:
        """Return the row indices of the last window of `key` that begins before a log offset, and of the next one.

        `key` is (group, topic, partition). An index is None if there is no such window.
        """
        own = self.slice_of(key)
        index = own.start + int(self.columns["first_log_offset"][own].searchsorted(log_offset))
        return (index - 1 if index > own.start else None), (index if index < own.stop else None)


def of_groups(table: pa.Table, groups: Collection[str]) -> pa.Table:
    """Return the rows of these groups."""
    return table.filter(pc.is_in(table["group"], pa.array(groups, pa.string())))


def merged(rows: pa.Table) -> pa.Table:
    """Merge the rows of a window that several batches wrote. Rows before and after a change of members stay separate.

    `rows` are sorted, and so is the result.
    """
    starts = _starts_of_runs(rows.select(["group", "topic", "partition", "window", "assigned_at"]))
    if len(starts) == len(rows):
        return rows
    ends = numpy.append(starts[1:], len(rows)) - 1
    first_offsets, last_offsets = rows["first_offset"].to_numpy(), rows["last_offset"].to_numpy()
    went_back = numpy.append(False, first_offsets[1:] < last_offsets[:-1])
    went_back[starts] = False
    sums = {
        "commits": numpy.add.reduceat(rows["commits"].to_numpy(), starts),
        "backward": numpy.add.reduceat(rows["backward"].to_numpy() + went_back, starts),
    }
    first, last = rows.take(pa.array(starts)), rows.take(pa.array(ends))
    columns = {
        name: pa.array(sums[name]) if name in sums else (last if name.startswith("last_") else first)[name]
        for name in rows.column_names
    }
    return pa.table(columns, schema=rows.schema)


def _starts_of_runs(keys: pa.Table) -> Any:
    """Return the index of the first row in each run of equal rows."""
    if not len(keys):
        return numpy.zeros(0, numpy.int64)
    differs = numpy.zeros(len(keys), bool)
    differs[0] = True
    for column in keys.columns:
        codes = column.combine_chunks().dictionary_encode().indices.to_numpy()
        differs[1:] |= codes[1:] != codes[:-1]
    return numpy.flatnonzero(differs)


def _by_group(table: pa.Table) -> dict[str, Rows]:
    """Return rows by group, in the order of the log."""
    found: dict[str, Rows] = defaultdict(list)
    for row in rows_of(table.sort_by("log_offset")):
        found[row["group"]].append(row)
    return dict(found)


def _counts(expired: pa.Table) -> dict[str, int]:
    counted = expired.group_by("group").aggregate([("log_offset", "count")]).to_pydict()
    return dict(zip(counted["group"], counted["log_offset_count"], strict=True))


def topic_names(commits: pa.Table, topics: pa.Table) -> dict[str, str]:
    """Return the names of topic ids, from the commits and from the cluster."""
    pairs = [table.group_by(["topic_id", "topic"]).aggregate([]).to_pydict() for table in (topics, commits)]
    return {
        topic_id: topic
        for each in pairs
        for topic_id, topic in zip(each["topic_id"], each["topic"], strict=True)
        if topic_id is not None
    }


def rows_of(table: pa.Table) -> Rows:
    """Return the rows of a table as dictionaries, with times in ms."""
    for index, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type):
            table = table.set_column(index, field.name, table[field.name].cast(pa.int64()))
    rows: Rows = table.to_pylist()
    return rows
