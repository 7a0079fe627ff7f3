"""Groups and their histories from the tables of an audit: the starts and ends of each member.

The records of a group do not show everything. If a static member of a classic group is replaced before its session
ends, no record shows when its process ended. The analysis assumes ASSUMED_DOWN_MS before the start of its successor. If
a dynamic member starts or ends, only the end of the following rebalance is recorded, and its time is used.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.log_tables import rows_of, topic_names
from tenure.audit.findings.returning_members import name_of
from tenure.audit.findings.tables import REBALANCE_COSTS
from tenure.audit.reading import arrow_table, check_directory
from tenure.audit.tables import ASSIGNMENTS, COMMITS, MEMBERS, REBALANCES, TOPICS
from tenure.limits.audit import SESSION_TIMEOUT_MS
from tenure.limits.whatif import STEPS_MAX
from tenure.protocol.special_values import CLASSIC
from tenure.whatif.history import History, HistoryStep, StepKind
from tenure.whatif.situation import GroupSeat, Situation, WhatIfError

Rows = list[dict[str, Any]]

ASSUMED_DOWN_MS: Final = 20_000
"""Assumed time between the end of a static member and its successor's start, if no record shows it."""

FIRST_JOINS_MS: Final = 60_000
"""Members that join within this time after the first member form the group at the beginning of the history."""


class AuditedGroups:
    """Groups in the tables of one audit, as input for simulations."""

    def __init__(self, directory: AuditDirectory) -> None:
        """Read the tables. Raises WhatIfError if the directory has none."""
        try:
            check_directory(directory)
        except FileNotFoundError as error:
            raise WhatIfError(str(error)) from None
        self._directory: Final = directory
        self._tables: Final = {
            table.name: arrow_table(directory, table) for table in (MEMBERS, REBALANCES, REBALANCE_COSTS, ASSIGNMENTS)
        }
        self._topics: Final = arrow_table(directory, TOPICS)
        self._sizes: Final[dict[str, int]] = {row["topic"]: row["partitions"] or 0 for row in rows_of(self._topics)}

    def group(self, group_id: str, steps_max: int = STEPS_MAX) -> tuple[Situation, History]:
        """Return a group at the beginning of its history, and the history.

        Args:
            group_id: Group id.
            steps_max: Maximum number of starts and ends; the latest ones are kept.

        Raises:
            WhatIfError: The audit has no such group, or the group cannot be simulated.
        """
        rebalances = self._rows(REBALANCES.name, group_id)
        members = self._rows(MEMBERS.name, group_id)
        if not rebalances or not members:
            raise WhatIfError(f"Unknown group {group_id}: the audit has no rebalance of this group.")
        partitions = self._partitions(group_id, members)
        seat_history = _SeatHistory.of(
            members, self._expired(group_id), tuple(partitions), is_classic=rebalances[-1]["group_type"] == CLASSIC
        )
        seats, steps = seat_history.latest(steps_max)
        sessions = [row["session_timeout_ms"] for row in members if row["session_timeout_ms"]]
        protocols = [row["protocol"] for row in rebalances if row["protocol"]]
        situation = Situation(
            group_id,
            seats,
            partitions,
            rebalances[-1]["group_type"],
            assignors=(protocols[-1] if protocols else "range",),
            session_timeout_ms=sessions[-1] if sessions else SESSION_TIMEOUT_MS,
            max_poll_interval_ms=max(members[-1]["rebalance_timeout_ms"] or 0, 1_000),
        )
        situation.check()
        return situation, History(steps, len(seat_history.steps) - len(steps))

    def _rows(self, table: str, group_id: str) -> Rows:
        found = self._tables[table]
        return rows_of(found.filter(pc.equal(found["group"], group_id)).sort_by("log_offset"))

    def _expired(self, group_id: str) -> set[int]:
        """Return the epochs that began because a session timed out."""
        costs = self._rows(REBALANCE_COSTS.name, group_id)
        return {row["epoch"] for row in costs if "session-timeout" in row["causes"]}

    def _partitions(self, group_id: str, members: Rows) -> dict[str, int]:
        """Return the number of partitions of each topic: of the tables, or more if assignments have more.

        Raises:
            WhatIfError: The tables do not have the name of a topic id.
        """
        found = self._tables[ASSIGNMENTS.name]
        own: pa.Table = found.filter(pc.equal(found["group"], group_id))
        most: dict[str, int] = defaultdict(int)
        names: Mapping[str, str] = {}
        if own["topic"].null_count:
            commits = arrow_table(self._directory, COMMITS, members[0]["log_partition"])
            names = topic_names(commits, self._topics)
        for row in own.select(["topic", "topic_id", "partition"]).to_pylist():
            name = row["topic"] or names.get(row["topic_id"])
            if name is None:
                raise WhatIfError(
                    f"The audit has no name of topic id {row['topic_id']}, which group {group_id} reads: grant DESCRIBE"
                    " on its topics, and run the audit again."
                )
            most[name] = max(most[name], row["partition"] + 1)
        subscribed = {topic for row in members for topic in row["topics"] or ()}
        return {topic: max(self._sizes.get(topic, 0), most.get(topic, 0)) for topic in {*subscribed, *most}}


