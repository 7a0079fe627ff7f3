"""Looks at everything that one shard does, from outside, and raises `Broken` by the name of what does not hold.

handled     a command was decided on, and nothing has changed yet: commits, fetches, bounces
applied     one record, live: it goes into the follower, which knows nothing but the log
turned      the shard is at rest: every group that was touched is looked at
answered    an answer leaves: what it depends on must be durable, and will be held against every later state
restarted   the log is what a crash has left of it, and so are the follower and the books
loaded      from the log, whole or compacted: the same as the follower
"""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, Fetched, HeartbeatAnswered, Synced
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import JOINS
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import DURABLE, AskId, LogRecord, Now, Step, TransactionalRecord
from tenure.protocol.consumer_offsets import (
    ConsumerGroupMetadataKey,
    ConsumerGroupTargetAssignmentMetadataKey,
    GroupMetadataKey,
    OffsetCommitKey,
)
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GroupId, Marker
from tenure.runtime.host import HostState
from tenure.simulation import consumer_invariants, invariants
from tenure.simulation.consumer_invariants import Tenures
from tenure.simulation.epochs import Epochs
from tenure.simulation.invariants import Broken
from tenure.simulation.pending import Pending
from tenure.simulation.positions import Place, Positions

if TYPE_CHECKING:
    from tenure.simulation.coordinator import Coordinator

ISOLATION_EVERY: Final = 32
"""Of so many commands that write, one is looked at from all other groups: their digests cost more than the command."""

FORGETTERS: Final = (commands.TopicsDeleted, commands.ExpireOffsets)
"""Nothing else of these lives deletes what was committed."""


def watched(shard_class: type[GroupsShard], judge: "Judge") -> type[GroupsShard]:
    """The outermost class of all: what a canary does to its commands happens inside."""

    class Watched(shard_class):  # type: ignore[misc, valid-type]
        __slots__ = ()

        def handle(self, ask: AskId, command: object, now: Now) -> Step:
            judge.about_to_handle()
            step: Step = super().handle(ask, command, now)
            judge.handled(self, ask, command, step)
            return step

        def apply(self, record: object) -> None:
            super().apply(record)
            if type(record) is not SessionExtended:
                judge.applied(record)

    return Watched


