"""Part of the journal for consumer groups and streams groups (rules 3.4 to 3.7, 5.2 and 5.3).

Nearly all changes of such a group are in its log, but their causes are not. So the rule that handles a command emits an
additional, ephemeral record with the cause. A replayed log has no such records, and produces no entries.

    EpochBumped                  begins a rebalance, with the members that joined or left. A rebalance in progress whose
                                 target is computed is superseded. If its target is not computed yet, the new epoch is
                                 added to it instead, and no rebalance begins
    target assignment metadata   ends the first phase of the rebalance
    current assignments          end the rebalance when the last member has reached the target
    group metadata               ends the rebalance when the group has no members any more
    SeatInherited                a static member has returned without a rebalance
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.consumer.group import ConsumerGroup, GroupState
from tenure.coordinator.groups.consumer.member import Member, MemberState
from tenure.coordinator.groups.journal import sentences
from tenure.coordinator.groups.journal.departures import Departures
from tenure.coordinator.groups.journal.entries import (
    ChangedMember,
    Entry,
    EpochMove,
    FormerMember,
    Moves,
    RebalanceBegan,
    Replacement,
    SeatTakenOver,
)
from tenure.coordinator.groups.journal.ownership import target_moves, task_moves
from tenure.coordinator.groups.journal.rebalance import Rebalance, Tally
from tenure.coordinator.groups.records import EpochBumped, SeatInherited
from tenure.coordinator.groups.state import EpochGroup
from tenure.coordinator.groups.streams.group import GroupState as StreamsState
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember, TaskState
from tenure.coordinator.shard import LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupMetadataKey,
    ConsumerGroupTargetAssignmentMetadataKey,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupMetadataKey,
    StreamsGroupTargetAssignmentMetadataKey,
)
from tenure.protocol.special_values import CONSUMER, STREAMS
from tenure.protocol.types import GenerationId, GroupId, MemberId

STABLE: Final[Mapping[type, int]] = {ConsumerGroup: MemberState.STABLE, StreamsGroup: TaskState.STABLE}
"""State of a member that has reached its target, by type of group."""


class EpochGroupJournal:
    __slots__ = ("_departures", "_on_entry", "_tally", "_under_way")

    def __init__(self, on_entry: Callable[[Entry], None], tally: Tally, departures: Departures) -> None:
        self._on_entry = on_entry
        self._tally = tally
        self._departures = departures
        self._under_way: dict[GroupId, Rebalance] = {}

    def handle(self, group: EpochGroup, record: object, wall_ms: int) -> None:
        what = type(record.key) if isinstance(record, LogRecord) else type(record)
        handle = _HANDLERS.get(what)
        if handle is not None:
            handle(self, group, record, wall_ms)

    # --- begin of a rebalance -----------------------------------------------------------------------------------------

    def _bumped(self, group: EpochGroup, record: EpochBumped, wall_ms: int) -> None:
        rebalance, why = self._under_way.get(group.group_id), record.why
        if rebalance is None or rebalance.generation is not None:
            rebalance = self._next(group, rebalance, wall_ms)
        who = self._add_changed_members(group, rebalance, record, wall_ms)
        cause = sentences.rebalance_cause(why, who, max(len(record.gone) - 1, 0))
        move = EpochMove(GenerationId(group.group_epoch + 1), sentences.trigger_of(why.cause), cause, wall_ms)
        rebalance.epoch_moves.append(move)
        self._tally.epoch_moves[why.cause] += 1
        if len(rebalance.epoch_moves) == 1:
            self._begin(group, rebalance, why, move)

    def _next(self, group: EpochGroup, superseded: Rebalance | None, wall_ms: int) -> Rebalance:
        """Start a new rebalance, and end the rebalance that it supersedes, if any.

        Moved partitions will be counted from the targets that the group had when it was last Stable.
        """
        rebalance = Rebalance()
        if superseded is None:
            rebalance.owned_before = _owned(group)
        else:
            rebalance.owned_before = superseded.owned_before
            self._end(group, superseded, "superseded", wall_ms)
            self._tally.superseded += 1
        self._under_way[group.group_id] = rebalance
        return rebalance

    def _begin(self, group: EpochGroup, rebalance: Rebalance, why: Why, move: EpochMove) -> None:
        rebalance.trigger, rebalance.cause = move.trigger, move.cause
        rebalance.began_ms, rebalance.generation_before = move.at_ms, GenerationId(group.group_epoch)
        self._tally.rebalances[why.cause] += 1
        state = _state_before(group, why)
        began = RebalanceBegan(
            group.group_id, move.at_ms, _type_of(group), move.trigger, move.cause, state, rebalance.generation_before
        )
        self._on_entry(began)

    def _add_changed_members(
        self, group: EpochGroup, rebalance: Rebalance, record: EpochBumped, wall_ms: int
    ) -> ChangedMember | None:
        """Add the members that have joined, or will be removed, to the rebalance.

        Return the member that caused the new epoch; None if no member has caused it.
        """
        why = record.why
        member = group.members.get(why.member_id)
        former = None
        if member is not None and why.cause is Cause.JOINED:
            ids = member.instance_id, member.client_id, member.client_host
            former = self._departures.take_former(group.group_id, *ids, wall_ms)
        who = None if member is None else _changed_member(member, why, wall_ms, former)
        if who is not None and why.cause is Cause.JOINED:
            rebalance.joined.append(who)
        for member_id in record.gone:
            changed_member = _changed_member(group.members[member_id], why, wall_ms, None)
            rebalance.departed.append(changed_member)
            self._tally.departures[why.cause] += 1
            self._departures.add(group.group_id, changed_member)
        return who

    def _inherited(self, group: EpochGroup, record: SeatInherited, wall_ms: int) -> None:
        """Write an entry about the return of a static member. The group still has the old member id."""
        old = group.members[record.old_member_id]
        replacement = Replacement(old.instance_id, old.member_id, record.member_id, "", wall_ms)
        rebalance = self._under_way.get(group.group_id)
        if rebalance is not None:
            rebalance.replaced.append(replacement)
            rebalance.lagging.add(record.member_id)
        epoch = GenerationId(group.group_epoch)
        self._tally.seats_taken_over += 1
        cause = sentences.seat_taken_over(replacement, epoch)
        self._on_entry(SeatTakenOver(group.group_id, wall_ms, _type_of(group), cause, epoch, replacement))

    # --- progress and end of a rebalance ------------------------------------------------------------------------------

    def _assigned(self, group: EpochGroup, record: Any, wall_ms: int) -> None:
        """Handle a new target. A target for an older group epoch is ignored, because another one will follow."""
        rebalance, target = self._under_way.get(group.group_id), record.value
        if rebalance is None or target is None or target.assignment_epoch < group.group_epoch:
            return
        rebalance.generation, rebalance.generation_ms = GenerationId(target.assignment_epoch), wall_ms
        rebalance.lagging = set(group.members)

    def _moved(self, group: EpochGroup, record: Any, wall_ms: int) -> None:
        rebalance, now = self._under_way.get(group.group_id), record.value
        if rebalance is None or rebalance.generation is None:
            return
        member_id: MemberId = record.key.member_id
        rebalance.lagging.discard(member_id)
        if now is None:  # the member was removed; the record of the next epoch reports it
            return
        if now.state != STABLE[type(group)] or now.member_epoch != rebalance.generation:
            rebalance.lagging.add(member_id)
        elif not rebalance.lagging:
            self._end(group, rebalance, "stable", wall_ms)

    def _group_metadata(self, group: EpochGroup, record: Any, wall_ms: int) -> None:
        rebalance = self._under_way.get(group.group_id)
        if record.value is None:  # the group is deleted, or converted to a classic group
            self._departures.remove_group(group.group_id)
        if rebalance is not None and not group.members:
            rebalance.generation = rebalance.epoch_moves[-1].epoch
            self._end(group, rebalance, "converted" if record.value is None else "empty", wall_ms)

    def _end(self, group: EpochGroup, rebalance: Rebalance, outcome: str, wall_ms: int) -> None:
        del self._under_way[group.group_id]
        is_over = outcome != "superseded"
        more = len(rebalance.epoch_moves) - 1
        rebalance.cause += sentences.and_more(more)
        ended = rebalance.ended(
            group.group_id,
            wall_ms,
            outcome,
            group_type=_type_of(group),
            protocol_type=_type_of(group),
            generation=GenerationId(group.group_epoch),
            members=len(group.members),
            static_members=len(group.static_members),
            partitions=_moves(group, rebalance.owned_before or {}) if is_over else None,
        )
        self._on_entry(ended)


def _changed_member(member: Member | StreamsMember, why: Why, at_ms: int, former: FormerMember | None) -> ChangedMember:
    return ChangedMember(
        member.member_id,
        member.instance_id,
        member.client_id,
        member.client_host,
        sentences.trigger_of(why.cause),
        why.reason,
        at_ms,
        former,
    )


def _owned(group: EpochGroup) -> dict[str, Any]:
    """Return the target of each member, by instance id or, for a dynamic member, by member id."""
    return {
        member.instance_id or member.member_id: group.target_of(member.member_id) for member in group.members.values()
    }


def _moves(group: EpochGroup, before: Mapping[str, Any]) -> Moves | None:
    """Return how many partitions (or active tasks of a streams group) have another owner than in `before`.

    None if there are too many targets to count.
    """
    return (target_moves if isinstance(group, ConsumerGroup) else task_moves)(before, _owned(group))


def _state_before(group: EpochGroup, why: Why) -> str:
    """Return the name of the group's state before the rebalance.

    A member whose join causes the rebalance is in the group already, and is ignored.
    """
    joined = why.member_id if why.cause is Cause.JOINED else None
    if group.members.keys() <= {joined}:
        return str(GroupState.EMPTY.value)
    if isinstance(group, StreamsGroup) and not group.is_ready:
        return str(StreamsState.NOT_READY.value)
    if group.group_epoch > group.target_epoch:
        return str(GroupState.ASSIGNING.value)
    stable, epoch = STABLE[type(group)], group.target_epoch
    is_stable = all(
        (m.state == stable and m.member_epoch == epoch) or m.member_id == joined for m in group.members.values()
    )
    return str((GroupState.STABLE if is_stable else GroupState.RECONCILING).value)


def _type_of(group: EpochGroup) -> str:
    return CONSUMER if isinstance(group, ConsumerGroup) else STREAMS


_HANDLERS: Final[Mapping[type, Callable[[EpochGroupJournal, EpochGroup, Any, int], None]]] = {
    EpochBumped: EpochGroupJournal._bumped,
    SeatInherited: EpochGroupJournal._inherited,
    ConsumerGroupMetadataKey: EpochGroupJournal._group_metadata,
    ConsumerGroupTargetAssignmentMetadataKey: EpochGroupJournal._assigned,
    ConsumerGroupCurrentMemberAssignmentKey: EpochGroupJournal._moved,
    StreamsGroupMetadataKey: EpochGroupJournal._group_metadata,
    StreamsGroupTargetAssignmentMetadataKey: EpochGroupJournal._assigned,
    StreamsGroupCurrentMemberAssignmentKey: EpochGroupJournal._moved,
}
"""Function for each record that the journal reads, by type of the record or, if it is logged, of its key."""
