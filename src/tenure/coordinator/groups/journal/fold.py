"""The rebalance journal as a fold over what a groups shard applies.

Whatever happens to a classic group is a record, durable or ephemeral (docs/rules.md 2, 6.5). So a journal needs no word
from the rules: it looks at each record *before* it is applied, beside the group as it still is, and tells an entry
when a rebalance begins, when it ends, and when a static seat goes over without one. No rule knows of it, nothing that
it does changes a group, and heartbeats and commits do not come by here.

    came, went, came back        news, which the next rebalance is told with
    RebalanceStarted             begins with the news; one that is still under way is superseded
    GenerationStarted            ends its first phase
    GroupMetadata                ends it: Stable or Empty. With none under way, a seat was taken over, a standby came
                                 or went, or a log is replayed

Deterministic, without a clock: `wall_ms` comes with each record. What it remembers of a group is bounded; a fail-over
forgets it, and with it the rebalance under way, of which the journal then holds the beginning only.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.journal import words
from tenure.coordinator.groups.journal.entries import (
    Entry,
    Former,
    Party,
    RebalanceBegan,
    RebalanceEnded,
    Replacement,
    ReserveChanged,
    SeatTakenOver,
)
from tenure.coordinator.groups.journal.ownership import Owned, moves
from tenure.coordinator.groups.records import (
    GenerationStarted,
    GroupDied,
    MemberAdded,
    MemberRemoved,
    MemberReplaced,
    RebalanceStarted,
)
from tenure.coordinator.shard import LogRecord
from tenure.limits import JOURNAL_DEPARTED_MAX, JOURNAL_GROUPS_REMEMBERED_MAX, JOURNAL_MEMBERS_NAMED_MAX
from tenure.protocol.consumer_offsets import GroupMetadataValue
from tenure.protocol.types import GenerationId, GroupId, MemberId

T = TypeVar("T")

CONSUMER: Final = "consumer"

Seat: TypeAlias = str | tuple[str, str]
"""By what a newcomer is known again: its instance id, or client id and host, which several members may share."""


class Tally:
    """What has been told so far, for the metrics: outlives the shards, whose folds all add to it."""

    __slots__ = ("departures", "rebalances", "seats_taken_over", "superseded")

    def __init__(self) -> None:
        self.rebalances: Counter[Cause] = Counter()
        self.departures: Counter[Cause] = Counter()
        self.seats_taken_over = 0
        self.superseded = 0


class _Rebalance:
    """Gathers news, and then the phases of the rebalance that follows from it."""

    __slots__ = (
        "began_ms",
        "cause",
        "departed",
        "generation",
        "generation_before",
        "generation_ms",
        "joined",
        "leader",
        "owned_before",
        "protocol_name",
        "replaced",
        "trigger",
    )

    def __init__(self) -> None:
        self.joined: list[Party] = []
        self.departed: list[Party] = []
        self.replaced: list[Replacement] = []
        self.owned_before: Owned | None = None
        """What was assigned when the group was Stable last."""
        self.trigger = ""
        self.cause = ""
        self.began_ms = 0
        self.generation_before = GenerationId(0)
        self.generation: GenerationId | None = None
        """None until all have joined."""
        self.generation_ms: int | None = None
        self.leader: MemberId | None = None
        self.protocol_name: str | None = None


class Fold:
    """Of one shard's whole life; `tell` is called while a record is being applied, and must not look at the shard."""

    __slots__ = ("_departed", "_news", "_tally", "_tell", "_under_way")

    def __init__(self, tell: Callable[[Entry], None], tally: Tally) -> None:
        self._tell = tell
        self._tally = tally
        self._news: dict[GroupId, _Rebalance] = {}
        """Invariant, at rest: empty, for all news is told in the step that brings it."""
        self._under_way: dict[GroupId, _Rebalance] = {}
        self._departed: dict[GroupId, dict[Seat, tuple[Member, Cause, int]]] = {}
        """The last to leave each seat, and when; bounded by group and in all, the oldest are forgotten first."""

    def see(self, group: ClassicGroup | ConsumerGroup, record: object, wall_ms: int) -> None:
        """`record` is about to be applied to `group`."""
        if isinstance(group, ConsumerGroup):
            return
        look = _LOOKS.get(type(record))
        if look is not None:
            look(self, group, record, wall_ms)

    # --- who came and went --------------------------------------------------------------------------------------------

    def _added(self, group: ClassicGroup, record: MemberAdded, wall_ms: int) -> None:
        member = record.member
        former = self._take_former(group.group_id, member, wall_ms)
        party = _party(member, Cause.JOINED, record.reason, wall_ms, former)
        self._news_of(group).joined.append(party)

    def _removed(self, group: ClassicGroup, record: MemberRemoved, wall_ms: int) -> None:
        member = group.members.get(record.member_id)
        if member is None:  # an id that was handed out and never joined
            return
        news, why = self._news_of(group), record.why
        if news.owned_before is None and group.state is State.STABLE:
            news.owned_before = _owned(group)
        news.departed.append(_party(member, why.cause, why.reason, wall_ms, None))
        self._tally.departures[why.cause] += 1
        self._remember(group.group_id, member, why.cause, wall_ms)

    def _replaced(self, group: ClassicGroup, record: MemberReplaced, wall_ms: int) -> None:
        member = record.member
        replacement = Replacement(
            member.group_instance_id, record.old_member_id, member.member_id, record.reason, wall_ms
        )
        self._news_of(group).replaced.append(replacement)

    def _news_of(self, group: ClassicGroup) -> _Rebalance:
        """While members are gathered, whoever comes or goes belongs to that rebalance; later, to the next one."""
        under_way = self._under_way.get(group.group_id)
        if under_way is not None and group.state is State.PREPARING_REBALANCE:
            return under_way
        return self._news.setdefault(group.group_id, _Rebalance())

    # --- a rebalance --------------------------------------------------------------------------------------------------

    def _began(self, group: ClassicGroup, record: RebalanceStarted, wall_ms: int) -> None:
        group_id, why = group.group_id, record.why
        rebalance = self._news.pop(group_id, None) or _Rebalance()
        superseded = self._under_way.get(group_id)
        if superseded is not None:
            rebalance.owned_before = superseded.owned_before
            self._end(group, superseded, "superseded", wall_ms)
            self._tally.superseded += 1
        elif rebalance.owned_before is None:
            rebalance.owned_before = _owned(group)
        alike = [party for party in rebalance.departed if party.trigger == words.trigger_of(why.cause)]
        who = self._whom(group, rebalance, why.member_id)
        rebalance.trigger = words.trigger_of(why.cause)
        rebalance.cause = words.rebalance_cause(why, who, max(len(alike) - 1, 0))
        rebalance.began_ms, rebalance.generation_before = wall_ms, group.generation_id
        self._under_way[group_id] = rebalance
        self._tally.rebalances[why.cause] += 1
        began = RebalanceBegan(
            group_id, wall_ms, rebalance.trigger, rebalance.cause, group.state.value, group.generation_id
        )
        self._tell(began)

    def _whom(self, group: ClassicGroup, news: _Rebalance, member_id: MemberId) -> Party | None:
        for party in (*news.joined, *news.departed):
            if party.member_id == member_id:
                return party
        member = group.members.get(member_id)
        return None if member is None else _party(member, Cause.UNKNOWN, "", 0, None)

    def _generation_started(self, group: ClassicGroup, record: GenerationStarted, wall_ms: int) -> None:
        rebalance = self._under_way.get(group.group_id)
        if rebalance is not None:
            rebalance.generation, rebalance.generation_ms = record.generation_id, wall_ms
            rebalance.leader, rebalance.protocol_name = record.leader, record.protocol_name

    def _logged(self, group: ClassicGroup, record: LogRecord, wall_ms: int) -> None:
        """A replayed log looks like this too, and finds nothing to tell: nothing was ephemeral before it."""
        group_id, metadata = group.group_id, record.value
        if not isinstance(metadata, GroupMetadataValue):  # the group is deleted
            self._news.pop(group_id, None)
            self._under_way.pop(group_id, None)
            self._departed.pop(group_id, None)
        elif (rebalance := self._under_way.get(group_id)) is not None:
            after: dict[str, bytes] = {
                member.group_instance_id or member.member_id: member.assignment for member in metadata.members
            }
            rebalance.generation = rebalance.generation or metadata.generation
            self._end(group, rebalance, "stable" if after else "empty", wall_ms, after)
        elif (news := self._news.pop(group_id, None)) is not None:
            for replacement in news.replaced:
                cause = words.taken_over(replacement, metadata.generation)
                self._tally.seats_taken_over += 1
                self._tell(SeatTakenOver(group_id, wall_ms, cause, metadata.generation, replacement))
            if news.joined or news.departed:
                cause = words.reserve_changed(news.joined, news.departed)
                changed = ReserveChanged(
                    group_id, wall_ms, cause, metadata.generation, _some(news.joined), _some(news.departed)
                )
                self._tell(changed)

    def _died(self, group: ClassicGroup, _: GroupDied, wall_ms: int) -> None:
        rebalance = self._under_way.get(group.group_id)
        if rebalance is not None:
            self._end(group, rebalance, "resigned", wall_ms)

    def _end(self, group: ClassicGroup, of: _Rebalance, outcome: str, wall_ms: int, after: Owned | None = None) -> None:
        del self._under_way[group.group_id]
        joined_ms = wall_ms if of.generation_ms is None else of.generation_ms
        countable = after is not None and of.owned_before is not None and group.protocol_type == CONSUMER
        ended = RebalanceEnded(
            group.group_id,
            wall_ms,
            outcome,
            of.trigger,
            of.cause,
            of.began_ms,
            of.generation_before,
            group.generation_id if of.generation is None else of.generation,
            of.leader,
            group.protocol_type,
            of.protocol_name,
            len(group.members),
            len(group.static_members),
            len(of.joined),
            len(of.departed),
            len(of.replaced),
            _some(of.joined),
            _some(of.departed),
            _some(of.replaced),
            max(joined_ms - of.began_ms, 0),
            None if of.generation_ms is None else max(wall_ms - joined_ms, 0),
            moves(of.owned_before or {}, after or {}) if countable else None,
        )
        self._tell(ended)

    # --- who had a seat before ----------------------------------------------------------------------------------------

    def _remember(self, group_id: GroupId, member: Member, cause: Cause, wall_ms: int) -> None:
        departed = self._departed.pop(group_id, {})
        self._departed[group_id] = departed
        seat = _seat(member)
        departed.pop(seat, None)
        departed[seat] = (member, cause, wall_ms)
        _forget_oldest(departed, JOURNAL_DEPARTED_MAX)
        _forget_oldest(self._departed, JOURNAL_GROUPS_REMEMBERED_MAX)

    def _take_former(self, group_id: GroupId, newcomer: Member, wall_ms: int) -> Former | None:
        found = self._departed.get(group_id, {}).pop(_seat(newcomer), None)
        if found is None:
            return None
        member, cause, departed_ms = found
        return Former(member.member_id, words.trigger_of(cause), max(wall_ms - departed_ms, 0))


