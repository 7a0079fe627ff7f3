"""Table rows that result from a group's records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tenure.audit.groups.group_model import GroupModel, LastOwner, Member, PartitionKey, RecordPosition
from tenure.audit.tables import ASSIGNMENTS, MEMBERS, REBALANCES, AuditTable
from tenure.protocol.special_values import CONSUMER


@dataclass(slots=True)
class Events:
    """Collection of rows for the tables of rebalances, members and assignments, in the order of the log."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def add(self, table: AuditTable, position: RecordPosition, group: str, **columns: Any) -> None:
        """Add a row. Columns that are left out are null."""
        row = {
            "log_partition": position.log_partition,
            "log_offset": position.log_offset,
            "time": position.time_ms,
            "group": group,
            **columns,
        }
        self.rows.setdefault(table.name, []).append(row)

    @property
    def count(self) -> int:
        """Number of rows in all tables."""
        return sum(map(len, self.rows.values()))

    def tables(self) -> dict[str, pa.Table]:
        """Return the rows as Arrow tables."""
        schemas = {table.name: table.schema for table in (REBALANCES, MEMBERS, ASSIGNMENTS)}
        return {name: pa.Table.from_pylist(rows, schema=schemas[name]) for name, rows in self.rows.items()}


@dataclass(slots=True)
class GroupReplay:
    """Model of a group while its records are applied, and the collection of its events."""

    group: str
    model: GroupModel
    events: Events

    def member_event(self, position: RecordPosition, event: str, member: Member, previous: str | None = None) -> None:
        """Add a row to the table of members. `previous` is the old member id of a static member that returned."""
        self.events.add(
            MEMBERS,
            position,
            self.group,
            epoch=None if self.model.epoch < 0 else self.model.epoch,
            event=event,
            member_id=member.member_id,
            instance_id=member.instance_id,
            previous_member_id=previous,
            client_id=member.client_id,
            client_host=member.client_host,
            session_timeout_ms=member.session_timeout_ms,
            rebalance_timeout_ms=member.rebalance_timeout_ms,
            topics=member.topics,
        )

    def rebalance(
        self,
        position: RecordPosition,
        missed: int | None,
        counts: Mapping[str, int],
        causes: list[str],
        needed: int | None,
    ) -> None:
        """Add a row to the table of rebalances.

        Args:
            position: Position of the record that ends the rebalance.
            missed: Number of epochs between the previous record and this one that left no record; None if unknown.
            counts: Number of joined, left, replaced and changed members, by column name.
            causes: Causes of the rebalance.
            needed: Minimum number of partition moves for a balanced assignment; None if it cannot be computed.
        """
        self.events.add(
            REBALANCES,
            position,
            self.group,
            group_type=self.model.group_type,
            epoch=self.model.epoch,
            missed_epochs=missed,
            protocol=self.model.protocol or None,
            members=len(self.model.members),
            **counts,
            causes=causes,
            needed_moves=needed,
        )

    def assign(self, position: RecordPosition, key: PartitionKey, owner: str, member_id: str) -> None:
        """Make a member the owner of a partition, and add a row unless it has been the owner already."""
        before = self.model.ownerships.get(key)
        if before is not None and before.owner == owner and before.released_ms is None:
            before.member_id = member_id  # A static member that came back keeps its partitions.
            return
        released = (
            None if before is None else before.released_ms if before.released_ms is not None else position.time_ms
        )
        self.model.ownerships[key] = LastOwner(owner, member_id, position.time_ms)
        self._assignment(position, key, before, released, owner=owner, member_id=member_id)

    def release(self, position: RecordPosition, key: PartitionKey) -> None:
        """Record that the owner of a partition has lost it, and add a row unless that was recorded already."""
        before = self.model.ownerships[key]
        if before.released_ms is None:
            before.released_ms = position.time_ms
            self._assignment(position, key, before, position.time_ms, owner=None, member_id=None)

    def _assignment(
        self,
        position: RecordPosition,
        key: PartitionKey,
        before: LastOwner | None,
        released: int | None,
        *,
        owner: str | None,
        member_id: str | None,
    ) -> None:
        by_id = self.model.group_type == CONSUMER
        self.events.add(
            ASSIGNMENTS,
            position,
            self.group,
            epoch=self.model.epoch,
            topic=None if by_id else key[0],
            topic_id=key[0] if by_id else None,
            partition=key[1],
            owner=owner,
            member_id=member_id,
            previous_owner=None if before is None else before.owner,
            previous_member_id=None if before is None else before.member_id,
            previous_since=None if before is None else before.since_ms,
            released=released,
            moved=owner is not None and before is not None and before.owner != owner,
        )
