"""Random history of a consumer group in virtual time, with every commit that its members send.

Members join, leave, restart, crash, are replaced, stall beyond their session and change their subscription. Commits use
another connection than heartbeats. Therefore a commit with an old epoch may arrive after the coordinator has raised the
epoch. Some commits are late, because a worker hung or a request was repeated. Before a late commit arrives, another
member may have owned the partition. Commits do not change owners, so all policies can be compared on the same history.
"""

from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import CommitOffsets, ConsumerHeartbeat, OffsetToCommit
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.coordinator.shard import NO_ASK, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS, LEAVES, LEAVES_FOR_NOW
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName
from tenure.simulation.holders import CommitKind, Holders, Partition, partitions_of

GROUP_ID: Final = GroupId("g")
ORDERS, RETURNS = TopicName("orders"), TopicName("returns")
BEGAN_MS: Final = 1_700_000_000_000
REBALANCE_TIMEOUT_MS: Final = 30_000
RELEASE_MS: Final = 500
"""Mean time in which a member completes and commits its work on partitions that it has to give up."""
LOST_ANSWERS: Final = 0.02
REQUEST_TIMEOUT_MS: Final = 2_000
"""Time after which a client considers an answer lost."""
STALL_MS: Final = (10_000, 90_000)
"""Shortest and longest stall: one below and one above the session timeout."""


class HistoryParameters(NamedTuple):
    """Parameters of a random history."""

    members: int = 6
    partitions: int = 24
    """Number of partitions of the topic `orders`. The topic `returns`, from which members unsubscribe at times, has a
    quarter of this number."""
    rebalances: int = 100
    """Number of changes: a member joins, leaves, restarts, stalls, or changes its subscription."""
    seed: int = 1
    heartbeat_delay_ms: int = 200
    """Mean time until a heartbeat arrives at the coordinator, and mean time until its response arrives back."""
    rebalance_interval_ms: int = 10_000
    commit_interval_ms: int = 100
    """Time between two commits of a member."""
    commit_delay_ms: int = 20
    late_commits: float = 0.1
    late_by_ms: int = 30_000
    foreign_commits: float = 0.001
    """Fraction of commits that a member sends with its present epoch for a partition that it has lost."""


class Attempt(NamedTuple):
    """Arrival of a commit of one partition at the coordinator, with its classification."""

    at_ms: int
    commit: CommitOffsets
    kind: CommitKind


class Applied(NamedTuple):
    """Log record that the coordinator has applied."""

    at_ms: int
    record: object


Event: TypeAlias = Attempt | Applied


def play(parameters: HistoryParameters) -> Iterator[Event]:
    return _Life(parameters).play()


class _Process:
    """One run of a client process, with the content of its last heartbeat response.

    `step` is the step of the coordinator in which this response was created (see `holders.py`).
    """

    __slots__ = (
        "assigned",
        "epoch",
        "former",
        "instance_id",
        "is_releasing",
        "is_up",
        "member_id",
        "must_send_all",
        "owned",
        "stalls_until_ms",
        "step",
        "topics",
        "waits",
    )

    def __init__(self, member_id: MemberId, instance_id: InstanceId | None) -> None:
        self.member_id = member_id
        self.instance_id = instance_id
        self.topics: tuple[TopicName, ...] = (ORDERS, RETURNS)
        self.epoch = JOINS
        self.step = 0
        self.owned: list[Partition] = []
        """Partitions that the process works on."""
        self.former: list[Partition] = []
        """Partitions that the process lost in its last revocation."""
        self.assigned: set[Partition] = set()
        """Partitions of the last assignment that the process received."""
        self.is_releasing = False
        """True while the process completes its work on revoked partitions."""
        self.must_send_all = True
        """True if the process's next heartbeat must contain all fields."""
        self.waits = False
        """True while the process waits for a response."""
        self.is_up = True
        self.stalls_until_ms = 0

    def join_again(self) -> None:
        self.epoch, self.owned, self.assigned, self.is_releasing, self.must_send_all = JOINS, [], set(), False, True