def _some(found: list[T]) -> list[T]:
    return found[:JOURNAL_MEMBERS_NAMED_MAX]


def _forget_oldest(remembered: dict[Any, Any], most: int) -> None:
    if len(remembered) > most:
        del remembered[next(iter(remembered))]


def _seat(member: Member) -> Seat:
    return (member.client_id, member.client_host) if member.group_instance_id is None else member.group_instance_id


def _party(member: Member, cause: Cause, reason: str, at_ms: int, former: Former | None) -> Party:
    return Party(
        member.member_id,
        member.group_instance_id,
        member.client_id,
        member.client_host,
        words.trigger_of(cause),
        reason,
        at_ms,
        former,
    )


def _owned(group: ClassicGroup) -> Owned:
    return {
        member.group_instance_id or member.member_id: group.assignments.get(member.member_id, b"")
        for member in group.members.values()
    }


_LOOKS: Final[Mapping[type, Callable[[Fold, ClassicGroup, Any, int], None]]] = {
    MemberAdded: Fold._added,
    MemberRemoved: Fold._removed,
    MemberReplaced: Fold._replaced,
    RebalanceStarted: Fold._began,
    GenerationStarted: Fold._generation_started,
    GroupDied: Fold._died,
    LogRecord: Fold._logged,
}
