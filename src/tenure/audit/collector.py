"""Function of the audit's pipeline: converts records of one partition of `__consumer_offsets` to rows of the tables.

The state of the pipeline contains a model of each group. Records about members change the model of their group, one by
one, in the order of the log. Offset commits are aggregated as columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.commit_windows import NONE, MembersChange, commit_tables
from tenure.audit.groups.events import Events, GroupReplay
from tenure.audit.groups.group_model import GroupModel, RecordPosition
from tenure.audit.groups.history import apply_record
from tenure.audit.records.big_endian import BinaryColumn
from tenure.audit.records.coordinator_records import GROUP
from tenure.audit.tables import EXPIRED, RECORDS
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.layers import combined
from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitValue,
    UnknownRecord,
    decode_record,
)
from tenure.protocol.message import MalformedMessage

STATE: Final = "epoch int, changed_at long, model string"
"""Columns of the pipeline's state of each group. `changed_at` is the log offset of the last change of members."""

OFFSETS: Final = 1
"""Highest record type of offset commits, which have the types 0 (older) and 1."""

NEWEST_OFFSET: Final = max(OffsetCommitValue.VERSIONS)
NEWEST_GENERATION: Final = max(GroupMetadataValue.VERSIONS)
GENERATION: Final = GroupMetadataKey.KEY.to_bytes(2, "big")
"""Key prefix of GroupMetadata, the only record type here with several versions."""

READ, UNKNOWN, DAMAGED = "read", "unknown", "damaged"
STATUSES: Final = (READ, UNKNOWN, DAMAGED)


