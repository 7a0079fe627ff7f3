"""Group coordinator in virtual time: the broker's own rules, without a log, a network and faults."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from tenure.coordinator.groups.effects import perform
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import NO_ASK, AskId, LogRecord, Now
from tenure.simulation.agenda import Agenda

BEGAN_MS: Final = 1_700_000_000_000
"""Wall clock at the begin of the simulation."""


class SimulatedCoordinator:
    """A groups shard whose answers leave at once."""

    def __init__(
        self,
        agenda: Agenda,
        random: Random,
        topics: Topics,
        settings: GroupSettings,
        on_record: Callable[[LogRecord], None],
    ) -> None:
        self.shard: Final = GroupsShard(settings, random.randbytes, None, lambda: topics)
        self._agenda: Final = agenda
        self._on_record: Final = on_record
        self._waiting: Final[dict[AskId, Callable[[Any], None]]] = {}
        """Callbacks for the answers of parked joins and syncs."""
        self._asks = 0
        self._timer_ms: int | None = None

    def ask(self, command: object, then: Callable[[Any], None]) -> None:
        """Handle a command, and call `then` with its answer, now or later."""
        self._asks += 1
        ask = AskId(self._asks)
        self._waiting[ask] = then
        self._handle(ask, command)
        self._set_timer()

    def _handle(self, ask: AskId, command: object) -> None:
        now_ms = self._agenda.now_ms
        step = self.shard.handle(ask, command, Now(BEGAN_MS + now_ms, now_ms))
        for record in step.records:
            self.shard.apply(record)
            if isinstance(record, LogRecord):
                self._on_record(record)
        for of, answer in step.replies:
            then = self._waiting.pop(of, None)
            if then is not None:
                then(answer)
        for effect in step.effects:
            self._handle(NO_ASK, perform(effect))

    def _set_timer(self) -> None:
        due_ms = self.shard.next_deadline_ms()
        if due_ms is not None and (self._timer_ms is None or due_ms < self._timer_ms):
            self._timer_ms = due_ms
            self._agenda.at(due_ms, lambda: self._ring(due_ms))

    def _ring(self, due_ms: int) -> None:
        if self._timer_ms != due_ms:
            return
        self._timer_ms = None
        now_ms = self._agenda.now_ms
        for passed in self.shard.due(Now(BEGAN_MS + now_ms, now_ms)):
            self._handle(NO_ASK, passed)
        self._set_timer()
