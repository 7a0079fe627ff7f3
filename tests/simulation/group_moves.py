"""Transitions of a group for each request. The real shard computes each transition once.

Each state of the group has a number. When a state is first reached, every present and former member commits every
partition with every epoch. Each transition is checked too: the invariants at rest, that no epoch decreases, and that a
replay of the compacted log gives the same group.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import CommitOffsets, ConsumerHeartbeat, OffsetToCommit
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.records import RevocationTimerArmed
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.coordinator.shard import NO_ASK, CoordinatorResult, InvariantError, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupTargetAssignmentMetadataKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS, LEAVES, LEAVES_FOR_NOW
from tenure.protocol.types import GenerationId, InstanceId, MemberId, PartitionId
from tests.simulation.broken import Broken
from tests.simulation.consumer_invariants import Others, Tenures, at_rest, commit_fence, others, same_durable_state
from tests.simulation.group_states import (
    ASSIGNED_AT_MS,
    AT_ONCE,
    GROUP_ID,
    LATER,
    REBALANCE_TIMEOUT_MS,
    TIMER_MS,
    TOPIC,
    TOPIC_ID,
    GroupState,
    MemberHistory,
    log_of,
    numbering,
    replayed,
    restored,
    state_of,
)

NewShard: TypeAlias = Callable[[GroupSettings, Callable[[], Topics]], GroupsShard]
Mask: TypeAlias = int
"""A set of partitions, one bit each."""
UNTOLD: Final[Mask] = -1
LIVES: Final = 2
"""Member ids of a static seat: a successor has the other one, and its own successor the first one again."""
SHARDS_KEPT: Final = 4_000
"""Number of states whose shard is kept in memory, for speed."""
ON_TIME: Final = Now(ASSIGNED_AT_MS, TIMER_MS)
TIMERS: Final = {"is silent for too long": TimerKind.SESSION, "revokes for too long": TimerKind.REVOCATION}
EPOCHS: Final = {"leaves": LEAVES, "is left for now": LEAVES_FOR_NOW}


def real_shard(settings: GroupSettings, topics: Callable[[], Topics]) -> GroupsShard:
    return GroupsShard(settings, bytes, None, topics)


class Scope(NamedTuple):
    """Seats and partitions of a search. A seat without an instance id belongs to a dynamic member."""

    seats: Sequence[InstanceId | None]
    partitions: int

    def member_id(self, seat: int, life: int) -> MemberId:
        return MemberId(f"{'abcdefgh'[seat]}{life + 1}" if self.seats[seat] else "abcdefgh"[seat])


class Ask(NamedTuple):
    """Command. `epoch` is that of the heartbeat, `owned` the partitions that it reports."""

    kind: str
    seat: int
    life: int
    epoch: int = 0
    owned: Mask = UNTOLD


class Outcome(NamedTuple):
    """Result of a request to a group."""

    group: int
    moved: Sequence[int] | None
    """New number of each doubled epoch; None if they do not change."""
    error_code: ErrorCode
    epoch: int = 0
    """Epoch in the answer, in the new numbers."""
    assignment: Mask = UNTOLD


class GroupMoves:
    def __init__(self, scope: Scope, new_shard: NewShard, fencing: str, *, renumbers: bool) -> None:
        self.scope = scope
        self._topics = Topics()
        self._topics.put(Topic(TOPIC, TOPIC_ID, scope.partitions))
        self._settings = GroupSettings(configs=GroupConfigs(group_commit_fencing=fencing))
        self._make = new_shard
        self._distance_max = scope.partitions + 1 if renumbers else 2**31
        self.states: list[GroupState | None] = [None]
        """States by number. The first is a group that never had a member."""
        self._numbers: dict[GroupState, int] = {}
        self._outcomes: list[dict[Ask, tuple[Outcome, ...]]] = [{}]
        self._shards: dict[int, GroupsShard] = {}
        self.commits = 0
        """Number of commits that were checked."""

    def member(self, number: int, seat: int, life: int) -> MemberHistory | None:
        state, member_id = self.states[number], self.scope.member_id(seat, life)
        members = () if state is None else state.members
        return next((member for member in members if member.member.member_id == member_id), None)

    def asked(self, group: int, ask: Ask) -> tuple[Outcome, ...]:
        """Return the outcomes of a command now, and before the group may be assigned again."""
        known = self._outcomes[group].get(ask)
        if known is None:
            known = self._outcomes[group][ask] = tuple(self._ask(group, ask))
        return known

    def _ask(self, group: int, ask: Ask) -> Iterator[Outcome]:
        shard = self._shard(group)
        if ask.kind in TIMERS:
            passed = Timer(TIMERS[ask.kind], GROUP_ID, self.scope.member_id(ask.seat, ask.life))
            yield self._outcome(group, ask, shard.handle(NO_ASK, passed, ON_TIME))
            return
        result = shard.handle(NO_ASK, self._heartbeat(ask), LATER)
        yield self._outcome(group, ask, result)
        known = self.states[group]
        if known is not None and known.was_assigned and any(_assigns(record) for record in result.records):
            yield self._outcome(group, ask, shard.handle(NO_ASK, self._heartbeat(ask), AT_ONCE))

    def _heartbeat(self, ask: Ask) -> ConsumerHeartbeat:
        epoch = EPOCHS.get(ask.kind, ask.epoch)
        beat = ConsumerHeartbeat(
            GROUP_ID, self.scope.member_id(ask.seat, ask.life), epoch, instance_id=self.scope.seats[ask.seat]
        )
        if ask.kind == "beat" and ask.owned != UNTOLD:
            beat.rebalance_timeout_ms = REBALANCE_TIMEOUT_MS
            beat.subscribed_topic_names = [TOPIC]
            beat.owned = [(TOPIC_ID, partitions)] if (partitions := partitions_in(ask.owned)) else []
        return beat

    def _outcome(self, number: int, ask: Ask, result: CoordinatorResult) -> Outcome:
        answer = result.replies[0][1] if result.replies else None
        if isinstance(answer, Refused):
            return Outcome(number, None, answer.error_code)
        epoch, assignment = 0, UNTOLD
        if isinstance(answer, HeartbeatAnswered):
            epoch = answer.member_epoch
            if answer.assignment is not None:
                assignment = sum(1 << partition for partition in answer.assignment.get(TOPIC_ID, ()))
        if not any(isinstance(record, LogRecord | RevocationTimerArmed) for record in result.records):
            return Outcome(number, None, ErrorCode.NONE, epoch, assignment)
        after = self._applied(number, ask, result)
        number_of = numbering(after.epochs(), self._distance_max)
        found = self._number(after.renumbered(number_of))
        known = self.states[number]
        highest = 0 if known is None else known.group_epoch
        moved = _moves(number_of, highest)
        return Outcome(found, moved, ErrorCode.NONE, number_of.get(epoch, 0), assignment)

    def _applied(self, number: int, ask: Ask, result: CoordinatorResult) -> GroupState:
        before = self.states[number]
        shard = self._fresh_shard(number)
        was = _epochs_and_others(shard.consumer_group(GROUP_ID), self.scope.seats[ask.seat])
        tenures = Tenures() if before is None else before.tenures()
        for record in result.records:
            try:
                shard.apply(record)
            except InvariantError as broken:
                raise Broken("SingleOwner" if "own partition" in str(broken) else "Structure", broken) from None
            if isinstance(record, LogRecord):
                tenures.fold(record)
        group = shard.consumer_group(GROUP_ID)
        assert group is not None
        at_rest(group, self._topics)
        if was is not None:
            self._continuation(ask, *was, group)
        log = [*([] if before is None else log_of(before)), *result.records]
        again = replayed(self._new_shard, _compacted(log)).consumer_group(GROUP_ID)
        if again is None:
            raise Broken("ReplayEqualsLive", "nothing of the group is in the log")
        same_durable_state(group, again)
        return state_of(group, tenures)

    def _continuation(self, ask: Ask, epochs: dict[MemberId, int], was: Others, group: ConsumerGroup) -> None:
        for member_id, epoch in epochs.items():
            member = group.members.get(member_id)
            if member is not None and not member.is_away and member.member_epoch < epoch:
                raise Broken("EpochsMonotonic", f"{member_id} fell from {epoch} to {member.member_epoch}")
        if group.group_epoch < was.group_epoch or group.target_epoch < was.target_epoch:
            raise Broken("EpochsMonotonic", f"{was} became {group.group_epoch}, {group.target_epoch}")
        instance_id = self.scope.seats[ask.seat]
        comes_back = ask.epoch == JOINS and any(epoch == LEAVES_FOR_NOW for epoch in epochs.values())
        is_settled = was.group_epoch == was.target_epoch
        if ask.kind == "is left for now" or (ask.kind == "beat" and comes_back and instance_id and is_settled):
            now = others(group, instance_id)
            returns = ask.kind != "beat" or any(
                epochs.get(self.scope.member_id(ask.seat, life)) == LEAVES_FOR_NOW for life in range(LIVES)
            )
            if returns and now != was:
                raise Broken("StaticBounceSilent", f"{was} became {now}")

    def _number(self, state: GroupState) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self.states)
            self.states.append(state)
            self._outcomes.append({})
            self._commit_everything(number, state)
        return number

    # --- commits ------------------------------------------------------------------------------------------------------

    def _commit_everything(self, number: int, state: GroupState) -> None:
        """Commit with every reachable epoch, in the name of every present and former member."""
        shard = self._shard(number)
        group = shard.consumer_group(GROUP_ID)
        assert group is not None
        tenures = state.tenures()
        for seat in range(len(self.scope.seats)):
            for life in range(LIVES if self.scope.seats[seat] else 1):
                member_id = self.scope.member_id(seat, life)
                for partition in range(self.scope.partitions):
                    offset = OffsetToCommit(TOPIC, TOPIC_ID, PartitionId(partition), 1)
                    for epoch in range(1, state.group_epoch + 2):
                        commit = CommitOffsets(GROUP_ID, member_id, None, GenerationId(epoch), [offset])
                        (_, answer), *_ = shard.handle(NO_ASK, commit, LATER).replies
                        commit_fence(group, tenures, commit, answer)
                        self.commits += 1

    # --- shards -------------------------------------------------------------------------------------------------------

    def _new_shard(self) -> GroupsShard:
        return self._make(self._settings, lambda: self._topics)

    def _shard(self, number: int) -> GroupsShard:
        """Return the shard of a state; `handle` does not change it."""
        if number not in self._shards:
            if len(self._shards) >= SHARDS_KEPT:
                self._shards.clear()
            self._shards[number] = self._fresh_shard(number)
        return self._shards[number]

    def _fresh_shard(self, number: int) -> GroupsShard:
        state = self.states[number]
        return self._new_shard() if state is None else restored(self._new_shard, state, self._topics)


def _moves(number_of: dict[int, int], highest: int) -> Sequence[int]:
    """Return the new number of each doubled epoch up to `highest`."""
    moves = [0]
    for doubled in range(1, 2 * highest + 2):
        epoch, is_between = divmod(doubled, 2)
        if not is_between and epoch in number_of:
            moves.append(2 * number_of[epoch])
        else:
            moves.append(moves[-1] | 1)
    return moves


def _compacted(log: Sequence[object]) -> list[LogRecord]:
    """Return the last record of each key in order, without tombstones."""
    last: dict[object, LogRecord] = {}
    for record in log:
        if isinstance(record, LogRecord):
            key = type(record.key), getattr(record.key, "member_id", "")
            last.pop(key, None)
            last[key] = record
    return [record for record in last.values() if record.value is not None]


def _epochs_and_others(
    group: ConsumerGroup | None, instance_id: InstanceId | None
) -> tuple[dict[MemberId, int], Others] | None:
    if group is None:
        return None
    return {m.member_id: m.member_epoch for m in group.members.values()}, others(group, instance_id)


def _assigns(record: object) -> bool:
    return isinstance(record, LogRecord) and isinstance(record.key, ConsumerGroupTargetAssignmentMetadataKey)


def partitions_in(mask: Mask) -> list[PartitionId]:
    return [PartitionId(partition) for partition in range(mask.bit_length()) if mask >> partition & 1]
