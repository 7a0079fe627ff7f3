"""Tenure's real coordinator in this process, and members that use it without sockets. `advance` moves the clock."""

from collections.abc import Callable, Collection, Mapping
from random import Random

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import answers
from tenure.coordinator.groups.commands import (
    CommitOffsets,
    FetchOffsets,
    Heartbeat,
    JoinGroup,
    LeaveGroup,
    Leaver,
    OffsetsWanted,
    OffsetToCommit,
    SyncGroup,
)
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import AskId, Now
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import Bounds, CommitAnswer, CommitOutcome, MemberFenced
from tenure.protocol.batches import read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID, GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicName
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host
from tenure.values import Assigned, Event, Lost, OffsetAndMetadata, Revoked, TopicPartition

GROUP = GroupId("counts")
TOPIC = TopicName("words")
SESSION_MS = 30_000
REBALANCE_MS = 60_000


class Coordinator:
    """One groups shard, its log, and the tests' clock."""

    def __init__(self, seed: int = 0) -> None:
        settings = GroupSettings(group_initial_rebalance_delay_ms=0)
        random = Random(seed)  # Shared by all starts of the broker, so that member ids are unique.
        self.host = Host(lambda: GroupsShard(settings, random.randbytes), GroupsCodec())
        self.tick_ms = 1_000_000
        self.asks = 0
        self.lives = 1
        self.log_end = 0
        self.log: list[bytes] = []
        self.replies: dict[AskId, object] = {}
        self.after_commit: Callable[[Mapping[TopicPartition, OffsetAndMetadata]], None] = lambda _: None
        self.host.load([], self.now)

    @property
    def now(self) -> Now:
        return Now(1_700_000_000_000 + self.tick_ms, self.tick_ms)

    def advance(self, milliseconds: int) -> None:
        self.tick_ms += milliseconds
        self._turn()

    def restart(self) -> None:
        """Restart the broker with its log: state in memory and parked requests are lost."""
        self.lives += 1
        self.host.load(self.log, self.now)

    def submit(self, command: object) -> AskId:
        self.asks += 1
        self.host.submit(AskId(self.asks), command)
        self._turn()
        return AskId(self.asks)

    def ask(self, command: object) -> object:
        return self.replies.pop(self.submit(command))

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        positions = [
            OffsetToCommit(part.topic, ZERO_TOPIC_ID, part.partition, at.offset, at.leader_epoch, at.metadata)
            for part, at in offsets.items()
        ]
        answer = self.ask(
            CommitOffsets(GROUP, writer.member_id, writer.group_instance_id, writer.generation_id, positions)
        )
        if isinstance(answer, Refused):
            fenced = answer.error_code is ErrorCode.FENCED_INSTANCE_ID
            return CommitAnswer(CommitOutcome.FENCED if fenced else CommitOutcome.REFUSED, answer.error_code.name)
        assert isinstance(answer, answers.Committed)
        assert not any(answer.error_codes), answer
        self.after_commit(offsets)
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def reset(self, partition: int, offset: int) -> None:
        """Reset offsets as `kafka-consumer-groups --reset-offsets` does: the group must be empty, metadata is lost."""
        answer = self.commit({part(partition): OffsetAndMetadata(offset, "")}, Writer(MemberId(""), GenerationId(-1)))
        assert answer.outcome is CommitOutcome.ACCEPTED, answer

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        wanted = [OffsetsWanted(TOPIC, ZERO_TOPIC_ID, [at.partition for at in partitions])]
        answer = self.ask(FetchOffsets(GROUP, wanted))
        assert isinstance(answer, answers.Fetched), answer
        return {
            part(at.partition): OffsetAndMetadata(at.offset, at.metadata, at.leader_epoch) if at.offset >= 0 else None
            for at in answer.topics[0].partitions
        }

    def identity_passes(self, writer: Writer) -> bool:
        """Return whether a commit under this identity would be accepted now, by a heartbeat that changes no offset."""
        heartbeat = Heartbeat(GROUP, writer.member_id, writer.group_instance_id, writer.generation_id)
        answer = self.ask(heartbeat)
        return not isinstance(answer, Refused) or answer.error_code is ErrorCode.REBALANCE_IN_PROGRESS

    def _turn(self) -> None:
        while (ready := self.host.turn(self.now)) is not None:
            if ready.batch is not None:
                self.log.append(self.log_end.to_bytes(8, "big") + ready.batch[8:])  # Its base offset.
                self.log_end += sum(batch.last_offset_delta + 1 for batch in read_batches(ready.batch))
                self.host.appended(self.log_end - 1)
            if ready.reload:
                self.host.load(self.log, self.now)
        assert self.host.failure is None, self.host.failure
        self.host.durable(self.log_end)
        self.replies |= dict(self.host.take_replies())