@dataclass
class _SeatHistory:
    """Seats of a group with the starts and ends of their processes, collected from the rows about members."""

    session_ms: int
    is_classic: bool
    all_topics: tuple[str, ...]
    """Topics of members whose own ones are unknown: they subscribe by a pattern, or compaction removed a record."""
    seats: dict[str, GroupSeat] = field(default_factory=dict)
    """Seats by name. If several members have the same name, the later ones get a number after the name."""
    initial: list[str] = field(default_factory=list)
    occupied: dict[str, str] = field(default_factory=dict)
    """Seat that each present member occupies, by member id."""
    steps: list[HistoryStep] = field(default_factory=list)

    @classmethod
    def of(cls, rows: Rows, expired: set[int], all_topics: tuple[str, ...], *, is_classic: bool) -> "_SeatHistory":
        sessions = [row["session_timeout_ms"] for row in rows if row["session_timeout_ms"]]
        seat_history = cls(sessions[-1] if sessions else SESSION_TIMEOUT_MS, is_classic, all_topics)
        first_ms, has_departures = rows[0]["time"], False
        for row in rows:
            has_departures = has_departures or row["event"] not in ("joined", "changed")
            is_initial = not has_departures and row["time"] - first_ms <= FIRST_JOINS_MS
            match row["event"]:
                case "joined":
                    seat_history.joined(row, is_initial=is_initial)
                case "replaced":
                    seat_history.replaced(row)
                case "left":
                    seat_history.left(row, is_expired=row["epoch"] in expired)
                case "away":
                    seat_history.away(row)
        seat_history.steps.sort(key=lambda step: step.at_ms)
        return seat_history

    def joined(self, row: Mapping[str, Any], *, is_initial: bool) -> None:
        """Put a new member into a free seat with its name, or into a new seat.

        If `is_initial` is true, the member is part of the group in which the history begins. Otherwise its start is a
        step of the history.
        """
        name, number = name_of(dict(row)), 1
        taken = set(self.occupied.values())
        while (seat := name if number == 1 else f"{name} {number}") in taken:
            number += 1
        topics = tuple(row["topics"] or self.all_topics)
        self.seats.setdefault(seat, GroupSeat(seat, topics, row["instance_id"], row["client_id"] or ""))
        self.occupied[row["member_id"]] = seat
        if is_initial:
            self.initial.append(seat)
        else:
            self._add(row["time"], StepKind.START, seat)

    def replaced(self, row: Mapping[str, Any]) -> None:
        """Add the restart of a static member to the history.

        Only a consumer group has a record of the end, and only if the member announced its return. Without this record,
        assume that the process ended ASSUMED_DOWN_MS before the restart.
        """
        seat = self.occupied.pop(row["previous_member_id"], None)
        if seat is None:
            self.joined(row, is_initial=False)
            return
        self.occupied[row["member_id"]] = seat
        if not self._is_away(seat):
            self._add(row["time"] - ASSUMED_DOWN_MS, StepKind.KILL, seat)
        self._add(row["time"], StepKind.START, seat)

    def left(self, row: Mapping[str, Any], *, is_expired: bool) -> None:
        """Add the end of a member's process to the history.

        `is_expired` says whether its session timed out. The session of a static member of a classic group always timed
        out, because such a member sends no LeaveGroup.
        """
        seat = self.occupied.pop(row["member_id"], None)
        if seat is None or self._is_away(seat):
            return
        if is_expired or (self.is_classic and row["instance_id"] is not None):
            self._add(row["time"] - self.session_ms, StepKind.KILL, seat)
        else:
            self._add(row["time"], StepKind.CLOSE, seat)

    def away(self, row: Mapping[str, Any]) -> None:
        """Add the end of the process of a static member that announced its return."""
        seat = self.occupied.get(row["member_id"])
        if seat is not None and not self._is_away(seat):
            self._add(row["time"], StepKind.CLOSE, seat)

    def _is_away(self, seat: str) -> bool:
        last = next((step for step in reversed(self.steps) if step.seat.name == seat), None)
        return last is not None and last.kind is not StepKind.START

    def _add(self, at_ms: int, kind: StepKind, seat: str) -> None:
        last = next((step.at_ms for step in reversed(self.steps) if step.seat.name == seat), at_ms)
        self.steps.append(HistoryStep(max(at_ms, last), kind, self.seats[seat]))

    def latest(self, steps_max: int) -> tuple[tuple[GroupSeat, ...], tuple[HistoryStep, ...]]:
        """Return the latest steps, and the seats with a running process before the first of these steps."""
        earlier, steps = self.steps[: max(len(self.steps) - steps_max, 0)], self.steps[-steps_max:]
        running = dict.fromkeys(self.initial)
        for step in earlier:
            if step.kind is StepKind.START:
                running[step.seat.name] = None
            else:
                running.pop(step.seat.name, None)
        return tuple(self.seats[name] for name in running), tuple(steps)
