"""Shards with one deliberately broken rule of streams groups; BREAKS names the invariant that must find it."""

from collections.abc import Sequence
from typing import Any, Final

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.commands import CommitOffsets, StreamsHeartbeat
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import (
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberValue,
    TargetTaskIds,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS
from tests.coordinator.virtual_host import WatchedShard


class GivesTasksThatOthersStillHave(WatchedShard):
    BREAKS = "OneActiveTask"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        group = self.streams_group(getattr(command, "group_id", None))  # type: ignore[arg-type]
        if group is None or not isinstance(command, StreamsHeartbeat):
            return super().handle(ask, command, now)
        owners, group.active_processes = group.active_processes, {}
        result = super().handle(ask, command, now)
        group.active_processes = owners
        return result


class TreatsUnreportedAsNotOwned(WatchedShard):
    """Broken rule: a member that does not report its tasks is treated as if it owned none."""

    BREAKS = "OneActiveTask"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, StreamsHeartbeat) and None in command.owned:
            command.owned = ([], [], [])
        return super().handle(ask, command, now)


class ForgetsFormerHolders(WatchedShard):
    BREAKS = "OneInstanceOneMember"

    def apply(self, record: Any) -> None:
        super().apply(record)
        for group in self.groups:
            group.static_members.clear()


class RebalancesAtEveryReturn(WatchedShard):
    BREAKS = "StaticBounceSilent"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        if isinstance(command, StreamsHeartbeat) and command.member_epoch == JOINS and result.records:
            group = self.streams_group(command.group_id)
            if group is not None and command.instance_id in group.static_members:
                return CoordinatorResult([*result.records, logged.next_epoch(group)], result.replies, result.effects)
        return result


class CountsBackwards(WatchedShard):
    BREAKS = "EpochsMonotonic"

    def apply(self, record: Any) -> None:
        super().apply(record)
        if isinstance(record, LogRecord) and isinstance(record.value, StreamsGroupMetadataValue):
            for group in self.groups:
                if group.group_epoch % 10 == 9:
                    group.group_epoch = group.target_epoch = 5
                    for member in group.members.values():
                        object.__setattr__(member, "member_epoch", 5)


class RemembersWhatIsNotLogged(WatchedShard):
    """Broken rule: the group in memory has another assignment time than its record in the log."""

    BREAKS = "ReplayEqualsLive"

    def apply(self, record: Any) -> None:
        super().apply(record)
        if isinstance(record, SessionExtended) and (group := self.streams_group(record.group_id)) is not None:
            group.assignment_timestamp += 1


class _Targets(WatchedShard):
    """Shard whose target differs from the result of the assignor."""

    def apply(self, record: Any) -> None:
        if isinstance(record, LogRecord) and isinstance(record.value, StreamsGroupTargetAssignmentMemberValue):
            record = LogRecord(record.key, self.instead(record.value))
        super().apply(record)

    def instead(self, target: StreamsGroupTargetAssignmentMemberValue) -> StreamsGroupTargetAssignmentMemberValue:
        raise NotImplementedError


class LeavesOutATask(_Targets):
    BREAKS = "AllTasksAssigned"

    def instead(self, target: StreamsGroupTargetAssignmentMemberValue) -> StreamsGroupTargetAssignmentMemberValue:
        left = [TargetTaskIds(ids.subtopology_id, [at for at in ids.partitions if at]) for ids in target.active_tasks]
        return StreamsGroupTargetAssignmentMemberValue(left, target.standby_tasks, target.warmup_tasks)


class LeavesOutStandbys(_Targets):
    BREAKS = "AllStandbysAssigned"

    def instead(self, target: StreamsGroupTargetAssignmentMemberValue) -> StreamsGroupTargetAssignmentMemberValue:
        return StreamsGroupTargetAssignmentMemberValue(target.active_tasks, [], [])


class KeepsCopiesBesideTheirTasks(_Targets):
    """Broken rule: a member has standby tasks for its own active ones."""

    BREAKS = "OneCopyPerProcess"

    def instead(self, target: StreamsGroupTargetAssignmentMemberValue) -> StreamsGroupTargetAssignmentMemberValue:
        return StreamsGroupTargetAssignmentMemberValue(target.active_tasks, target.active_tasks, [])


class GivesTasksOfWhichTheProcessHasCopies(WatchedShard):
    """Broken rule: a task does not wait until another member of the process has closed its copy."""

    BREAKS = "OneCopyPerProcess"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        group = self.streams_group(getattr(command, "group_id", None))  # type: ignore[arg-type]
        if group is None or not isinstance(command, StreamsHeartbeat):
            return super().handle(ask, command, now)
        copies, group.standby_processes = group.standby_processes, {}
        step = super().handle(ask, command, now)
        group.standby_processes = copies
        return step


class CountsExistingTopicsAsMissing(WatchedShard):
    """Broken rule: topics that exist by now still count as missing."""

    BREAKS = "InternalTopicsCreatedOnce"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        for group in self.groups:
            group.topics_version = self._groups.topics().version
        return super().handle(ask, command, now)


class NeverEndsSessions(WatchedShard):
    """Broken rule: sessions do not end."""

    BREAKS = "EventuallyStable"

    def due(self, now: Now) -> Sequence[object]:
        return [t for t in super().due(now) if not (isinstance(t, Timer) and t.kind is TimerKind.SESSION)]


class AcceptsEveryOlderEpoch(WatchedShard):
    """Broken rule: the present owner may commit for a task with any earlier epoch."""

    BREAKS = "CommitFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, CommitOffsets):
            group = self.streams_group(command.group_id)
            member = None if group is None else group.members.get(command.member_id)
            if member is not None:
                who = command.group_id, command.member_id, command.group_instance_id
                command = CommitOffsets(*who, member.member_epoch, command.offsets)  # type: ignore[arg-type]
        return super().handle(ask, command, now)


class AcceptsThePresentEpochOnly(WatchedShard):
    """Broken rule: a commit is refused if the member got the task in an earlier epoch."""

    BREAKS = "NoFalseFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, CommitOffsets):
            group = self.streams_group(command.group_id)
            member = None if group is None else group.members.get(command.member_id)
            if member is not None and command.generation_id != member.member_epoch:
                return refuse(ask, ErrorCode.STALE_MEMBER_EPOCH)
        return super().handle(ask, command, now)


BROKEN_RULES: Final[list[Any]] = [
    GivesTasksThatOthersStillHave,
    TreatsUnreportedAsNotOwned,
    ForgetsFormerHolders,
    RebalancesAtEveryReturn,
    CountsBackwards,
    RemembersWhatIsNotLogged,
    LeavesOutATask,
    LeavesOutStandbys,
    KeepsCopiesBesideTheirTasks,
    GivesTasksOfWhichTheProcessHasCopies,
    CountsExistingTopicsAsMissing,
    NeverEndsSessions,
    AcceptsEveryOlderEpoch,
    AcceptsThePresentEpochOnly,
]