class Member:
    """Member of the group, static with an instance id. Its next commits may have faults."""

    def __init__(self, coordinator: Coordinator, partition_count: int, instance_id: str | None) -> None:
        self.coordinator = coordinator
        self.partition_count = partition_count
        self.instance_id = None if instance_id is None else InstanceId(instance_id)
        self.writer = Writer(MemberId(""), GenerationId(-1), self.instance_id)
        self.joining: AskId | None = None
        self.syncing: AskId | None = None
        self.revoking = False
        self.asked_in = 0
        self.give_up_at_ms = 0
        self.partitions: tuple[TopicPartition, ...] = ()
        self.events: list[Event] = []
        self.commit_faults: list[str] = []
        """Fault of each of the next commits: the answer is lost ("lost-answer"), the request is lost ("lost-request"),
        or it arrives only when the test delivers it ("late"). An empty text means no fault."""
        self.late: list[tuple[Mapping[TopicPartition, OffsetAndMetadata], Writer]] = []
        self._join("")

    @property
    def name(self) -> str:
        return self.instance_id or self.writer.member_id

    def poll(self, timeout_s: float) -> list[Event]:
        self.coordinator.advance(round(timeout_s * 1000))
        self._move_on()
        events, self.events = self.events, []
        return events

    def acknowledge_revocation(self) -> None:
        self.revoking = False
        self._join(self.writer.member_id)

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        commit_fault = self.commit_faults.pop(0) if self.commit_faults else ""
        if commit_fault == "late":
            self.late.append((offsets, writer))
        if commit_fault in ("late", "lost-request"):
            return CommitAnswer(CommitOutcome.UNKNOWN, "no answer")
        answer = self.coordinator.commit(offsets, writer)
        return CommitAnswer(CommitOutcome.UNKNOWN, "no answer") if commit_fault == "lost-answer" else answer

    def deliver_late_commits(self) -> list[CommitAnswer]:
        late, self.late = self.late, []
        return [self.coordinator.commit(*one) for one in late]

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        return self.coordinator.committed(partitions)

    def rejoin_as_new_member(self) -> None:
        if self.instance_id is None:
            self.leave()
        self.revoking = False
        self._join("")

    def close(self, *, leave: bool | None = None) -> None:
        if leave or (leave is None and self.instance_id is None):
            self.leave()

    def leave(self) -> None:
        """Leave the group. A static member is removed, too, as by an operator."""
        self.coordinator.ask(LeaveGroup(GROUP, [Leaver(self.writer.member_id, self.instance_id)]))

    # --- the classic protocol -----------------------------------------------------------------------------------------

    def _move_on(self) -> None:
        """Handle the answers so far. Without a pending request, send a heartbeat.

        Requests without an answer are repeated.
        """
        waits = self.joining is not None or self.syncing is not None
        if waits and (self.asked_in != self.coordinator.lives or self.coordinator.tick_ms > self.give_up_at_ms):
            self._join(self.writer.member_id)
        if self.joining is not None and self.joining in self.coordinator.replies:
            joined = self.coordinator.replies.pop(self.joining)
            self.joining = None
            self._joined(joined)
        if self.syncing is not None and self.syncing in self.coordinator.replies:
            synced = self.coordinator.replies.pop(self.syncing)
            self.syncing = None
            self._synced(synced)
        if self.joining is None and self.syncing is None and not self.revoking:
            self._heartbeat()

    def _join(self, member_id: str) -> None:
        self.syncing = None
        self.asked_in = self.coordinator.lives
        self.give_up_at_ms = self.coordinator.tick_ms + REBALANCE_MS + 5_000
        protocols = [("range", b"")]
        self.joining = self.coordinator.submit(
            JoinGroup(
                GROUP,
                MemberId(member_id),
                self.instance_id,
                "test",
                "/127.0.0.1",
                SESSION_MS,
                REBALANCE_MS,
                "consumer",
                protocols,
                known_member_id_required=False,
            )
        )

    def _joined(self, joined: object) -> None:
        if isinstance(joined, Refused):
            return self._refused(joined)
        assert isinstance(joined, answers.Joined)
        self.writer = Writer(joined.member_id, joined.generation_id, self.instance_id)
        shares: dict[MemberId, bytes] = {}
        if joined.leader == joined.member_id and not joined.skip_assignment:
            members = sorted(joined.members, key=lambda member: (member.group_instance_id or "", member.member_id))
            for index, member in enumerate(members):
                shares[member.member_id] = bytes(range(index, self.partition_count, len(members)))
        self.syncing = self.coordinator.submit(
            SyncGroup(GROUP, joined.member_id, self.instance_id, joined.generation_id, "consumer", "range", shares)
        )
        return self._move_on()

    def _synced(self, synced: object) -> None:
        if isinstance(synced, Refused):
            return self._refused(synced)
        assert isinstance(synced, answers.Synced)
        self.partitions = tuple(part(number) for number in synced.assignment)
        self.events.append(Assigned(self.writer.identity, self.partitions, self.partitions))
        return None

    def _heartbeat(self) -> None:
        writer = self.writer
        answer = self.coordinator.ask(
            Heartbeat(GROUP, writer.member_id, writer.group_instance_id, writer.generation_id)
        )
        if isinstance(answer, Refused):
            self._refused(answer)

    def _refused(self, refused: Refused) -> None:
        match refused.error_code:
            case ErrorCode.FENCED_INSTANCE_ID:
                raise MemberFenced(f"{self.name} was taken over")
            case ErrorCode.REBALANCE_IN_PROGRESS if self.joining is None and self.syncing is None:
                self.revoking = True
                self.events.append(Revoked(self.partitions))
            case ErrorCode.UNKNOWN_MEMBER_ID:
                self.events.append(Lost(self.partitions))
                self._join("")
            case _:
                self.events.append(Lost(self.partitions))
                self._join(self.writer.member_id)


def part(number: int) -> TopicPartition:
    return TopicPartition(TOPIC, PartitionId(number))


class TopicLog:
    """Records of one topic in memory: (key, number)."""

    def __init__(self, partition_count: int) -> None:
        self.partitions: list[list[tuple[str, int]]] = [[] for _ in range(partition_count)]
        self.starts = [0] * partition_count
        self.topic_id = "a" * 22

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        return {
            at: Bounds(self.starts[at.partition], len(self.partitions[at.partition]), 3, self.topic_id)
            for at in partitions
        }

    def partition_count(self, topic: str) -> int:
        assert topic == TOPIC
        return len(self.partitions)
