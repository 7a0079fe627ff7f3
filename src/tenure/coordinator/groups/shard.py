"""Groups shard: one partition of `__consumer_offsets`, and the groups in it.

The shard calls one rule for each command, and one function that changes the state for each record. Every rule has a
file of its own.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, TypeAlias

from tenure.coordinator.answers import NO_MEMBER_ID
from tenure.coordinator.groups import refusals
from tenure.coordinator.groups.classic.changes import CHANGES, group_metadata
from tenure.coordinator.groups.classic.configure import configure_group
from tenure.coordinator.groups.classic.describe import describe_group
from tenure.coordinator.groups.classic.expiry import expire, loaded_again
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.heartbeat import heartbeat
from tenure.coordinator.groups.classic.join import join_group
from tenure.coordinator.groups.classic.leave import leave_group
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
from tenure.coordinator.groups.state import AnyGroup, Groups, Offsets
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


def _expire(groups: Groups, _: AskId, group: AnyGroup | None, timer: Timer, now: Now) -> CoordinatorResult | Removal:
    """Handle an expired timer. Do nothing if another timer that expired in this tick has stopped or extended it."""
    if group is None or (at_ms := group.deadline_ms(timer)) is None or at_ms > now.tick_ms:
        return CoordinatorResult()
    if isinstance(group, ClassicGroup):
        return expire(groups, group, timer, now)
    if isinstance(group, ConsumerGroup):
        return consumer_expiry.expire(group, timer)
    return streams_expiry.expire(group, timer, now)


def _removed(groups: Groups, group: ConsumerGroup, removal: Removal, now: Now) -> CoordinatorResult:
    """Remove members. If all remaining members use the classic protocol, the group becomes classic (rule 3.9)."""
    gone_ids = removal.member_ids
    if is_due_after_departure(groups.settings, group, gone_ids):
        return CoordinatorResult(downgraded_without(groups, group, gone_ids, removal.why, now), removal.replies)
    return CoordinatorResult(removal_records(groups, group, removal), removal.replies)


SHARD_RULES: Final[dict[type, Callable[[Groups, AskId, Any, Now], CoordinatorResult]]] = {
    EndOfTransaction: end_of_transaction,
    ListGroups: list_groups,
    ExpireOffsets: expire_offsets,
    ContinueOffsetRemoval: remove_some_offsets,
    TopicsDeleted: topics_deleted,
    ConfigureDefaults: configure_defaults,
    Resign: resign,
}
"""Rules of the whole shard, by type of command."""

Rules: TypeAlias = dict[type, Callable[[Groups, AskId, Any, Any, Now], CoordinatorResult | Removal]]
"""Rules of groups, by type of command."""

GROUP_RULES: Final[Rules] = {
    Heartbeat: heartbeat,
    CommitOffsets: commit_offsets,
    CommitInTransaction: commit_in_transaction,
    JoinGroup: join_group,
    SyncGroup: sync_group,
    LeaveGroup: leave_group,
    FetchOffsets: fetch_offsets,
    DescribeGroup: describe_group,
    DeleteGroup: delete_group,
    DeleteOffsets: delete_offsets,
    ConfigureGroup: configure_group,
    ConsumerHeartbeat: consumer_heartbeat_to_new_group,
    DescribeConsumerGroup: describe_consumer_group,
    StreamsHeartbeat: streams_heartbeat_to_new_group,
    DescribeStreamsGroup: describe_streams_group,
    RegexResolved: regex_resolved,
    TargetComputed: target_computed,
    TaskTargetComputed: task_target_computed,
    Timer: _expire,
}
"""Rules for groups that do not exist, for classic groups, and for other groups without a rule of their own."""

RULES_BY_GROUP_TYPE: Final[dict[type, Rules]] = {
    type(None): GROUP_RULES,
    ClassicGroup: GROUP_RULES,
    ConsumerGroup: GROUP_RULES
    | {
        Heartbeat: heartbeat_to_consumer_group,
        ConsumerHeartbeat: consumer_heartbeat,
        JoinGroup: join_consumer_group,
        SyncGroup: sync_consumer_group,
        LeaveGroup: lambda _, ask, group, leave, __: leave_consumer_group(ask, group, leave),
        ConfigureGroup: configure_consumer_group,
    },
    StreamsGroup: GROUP_RULES
    | {
        StreamsHeartbeat: streams_heartbeat,
        JoinGroup: join_streams_group,
        ConfigureGroup: configure_streams_group,
    },
}
"""Rules by type of group; `NoneType` stands for groups that do not exist."""

LOGGED: Final[dict[type, Callable[[Any, Any, Any], None]]] = {**CONSUMER_CHANGES, **STREAMS_CHANGES}
"""Changes of consumer and streams groups, by type of the key of a logged record."""

EPHEMERAL: Final[dict[type, dict[type, Callable[[Any, Any], None]]]] = {
    ClassicGroup: {**CHANGES},
    ConsumerGroup: {**CONSUMER_EPHEMERAL},
    StreamsGroup: {**STREAMS_EPHEMERAL},
}
"""Changes by ephemeral records, by type of group."""

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


RecordListener: TypeAlias = Callable[[AnyGroup, object], None]
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
        self._timers: TimerHeap[Timer] = TimerHeap(self._groups.deadline_ms)

    def consumer_group(self, group_id: GroupId) -> ConsumerGroup | None:
        """Return a consumer group; None if it does not exist. Callers must not change it."""
        group = self._groups.by_id.get(group_id)
        return group if isinstance(group, ConsumerGroup) else None

    def classic_group(self, group_id: GroupId) -> ClassicGroup | None:
        """Return a classic group; None if it does not exist. Callers must not change it."""
        group = self._groups.by_id.get(group_id)
        return group if isinstance(group, ClassicGroup) else None

    def streams_group(self, group_id: GroupId) -> StreamsGroup | None:
        """Return a streams group; None if it does not exist. Callers must not change it."""
        group = self._groups.by_id.get(group_id)
        return group if isinstance(group, StreamsGroup) else None

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        """Look up the group of a command, and call the rule for the group's type."""
        groups, kind = self._groups, type(command)
        try:
            group_id = command.group_id
        except AttributeError:  # a command to the whole shard
            return SHARD_RULES[kind](groups, ask, command, now)
        if groups.ending and kind in CLOSED_TO and group_id in groups.ending:
            return CoordinatorResult((), ((ask, self.unavailable(command, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)),))
        group: Any = groups.by_id.get(group_id)
        result = RULES_BY_GROUP_TYPE[type(group)][kind](groups, ask, group, command, now)
        return _removed(groups, group, result, now) if type(result) is Removal else result

    def apply(self, record: object) -> None:
        if isinstance(record, SessionExtended):  # first and in place, because it is the most frequent record
            deadlines, timers = self._groups.by_id[record.group_id].session_deadlines, self._timers
            member_id, deadline_ms = record.member_id, record.deadline_ms
            before_ms = deadlines.get(member_id, -1)
            deadlines[member_id] = deadline_ms
            if before_ms <= timers.passed_ms or deadline_ms < before_ms:  # else the heap has an earlier entry
                timers.arm(Timer(TimerKind.SESSION, record.group_id, member_id), deadline_ms)
        elif isinstance(record, LogRecord):
            self._apply_logged(record)
        elif type(record) in OFFSET_CHANGES:
            self._apply_to_offsets(record)
        elif isinstance(record, EpochBumped | SeatInherited):
            if self._listener is not None:
                self._listener(self._groups.by_id[record.group_id], record)
        elif isinstance(record, DefaultsConfigured):
            defaults_configured(self._groups, record)
        elif isinstance(record, GroupConfigured):
            self._groups.configure(record)
        else:
            self._apply_ephemeral(record)

    def _apply_to_offsets(self, record: Any) -> None:
        OFFSET_CHANGES[type(record)](self._groups, record)
        if isinstance(record, OffsetExpiryScheduled):
            self._timers.arm(OFFSET_EXPIRY, record.deadline_ms)
        elif isinstance(record, OffsetRemovalStarted | OffsetRemovalContinued) and self._groups.removals:
            self._timers.arm(OFFSET_REMOVAL, record.deadline_ms)

    def _apply_ephemeral(self, record: Any) -> None:
        group, kind = self._groups.by_id[record.group_id], type(record)
        if self._listener is not None and isinstance(group, ClassicGroup):
            self._listener(group, record)
        EPHEMERAL[type(group)][kind](group, record)
        timer_kind = TIMERS.get(kind)
        if timer_kind is not None and record.deadline_ms is not None:
            timer = Timer(timer_kind, record.group_id, getattr(record, "member_id", NO_MEMBER_ID))
            self._timers.arm(timer, record.deadline_ms)

    def _apply_logged(self, record: LogRecord) -> None:
        key = record.key
        value: Any = record.value
        if isinstance(key, OffsetCommitKey):
            offset_commit(self._groups, key, value)
        elif isinstance(key, GroupMetadataKey):
            self._apply_to_classic_group(record, key.group, value)
        elif type(key) in LOGGED:
            self._apply_to_epoch_group(record, key, value)
        else:
            raise InvariantError(f"unexpected record in a groups shard: {record!r}")

    def _apply_to_classic_group(self, record: LogRecord, group_id: GroupId, value: object) -> None:
        """Apply a record of a classic group. It replaces a group of another type, unless it is a tombstone."""
        by_id = self._groups.by_id
        known = by_id.get(group_id)
        group = known if isinstance(known, ClassicGroup) else self._groups.new_classic_group(group_id)
        if self._listener is not None:
            self._listener(group, record)
        if isinstance(value, GroupMetadataValue):
            by_id[group_id] = group
            group_metadata(group, value)
        elif group is known:
            del by_id[group_id]

    def _apply_to_epoch_group(self, record: LogRecord, key: Any, value: object | None) -> None:
        """Apply a record of a consumer or streams group. The first record creates it, and replaces a simple group.

        Tombstones of a group that was removed are ignored (rules 6.4.2, 6.4.3). So the tombstone of a topology has no
        effect: it comes after the tombstone of the group's metadata, which removes the group.
        """
        groups, group_id = self._groups, key.group_id
        group_type = ConsumerGroup if type(key) in CONSUMER_CHANGES else StreamsGroup
        group = groups.by_id.get(group_id)
        if type(group) is not group_type:
            if value is None:
                return
            if group is not None and not (isinstance(group, ClassicGroup) and group.protocol_type is None):
                types = f"{type(group).__name__} and {group_type.__name__}"
                raise InvariantError(f"group {group_id!r} has records of two types at once: {types}")
            group = groups.by_id[group_id] = group_type(group_id, groups.configs_of(group_id))
        if self._listener is not None:
            self._listener(group, record)
        LOGGED[type(key)](group, key, value)
        if value is None and isinstance(key, ConsumerGroupMetadataKey | StreamsGroupMetadataKey):
            del groups.by_id[group_id]

    def loaded(self, now: Now) -> CoordinatorResult:
        """Return the records that follow a load: all members get full sessions (rule 6.5.2)."""
        groups = self._groups
        records: list[object] = []
        for group in groups.by_id.values():
            if isinstance(group, ClassicGroup):
                records += loaded_again(groups, group, now)
            elif isinstance(group, ConsumerGroup):
                records += consumer_expiry.loaded_again(group, now)
            else:
                records += streams_expiry.loaded_again(group, now)
        interval_ms = groups.settings.offsets_retention_check_interval_ms
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
            for group in self._groups.classic_groups()
            for ask in (*group.parked_joins.values(), *group.parked_syncs.values())
        ]
        return [*in_groups, *(removal.ask for removal in self._groups.removals)]

    @property
    def groups(self) -> Collection[AnyGroup]:
        return self._groups.by_id.values()

    @property
    def classic_groups(self) -> Collection[ClassicGroup]:
        return self._groups.classic_groups()

    @property
    def offsets_expired(self) -> int:
        return self._groups.offsets_expired

    def committed_offsets(self) -> Iterator[tuple[tuple[TopicName, PartitionId], int]]:
        """Yield ((topic, partition), offset) for all committed offsets, in no particular order."""
        for offsets in self._groups.offsets.values():
            for partition, value in offsets.items():
                yield partition, value.offset

    def digest(self) -> tuple[dict[GroupId, dict[str, object]], dict[GroupId, Offsets]]:
        groups = {group_id: group.digest() for group_id, group in self._groups.by_id.items()}
        return groups, {group_id: dict(offsets) for group_id, offsets in self._groups.offsets.items()}
