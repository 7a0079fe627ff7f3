"""Timeline of a simulated group: rebalances and moves as in the tables of an audit, and pauses of partitions."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from tenure.audit.groups.events import Events, GroupReplay
from tenure.audit.groups.group_model import GroupModel, RecordPosition
from tenure.audit.groups.history import apply_record
from tenure.audit.tables import ASSIGNMENTS, REBALANCES
from tenure.client.values import TopicPartition
from tenure.coordinator.shard import LogRecord

RECORDED: Final = (REBALANCES.name, ASSIGNMENTS.name)


class Pause(NamedTuple):
    """Interval in which no member worked on a partition."""

    partition: TopicPartition
    from_ms: int
    to_ms: int

    @property
    def length_ms(self) -> int:
        return self.to_ms - self.from_ms


class Timeline:
    """Events of one simulated group since the last call of `begin`."""

    def __init__(self, group_id: str, clock: Callable[[], int]) -> None:
        self._clock: Final = clock
        """Function that returns the virtual time in ms. It may skip periods in which nothing happens."""
        self._history: Final = GroupReplay(group_id, GroupModel(), Events())
        self._workers: Final[dict[TopicPartition, set[str]]] = {}
        """Processes that work on a partition."""
        self._idle_since: Final[dict[TopicPartition, int]] = {}
        self._records = 0
        self._pauses: list[Pause] = []
        self._began_ms = 0
        self.fenced: list[str] = []
        """Names of the processes that were fenced."""

    def begin(self) -> None:
        """Drop all events so far, and begin the timeline at the present time."""
        for name in RECORDED:
            self._history.events.rows[name] = []
        self._pauses, self.fenced, self._began_ms = [], [], self._clock()

    @property
    def began_ms(self) -> int:
        return self._began_ms

    def fold(self, record: LogRecord) -> None:
        """Apply a record of the coordinator's log, and add rows for its changes to the tables."""
        self._records += 1
        key: Any = record.key
        value: Any = record.value
        apply_record(self._history, key, value, RecordPosition(0, self._records, self._clock()))

    def record_start(self, name: str, partitions: Iterable[TopicPartition]) -> None:
        """Record that the process `name` starts to work on these partitions."""
        now_ms = self._clock()
        for partition in partitions:
            self._workers.setdefault(partition, set()).add(name)
            since_ms = self._idle_since.pop(partition, None)
            if since_ms is not None and now_ms > since_ms:
                self._pauses.append(Pause(partition, since_ms, now_ms))

    def record_stop(self, name: str, partitions: Iterable[TopicPartition]) -> None:
        """Record that the process `name` has stopped working on these partitions."""
        for partition in partitions:
            workers = self._workers.get(partition)
            if workers is None or name not in workers:
                continue
            workers.remove(name)
            if not workers:
                self._idle_since[partition] = self._clock()

    @property
    def recorded(self) -> dict[str, list[dict[str, Any]]]:
        """Rows of the audit's tables by their names. Their times are those of the simulation."""
        return self._history.events.rows

    @property
    def rebalances(self) -> list[dict[str, Any]]:
        """Rows of the audit's table of rebalances, with virtual times."""
        return self._history.events.rows.get(REBALANCES.name, [])

    @property
    def assignments(self) -> list[dict[str, Any]]:
        """Rows of the audit's table of assignments."""
        return self._history.events.rows.get(ASSIGNMENTS.name, [])

    def pauses(self) -> list[Pause]:
        """Return all pauses. A pause that has not ended is returned with the present time as its end."""
        now_ms = self._clock()
        return [*self._pauses, *(Pause(of, since_ms, now_ms) for of, since_ms in self._idle_since.items())]
