"""Group coordinator in virtual time: the broker's own rules, without log, network and faults."""

from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Any, Final

from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.member import Target
from tenure.coordinator.groups.effects import perform
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import NO_ASK, AskId, LogRecord, Now
from tenure.protocol.types import GroupId, MemberId
from tenure.simulation.agenda import Agenda

BEGAN_MS: Final = 1_700_000_000_000
"""Wall clock at the start of the simulation, in ms since the epoch."""


class SimulatedCoordinator:
    """Shard of groups without network and log. Answers reach their callbacks without delay."""

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
        """Handle a command. `then` is called with the answer, immediately or later."""
        self._asks += 1
        ask = AskId(self._asks)
        self._waiting[ask] = then
        self._handle(ask, command)
        self._set_timer()

    def assign(self, group_id: GroupId, targets: Mapping[MemberId, Target]) -> None:
        """Replace the target assignment of a consumer group, in a new epoch."""
        group = self.shard.consumer_group(group_id)
        assert group is not None
        epoch = group.group_epoch + 1
        self._apply(logged.group_epoch(group_id, epoch, group.metadata_hash))
        for member_id, target in targets.items():
            self._apply(logged.target(group_id, member_id, target))
        self._apply(logged.target_epoch(group_id, epoch, BEGAN_MS + self._agenda.now_ms))

    def sessions_end_in_ms(self, group_id: GroupId, members: Collection[MemberId], otherwise_ms: int) -> int:
        """Return the time until the first session of these members ends; `otherwise_ms` if there are none."""
        now_ms, deadlines = self._agenda.now_ms, self._timers(group_id)
        return min((deadlines.get(member_id, now_ms) - now_ms for member_id in members), default=otherwise_ms)

    def shorten_sessions(self, group_id: GroupId, members: Collection[MemberId], by_ms: int) -> None:
        """Subtract `by_ms`, the time that the simulation has skipped, from the session deadlines of these members."""
        for member_id in members:
            deadline_ms = self._timers(group_id)[member_id] - by_ms
            self.shard.apply(SessionExtended(group_id, member_id, deadline_ms))
        self._set_timer()

    def _timers(self, group_id: GroupId) -> Mapping[MemberId, int]:
        group = self.shard.consumer_group(group_id) or self.shard.classic_group(group_id)
        return {} if group is None else group.session_deadlines

    def _handle(self, ask: AskId, command: object) -> None:
        now_ms = self._agenda.now_ms
        result = self.shard.handle(ask, command, Now(BEGAN_MS + now_ms, now_ms))
        for record in result.records:
            self._apply(record)
        for of, answer in result.replies:
            then = self._waiting.pop(of, None)
            if then is not None:
                then(answer)
        for effect in result.effects:
            self._handle(NO_ASK, perform(effect))

    def _apply(self, record: object) -> None:
        self.shard.apply(record)
        if isinstance(record, LogRecord):
            self._on_record(record)

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
