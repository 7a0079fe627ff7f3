"""Memberships of the engines of one streams group member: one engine for each subtopology.

A member of a streams group has tasks of all steps of a pipeline. Each step has an engine in its own thread. Each engine
gets the partitions of the tasks of its own subtopology. One engine at a time polls the member, and distributes the
events to all engines.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from threading import Condition
from typing import Final

from tenure.client.errors import Fenced
from tenure.client.streams.streams_member import StreamsMember
from tenure.client.tasks import (
    GroupStatus,
    StatusChanged,
    StatusCode,
    StreamsEvent,
    Task,
    Tasks,
    TasksAssigned,
    TasksLost,
    TasksRevoked,
)
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.membership import MemberFenced
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.values import Assigned, Event, Lost, Revoked, TopicPartition

log: Final = logging.getLogger("tenure.pipeline")

EXPECTED: Final = frozenset({StatusCode.ASSIGNMENT_DELAYED, StatusCode.MISSING_INTERNAL_TOPICS})
"""Statuses that are normal while a group starts: the group waits for members, or the broker creates internal topics.
They are logged as DEBUG."""


class SharedStreamsMember:
    """Member of a streams group that several engines use, each for one subtopology. Thread-safe."""

    def __init__(
        self,
        member: StreamsMember,
        group_id: str,
        max_poll_interval_s: float,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.member: Final = member
        self._group_id: Final = group_id
        self._max_poll_interval_s: Final = max_poll_interval_s
        self._clock_s: Final = clock_s
        self._changed: Final = Condition()
        """Condition that guards all fields below. It is notified when one of them changes."""
        self._events: Final[dict[str, list[Event]]] = {}
        """Events that each running engine has not taken yet, by subtopology."""
        self._polled_at_s: Final[dict[str, float]] = {}
        self._revoking: Final[set[str]] = set()
        """Subtopologies whose engines have not acknowledged the revocation."""
        self._copies: Final[dict[Task, int]] = {}
        """Positions that were last reported for the copies of standby tasks."""
        self._is_polling = False
        self._is_started = False
        self._stopped_by: PipelineStopped | None = None

    def membership(self, subtopology_id: str, group_instance_id: str | None) -> "SubtopologyMembership":
        """Return the membership of the engine of a subtopology."""
        self._events[subtopology_id] = []
        self._polled_at_s[subtopology_id] = self._clock_s()
        return SubtopologyMembership(self, subtopology_id, group_instance_id)

    def start(self) -> None:
        """Start to join the group. Each engine calls this method; only the first call has an effect."""
        with self._changed:
            is_first, self._is_started = not self._is_started, True
            if is_first:
                self._polled_at_s.update(dict.fromkeys(self._events, self._clock_s()))
                self.member.start()

    def close(self, subtopology_id: str, leave: bool | None) -> None:
        """Remove the engine of a subtopology. If it is the last engine, close the member, and pass `leave` to it."""
        with self._changed:
            self._events.pop(subtopology_id, None)
            self._polled_at_s.pop(subtopology_id, None)
            is_last = not self._events
        self.acknowledge(subtopology_id)
        if is_last:
            self.member.close(leave)

    # --- events -------------------------------------------------------------------------------------------------------

    def poll(self, subtopology_id: str, timeout_s: float) -> list[Event]:
        """Return the events of an engine; wait up to `timeout_s` for the first one."""
        with self._changed:
            self._polled_at_s[subtopology_id] = self._clock_s()
            if self._events[subtopology_id] or self._is_polling or self._has_hanging_engine():
                self._changed.wait_for(lambda: bool(self._events[subtopology_id]), timeout_s)
                return self._take_events(subtopology_id)
            self._is_polling = True
        found: list[StreamsEvent] = []
        try:
            found = self.member.poll(timeout_s)
        finally:
            with self._changed:
                self._is_polling = False
                for event in found:
                    self._distribute(event)
                self._changed.notify_all()
        with self._changed:
            return self._take_events(subtopology_id)

    def _has_hanging_engine(self) -> bool:
        """Return whether an engine has not polled for longer than `max.poll.interval.ms`.

        In that case the other engines stop polling too, so that the member leaves the group.
        """
        return min(self._polled_at_s.values()) < self._clock_s() - self._max_poll_interval_s

    def _take_events(self, subtopology_id: str) -> list[Event]:
        if self._stopped_by is not None:
            raise self._stopped_by
        events, self._events[subtopology_id] = self._events[subtopology_id], []
        return events

    def _distribute(self, event: StreamsEvent) -> None:
        match event:
            case TasksAssigned(identity, tasks, added):
                self._revoking.clear()
                for subtopology_id, events in self._events.items():
                    has, gets = self._partitions_of(tasks, subtopology_id), self._partitions_of(added, subtopology_id)
                    events.append(Assigned(identity, has, gets))
            case TasksRevoked(tasks):
                self._revoke(tasks)
            case TasksLost(tasks):
                self._revoking.clear()
                for subtopology_id, events in self._events.items():
                    events.append(Lost(self._partitions_of(tasks, subtopology_id)))
            case StatusChanged(statuses):
                self._report(statuses)

    def _revoke(self, tasks: Tasks) -> None:
        """Add a revocation event for each engine that loses active tasks. Standby tasks need no event."""
        for subtopology_id, events in self._events.items():
            if revoked := self._partitions_of(tasks, subtopology_id):
                self._revoking.add(subtopology_id)
                events.append(Revoked(revoked))
        if not self._revoking:
            self.member.acknowledge_revocation()

    def acknowledge(self, subtopology_id: str) -> None:
        """Acknowledge the revocation for one engine. After the last engine, acknowledge it to the group."""
        with self._changed:
            if subtopology_id in self._revoking:
                self._revoking.discard(subtopology_id)
                if not self._revoking:
                    self.member.acknowledge_revocation()

    def _partitions_of(self, tasks: Tasks, subtopology_id: str) -> tuple[TopicPartition, ...]:
        """Return the input partitions of the active tasks of a subtopology."""
        active = (task for task in tasks.active if task.subtopology_id == subtopology_id)
        return tuple(partition for task in active for partition in self.member.partitions_of(task))

    # --- copies of state ----------------------------------------------------------------------------------------------

    def standby_partitions(self, subtopology_id: str) -> list[int]:
        """Return the partition numbers of the standby and warm-up tasks of a subtopology."""
        tasks = self.member.tasks
        return sorted(
            task.partition for task in (*tasks.standby, *tasks.warmup) if task.subtopology_id == subtopology_id
        )

    def report_copies(self, subtopology_id: str, positions: Mapping[int, int]) -> None:
        """Report to the broker for which standby tasks of a subtopology this host has a complete copy of the state.

        `positions` has the position of each copy, by partition number.
        """
        with self._changed:
            others = {task: at for task, at in self._copies.items() if task.subtopology_id != subtopology_id}
            now = others | {Task(subtopology_id, number): at for number, at in positions.items()}
            if now != self._copies:
                self._copies.clear()
                self._copies.update(now)
                self.member.report_offsets(now, now)  # A complete copy has no lag, so its end is its position.

    # --- statuses -----------------------------------------------------------------------------------------------------

    def _report(self, statuses: Iterable[GroupStatus]) -> None:
        for status in statuses:
            level = logging.DEBUG if status.code in EXPECTED else logging.WARNING
            log.log(level, "group %s: %s", self._group_id, status.detail)
            self._stopped_by = self._stopped_by or self._error_of(status)

    def _error_of(self, status: GroupStatus) -> PipelineStopped | None:
        """Return the error for a status that stops the pipeline; None for other statuses."""
        match status.code:
            case StatusCode.SHUTDOWN_APPLICATION:
                return PipelineStopped(
                    Code.REFUSED_BY_BROKER,
                    f"a member of the streams group '{self._group_id}' has asked all of its members to stop: start the"
                    " application again when the group is empty",
                )
            case StatusCode.INCORRECTLY_PARTITIONED_TOPICS:
                return PipelineStopped(
                    Code.NOT_CO_PARTITIONED,
                    f"topics of the streams group '{self._group_id}' have the wrong number of partitions"
                    f" ({status.detail.rstrip('.')}): give topics that are read together the same number, and if a"
                    " topic has grown, delete the group's changelog topics, which are empty",
                )
            case _:
                return None


class SubtopologyMembership(ClientMembership):
    """Implementation of `GroupMembership` for the engine of one subtopology, over the shared streams group member."""

    def __init__(self, shared: SharedStreamsMember, subtopology_id: str, group_instance_id: str | None) -> None:
        super().__init__(shared.member, group_instance_id)
        self.shared: Final = shared
        self.subtopology_id: Final = subtopology_id

    def start(self) -> None:
        self.shared.start()

    def poll(self, timeout_s: float) -> list[Event]:
        """Wait up to `timeout_s` for events, and return them.

        Raises MemberFenced, PipelineStopped, and other errors that ended the membership.
        """
        try:
            return self.shared.poll(self.subtopology_id, timeout_s)
        except Fenced as error:
            raise MemberFenced(str(error)) from error

    def acknowledge_revocation(self) -> None:
        self.shared.acknowledge(self.subtopology_id)

    @property
    def standby_partitions(self) -> list[int]:
        """Partition numbers of the lanes whose state this host should copy."""
        return self.shared.standby_partitions(self.subtopology_id)

    def report_copies(self, positions: Mapping[int, int]) -> None:
        """Report to the broker which standby lanes this host has a complete copy of, as in `SharedStreamsMember`."""
        self.shared.report_copies(self.subtopology_id, positions)

    def close(self, *, leave: bool | None = None) -> None:
        self.shared.close(self.subtopology_id, leave)
