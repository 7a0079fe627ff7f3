"""Checks of all steps of one shard from outside. Each raises `Broken` with the name of the violated invariant.

The methods are named after the steps:

    handled    a command was handled, and its records are not applied yet: check commits, fetches, returns
    applied    a record was applied to the live shard: apply it to the follower, too (`follower.py`)
    turned     the shard is at rest: check every changed group
    answered   an answer is sent: all that it depends on must be durable, and is compared with later states
    restarted  after a crash the log is shorter: shorten the follower and the stored facts too
    loaded     the shard was loaded from the log, whole or compacted: compare it with the follower
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, Fetched, HeartbeatAnswered, Synced
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now, TransactionalRecord
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupMetadataKey,
    ConsumerGroupTargetAssignmentMetadataKey,
    GroupMetadataKey,
    OffsetCommitKey,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import GroupId, Marker
from tenure.runtime.host import HostState
from tests.simulation import consumer_invariants, invariants
from tests.simulation.broken import Broken
from tests.simulation.consumer_invariants import Tenures
from tests.simulation.epochs import Epochs
from tests.simulation.follower import Follower, Logged, group_of
from tests.simulation.positions import GroupPartition, Positions

if TYPE_CHECKING:
    from tests.simulation.coordinator import Coordinator

ISOLATION_EVERY: Final = 32
"""Number of writing commands of which one is checked for effects on other groups: digests cost more than a command."""

DELETE_OFFSETS: Final = (commands.TopicsDeleted, commands.ExpireOffsets)
"""Commands that delete committed offsets; no other command of these lives does."""


def watched(shard_class: type[GroupsShard], checker: "ShardChecker") -> type[GroupsShard]:
    """Return a subclass whose methods report to the checker. Broken rules are inside of the reported methods."""

    class Watched(shard_class):  # type: ignore[misc, valid-type]
        __slots__ = ()

        def handle(self, ask: AskId, command: object, now: Now) -> CoordinatorResult:
            checker.about_to_handle()
            result: CoordinatorResult = super().handle(ask, command, now)
            checker.handled(self, ask, command, result)
            return result

        def apply(self, record: object) -> None:
            super().apply(record)
            if type(record) is not SessionExtended:
                checker.applied(record)

    return Watched


class ShardChecker:
    """Checks of one shard, and the facts from earlier steps that they need."""

    def __init__(self, coordinator: "Coordinator", topics: Topics, settings: GroupSettings, did: Counter[str]) -> None:
        self.suspects: set[GroupId] = set()
        """Groups that have changed since the last comparison with their clients."""
        self._touched: set[GroupId] = set()
        """Groups of which the present command has changed more than the deadline of a member's session."""
        self._coordinator: Final = coordinator
        self._topics: Final = topics
        self._did: Final = did
        self._follower: Final = Follower(settings)
        self._positions: Final = Positions()
        self._waits_for: dict[AskId, tuple[int, object]] = {}
        """Pending answers, each with the record that it depends on."""
        self._produced: list[tuple[AskId, object, GroupId | None]] = []
        self._moved: set[GroupId] = set()
        """Consumer groups of which the present command has logged something."""
        self._epochs: Final = Epochs()
        self._kinds: dict[GroupId, str] = {}
        self._command_kind: type = object
        """Kind of the command whose records are being applied."""
        self._after: list[Callable[[], None]] = []
        """Comparisons to make after the records of a command are applied."""
        self._writing_commands = 0
        self._found: list[Broken] = []
        """Violations found during a turn.

        They are raised later, because the host would treat them as bugs of the shard.
        """

    @property
    def tenures(self) -> Tenures:
        """Owners of partitions over time, according to the log."""
        return self._follower.tenures

    # --- commands -----------------------------------------------------------------------------------------------------

    def about_to_handle(self) -> None:
        """Check the previous command, whose records are applied by now."""
        if self._produced:
            self._bind_answers()
        if self._after:
            after, self._after = self._after, []
            for compare in after:
                self._collect(compare)
        if self._touched:
            for group_id in sorted(self._touched):
                self._collect(lambda group_id=group_id: self._check_group(group_id))  # type: ignore[misc]
            self.suspects |= self._touched
            self._touched.clear()
            self._moved.clear()

    def _bind_answers(self) -> None:
        """Make all pending answers depend on the records of their group so far."""
        durable_offset = self._coordinator.partition.durable_offset
        for ask, answer, group_id in self._produced:
            offset = self._follower.newest_of(group_id)
            if offset >= durable_offset:
                self._waits_for[ask] = offset, answer
        self._produced.clear()

    def handled(self, shard: GroupsShard, ask: AskId, command: Any, result: CoordinatorResult) -> None:
        """Check a handled command. The state has not changed yet."""
        group_id = getattr(command, "group_id", None)
        self._produced += [(*reply, group_id) for reply in result.replies]
        self._command_kind = kind = type(command)
        if kind is commands.Heartbeat or not (result.records or result.replies):
            return
        answer = result.replies[0][1] if result.replies and result.replies[0][0] == ask else None
        if kind is commands.CommitOffsets:
            self._collect(lambda: self._check_commit(shard, command, answer))
        elif kind is commands.CommitInTransaction:
            self._collect(lambda: self._check_commit_in_transaction(shard, command, answer))
        elif kind is commands.FetchOffsets:
            self._collect(lambda: self._check_fetch(command, answer))
        elif kind is commands.ConsumerHeartbeat:
            self._did[type(answer).__name__ if isinstance(answer, HeartbeatAnswered) else _named(answer)] += 1
            if command.member_epoch == JOINS and command.instance_id is not None:
                self._collect(lambda: self._check_return(shard, command, result))
        elif kind is commands.JoinGroup and command.group_instance_id is not None and not command.member_id:
            self._watch_classic_return(shard, command, answer)
        if len(result.records) > 1 and group_id is not None:
            self._collect(lambda: self._check_isolation(shard, group_id, result))

    def _check_commit(self, shard: GroupsShard, commit: commands.CommitOffsets, answer: object) -> None:
        consumer, classic = shard.consumer_group(commit.group_id), shard.classic_group(commit.group_id)
        accepted = isinstance(answer, Committed)
        self._did["commit accepted" if accepted else f"commit refused: {_named(answer)}"] += 1
        if consumer is not None:
            consumer_invariants.commit_fence(consumer, self.tenures, commit, answer)
            member = consumer.members.get(commit.member_id)
            if accepted and member is not None and commit.generation_id < member.member_epoch:
                self._did["commit accepted at an older epoch"] += 1
        elif shard.streams_group(commit.group_id) is None:  # tests/coordinator/streams_histories.py checks their fence
            invariants.commit_fence(commit, _fence_state(classic), answer)
        if accepted:
            for one in commit.offsets:
                self._positions.accepted((commit.group_id, one.topic, one.partition), one.metadata or "")

    def _check_commit_in_transaction(
        self, shard: GroupsShard, commit: commands.CommitInTransaction, answer: object
    ) -> None:
        """Check a commit in a transaction.

        Its fence differs little from that of a plain one; it is valid from its marker on.
        """
        accepted = isinstance(answer, Committed)
        self._did["transactional commit accepted" if accepted else f"transactional commit: {_named(answer)}"] += 1
        consumer = shard.consumer_group(commit.group_id)
        if consumer is not None:
            ids = {one.topic: topic.topic_id for one in commit.offsets if (topic := self._topics.named(one.topic))}
            named = [commands.OffsetToCommit(o.topic, ids[o.topic], o.partition, o.offset) for o in commit.offsets]
            as_plain = commands.CommitOffsets(
                commit.group_id, commit.member_id, commit.group_instance_id, commit.generation_id, named
            )
            consumer_invariants.commit_fence(consumer, self.tenures, as_plain, answer)
        elif shard.streams_group(commit.group_id) is None:
            invariants.commit_fence(commit, _fence_state(shard.classic_group(commit.group_id)), answer)

    def _check_fetch(self, fetch: commands.FetchOffsets, answer: object) -> None:
        if isinstance(answer, Fetched):
            self._did["fetch"] += 1
            for topic in answer.topics:
                for found in topic.partitions:
                    if found.error_code is ErrorCode.UNSTABLE_OFFSET_COMMIT:
                        self._did["unstable offset"] += 1
                        continue
                    name = found.metadata if found.offset >= 0 else None
                    self._positions.check_read((fetch.group_id, topic.topic, found.partition), name)

    def _check_return(self, shard: GroupsShard, beat: commands.ConsumerHeartbeat, result: CoordinatorResult) -> None:
        """Check a static member that returned within its session with the same subscription, if nothing else is due."""
        group = shard.consumer_group(beat.group_id)
        holder_id = None if group is None else group.static_members.get(beat.instance_id)  # type: ignore[arg-type]
        if group is None or holder_id is None or not group.members[holder_id].is_away:
            return
        holder = group.members[holder_id]
        wants_the_same = (
            beat.subscribed_topic_names is None
            or tuple(sorted(beat.subscribed_topic_names)) == holder.subscribed_topic_names
        )
        is_due = group.topics_version != self._topics.version or group.group_epoch != group.target_epoch
        if wants_the_same and not is_due:
            self._did["static bounce"] += 1
            for record in result.records:
                key = record.key if isinstance(record, LogRecord) else None
                if isinstance(key, ConsumerGroupMetadataKey | ConsumerGroupTargetAssignmentMetadataKey):
                    raise Broken("StaticBounceSilent", f"{beat} leads to {record}")

    def _watch_classic_return(self, shard: GroupsShard, join: commands.JoinGroup, answer: object) -> None:
        group = shard.classic_group(join.group_id)
        before = {} if group is None else {join.group_id: group.digest()}

        def compare() -> None:
            group = shard.classic_group(join.group_id)
            after = {} if group is None else {join.group_id: group.digest()}
            if invariants.static_bounce_silent(join, before, after, answer):
                self._did["static bounce"] += 1

        self._after.append(compare)

    def _check_isolation(self, shard: GroupsShard, touched: GroupId, result: CoordinatorResult) -> None:
        for record in result.records:
            group_id = group_of(record)
            if group_id is not None and group_id != touched:
                raise Broken("GroupsIsolated", f"a command of {touched} leads to {record}")
        self._writing_commands += 1
        if self._writing_commands % ISOLATION_EVERY == 0:
            groups, offsets = shard.digest()

            def compare() -> None:
                groups_now, offsets_now = shard.digest()
                invariants.groups_isolated(groups, groups_now, touched)
                invariants.groups_isolated(offsets, offsets_now, touched)

            self._after.append(compare)

    def _collect(self, check: Callable[[], None]) -> None:
        try:
            check()
        except Broken as broken:
            self._found.append(broken)

    # --- records and turns --------------------------------------------------------------------------------------------

    def applied(self, record: object) -> None:
        """Check an applied record. Replayed records are ignored, because they were checked before."""
        if self._coordinator.host.state is not HostState.ACTIVE:
            return
        group_id = group_of(record)
        counting = self._follower.follow(record) if isinstance(record, Logged) else ()
        if isinstance(record, TransactionalRecord | Marker):
            self._check_ended(counting)
            return
        if isinstance(record, LogRecord):
            if record.value is None:
                self._note_deletion(record.key)
            if isinstance(record.key, OffsetCommitKey):
                self._check_offset(record.key)
                return
            if isinstance(record.key, GroupMetadataKey):
                self._collect(partial(self._follower.same_classic_group, self._coordinator.shard, record.key.group))
            elif group_id is not None:
                self._moved.add(group_id)
        if group_id is not None:
            self._touched.add(group_id)

    def _check_ended(self, counting: Iterable[tuple[GroupPartition, str]]) -> None:
        """Check the records of a transaction that has ended, which are valid from its marker on.

        Of several commits of a partition, the newest is valid.
        """
        for group_partition, name in counting:
            self._positions.accepted(group_partition, name)
            self._check_offset(OffsetCommitKey(*group_partition))

    def _note_deletion(self, key: object) -> None:
        if isinstance(key, OffsetCommitKey):
            if self._command_kind not in DELETE_OFFSETS:
                self._found.append(Broken("OffsetOrder", f"{self._command_kind.__name__} has deleted {key}"))
            self._positions.remove((key.group, key.topic, key.partition))
        elif isinstance(key, ConsumerGroupMetadataKey):
            self._epochs.remove_group(key.group_id)
        elif isinstance(key, GroupMetadataKey):
            self._epochs.remove_group(key.group)

    def _check_offset(self, key: OffsetCommitKey) -> None:
        self._collect(partial(self._follower.same_offset, self._coordinator.shard, key))

    def turned(self) -> None:
        """Check all changed groups between two commands, after the batch was appended."""
        self.about_to_handle()
        if self._found:
            raise self._found[0]

    def _check_group(self, group_id: GroupId) -> None:
        shard = self._coordinator.shard
        consumer, classic = shard.consumer_group(group_id), shard.classic_group(group_id)
        if consumer is not None:
            self._note_kind(group_id, "consumer")
            self._check_consumer_group(consumer)
        elif classic is not None:
            self._note_kind(group_id, "classic")
            self._check_classic_group(classic)

    def _note_kind(self, group_id: GroupId, kind: str) -> None:
        """Note the kind of a group, which changes if it has members of both kinds (rule 3.9)."""
        if self._kinds.setdefault(group_id, kind) != kind:
            self._kinds[group_id] = kind
            self._did[f"became a {kind} group"] += 1

    def _check_consumer_group(self, group: ConsumerGroup) -> None:
        self._did[group.state.value] += 1
        consumer_invariants.at_rest(group, self._topics)
        self._epochs.check_present(group.group_id, (group.group_epoch, group.target_epoch))
        if group.group_id in self._moved:
            self._follower.same_consumer_group(group)

    def _check_classic_group(self, group: ClassicGroup) -> None:
        self._did[group.state.value] += 1
        digest = group.digest()
        invariants.one_instance_one_member(group.group_id, digest)
        invariants.single_owner(group.group_id, digest, _partitions)
        invariants.structure_of(group)
        self._epochs.check_present(group.group_id, (group.generation_id, 0))

    # --- the log ------------------------------------------------------------------------------------------------------

    def appended(self, last_offset: int) -> None:
        applied = self._follower.end_offset
        if applied != last_offset + 1:
            raise Broken("ReplayEqualsLive", f"{applied} records were applied, {last_offset + 1} are in the log")

    def lost(self, end_offset: int) -> None:
        """Forget the records from this offset on, because they were not written."""
        self._produced.clear()
        self._after.clear()
        self._touched.clear()
        self._moved.clear()
        if lost := self._follower.cut(end_offset):
            self._did["records lost"] += lost
        if self._found:
            raise self._found[0]

    def restarted(self, end_offset: int) -> None:
        self._waits_for.clear()
        self.lost(end_offset)

    def loaded(self) -> None:
        shard = self._coordinator.shard
        self._follower.same_loaded(shard)
        groups, offsets = shard.digest()
        self._positions.restarted(
            ((group_id, *at), value) for group_id, held in offsets.items() for at, value in held.items()
        )
        for group in filter(None, map(shard.consumer_group, sorted(groups))):
            consumer_invariants.at_rest(group, self._topics)
        self._epochs.loaded(shard)

    # --- answers ------------------------------------------------------------------------------------------------------

    def answered(self, ask: AskId, command: Any, answer: object) -> None:
        """Check an answer that leaves the coordinator."""
        offset, depending = self._waits_for.pop(ask, (-1, None))
        if offset >= self._coordinator.partition.durable_offset and answer is depending:  # else it is a refusal instead
            raise Broken("ReplyAfterDurable", f"{answer} to {command} left before the record at {offset} was safe")
        if isinstance(answer, HeartbeatAnswered):
            if answer.member_epoch > 0:
                self._epochs.member_received(command.group_id, answer)
        elif isinstance(answer, Committed):
            for one in command.offsets:
                self._positions.acked((command.group_id, one.topic, one.partition), one.metadata or "")
        elif isinstance(answer, Synced):
            self._did["Synced"] += 1
            self._epochs.group_received(command.group_id, command.generation_id)
        elif hasattr(answer, "error_code"):
            self._did[_named(answer)] += 1


def _fence_state(group: ClassicGroup | None) -> invariants.Digest:
    """Return the part of a group that a fence depends on: complete digests would cost too much for commits."""
    if group is None:
        return {}
    names = ("state", "generation_id", "members", "static_members")
    return {group.group_id: {name: getattr(group, name) for name in names}}


def _named(answer: Any) -> str:
    error_code = getattr(answer, "error_code", None)
    return type(answer).__name__ if error_code is None else str(error_code.name)


@lru_cache(maxsize=4_096)
def _partitions(assignment: bytes) -> tuple[tuple[str, int], ...]:
    if not assignment:
        return ()
    return tuple(
        (of.topic, partition) for of in decode_assignment(assignment).assigned_partitions for partition in of.partitions
    )