def collect(rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
    """Return the rows of each table for a batch. The main output is the table of commits."""
    if not len(rows):
        return {}
    types = record_types(combined(rows["key"]))
    is_offset = (types >= 0) & (types <= OFFSETS)
    groups = GroupsOfBatch(state)
    statuses = numpy.zeros(len(rows), numpy.int8)
    versions = numpy.full(len(rows), NONE, numpy.int16)
    others, offsets = numpy.flatnonzero(~is_offset), rows
    if len(others):
        statuses[others], versions[others] = groups.apply(rows.take(pa.array(others)))
        offsets = rows.filter(pa.array(is_offset))
    found = commit_tables(offsets, rows["partition"][0].as_py(), groups)
    is_newer = ~found.good & (found.versions > NEWEST_OFFSET)
    statuses[is_offset] = numpy.where(found.good, 0, numpy.where(is_newer, 1, 2))
    versions[is_offset] = found.versions
    groups.save()
    tables = {
        MAIN: found.commits,
        EXPIRED.name: found.expired,
        RECORDS.name: record_counts(rows, types, versions, statuses),
        **groups.events.tables(),
    }
    return {name: table for name, table in tables.items() if len(table)}


def record_types(keys: pa.DictionaryArray) -> Any:
    """Return the type of each record; -1 without a key."""
    column = BinaryColumn(keys.dictionary)
    types = numpy.where(column.length >= 2, column.int16(column.start), NONE)
    return numpy.append(types, numpy.int16(NONE))[keys.indices.fill_null(len(types)).to_numpy()]


@dataclass(slots=True)
class GroupsOfBatch:
    """Groups with records in a batch, other than offset commits.

    The records are applied to the model of each group, to find the records at which its members change.
    """

    state: KeyedState
    histories: dict[str, GroupReplay] = field(default_factory=dict)
    """Groups with records other than offset commits."""
    events: Events = field(default_factory=Events)
    changed: dict[str, list[MembersChange]] = field(default_factory=dict)
    """Changes of members of these groups: the last change before the batch, then those of the batch."""

    def apply(self, rows: pa.Table) -> tuple[Any, Any]:
        """Apply records other than offset commits. Return the status (an index of STATUSES) and the version of each."""
        groups = pc.unique(pc.drop_null(combined(rows[GROUP])))
        models = self.state.get(groups)["model"].to_pylist()
        before = zip(*(column.tolist() for column in self.before(groups)), strict=True)
        for group, text, change in zip(groups.to_pylist(), models, before, strict=True):
            self.histories[group] = GroupReplay(group, GroupModel.from_json(text), self.events)
            self.changed[group] = [MembersChange(*change)]
        results = [self._apply(*record) for record in _records(rows)]
        statuses, versions = zip(*results, strict=True)
        return numpy.array(statuses, numpy.int8), numpy.array(versions, numpy.int16)

    def before(self, groups: pa.Array) -> tuple[Any, Any]:
        """Return log offset and epoch of the last change of each group before the batch (`MembersChanges`)."""
        found = self.state.get(groups)
        at, epochs = (found[name].fill_null(NONE).to_numpy() for name in ("changed_at", "epoch"))
        return at, epochs.astype(numpy.int64)

    def _apply(
        self, group: str | None, key: bytes | None, value: bytes | None, position: RecordPosition
    ) -> tuple[int, int]:
        """Apply one record. Return its status (an index of STATUSES) and the version of its value."""
        version = NONE if value is None or len(value) < 2 else int.from_bytes(value[:2], "big", signed=True)
        if key is None or len(key) < 2:
            return STATUSES.index(DAMAGED), version
        try:
            decoded = decode_record(key, value)
        except MalformedMessage:
            newest = NEWEST_GENERATION if key[:2] == GENERATION else 0
            return STATUSES.index(UNKNOWN if version > newest else DAMAGED), version
        if isinstance(decoded, UnknownRecord) or group is None:
            return STATUSES.index(UNKNOWN), version
        history = self.histories[group]
        before = self.events.count, history.model.epoch
        apply_record(history, *decoded, position)
        if before != (self.events.count, history.model.epoch):
            self.changed[group].append(MembersChange(position.log_offset, history.model.epoch))
        return STATUSES.index(READ), version

    def save(self) -> None:
        """Write the models of groups to the state, and delete those of removed groups."""
        gone = [group for group, history in self.histories.items() if history.model == GroupModel()]
        kept = {group: history.model for group, history in self.histories.items() if group not in gone}
        if gone:
            self.state.delete(pa.array(gone, pa.string()))
        if kept:
            columns = {
                "epoch": pa.array([model.epoch for model in kept.values()], pa.int32()),
                "changed_at": pa.array([self.changed[group][-1].log_offset for group in kept], pa.int64()),
                "model": pa.array([model.to_json() for model in kept.values()], pa.string()),
            }
            self.state.put(pa.array(list(kept), pa.string()), pa.table(columns))


def _records(rows: pa.Table) -> Iterator[tuple[str | None, bytes | None, bytes | None, RecordPosition]]:
    columns = rows.set_column(
        rows.column_names.index("timestamp"), "timestamp", rows["timestamp"].cast(pa.int64())
    ).to_pydict()
    for group, key, value, partition, offset, time_ms in zip(
        *(columns[name] for name in (GROUP, "key", "value", "partition", "offset", "timestamp")), strict=True
    ):
        yield group, key, value, RecordPosition(partition, offset, time_ms)


def record_counts(rows: pa.Table, types: Any, versions: Any, statuses: Any) -> pa.Table:
    """Return rows of the table of records: their number, offsets and times by type, version and status."""
    kinds = (types.astype(numpy.int64) << 24) + (versions.astype(numpy.int64) << 8) + statuses
    codes = pa.array(kinds).dictionary_encode().indices.to_numpy()
    log_partition, offsets = rows["partition"][0].as_py(), rows["offset"].to_numpy()
    times = rows["timestamp"].cast(pa.int64()).to_numpy()
    found = []
    for code in range(codes.max() + 1):
        own = numpy.flatnonzero(codes == code)
        first, last, its_times = own[0], own[-1], times[own]
        version = None if versions[first] == NONE else versions[first]
        kind = (log_partition, types[first], version, STATUSES[statuses[first]])
        found.append((*kind, len(own), offsets[first], offsets[last], its_times.min(), its_times.max()))
    columns = [pa.array(column) for column in zip(*found, strict=True)]
    return pa.table(columns, names=RECORDS.schema.names).cast(RECORDS.schema)