class Judge:
    def __init__(self, coordinator: "Coordinator", topics: Topics, settings: GroupSettings, did: Counter[str]) -> None:
        self.tenures = Tenures()
        self.suspects: set[GroupId] = set()
        """Groups in which something has changed since somebody looked at both sides; whoever looks clears it."""
        self._touched: set[GroupId] = set()
        """Groups of which this command has changed something but a session."""
        self._coordinator: Final = coordinator
        self._topics: Final = topics
        self._did: Final = did
        self._new_follower: Final[Callable[[], GroupsShard]] = lambda: GroupsShard(settings, Random(0).randbytes)
        self._follower = self._new_follower()
        self._positions: Final = Positions()
        self._pending = Pending()
        self._log: list[LogRecord | TransactionalRecord | Marker] = []
        """Everything from the first record on, whatever compactions have left. The index is the offset."""
        self._logged_of: dict[GroupId, int] = {}
        """The newest record of each group."""
        self._waits_for: dict[AskId, tuple[int, object]] = {}
        """An answer, and the record that it depends on."""
        self._produced: list[tuple[AskId, object, GroupId | None]] = []
        self._moved: set[GroupId] = set()
        """Consumer groups of which it has logged something."""
        self._epochs: Final = Epochs()
        self._kinds: dict[GroupId, str] = {}
        self._command_kind: type = object
        """Of the command whose records are being applied."""
        self._after: list[Callable[[], None]] = []
        """What is to be compared once the records of a command are applied."""
        self._writing_commands = 0
        self._found: list[Broken] = []
        """While the host is at work, which would take it for a bug of the shard."""

    # --- a command ----------------------------------------------------------------------------------------------------

    def about_to_handle(self) -> None:
        """The records of the command before are applied by now."""
        if self._produced:
            self._bind_answers()
        if self._after:
            after, self._after = self._after, []
            for compare in after:
                self._look(compare)
        if self._touched:
            for group_id in sorted(self._touched):
                self._look(lambda group_id=group_id: self._judge_group(group_id))  # type: ignore[misc]
            self.suspects |= self._touched
            self._touched.clear()
            self._moved.clear()

    def _bind_answers(self) -> None:
        """An answer depends on all that was logged of its group so far."""
        durable_offset = self._coordinator.partition.durable_offset
        for ask, answer, group_id in self._produced:
            offset = self._logged_of.get(group_id, -1) if group_id is not None else -1
            if offset >= durable_offset:
                self._waits_for[ask] = offset, answer
        self._produced.clear()

    def handled(self, shard: GroupsShard, ask: AskId, command: Any, step: Step) -> None:
        """The state is still as it was before."""
        group_id = getattr(command, "group_id", None)
        self._produced += [(*reply, group_id) for reply in step.replies]
        self._command_kind = kind = type(command)
        if kind is commands.Heartbeat or not (step.records or step.replies):
            return
        answer = step.replies[0][1] if step.replies and step.replies[0][0] == ask else None
        if kind is commands.CommitOffsets:
            self._look(lambda: self._judge_commit(shard, command, answer))
        elif kind is commands.CommitInTransaction:
            self._look(lambda: self._judge_commit_in_transaction(shard, command, answer))
        elif kind is commands.FetchOffsets:
            self._look(lambda: self._judge_fetch(command, answer))
        elif kind is commands.ConsumerHeartbeat:
            self._did[type(answer).__name__ if isinstance(answer, HeartbeatAnswered) else _named(answer)] += 1
            if command.member_epoch == JOINS and command.instance_id is not None:
                self._look(lambda: self._judge_return(shard, command, step))
        elif kind is commands.JoinGroup and command.group_instance_id is not None and not command.member_id:
            self._watch_classic_return(shard, command, answer)
        if len(step.records) > 1 and group_id is not None:
            self._look(lambda: self._judge_isolation(shard, group_id, step))

    def _judge_commit(self, shard: GroupsShard, commit: commands.CommitOffsets, answer: object) -> None:
        consumer, classic = shard.consumer_group(commit.group_id), shard.classic_group(commit.group_id)
        accepted = isinstance(answer, Committed)
        self._did["commit accepted" if accepted else f"commit refused: {_named(answer)}"] += 1
        if consumer is not None:
            consumer_invariants.commit_fence(consumer, self.tenures, commit, answer)
            member = consumer.members.get(commit.member_id)
            if accepted and member is not None and commit.generation_id < member.member_epoch:
                self._did["commit accepted at an older epoch"] += 1
        else:
            invariants.commit_fence(commit, _seats(classic), answer)
        if accepted:
            for one in commit.offsets:
                self._positions.accepted((commit.group_id, one.topic, one.partition), one.metadata or "")

    def _judge_commit_in_transaction(
        self, shard: GroupsShard, commit: commands.CommitInTransaction, answer: object
    ) -> None:
        """A consumer group fences it as a plain one; it counts when its marker comes."""
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

    def _judge_fetch(self, fetch: commands.FetchOffsets, answer: object) -> None:
        if isinstance(answer, Fetched):
            self._did["fetch"] += 1
            for topic in answer.topics:
                for found in topic.partitions:
                    if found.error_code is ErrorCode.UNSTABLE_OFFSET_COMMIT:
                        self._did["unstable offset"] += 1
                        continue
                    name = found.metadata if found.offset >= 0 else None
                    self._positions.look((fetch.group_id, topic.topic, found.partition), name)

    def _judge_return(self, shard: GroupsShard, beat: commands.ConsumerHeartbeat, step: Step) -> None:
        """A static member is back within its session, wants what it wanted, and nothing else is due in its group."""
        group = shard.consumer_group(beat.group_id)
        holder_id = None if group is None else group.static_members.get(beat.instance_id)  # type: ignore[arg-type]
        if group is None or holder_id is None or not group.members[holder_id].is_away:
            return
        holder = group.members[holder_id]
        wants_the_same = (
            beat.subscribed_topic_names is None
            or tuple(sorted(beat.subscribed_topic_names)) == holder.subscribed_topic_names
        )
        is_due = group.topics_version != self._topics.version or group.group_epoch != group.assignment_epoch
        if wants_the_same and not is_due:
            self._did["static bounce"] += 1
            for record in step.records:
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

    def _judge_isolation(self, shard: GroupsShard, touched: GroupId, step: Step) -> None:
        for record in step.records:
            group_id = _group_of(record)
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

    def _look(self, check: Callable[[], None]) -> None:
        try:
            check()
        except Broken as broken:
            self._found.append(broken)

    # --- a record, a turn ---------------------------------------------------------------------------------------------

    def applied(self, record: object) -> None:
        """What is replayed from the log has happened before."""
        if self._coordinator.host.state is not HostState.ACTIVE:
            return
        group_id = _group_of(record)
        if type(record) in DURABLE:
            if group_id is not None:
                self._logged_of[group_id] = len(self._log)
            self._log.append(record)  # type: ignore[arg-type]
        if isinstance(record, TransactionalRecord | Marker):
            self._fold_transaction(record)
            return
        if isinstance(record, LogRecord):
            self._fold(record)
            if isinstance(record.key, OffsetCommitKey):
                self._pending.overtake((record.key.group, record.key.topic, record.key.partition))
                self._look(lambda: self._compare_offset(record.key))  # type: ignore[arg-type]
                return
            if group_id is not None:
                if isinstance(record.key, GroupMetadataKey):
                    self._look(lambda: self._compare_classic_group(group_id))
                else:
                    self._moved.add(group_id)
        if group_id is not None:
            self._touched.add(group_id)

    def _fold(self, record: LogRecord) -> None:
        self._follower.apply(record)
        self.tenures.fold(record)
        key = record.key
        if record.value is not None:
            return
        if isinstance(key, OffsetCommitKey):
            if self._command_kind not in FORGETTERS:
                self._found.append(Broken("OffsetOrder", f"{self._command_kind.__name__} has deleted {key}"))
            self._positions.forget((key.group, key.topic, key.partition))
        elif isinstance(key, ConsumerGroupMetadataKey | GroupMetadataKey):
            group_id = _group_of(record)
            if group_id is not None:
                self._epochs.forget(group_id)

    def _fold_transaction(self, record: TransactionalRecord | Marker) -> None:
        """What a transaction has written counts from its marker on; of what was written to a place, the newest."""
        self._follower.apply(record)
        for place, name in self._pending.fold(record):
            self._positions.accepted(place, name)
            self._look(lambda place=place: self._compare_offset(OffsetCommitKey(*place)))  # type: ignore[misc]

    def _compare_offset(self, key: OffsetCommitKey) -> None:
        ours, theirs = (self._offset(shard, key) for shard in (self._coordinator.shard, self._follower))
        if ours != theirs:
            raise Broken("OffsetOrder", f"{key}: {ours} lives, {theirs} was logged")

    def _compare_classic_group(self, group_id: GroupId) -> None:
        """At this very moment: what follows from the record is not logged."""
        shards = self._coordinator.shard, self._follower
        live, logged = (shard.classic_group(group_id) for shard in shards)
        ours, theirs = (None if group is None else invariants.durable(group.digest()) for group in (live, logged))
        if ours != theirs:
            raise Broken("ReplayEqualsLive", f"{ours} lives, {theirs} was logged")

    @staticmethod
    def _offset(shard: GroupsShard, key: OffsetCommitKey) -> object:
        return shard._groups.offsets.get(key.group, {}).get((key.topic, key.partition))

    def turned(self) -> None:
        """At rest, and its batch appended."""
        self.about_to_handle()
        if self._found:
            raise self._found[0]

    def _judge_group(self, group_id: GroupId) -> None:
        shard = self._coordinator.shard
        consumer, classic = shard.consumer_group(group_id), shard.classic_group(group_id)
        if consumer is not None:
            self._note_kind(group_id, "consumer")
            self._judge_consumer_group(consumer)
        elif classic is not None:
            self._note_kind(group_id, "classic")
            self._judge_classic_group(classic)

    def _note_kind(self, group_id: GroupId, kind: str) -> None:
        """Groups with members of both kinds go from one to the other (rule 3.9)."""
        if self._kinds.setdefault(group_id, kind) != kind:
            self._kinds[group_id] = kind
            self._did[f"became a {kind} group"] += 1

    def _judge_consumer_group(self, group: ConsumerGroup) -> None:
        self._did[group.state.value] += 1
        consumer_invariants.at_rest(group, self._topics)
        self._epochs.stand(group.group_id, (group.group_epoch, group.assignment_epoch))
        if group.group_id in self._moved:
            follower = self._follower.consumer_group(group.group_id)
            if follower is None:
                raise Broken("ReplayEqualsLive", f"{group.digest()} lives, and is not in the log")
            consumer_invariants.same_durable_state(group, follower)

    def _judge_classic_group(self, group: ClassicGroup) -> None:
        self._did[group.state.value] += 1
        digest = group.digest()
        invariants.one_instance_one_member(group.group_id, digest)
        invariants.single_owner(group.group_id, digest, _partitions)
        invariants.structure_of(group)
        self._epochs.stand(group.group_id, (group.generation_id, 0))

    # --- the log ------------------------------------------------------------------------------------------------------

    def appended(self, last_offset: int) -> None:
        if len(self._log) != last_offset + 1:
            raise Broken("ReplayEqualsLive", f"{len(self._log)} records were applied, {last_offset + 1} are in the log")

    def lost(self, end_offset: int) -> None:
        """From here on nothing was written, and the state that had it is gone."""
        self._produced.clear()
        self._after.clear()
        self._touched.clear()
        self._moved.clear()
        if len(self._log) > end_offset:
            self._did["records lost"] += len(self._log) - end_offset
            del self._log[end_offset:]
            self._logged_of = {group_id: at for group_id, at in self._logged_of.items() if at < end_offset}
            self._fold_again()
        if self._found:
            raise self._found[0]

    def _fold_again(self) -> None:
        """Offsets, of which nearly all is made, only as they were written last: what they replace has left no trace."""
        self._follower, self.tenures = self._new_follower(), Tenures()
        newest = {key: at for at, key in enumerate(map(_offset_key, self._log)) if key is not None}
        self._pending = Pending()
        for at, record in enumerate(self._log):
            key = _offset_key(record)
            if not isinstance(record, LogRecord):
                self._follower.apply(record)
                self._pending.fold(record)
            elif key is None or newest[key] == at:
                self._follower.apply(record)
                self.tenures.fold(record)
                if key is not None:
                    self._pending.overtake(key)

    def restarted(self, end_offset: int) -> None:
        self._waits_for.clear()
        self.lost(end_offset)

    def loaded(self) -> None:
        shard, follower = self._coordinator.shard, self._follower
        (groups, offsets), (replayed, replayed_offsets) = shard.digest(), follower.digest()
        if offsets != replayed_offsets:
            raise Broken("ReplayEqualsLive", f"{offsets} loaded, {replayed_offsets} was logged")
        pending, replayed_pending = shard._groups.pending.by_group, follower._groups.pending.by_group
        if _places(pending) != _places(replayed_pending):
            raise Broken("ReplayEqualsLive", f"{pending} is pending, {replayed_pending} was logged")
        self._positions.restarted(
            ((group_id, *at), value) for group_id, held in offsets.items() for at, value in held.items()
        )
        for group_id in sorted(groups.keys() | replayed.keys()):
            self._judge_loaded(group_id)
        self._epochs.loaded(shard)

    def _judge_loaded(self, group_id: GroupId) -> None:
        loaded, logged = (shard.consumer_group(group_id) for shard in (self._coordinator.shard, self._follower))
        if loaded is not None and logged is not None:
            consumer_invariants.same_durable_state(loaded, logged)
            consumer_invariants.at_rest(loaded, self._topics)
            return
        found = [shard.classic_group(group_id) for shard in (self._coordinator.shard, self._follower)]
        ours, theirs = (None if group is None else invariants.durable(group.digest()) for group in found)
        left_no_trace = ours is None and found[1] is not None and found[1].state_since_ms < 0
        if (loaded is None) != (logged is None) or (ours != theirs and not left_no_trace):
            raise Broken("ReplayEqualsLive", f"{group_id}: {loaded or ours} loaded, {logged or theirs} was logged")

    # --- an answer ----------------------------------------------------------------------------------------------------

    def answered(self, ask: AskId, command: Any, answer: object) -> None:
        """It leaves, and somebody will act on it."""
        offset, depending = self._waits_for.pop(ask, (-1, None))
        if offset >= self._coordinator.partition.durable_offset and answer is depending:  # else it is a refusal instead
            raise Broken("ReplyAfterDurable", f"{answer} to {command} left before the record at {offset} was safe")
        if isinstance(answer, HeartbeatAnswered):
            if answer.member_epoch > 0:
                self._epochs.told_member(command.group_id, answer)
        elif isinstance(answer, Committed):
            for one in command.offsets:
                self._positions.acked((command.group_id, one.topic, one.partition), one.metadata or "")
        elif isinstance(answer, Synced):
            self._did["Synced"] += 1
            self._epochs.told(command.group_id, command.generation_id)
        elif hasattr(answer, "error_code"):
            self._did[_named(answer)] += 1


def _places(pending: Any) -> object:
    """Of which producer something is pending where."""
    return {
        (group_id, *at, producer_id)
        for group_id, partitions in pending.items()
        for at, held in partitions.items()
        for producer_id in held
    }


def _group_of(record: Any) -> GroupId | None:
    at = record.key if isinstance(record, LogRecord | TransactionalRecord) else record
    if isinstance(at, OffsetCommitKey | GroupMetadataKey):
        return at.group
    return getattr(at, "group_id", None)


def _offset_key(record: object) -> Place | None:
    key = record.key if isinstance(record, LogRecord) else None
    return (key.group, key.topic, key.partition) if type(key) is OffsetCommitKey else None


def _seats(group: ClassicGroup | None) -> invariants.Digest:
    """What a fence looks at, of the group as it stands: commits are too frequent for whole digests."""
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