class _Life:
    def __init__(self, parameters: HistoryParameters) -> None:
        self._parameters = parameters
        self._random = Random(parameters.seed)
        self._topics = Topics()
        for name, partitions in ((ORDERS, parameters.partitions), (RETURNS, max(1, parameters.partitions // 4))):
            self._topics.put(Topic(name, TopicId(name.encode().ljust(16, b"\0")), partitions))
        self._names = {topic.topic_id: topic.name for topic in self._topics}
        self._shard = GroupsShard(GroupSettings(), self._random.randbytes, None, lambda: self._topics)
        self._holders = Holders()
        self._due: list[tuple[int, int, Callable[[], Iterator[Event]]]] = []
        self._order = 0
        self._at_ms = 0
        self._seats = 0
        self._lives = 0
        self._processes: list[_Process] = []
        """Present process of every seat."""

    def play(self) -> Iterator[Event]:
        parameters = self._parameters
        for _ in range(parameters.members):
            self._schedule_start(self._new_process(), within_ms=1_000)
        at_ms = 0
        for _ in range(parameters.rebalances):
            at_ms += self._about(parameters.rebalance_interval_ms)
            self._at(at_ms, self._disturb)
        ends_ms = at_ms + 2 * parameters.rebalance_interval_ms
        while self._due and self._due[0][0] <= ends_ms:
            at_ms, _, happens = heappop(self._due)
            yield from self._fire_timers(at_ms)
            self._at_ms = at_ms
            yield from happens()

    # --- time ---------------------------------------------------------------------------------------------------------

    def _at(self, at_ms: int, happens: Callable[[], Iterator[Event]]) -> None:
        self._order += 1
        heappush(self._due, (at_ms, self._order, happens))

    def _in(self, delay_ms: int, happens: Callable[[], Iterator[Event]]) -> None:
        self._at(self._at_ms + delay_ms, happens)

    def _about(self, mean_ms: int) -> int:
        return int(self._random.expovariate(1 / mean_ms)) if mean_ms else 0

    def _fire_timers(self, until_ms: int) -> Iterator[Event]:
        next_ms = self._shard.next_deadline_ms()
        while next_ms is not None and next_ms <= until_ms:
            self._at_ms = max(self._at_ms, next_ms)
            for passed in self._shard.due(self._now):
                yield from self._handle(passed)[0]
            next_ms = self._shard.next_deadline_ms()

    @property
    def _now(self) -> Now:
        return Now(BEGAN_MS + self._at_ms, self._at_ms)

    # --- the coordinator ----------------------------------------------------------------------------------------------

    def _handle(self, command: object) -> tuple[list[Event], Any]:
        result = self._shard.handle(NO_ASK, command, self._now)
        self._holders.step += 1
        applied: list[Event] = []
        for record in result.records:
            self._shard.apply(record)
            self._holders.fold(record)
            applied.append(Applied(self._at_ms, record))
        return applied, result.replies[0][1] if result.replies else None

    # --- processes ----------------------------------------------------------------------------------------------------

    def _new_process(self, of: _Process | None = None) -> _Process:
        """Create a process in a new seat, or in the seat of the process `of`."""
        self._lives += 1
        if of is None:
            self._seats += 1
            is_static = self._random.random() < 0.5
            process = _Process(self._member_id(), InstanceId(f"seat-{self._seats}") if is_static else None)
            self._processes.append(process)
        else:
            process = _Process(self._member_id(), of.instance_id)
            self._processes[self._processes.index(of)] = process
        return process

    def _member_id(self) -> MemberId:
        return MemberId(f"member-{self._lives}")

    def _schedule_start(self, process: _Process, within_ms: int) -> None:
        self._in(self._about(within_ms), partial(self._send_heartbeat, process))
        self._in(self._about(self._parameters.commit_interval_ms), partial(self._send_commit, process))

    def _wait_if_stalled(self, process: _Process, goes_on: Callable[[], Iterator[Event]]) -> bool:
        """Return whether the process is stalled. If so, schedule `goes_on` at the end of the stall."""
        if process.stalls_until_ms > self._at_ms:
            self._at(process.stalls_until_ms, goes_on)
            return True
        return False

    def _send_heartbeat(self, process: _Process) -> Iterator[Event]:
        if not process.is_up or process.waits or self._wait_if_stalled(process, partial(self._send_heartbeat, process)):
            return
        sends_all = process.must_send_all or process.epoch == JOINS
        beat = ConsumerHeartbeat(GROUP_ID, process.member_id, process.epoch, process.instance_id)
        if sends_all:
            beat.rebalance_timeout_ms = REBALANCE_TIMEOUT_MS
            beat.subscribed_topic_names = process.topics
            owned: dict[TopicId, list[PartitionId]] = {}
            for topic_id, partition in process.owned:
                owned.setdefault(topic_id, []).append(partition)
            beat.owned = list(owned.items())
        process.waits, process.must_send_all = True, False
        self._in(self._about(self._parameters.heartbeat_delay_ms), partial(self._handle_heartbeat, process, beat))
        yield from ()

    def _handle_heartbeat(self, process: _Process, beat: ConsumerHeartbeat) -> Iterator[Event]:
        applied, answer = self._handle(beat)
        yield from applied
        if self._random.random() < LOST_ANSWERS:
            self._in(REQUEST_TIMEOUT_MS, partial(self._repeat_heartbeat, process))
        else:
            delay_ms = self._about(self._parameters.heartbeat_delay_ms)
            self._in(delay_ms, partial(self._receive_answer, process, answer, self._holders.step))

    def _repeat_heartbeat(self, process: _Process) -> Iterator[Event]:
        process.waits, process.must_send_all = False, True
        return self._send_heartbeat(process)

    def _receive_answer(self, process: _Process, answer: Any, step: int) -> Iterator[Event]:
        if not process.is_up or self._wait_if_stalled(process, partial(self._receive_answer, process, answer, step)):
            return
        process.waits = False
        if isinstance(answer, Refused):
            self._handle_rejection(process, answer.error_code)
            return
        assert isinstance(answer, HeartbeatAnswered)
        process.epoch, process.step = answer.member_epoch, step
        if answer.assignment is not None:
            process.assigned = partitions_of(answer.assignment)
            if not process.is_releasing:
                self._apply_assignment(process)
        self._in(0 if process.must_send_all else answer.heartbeat_interval_ms, partial(self._send_heartbeat, process))
        yield from ()

    def _handle_rejection(self, process: _Process, error_code: ErrorCode) -> None:
        """Handle a rejected heartbeat.

        With FENCED_INSTANCE_ID, another process has taken the seat, and this process ends. With UNRELEASED_INSTANCE_ID,
        the seat is still occupied, so this process ends, and a new one starts in the seat. After any other error, the
        process loses all partitions and joins again.
        """
        if error_code in (ErrorCode.FENCED_INSTANCE_ID, ErrorCode.UNRELEASED_INSTANCE_ID):
            process.is_up = False
            if process in self._processes and error_code is ErrorCode.UNRELEASED_INSTANCE_ID:
                self._schedule_start(self._new_process(process), within_ms=1_000)
            return
        process.join_again()
        self._in(0, partial(self._send_heartbeat, process))

    def _apply_assignment(self, process: _Process) -> None:
        """Apply the last assignment at once, or after the work on the partitions that it revokes."""
        if set(process.owned) <= process.assigned:
            process.must_send_all = process.must_send_all or len(process.owned) < len(process.assigned)
            process.owned = sorted(process.assigned)
        else:
            process.is_releasing = True
            self._in(self._about(RELEASE_MS), partial(self._release_partitions, process))

    def _release_partitions(self, process: _Process) -> Iterator[Event]:
        if not process.is_releasing or self._wait_if_stalled(process, partial(self._release_partitions, process)):
            return
        process.is_releasing, process.must_send_all = False, True
        process.former = [partition for partition in process.owned if partition not in process.assigned]
        process.owned = sorted(process.assigned)
        yield from self._send_heartbeat(process)

    # --- commits ------------------------------------------------------------------------------------------------------

    def _send_commit(self, process: _Process) -> Iterator[Event]:
        if not process.is_up or self._wait_if_stalled(process, partial(self._send_commit, process)):
            return
        parameters, random = self._parameters, self._random
        is_foreign = random.random() < parameters.foreign_commits
        works_on = process.former if is_foreign else process.owned
        if works_on and process.epoch != JOINS:
            topic_id, partition = chosen = works_on[int(random.random() * len(works_on))]
            offset = OffsetToCommit(self._names[topic_id], topic_id, partition, self._at_ms)
            commit = CommitOffsets(GROUP_ID, process.member_id, None, GenerationId(process.epoch), [offset])
            delay_ms = self._about(
                parameters.late_by_ms if random.random() < parameters.late_commits else parameters.commit_delay_ms
            )
            self._in(delay_ms, partial(self._receive_commit, commit, chosen, None if is_foreign else process.step))
        self._in(parameters.commit_interval_ms, partial(self._send_commit, process))
        yield from ()

    def _receive_commit(self, commit: CommitOffsets, partition: Partition, step: int | None) -> Iterator[Event]:
        """Yield the arrival of a commit with its classification. `step` is the step of the client's last response.

        If `step` is None, the client had already lost the partition when it sent the commit. If the client owns the
        partition again when the commit arrives, the classification is unclear, and the commit is left out.
        """
        kind = self._holders.classify(commit.member_id, partition, self._holders.step if step is None else step)
        if step is None:
            if kind is CommitKind.HONEST:
                return
            kind = CommitKind.GONE if kind is CommitKind.GONE else CommitKind.FOREIGN
        yield Attempt(self._at_ms, commit, kind)

    # --- what happens to the group ------------------------------------------------------------------------------------

    def _disturb(self) -> Iterator[Event]:
        up = [process for process in self._processes if process.is_up]
        if len(up) < self._parameters.members or not up:
            self._schedule_start(self._new_process(), within_ms=100)
            return
        process = self._random.choice(up)
        kinds = ["goes", "stalls", "subscribes"]
        if process.instance_id is not None:
            kinds += ["bounces", "is replaced"]
        match self._random.choice(kinds):
            case "goes":
                process.is_up = False
                self._processes.remove(process)
                yield from self._leaves(process, LEAVES)
            case "stalls":
                process.stalls_until_ms = self._at_ms + self._random.randint(*STALL_MS)
            case "subscribes":
                process.topics = (ORDERS,) if RETURNS in process.topics else (ORDERS, RETURNS)
                process.must_send_all = True
            case "bounces":
                process.is_up = False
                yield from self._leaves(process, LEAVES_FOR_NOW)
                self._schedule_start(self._new_process(process), within_ms=5_000)
            case "is replaced":  # another process takes its seat, and this process becomes a zombie
                yield from self._leaves(process, LEAVES_FOR_NOW)
                self._schedule_start(self._new_process(process), within_ms=100)

    def _leaves(self, process: _Process, epoch: int) -> list[Event]:
        return self._handle(ConsumerHeartbeat(GROUP_ID, process.member_id, epoch, process.instance_id))[0]
