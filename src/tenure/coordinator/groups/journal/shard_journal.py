"""Journal of a groups shard, computed from its records: classic groups here, all others in `epoch_group_journal.py`.

Every change of a classic group is a record, durable or ephemeral (rules 2, 6.5). The journal gets each record before it
is applied, together with the unchanged group. The journal writes an entry when a rebalance begins, when a rebalance
ends, and when a static member is replaced without a rebalance. No rule depends on the journal, the journal never
changes a group, and it does not get heartbeats and commits.

    member added, removed,       change that will be part of the next rebalance's entry
    or replaced
    RebalanceStarted             begins a rebalance with these changes; one in progress is superseded
    GenerationStarted            ends the first phase of the rebalance
    GroupMetadata                ends the rebalance in progress: the group is Stable or Empty. Without a rebalance in
                                 progress, it shows that a static member was replaced, or that a reserve member joined
                                 or left. When a log is replayed, it is ignored

The journal is deterministic and has no clock: `wall_ms` comes with each record. Its memory per group is bounded. A
fail-over clears this memory. So of a rebalance that a fail-over interrupts, the journal has only the start.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.journal import sentences
from tenure.coordinator.groups.journal.departures import Departures
from tenure.coordinator.groups.journal.entries import (
    ChangedMember,
    Entry,
    FormerMember,
    RebalanceBegan,
    Replacement,
    ReserveChanged,
    SeatTakenOver,
)
from tenure.coordinator.groups.journal.epoch_group_journal import EpochGroupJournal
from tenure.coordinator.groups.journal.ownership import Owned, moves
from tenure.coordinator.groups.journal.rebalance import Rebalance, Tally
from tenure.coordinator.groups.records import (
    GenerationStarted,
    GroupDied,
    MemberAdded,
    MemberRemoved,
    MemberReplaced,
    RebalanceStarted,
)
from tenure.coordinator.groups.state import AnyGroup
from tenure.coordinator.shard import LogRecord
from tenure.limits.coordinator import JOURNAL_MEMBERS_NAMED_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tenure.protocol.types import GroupId, MemberId


class ShardJournal:
    """Journal of one shard, from one load to the next.

    `on_entry` receives the entries. It is called while a record is applied, so it must not read the shard.
    """

    __slots__ = ("_departures", "_epochs", "_not_started", "_on_entry", "_tally", "_under_way")

    def __init__(self, on_entry: Callable[[Entry], None], tally: Tally) -> None:
        self._on_entry = on_entry
        self._tally = tally
        self._not_started: dict[GroupId, Rebalance] = {}
        """Changes for the next entry, by group. Invariant: empty between two commands."""
        self._under_way: dict[GroupId, Rebalance] = {}
        self._departures: Final = Departures()
        self._epochs: Final = EpochGroupJournal(on_entry, tally, self._departures)

    def handle(self, group: AnyGroup, record: object, wall_ms: int) -> None:
        """Handle a record that is about to be applied to `group`."""
        if not isinstance(group, ClassicGroup):
            self._epochs.handle(group, record, wall_ms)
            return
        handle = _HANDLERS.get(type(record))
        if handle is not None:
            handle(self, group, record, wall_ms)

    # --- members that join and leave ----------------------------------------------------------------------------------

    def _added(self, group: ClassicGroup, record: MemberAdded, wall_ms: int) -> None:
        member = record.member
        ids = member.group_instance_id, member.client_id, member.client_host
        former = self._departures.take_former(group.group_id, *ids, wall_ms)
        changed_member = _changed_member(member, Cause.JOINED, record.reason, wall_ms, former)
        self._rebalance_of(group).joined.append(changed_member)

    def _removed(self, group: ClassicGroup, record: MemberRemoved, wall_ms: int) -> None:
        member = group.members.get(record.member_id)
        if member is None:  # a pending member id, which never joined
            return
        rebalance, why = self._rebalance_of(group), record.why
        if rebalance.owned_before is None and group.state is State.STABLE:
            rebalance.owned_before = _owned(group)
        changed_member = _changed_member(member, why.cause, why.reason, wall_ms, None)
        rebalance.departed.append(changed_member)
        self._tally.departures[why.cause] += 1
        self._departures.add(group.group_id, changed_member)

    def _replaced(self, group: ClassicGroup, record: MemberReplaced, wall_ms: int) -> None:
        member = record.member
        replacement = Replacement(
            member.group_instance_id, record.old_member_id, member.member_id, record.reason, wall_ms
        )
        self._rebalance_of(group).replaced.append(replacement)

    def _rebalance_of(self, group: ClassicGroup) -> Rebalance:
        """Return the rebalance to whose entry a join or departure is added.

        During the join phase, this is the rebalance in progress. At any other time, it is the rebalance that the same
        command starts.
        """
        under_way = self._under_way.get(group.group_id)
        if under_way is not None and group.state is State.PREPARING_REBALANCE:
            return under_way
        return self._not_started.setdefault(group.group_id, Rebalance())

    # --- rebalances ---------------------------------------------------------------------------------------------------

    def _began(self, group: ClassicGroup, record: RebalanceStarted, wall_ms: int) -> None:
        group_id, why = group.group_id, record.why
        rebalance = self._not_started.pop(group_id, None) or Rebalance()
        superseded = self._under_way.get(group_id)
        if superseded is not None:
            rebalance.owned_before = superseded.owned_before
            self._end(group, superseded, "superseded", wall_ms)
            self._tally.superseded += 1
        elif rebalance.owned_before is None:
            rebalance.owned_before = _owned(group)
        alike = [
            changed_member
            for changed_member in rebalance.departed
            if changed_member.trigger == sentences.trigger_of(why.cause)
        ]
        who = self._find_changed_member(group, rebalance, why.member_id)
        rebalance.trigger = sentences.trigger_of(why.cause)
        rebalance.cause = sentences.rebalance_cause(why, who, max(len(alike) - 1, 0))
        rebalance.began_ms, rebalance.generation_before = wall_ms, group.generation_id
        self._under_way[group_id] = rebalance
        self._tally.rebalances[why.cause] += 1
        began = RebalanceBegan(
            group_id, wall_ms, CLASSIC, rebalance.trigger, rebalance.cause, group.state.value, group.generation_id
        )
        self._on_entry(began)

    def _find_changed_member(
        self, group: ClassicGroup, rebalance: Rebalance, member_id: MemberId
    ) -> ChangedMember | None:
        for changed_member in (*rebalance.joined, *rebalance.departed):
            if changed_member.member_id == member_id:
                return changed_member
        member = group.members.get(member_id)
        return None if member is None else _changed_member(member, Cause.UNKNOWN, "", 0, None)

    def _generation_started(self, group: ClassicGroup, record: GenerationStarted, wall_ms: int) -> None:
        rebalance = self._under_way.get(group.group_id)
        if rebalance is not None:
            rebalance.generation, rebalance.generation_ms = record.generation_id, wall_ms
            rebalance.leader, rebalance.protocol_name = record.leader, record.protocol_name

    def _logged(self, group: ClassicGroup, record: LogRecord, wall_ms: int) -> None:
        """Handle a durable record, which may end the rebalance in progress.

        A log that is replayed has no ephemeral records, so its durable records produce no entries.
        """
        group_id, metadata = group.group_id, record.value
        if not isinstance(metadata, GroupMetadataValue):  # the group is deleted, or converted to a consumer group
            self._not_started.pop(group_id, None)
            self._departures.remove_group(group_id)
            if group_id in self._under_way:
                self._end(group, self._under_way[group_id], "converted", wall_ms)
        elif (rebalance := self._under_way.get(group_id)) is not None:
            after: dict[str, bytes] = {
                member.group_instance_id or member.member_id: member.assignment for member in metadata.members
            }
            rebalance.generation = rebalance.generation or metadata.generation
            self._end(group, rebalance, "stable" if after else "empty", wall_ms, after)
        elif (rebalance := self._not_started.pop(group_id, None)) is not None:
            for replacement in rebalance.replaced:
                cause = sentences.taken_over(replacement, metadata.generation)
                self._tally.seats_taken_over += 1
                self._on_entry(SeatTakenOver(group_id, wall_ms, CLASSIC, cause, metadata.generation, replacement))
            if rebalance.joined or rebalance.departed:
                cause = sentences.reserve_changed(rebalance.joined, rebalance.departed)
                changed = ReserveChanged(
                    group_id, wall_ms, cause, metadata.generation, _some(rebalance.joined), _some(rebalance.departed)
                )
                self._on_entry(changed)

    def _died(self, group: ClassicGroup, _: GroupDied, wall_ms: int) -> None:
        rebalance = self._under_way.get(group.group_id)
        if rebalance is not None:
            self._end(group, rebalance, "resigned", wall_ms)

    def _end(self, group: ClassicGroup, of: Rebalance, outcome: str, wall_ms: int, after: Owned | None = None) -> None:
        del self._under_way[group.group_id]
        countable = after is not None and of.owned_before is not None and group.protocol_type == CONSUMER
        ended = of.ended(
            group.group_id,
            wall_ms,
            outcome,
            group_type=CLASSIC,
            protocol_type=group.protocol_type,
            generation=group.generation_id,
            members=len(group.members),
            static_members=len(group.static_members),
            partitions=moves(of.owned_before or {}, after or {}) if countable else None,
        )
        self._on_entry(ended)


def _some(found: list[ChangedMember]) -> list[ChangedMember]:
    return found[:JOURNAL_MEMBERS_NAMED_MAX]


def _changed_member(
    member: Member, cause: Cause, reason: str, at_ms: int, former: FormerMember | None
) -> ChangedMember:
    return ChangedMember(
        member.member_id,
        member.group_instance_id,
        member.client_id,
        member.client_host,
        sentences.trigger_of(cause),
        reason,
        at_ms,
        former,
    )


def _owned(group: ClassicGroup) -> dict[str, bytes]:
    return {
        member.group_instance_id or member.member_id: group.assignments.get(member.member_id, b"")
        for member in group.members.values()
    }


_HANDLERS: Final[Mapping[type, Callable[[ShardJournal, ClassicGroup, Any, int], None]]] = {
    MemberAdded: ShardJournal._added,
    MemberRemoved: ShardJournal._removed,
    MemberReplaced: ShardJournal._replaced,
    RebalanceStarted: ShardJournal._began,
    GenerationStarted: ShardJournal._generation_started,
    GroupDied: ShardJournal._died,
    LogRecord: ShardJournal._logged,
}
