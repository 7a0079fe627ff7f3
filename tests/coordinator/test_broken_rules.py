"""Shards with one deliberately broken rule. Random histories must find each; BREAKS names the violated invariant."""

from collections.abc import Sequence
from typing import Any

import pytest

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.records import MemberAdded, MemberReplaced
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue, OffsetCommitKey, OffsetCommitValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId
from tests.coordinator.clients import PARTITIONS
from tests.coordinator.histories import History
from tests.coordinator.virtual_host import WatchedShard
from tests.simulation import classic_broken_rules
from tests.simulation.broken import Broken

STEPS = 400
SEEDS = range(12)


class AcceptsOldGenerations(WatchedShard):
    BREAKS = "CommitFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, commands.CommitOffsets) and command.generation_id >= 0:
            group = self.classic_group(command.group_id)
            generation_id = command.generation_id if group is None else group.generation_id
            seat = command.member_id, command.group_instance_id
            command = commands.CommitOffsets(command.group_id, *seat, generation_id, command.offsets)
        return super().handle(ask, command, now)


class RefusesLastCommits(WatchedShard):
    """Broken rule: a rebalance refuses the last commits of its members."""

    BREAKS = "NoFalseFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, commands.CommitOffsets):
            group = self.classic_group(command.group_id)
            if group is not None and group.state is State.PREPARING_REBALANCE:
                return CoordinatorResult((), [(ask, Refused(ErrorCode.REBALANCE_IN_PROGRESS))])
        return super().handle(ask, command, now)


class RebalancesAtABounce(WatchedShard):
    """Broken rule: a returning static member is treated like a member that joins again with new metadata."""

    BREAKS = "StaticBounceSilent"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, commands.JoinGroup) and not command.member_id:
            group = self.classic_group(command.group_id)
            holder = None if group is None else group.static_members.get(command.group_instance_id)  # type: ignore[arg-type]
            if holder is not None:
                protocols = [(name, metadata + b"!") for name, metadata in command.protocols]
                who = holder, command.group_instance_id, command.client_id, command.client_host
                timeouts = command.session_timeout_ms, command.rebalance_timeout_ms
                command = commands.JoinGroup(command.group_id, *who, *timeouts, command.protocol_type, protocols)
        return super().handle(ask, command, now)


class AdmitsTwoMembersPerInstance(WatchedShard):
    BREAKS = "OneInstanceOneMember"

    def apply(self, record: Any) -> None:
        if isinstance(record, MemberReplaced):
            record = MemberAdded(record.group_id, "consumer", record.member)
        super().apply(record)


class AssignsEverythingToEveryMember(WatchedShard):
    BREAKS = "SingleOwner"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, commands.SyncGroup):
            everything = {member_id: bytes(range(PARTITIONS)) for member_id in command.assignments}
            who = command.member_id, command.group_instance_id
            command = commands.SyncGroup(
                command.group_id, *who, command.generation_id, "consumer", None, everything, protocol_required=False
            )
        return super().handle(ask, command, now)


class ChangesAnotherGroup(WatchedShard):
    """Broken rule: a commit to one group also changes another group."""

    BREAKS = "GroupsIsolated"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        spilled = [
            LogRecord(OffsetCommitKey("h", record.key.topic, record.key.partition), record.value)
            for record in result.records
            if isinstance(record, LogRecord) and isinstance(record.key, OffsetCommitKey) and record.key.group == "g"
        ]
        return CoordinatorResult([*result.records, *spilled], result.replies)


class KeepsTheHighestOffset(WatchedShard):
    """Broken rule: lower offsets, such as those of a reset, are ignored."""

    BREAKS = "OffsetOrder"

    def apply(self, record: Any) -> None:
        if isinstance(record, LogRecord) and isinstance(record.value, OffsetCommitValue):
            key: Any = record.key
            before = self._groups.offsets.get(key.group, {}).get((key.topic, key.partition))
            if before is not None and before.offset > record.value.offset:
                return
        super().apply(record)


class ExpiresEarly(WatchedShard):
    BREAKS = "OffsetOrder"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, commands.ExpireOffsets):
            now = Now(now.wall_ms + 50_000, now.tick_ms)
        return super().handle(ask, command, now)


class CountsBackwards(WatchedShard):
    BREAKS = "EpochsMonotonic"

    def apply(self, record: Any) -> None:
        if isinstance(record, LogRecord) and isinstance(record.value, GroupMetadataValue):
            value, fallen = record.value, GenerationId(max(record.value.generation - 1, 0))
            rest = value.protocol, value.leader, value.current_state_timestamp, value.members
            record = LogRecord(record.key, GroupMetadataValue(value.protocol_type, fallen, *rest))
        super().apply(record)


class RemembersWhatIsNotLogged(classic_broken_rules.RemembersWhatIsNotLogged, WatchedShard):
    pass


class AnswersTwice(WatchedShard):
    BREAKS = "EveryRequestAnsweredOnce"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        return CoordinatorResult(result.records, [*result.replies, *result.replies])


class _IgnoresATimer(WatchedShard):
    IGNORED_KIND: TimerKind

    def due(self, now: Now) -> Sequence[object]:
        return [t for t in super().due(now) if not (isinstance(t, Timer) and t.kind is self.IGNORED_KIND)]


class NeverEndsSessions(_IgnoresATimer):
    """Broken rule: sessions do not end."""

    BREAKS = "BoundedMemory"
    IGNORED_KIND = TimerKind.SESSION


class WaitsForEver(_IgnoresATimer):
    """Broken rule: a join phase waits for members that never return."""

    BREAKS = "EventuallyStable"
    IGNORED_KIND = TimerKind.JOIN


BROKEN_RULES: list[Any] = [
    AcceptsOldGenerations,
    RefusesLastCommits,
    RebalancesAtABounce,
    AdmitsTwoMembersPerInstance,
    AssignsEverythingToEveryMember,
    ChangesAnotherGroup,
    KeepsTheHighestOffset,
    ExpiresEarly,
    CountsBackwards,
    RemembersWhatIsNotLogged,
    AnswersTwice,
    NeverEndsSessions,
    WaitsForEver,
]


@pytest.mark.parametrize("broken_rule", BROKEN_RULES)
def test_broken_rule__of_classic_groups__violated_invariant_is_named(broken_rule: Any) -> None:
    caught = set()
    for seed in SEEDS:
        history = History(seed, broken_rule)
        try:
            for _ in range(STEPS):
                history.step()
            if broken_rule is not NeverEndsSessions:
                history.settle()
            history.fall_silent()
        except Broken as broken:
            caught.add(broken.invariant)
        if broken_rule.BREAKS in caught:
            return
    pytest.fail(f"{broken_rule.__name__} breaks {broken_rule.BREAKS}, and {len(SEEDS)} histories saw only {caught}")
