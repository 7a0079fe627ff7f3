"""Groups shards with one deliberately broken rule of consumer groups; the class names the fault."""

from dataclasses import replace
from typing import Any

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.commands import CommitOffsets, ConsumerHeartbeat
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupTargetAssignmentMetadataValue,
)
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import LEAVES, LEAVES_FOR_NOW
from tenure.protocol.types import PartitionId

OF_EPOCHS = (ConsumerGroupMetadataValue, ConsumerGroupTargetAssignmentMetadataValue)


class AcceptsEveryOlderEpoch(GroupsShard):
    """Broken rule: the present owner may commit a partition with any earlier epoch."""

    BREAKS = "CommitFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, CommitOffsets):
            group = self.consumer_group(command.group_id)
            member = None if group is None else group.members.get(command.member_id)
            if member is not None and command.generation_id <= member.member_epoch:
                seat = command.member_id, command.group_instance_id
                command = CommitOffsets(command.group_id, *seat, member.member_epoch, command.offsets)  # type: ignore[arg-type]
        return super().handle(ask, command, now)


class AcceptsThePresentEpochOnly(GroupsShard):
    """Broken rule: commits as in Apache Kafka until 4.2, except for partitions that the member does not have."""

    BREAKS = "NoFalseFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, CommitOffsets):
            group = self.consumer_group(command.group_id)
            member = None if group is None else group.members.get(command.member_id)
            if member is not None and command.generation_id != member.member_epoch:
                return refuse(ask, ErrorCode.STALE_MEMBER_EPOCH)
        return super().handle(ask, command, now)


class TreatsUnreportedAsNotOwned(GroupsShard):
    """Broken rule: a member that does not report its partitions is treated as if it owned none."""

    BREAKS = "NoFalseFence"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, ConsumerHeartbeat) and command.owned is None:
            command.owned = []
        return super().handle(ask, command, now)


class ForgetsAbsentMembers(GroupsShard):
    BREAKS = "StaticBounceSilent"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, ConsumerHeartbeat) and command.member_epoch == LEAVES_FOR_NOW:
            command.member_epoch = LEAVES
        return super().handle(ask, command, now)


class AssignsWhatOthersStillOwn(GroupsShard):
    """Broken rule: a member in the target's epoch gets its whole target at once."""

    BREAKS = "SingleOwner"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        targets = {
            record.key.member_id: record.value  # type: ignore[union-attr]
            for record in result.records
            if isinstance(record, LogRecord) and isinstance(record.value, TargetAssignment)
        }
        return CoordinatorResult([_with_all_of(targets, record) for record in result.records], result.replies)


def _with_all_of(targets: dict[Any, Any], record: Any) -> Any:
    if not isinstance(record, LogRecord) or not isinstance(record.key, ConsumerGroupCurrentMemberAssignmentKey):
        return record
    wanted = targets.get(record.key.member_id)
    value: Any = record.value
    if not wanted or value is None or value.partitions_pending_revocation:
        return record
    assigned = {topic_id: dict.fromkeys(sorted(there), value.member_epoch) for topic_id, there in wanted.items()}
    member = Member(record.key.member_id, member_epoch=value.member_epoch, assigned=assigned)
    return logged.current(record.key.group_id, replace(member, previous_member_epoch=value.previous_member_epoch))


class ForgetsAPartition(GroupsShard):
    """Broken rule: no target contains partition 0."""

    BREAKS = "LegalTarget"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        return CoordinatorResult(list(map(_without_first_partition, result.records)), result.replies, result.effects)


def _without_first_partition(record: object) -> object:
    if not isinstance(record, LogRecord) or not isinstance(record.value, TargetAssignment):
        return record
    topics = {topic_id: partitions - {PartitionId(0)} for topic_id, partitions in record.value.items()}
    return LogRecord(record.key, TargetAssignment(topics))


class CountsBackwards(GroupsShard):
    """Broken rule: a group without members restarts its epochs."""

    BREAKS = "EpochsMonotonic"

    def apply(self, record: Any) -> None:
        if isinstance(record, LogRecord) and isinstance(record.value, OF_EPOCHS):
            group = self.consumer_group(record.key.group_id)  # type: ignore[union-attr]
            if group is not None and not group.members:
                group.target_epoch = 1
                value = record.value
                is_target = isinstance(value, ConsumerGroupTargetAssignmentMetadataValue)
                other = value.assignment_timestamp if is_target else value.metadata_hash
                record = LogRecord(record.key, type(value)(1, other))
        super().apply(record)


class RemembersWhatIsNotLogged(GroupsShard):
    """Broken rule: the group counts the records that it applies, which are fewer after a compaction."""

    BREAKS = "ReplayEqualsLive"

    def apply(self, record: Any) -> None:
        super().apply(record)
        if isinstance(record, LogRecord) and isinstance(record.key, ConsumerGroupCurrentMemberAssignmentKey):
            group = self.consumer_group(record.key.group_id)
            if group is not None and group.assignment_timestamp:
                group.assignment_timestamp += 1


BROKEN_RULES: list[Any] = [
    AcceptsEveryOlderEpoch,
    AcceptsThePresentEpochOnly,
    TreatsUnreportedAsNotOwned,
    ForgetsAbsentMembers,
    AssignsWhatOthersStillOwn,
    ForgetsAPartition,
    CountsBackwards,
    RemembersWhatIsNotLogged,
]
