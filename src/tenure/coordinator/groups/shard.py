"""Groups shard: one partition of `__consumer_offsets`, and the groups in it.

The shard calls one rule for each command, and one function that changes the state for each record. Every rule has a
file of its own.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, TypeAlias

from tenure.coordinator.answers import NO_MEMBER_ID
from tenure.coordinator.groups import refusals
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic.changes import CHANGES, group_metadata
from tenure.coordinator.groups.classic.configure import configure_group
from tenure.coordinator.groups.classic.describe import describe_group
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.expiry import deadline_of, expire
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.heartbeat import heartbeat
from tenure.coordinator.groups.classic.join import join_group
from tenure.coordinator.groups.classic.leave import leave_group
from tenure.coordinator.groups.classic.rebalance import prepare_rebalance
from tenure.coordinator.groups.classic.resign import resign
from tenure.coordinator.groups.classic.sync import sync_group
from tenure.coordinator.groups.commands import (
    CommitInTransaction,
    CommitOffsets,
    ConfigureDefaults,
    ConfigureGroup,
    ConsumerHeartbeat,
    ContinueOffsetRemoval,
    DeleteGroup,
    DeleteOffsets,
    DescribeConsumerGroup,
    DescribeGroup,
    DescribeStreamsGroup,
    EndOfTransaction,
    ExpireOffsets,
    FetchOffsets,
    Heartbeat,
    JoinGroup,
    LeaveGroup,
    ListGroups,
    RegexResolved,
    Resign,
    StreamsHeartbeat,
    SyncGroup,
    TargetComputed,
    TaskTargetComputed,
    TopicsDeleted,
)
from tenure.coordinator.groups.consumer import expiry as consumer_expiry
from tenure.coordinator.groups.consumer.assign import target_computed
from tenure.coordinator.groups.consumer.changes import CHANGES as CONSUMER_CHANGES
from tenure.coordinator.groups.consumer.changes import EPHEMERAL as CONSUMER_EPHEMERAL
from tenure.coordinator.groups.consumer.configure import configure_consumer_group
from tenure.coordinator.groups.consumer.describe import describe_consumer_group
from tenure.coordinator.groups.consumer.expiry import loaded_again
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.heartbeat import consumer_heartbeat
from tenure.coordinator.groups.consumer.leave import Removal, removal_records
from tenure.coordinator.groups.consumer.regexes import regex_resolved
from tenure.coordinator.groups.default_configs import configure_defaults, defaults_configured
from tenure.coordinator.groups.list_groups import list_groups
from tenure.coordinator.groups.migration.downgrade import downgraded_without, is_due_after_departure
from tenure.coordinator.groups.migration.heartbeat import heartbeat_to_consumer_group
from tenure.coordinator.groups.migration.join import join_consumer_group, join_streams_group
from tenure.coordinator.groups.migration.leave import leave_consumer_group
from tenure.coordinator.groups.migration.sync import sync_consumer_group
from tenure.coordinator.groups.migration.upgrade import consumer_heartbeat_to_new_group
from tenure.coordinator.groups.offsets.changes import CHANGES as OFFSET_CHANGES
from tenure.coordinator.groups.offsets.changes import offset_commit
from tenure.coordinator.groups.offsets.commit import commit_offsets
from tenure.coordinator.groups.offsets.commit_in_transaction import commit_in_transaction, end_of_transaction
from tenure.coordinator.groups.offsets.delete import delete_group, delete_offsets, topics_deleted
from tenure.coordinator.groups.offsets.expire import expire_offsets
from tenure.coordinator.groups.offsets.fetch import fetch_offsets
from tenure.coordinator.groups.offsets.removal_in_steps import CLOSED_TO, remove_some_offsets
from tenure.coordinator.groups.records import (
    DefaultsConfigured,
    EpochBumped,
    GroupConfigured,
    InitialDelayArmed,
    JoinTimerArmed,
    MemberJoined,
    MemberPending,
    OffsetExpiryScheduled,
    OffsetRemovalContinued,
    OffsetRemovalStarted,
    RejoinTimerArmed,
    RevocationTimerArmed,
    SeatInherited,
    SessionExtended,
    SyncTimerArmed,
)
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.state import Groups, Offsets
from tenure.coordinator.groups.streams import expiry as streams_expiry
from tenure.coordinator.groups.streams.assign import task_target_computed
from tenure.coordinator.groups.streams.changes import CHANGES as STREAMS_CHANGES
from tenure.coordinator.groups.streams.changes import EPHEMERAL as STREAMS_EPHEMERAL
from tenure.coordinator.groups.streams.configure import configure_streams_group
from tenure.coordinator.groups.streams.describe import describe_streams_group
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.heartbeat import streams_heartbeat, streams_heartbeat_to_new_group
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, CoordinatorResult, InvariantError, LogRecord, Now
from tenure.coordinator.timer_heap import TimerHeap
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupMetadataKey,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    StreamsGroupMetadataKey,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GroupId, PartitionId, TopicName


def _deadline_of(groups: Groups, timer: Timer) -> int | None:
    group = groups.consumer.get(timer.group_id)
    if group is not None:
        return consumer_expiry.deadline_of(group, timer)
    streams = groups.streams.get(timer.group_id)
    return deadline_of(groups, timer) if streams is None else streams_expiry.deadline_of(streams, timer)


def _removed(groups: Groups, group: ConsumerGroup, removal: Removal, now: Now) -> CoordinatorResult:
    """Remove members. If all remaining members use the classic protocol, the group becomes classic (rule 3.9)."""
    gone_ids = removal.member_ids
    if is_due_after_departure(groups.settings, group, gone_ids):
        return CoordinatorResult(downgraded_without(groups, group, gone_ids, removal.why, now), removal.replies)
    return CoordinatorResult(removal_records(groups, group, removal), removal.replies)


RULES: Final[dict[type, Callable[[Groups, AskId, Any, Now], CoordinatorResult]]] = {
    Heartbeat: heartbeat,
    CommitOffsets: commit_offsets,
    CommitInTransaction: commit_in_transaction,
    EndOfTransaction: end_of_transaction,
    JoinGroup: join_group,
    SyncGroup: sync_group,
    LeaveGroup: leave_group,
    FetchOffsets: fetch_offsets,
    DescribeGroup: describe_group,
    ListGroups: list_groups,
    DeleteGroup: delete_group,
    DeleteOffsets: delete_offsets,
    ExpireOffsets: expire_offsets,
    ContinueOffsetRemoval: remove_some_offsets,
    TopicsDeleted: topics_deleted,
    ConfigureGroup: configure_group,
    ConfigureDefaults: configure_defaults,
    Resign: resign,
    ConsumerHeartbeat: consumer_heartbeat_to_new_group,
    DescribeConsumerGroup: describe_consumer_group,
    StreamsHeartbeat: streams_heartbeat_to_new_group,
    DescribeStreamsGroup: describe_streams_group,
    RegexResolved: regex_resolved,
    TargetComputed: target_computed,
    TaskTargetComputed: task_target_computed,
    Timer: lambda groups, _, timer, now: expire(groups, timer, now),
}

OF_CONSUMER_GROUPS: Final[
    dict[type, Callable[[Groups, AskId, ConsumerGroup, Any, Now], CoordinatorResult | Removal]]
] = {
    Heartbeat: heartbeat_to_consumer_group,
    ConsumerHeartbeat: consumer_heartbeat,
    JoinGroup: join_consumer_group,
    SyncGroup: sync_consumer_group,
    LeaveGroup: lambda _, ask, group, leave, __: leave_consumer_group(ask, group, leave),
    ConfigureGroup: configure_consumer_group,
    Timer: lambda _, __, group, timer, now: consumer_expiry.expire(group, timer, now),
}
"""Rules of consumer groups, by type of command; for other commands, those in `RULES` apply."""

OF_STREAMS_GROUPS: Final[dict[type, Callable[[Groups, AskId, StreamsGroup, Any, Now], CoordinatorResult]]] = {
    StreamsHeartbeat: streams_heartbeat,
    JoinGroup: join_streams_group,
    ConfigureGroup: configure_streams_group,
    Timer: lambda _, __, group, timer, now: streams_expiry.expire(group, timer, now),
}
"""Rules of streams groups, by type of command; for other commands, those in `RULES` apply."""

TIMERS: Final[dict[type, TimerKind]] = {
    MemberPending: TimerKind.PENDING,
    SessionExtended: TimerKind.SESSION,
    JoinTimerArmed: TimerKind.JOIN,
    SyncTimerArmed: TimerKind.SYNC,
    RevocationTimerArmed: TimerKind.REVOCATION,
    RejoinTimerArmed: TimerKind.MEMBER_REJOIN,
    MemberJoined: TimerKind.MEMBER_SYNC,
    InitialDelayArmed: TimerKind.FIRST_ASSIGNMENT,
}
"""Kind of the timer that is set by each type of record."""

OFFSET_EXPIRY: Final = Timer(TimerKind.OFFSET_EXPIRY, GroupId(""))
OFFSET_REMOVAL: Final = Timer(TimerKind.OFFSET_REMOVAL, GroupId(""))
STEPS: Final = {OFFSET_EXPIRY: ExpireOffsets(), OFFSET_REMOVAL: ContinueOffsetRemoval()}
"""Command that runs the next step of a search or removal in the whole shard, by its timer."""


RecordListener: TypeAlias = Callable[[ClassicGroup | ConsumerGroup | StreamsGroup, object], None]
"""Function that is called with each record of a group, before the record is applied.

It is not called with records of heartbeats and commits.
"""


class GroupsShard:
    """State machine of all groups in one partition of the coordinator's log.

    `random_bytes(n)` returns random bytes for member ids: `os.urandom`, or `random.Random(seed).randbytes` for a
    repeatable trace. `topics()` returns the existing topics.
    """

    __slots__ = ("_groups", "_listener", "_timers")

    def __init__(
        self,
        settings: GroupSettings,
        random_bytes: Callable[[int], bytes],
        listener: RecordListener | None = None,
        topics: Callable[[], Topics] = Topics,
    ) -> None:
        self._groups = Groups(settings, random_bytes, topics)
        self._listener = listener
        self._timers: TimerHeap[Timer] = TimerHeap(lambda timer: _deadline_of(self._groups, timer))

    def consumer_group(self, group_id: GroupId) -> ConsumerGroup | None:
        """Return a consumer group; None if it does not exist. Callers must not change it."""
        return self._groups.consumer.get(group_id)

    def classic_group(self, group_id: GroupId) -> ClassicGroup | None:
        """Return a classic group; None if it does not exist. Callers must not change it."""
        return self._groups.classic.get(group_id)

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        """Look up the group of a command, and call the rule for the group's type."""
        groups, kind = self._groups, type(command)
        if groups.ending and kind in CLOSED_TO and self.scope(command) in groups.ending:
            return CoordinatorResult((), ((ask, self.unavailable(command, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)),))
        if groups.consumer and kind in OF_CONSUMER_GROUPS:
            group = groups.consumer.get(command.group_id)
            if group is not None:
                result = OF_CONSUMER_GROUPS[kind](groups, ask, group, command, now)
                return _removed(groups, group, result, now) if isinstance(result, Removal) else result
        if groups.streams and kind in OF_STREAMS_GROUPS:
            streams = groups.streams.get(command.group_id)
            if streams is not None:
                return OF_STREAMS_GROUPS[kind](groups, ask, streams, command, now)
        return RULES[kind](groups, ask, command, now)

    def apply(self, record: object) -> None:
        if isinstance(record, SessionExtended):  # first, because it is the most frequent record
            self._extend_session(record)
        elif isinstance(record, LogRecord):
            self._apply_logged(record)
        elif type(record) in OFFSET_CHANGES:
            self._apply_to_offsets(record)
        elif isinstance(record, EpochBumped | SeatInherited):
            if self._listener is not None:
                group_id = record.group_id
                self._listener(self._groups.consumer.get(group_id) or self._groups.streams[group_id], record)
        elif type(record) in STREAMS_EPHEMERAL and record.group_id in self._groups.streams:  # type: ignore[attr-defined]
            self._apply_to_streams(record)
        elif isinstance(record, DefaultsConfigured):
            defaults_configured(self._groups, record)
        elif type(record) in CONSUMER_EPHEMERAL:
            self._apply_to_consumers(record)
        else:
            self._apply_ephemeral(record)

    def _apply_to_offsets(self, record: Any) -> None:
        OFFSET_CHANGES[type(record)](self._groups, record)
        if isinstance(record, OffsetExpiryScheduled):
            self._timers.arm(OFFSET_EXPIRY, record.deadline_ms)
        elif isinstance(record, OffsetRemovalStarted | OffsetRemovalContinued) and self._groups.removals:
            self._timers.arm(OFFSET_REMOVAL, record.deadline_ms)

    def _extend_session(self, record: SessionExtended) -> None:
        """Extend a session. The heap of timers needs no change if it has an entry for an earlier time."""
        groups, group_id = self._groups, record.group_id
        group = groups.classic.get(group_id) or groups.consumer.get(group_id) or groups.streams[group_id]
        deadlines = group.session_deadlines
        member_id, deadline_ms = record.member_id, record.deadline_ms
        before_ms = deadlines.get(member_id, -1)
        deadlines[member_id] = deadline_ms
        if before_ms <= self._timers.passed_ms or deadline_ms < before_ms:
            self._timers.arm(Timer(TimerKind.SESSION, record.group_id, member_id), deadline_ms)

    def _apply_ephemeral(self, record: Any) -> None:
        kind = type(record)
        if kind is GroupConfigured and not self._store_configs(record):
            return
        group = self._groups.classic[record.group_id]
        if self._listener is not None:
            self._listener(group, record)
        CHANGES[kind](group, record)
        self._maybe_arm(record)

    def _apply_to_consumers(self, record: Any) -> None:
        CONSUMER_EPHEMERAL[type(record)](self._groups.consumer[record.group_id], record)
        self._maybe_arm(record)

    def _apply_to_streams(self, record: Any) -> None:
        STREAMS_EPHEMERAL[type(record)](self._groups.streams[record.group_id], record)
        self._maybe_arm(record)

    def _maybe_arm(self, record: Any) -> None:
        kind = TIMERS.get(type(record))
        if kind is not None and record.deadline_ms is not None:
            timer = Timer(kind, record.group_id, getattr(record, "member_id", NO_MEMBER_ID))
            self._timers.arm(timer, record.deadline_ms)

    def _store_configs(self, record: GroupConfigured) -> bool:
        """Store the configs of a group, which need not exist. Return whether it is an existing classic group."""
        groups = self._groups
        if record.configs == groups.settings.configs:
            groups.configs.pop(record.group_id, None)
        else:
            groups.configs[record.group_id] = record.configs
        if record.group_id in groups.consumer:
            groups.consumer[record.group_id].configs = record.configs
        if record.group_id in groups.streams:
            groups.streams[record.group_id].configs = record.configs
        return record.group_id in groups.classic

    def _apply_logged(self, record: LogRecord) -> None:
        key = record.key
        value: Any = record.value
        if isinstance(key, OffsetCommitKey):
            offset_commit(self._groups, key, value)
        elif isinstance(key, GroupMetadataKey):
            group = self._groups.classic_or_new(key.group)
            if self._listener is not None:
                self._listener(group, record)
            if isinstance(value, GroupMetadataValue):
                self._groups.consumer.pop(key.group, None)
                self._groups.streams.pop(key.group, None)
                group_metadata(group, value)
            else:
                self._groups.classic.pop(key.group, None)
        elif type(key) in CONSUMER_CHANGES:
            self._apply_to_consumer_group(record, key, value)
        elif type(key) in STREAMS_CHANGES:
            self._apply_to_streams_group(record, key, value)
        else:
            raise InvariantError(f"unexpected record in a groups shard: {record!r}")

    def _apply_to_consumer_group(self, record: LogRecord, key: Any, value: Any) -> None:
        """Apply a record of a consumer group.

        The group's first record creates it, and replaces a simple group. Tombstones of a group that was removed are
        ignored (rules 6.4.2, 6.4.3).
        """
        groups, group_id = self._groups, key.group_id
        group = groups.consumer.get(group_id)
        if group is None:
            if value is None:
                return
            self._end_simple_group(group_id, "consumer")
            group = groups.consumer[group_id] = ConsumerGroup(group_id, groups.configs_of(group_id))
        if self._listener is not None:
            self._listener(group, record)
        CONSUMER_CHANGES[type(key)](group, key, value)
        if value is None and type(key) is ConsumerGroupMetadataKey:
            del groups.consumer[group_id]

    def _apply_to_streams_group(self, record: LogRecord, key: Any, value: Any) -> None:
        """Apply a record of a streams group. The first record creates the group, and replaces a simple group.

        Tombstones of a group that was removed are ignored. So the tombstone of a topology has no effect: it comes after
        the tombstone of the group's metadata, which removes the group.
        """
        groups, group_id = self._groups, key.group_id
        group = groups.streams.get(group_id)
        if group is None:
            if value is None:
                return
            self._end_simple_group(group_id, "streams")
            group = groups.streams[group_id] = StreamsGroup(group_id, groups.configs_of(group_id))
        if self._listener is not None:
            self._listener(group, record)
        STREAMS_CHANGES[type(key)](group, key, value)
        if value is None and type(key) is StreamsGroupMetadataKey:
            del groups.streams[group_id]

    def _end_simple_group(self, group_id: GroupId, kind: str) -> None:
        """Remove a simple group, because a group of another type replaces it."""
        classic = self._groups.classic.pop(group_id, None)
        if classic is not None and classic.protocol_type is not None:
            raise InvariantError(f"group {group_id!r} is classic and a {kind} group at once")

    def loaded(self, now: Now) -> CoordinatorResult:
        """Return the records that follow a load: all members get full sessions (rule 6.5.2).

        A classic group that is larger than the configured maximum also starts a rebalance.
        """
        records: list[object] = []
        for group in self._groups.classic.values():
            draft = Draft(self._groups, group.group_id, now)
            for member in group.members.values():
                draft.emit(SessionExtended(group.group_id, member.member_id, now.tick_ms + member.session_timeout_ms))
            if len(group.members) > self._groups.settings.group_max_size:
                prepare_rebalance(draft, Why(Cause.OVERSIZE))
            records += draft.records
        for consumer in self._groups.consumer.values():
            records += loaded_again(consumer, now)
        for streams in self._groups.streams.values():
            records += streams_expiry.loaded_again(streams, now)
        interval_ms = self._groups.settings.offsets_retention_check_interval_ms
        return CoordinatorResult([*records, OffsetExpiryScheduled(now.tick_ms + interval_ms)])

    def due(self, now: Now) -> Sequence[object]:
        passed = self._timers.take(now.tick_ms)
        return [STEPS.get(timer, timer) for timer in passed] if passed else passed

    def next_deadline_ms(self) -> int | None:
        return self._timers.next_ms()

    def scope(self, command: object) -> str | None:
        return getattr(command, "group_id", None)

    def unavailable(self, command: object, error_code: ErrorCode) -> object:
        return refusals.unavailable(command, error_code)

    def not_logged(self, answer: object, storage_error: ErrorCode) -> object:
        return refusals.not_logged(answer, storage_error)

    def parked(self) -> Sequence[AskId]:
        in_groups = [
            ask
            for group in self._groups.classic.values()
            for ask in (*group.parked_joins.values(), *group.parked_syncs.values())
        ]
        return [*in_groups, *(removal.ask for removal in self._groups.removals)]

    @property
    def classic_groups(self) -> Collection[ClassicGroup]:
        return self._groups.classic.values()

    @property
    def consumer_groups(self) -> Collection[ConsumerGroup]:
        return self._groups.consumer.values()

    @property
    def streams_groups(self) -> Collection[StreamsGroup]:
        return self._groups.streams.values()

    @property
    def offsets_expired(self) -> int:
        return self._groups.offsets_expired

    def committed_offsets(self) -> Iterator[tuple[tuple[TopicName, PartitionId], int]]:
        """Yield ((topic, partition), offset) for all committed offsets, in no particular order."""
        for offsets in self._groups.offsets.values():
            for partition, value in offsets.items():
                yield partition, value.offset

    def digest(self) -> tuple[dict[GroupId, dict[str, object]], dict[GroupId, Offsets]]:
        groups = {group_id: group.digest() for group_id, group in self._groups.classic.items()}
        groups |= {group_id: group.digest() for group_id, group in self._groups.consumer.items()}
        groups |= {group_id: group.digest() for group_id, group in self._groups.streams.items()}
        return groups, {group_id: dict(offsets) for group_id, offsets in self._groups.offsets.items()}
