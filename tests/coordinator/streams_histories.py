"""Random histories of streams groups: members join, report, leave, return and vanish; owners and zombies commit.

After each step the named invariants hold; `Broken` names one that does not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, StreamsHeartbeatAnswered
from tenure.coordinator.groups.configs import group_configs
from tenure.coordinator.groups.streams.group import GroupState, StreamsGroup, tasks_of
from tenure.coordinator.groups.streams.tasks import NO_TARGET, NO_TASKS, Task, Tasks
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import InvariantError
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    Marker,
    MemberId,
    PartitionId,
    ProducerId,
    TopicName,
)
from tests.coordinator.streams_commands import streams_heartbeat
from tests.coordinator.trace import topic_id_of
from tests.coordinator.virtual_host import VirtualHost, WatchedShard
from tests.simulation.broken import Broken

GROUP: Final = GroupId("g")
ROUNDS_MAX: Final = 12
"""Rounds of heartbeats until a group is stable: revoke, report, get the rest, for two rebalances at once."""
TASKS: Final = 5
"""Tasks of each of the two subtopologies."""
TOPOLOGY: Final = ("0:lines>counts", "1:~counts!store")
TOPIC_OF: Final = {"0": TopicName("lines"), "1": TopicName("counts")}
STATEFUL: Final = "1"
CONFIGS: Final = {"streams.initial.rebalance.delay.ms": "0", "streams.assignment.interval.ms": "0"}
PRODUCER: Final = ProducerId(7)
"""Producer of transactional commits: each transaction has one commit."""
SILENCE_MS: Final = 30_000
"""Pause that is shorter than a session; two pauses are longer."""
CHECKED_BY_THE_GROUP: Final = ("OneInstanceOneMember", "OneActiveTask")


@dataclass
class Client:
    """Member with the state that its own process knows."""

    name: str
    process: str
    instance: str | None
    epoch: int = 0
    tasks: Tasks = NO_TARGET
    """Tasks in its last answer that had tasks."""
    running: frozenset[Task] = NO_TASKS
    """Active tasks that it has not closed; it closes tasks just before it reports its tasks."""
    gained: dict[Task, int] = field(default_factory=dict)
    """Epoch in which it got each active task, also of tasks that it lost."""


class StreamsHistory:
    def __init__(self, seed: int, shard_class: type[WatchedShard] = WatchedShard) -> None:
        self.random = Random(seed)
        self.host = type("StreamsHost", (VirtualHost,), {"shard_class": shard_class})(seed=seed)
        self.clients: dict[str, Client] = {}
        self.gone: list[Client] = []
        """Members that left or vanished, and still commit."""
        self.born = 0
        self.highest_epoch = 0
        self.did: Counter[str] = Counter()
        self.create_topic(TOPIC_OF["0"], TASKS)
        self.configure(self.random.randrange(3))

    def configure(self, standbys: int) -> None:
        self.standbys = standbys
        self.configs = group_configs(CONFIGS | {"streams.num.standby.replicas": str(standbys)})
        self.host.ask(commands.ConfigureGroup(GROUP, self.configs))

    def create_topic(self, name: TopicName, partitions: int) -> None:
        self.host.topics.put(Topic(name, topic_id_of(name), partitions))

    @property
    def group(self) -> StreamsGroup:
        return next(iter(self.host.shard.groups))

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        what = self.random.random()
        if what < 0.13 or not self.clients:
            self.join()
        elif what < 0.20:
            self.leave(self.pick())
        elif what < 0.22:
            self.gone.append(self.clients.pop(self.pick().name))
        elif what < 0.26:
            self.fail_over()
        elif what < 0.29:
            self.configure(self.random.randrange(3))
        elif what < 0.31:
            self.create_topic(TopicName("other"), self.random.randrange(1, 9))
        elif what < 0.50:
            self.commit(self.random.choice([*self.clients.values(), *self.gone]))
        else:
            self.beat(self.pick(), reports=self.random.random() < 0.6)
        self.check()

    def pick(self) -> Client:
        return self.clients[self.random.choice(sorted(self.clients))]

    def join(self) -> None:
        static = self.random.random() < 0.3
        instance = f"i{self.born % 4}" if static else None
        if any(instance and other.instance == instance for other in self.clients.values()):
            instance = None
        self.send(self.newcomer(f"p{self.random.randrange(3)}", instance), joins=True)

    def newcomer(self, process: str, instance: str | None) -> Client:
        self.born += 1
        return Client(f"m{self.born}", process, instance)

    def beat(self, client: Client, *, reports: bool) -> None:
        if reports:
            client.running = client.tasks.active
        self.send(client, as_options(client.tasks) if reports else {})

    def leave(self, client: Client) -> None:
        returns = client.instance is not None and self.random.random() < 0.7
        before, is_calm = self.group.group_epoch, self.is_calm
        self.ask(client, {"epoch": "-2" if returns else "-1"})
        self.gone.append(self.clients.pop(client.name))
        if returns:
            self.send(self.newcomer(client.process, client.instance), joins=True)
            self.did["bounce"] += 1
            if is_calm and self.group.group_epoch != before:
                raise Broken("StaticBounceSilent", f"epoch {before} became {self.group.group_epoch}")

    @property
    def is_calm(self) -> bool:
        """True if the next heartbeat finds no change of the configs, and no topic that was missing."""
        has_configs = self.group.assignment_configs.get("num.standby.replicas") == str(self.standbys)
        return has_configs and self.group.state is not GroupState.NOT_READY

    def send(self, client: Client, said: dict[str, str] | None = None, *, joins: bool = False) -> None:
        options = {"process": client.process, "topology": "0"} if joins else {"epoch": str(client.epoch)}
        answer = self.ask(client, (said or {}) | options, TOPOLOGY if joins else ())
        if not isinstance(answer, StreamsHeartbeatAnswered):
            self.did["refused"] += 1
            self.clients.pop(client.name, None)
            return
        if answer.member_epoch < client.epoch:
            raise Broken("EpochsMonotonic", f"{client.name} went from {client.epoch} to {answer.member_epoch}")
        client.epoch = answer.member_epoch
        for topic in answer.missing_topics:
            if self.host.topics.named(topic.name) is not None:
                raise Broken("InternalTopicsCreatedOnce", f"{client.name} was told that {topic.name} is missing")
            self.create_topic(topic.name, topic.partitions)
        if answer.assignment is not None:
            assigned = answer.assignment
            client.gained |= dict.fromkeys(assigned.active.keys() - client.tasks.active, client.epoch)
            client.tasks = Tasks(frozenset(assigned.active), assigned.standby, assigned.warmup)
            client.running |= client.tasks.active
        self.clients[client.name] = client
        self.did["answered"] += 1

    def ask(self, client: Client, said: dict[str, str], topology: tuple[str, ...] = ()) -> object:
        options = said | ({"instance": client.instance} if client.instance else {})
        return self.answer(streams_heartbeat(client.name, [GROUP, *topology], options))

    def answer(self, command: object) -> object:
        ask = self.host.ask(command)
        _, replies = self.host.take()
        return dict(replies)[ask]

    def fail_over(self) -> None:
        before = self.group.digest()
        self.host.fail_over()
        self.host.ask(commands.ConfigureGroup(GROUP, self.configs, at_load=True))
        after = self.group.digest()
        for timers in ("session_deadlines", "revocation_deadlines"):
            if dict(before.pop(timers)).keys() != dict(after.pop(timers)).keys():  # type: ignore[call-overload]
                raise Broken("ReplayEqualsLive", f"{timers} differ")
        if before != after:
            raise Broken("ReplayEqualsLive", f"{before} became {after}")

    # --- commits ------------------------------------------------------------------------------------------------------

    def commit(self, client: Client) -> None:
        """Commit for a task that the client has or had, half of the commits in a transaction.

        A zombie's commit must not reach the next owner's offset.
        """
        if not client.gained:
            return
        task = self.random.choice(sorted(client.gained))
        epoch = self.random.choice([client.epoch, client.gained[task], max(client.gained[task] - 1, 0)])
        is_owner = client.name in self.clients and task in client.running and epoch >= client.gained[task]
        is_accepted, answer = self.answer_of_commit(client, task, epoch)
        self.did[f"{'owner' if is_owner else 'zombie'} {'accepted' if is_accepted else 'refused'}"] += 1
        if is_owner and not is_accepted:
            raise Broken("NoFalseFence", f"{client} of {task} in epoch {epoch}: {answer}")
        others = [one.name for one in self.clients.values() if task in one.running and one is not client]
        if is_accepted and (others or epoch < client.gained[task]):
            raise Broken("CommitFence", f"{client} committed for {task} in epoch {epoch}, which {others} have")

    def answer_of_commit(self, client: Client, task: Task, epoch: int) -> tuple[bool, object]:
        """Commit; return whether the commit is accepted, and the answer."""
        topic = TOPIC_OF[task[0]]
        offset = commands.OffsetToCommit(topic, topic_id_of(topic), PartitionId(task[1]), 1)
        instance = None if client.instance is None else InstanceId(client.instance)
        of_member = GROUP, MemberId(client.name), instance, GenerationId(epoch), [offset]
        in_transaction = self.random.random() < 0.5
        if in_transaction:
            answer = self.answer(commands.CommitInTransaction(*of_member, PRODUCER, 0))
        else:
            answer = self.answer(commands.CommitOffsets(*of_member))
        is_accepted = isinstance(answer, Committed) and not any(answer.error_codes)
        if in_transaction:
            self.did[f"transactional {'accepted' if is_accepted else 'refused'}"] += 1
        if in_transaction and is_accepted:
            self.answer(commands.EndOfTransaction(Marker(PRODUCER, 0, self.random.random() < 0.5, 0)))
        return is_accepted, answer

    # --- invariants ---------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Check the invariants that hold in every state."""
        group = self.group
        try:
            group.check_invariants()
        except InvariantError as broken:
            named = [name for name in CHECKED_BY_THE_GROUP if name in str(broken)]
            raise Broken(named[0] if named else "Structure", broken) from None
        if group.group_epoch < self.highest_epoch:
            raise Broken("EpochsMonotonic", f"the group went from {self.highest_epoch} to {group.group_epoch}")
        self.highest_epoch = group.group_epoch
        owners = Counter(task for client in self.clients.values() for task in client.running)
        if owners and max(owners.values()) > 1:
            raise Broken("OneActiveTask", f"two clients run a task: {self.clients}")
        self.check_copies()

    def check_copies(self) -> None:
        """Check that no two members of a process have the same task, in any role: they share its state directory."""
        copies: Counter[tuple[str, Task]] = Counter()
        for member in self.group.members.values():
            found = {task for tasks in tasks_of(member) for role in tasks for task in role}
            copies.update((member.process_id, task) for task in found)
        if copies and max(copies.values()) > 1:
            raise Broken("OneCopyPerProcess", f"two members of a process have a task: {self.group.members}")

    def settle(self) -> None:
        """Let sessions of vanished members end, and all others send heartbeats until the group is stable."""
        if not self.clients:
            self.join()
        for _ in range(2):
            self.heartbeat_all()
            self.host.tick_ms += SILENCE_MS
            self.host.turn()
        if not self.clients:
            self.join()
        for _ in range(ROUNDS_MAX):
            self.heartbeat_all()
        self.check_settled()

    def heartbeat_all(self) -> None:
        for client in list(self.clients.values()):
            self.beat(client, reports=True)
            self.check()

    def check_settled(self) -> None:
        if self.group.state is not GroupState.STABLE or self.group.members.keys() != self.clients.keys():
            raise Broken("EventuallyStable", f"{self.group.state} with {self.group.members}")
        clients = self.clients.values()
        every = sorted((name, at) for name in TOPIC_OF for at in range(TASKS))
        if sorted(task for client in clients for task in client.tasks.active) != every:
            raise Broken("AllTasksAssigned", self.clients)
        copies: dict[Task, list[str]] = {}
        for client in clients:
            for task in (*client.tasks.active, *client.tasks.standby, *client.tasks.warmup):
                copies.setdefault(task, []).append(client.process)
        if any(len(found) != len(set(found)) for found in copies.values()):
            raise Broken("OneCopyPerProcess", copies)
        wanted = 1 + min(self.standbys, len({client.process for client in clients}) - 1)
        if any(len(found) != wanted for task, found in copies.items() if task[0] == STATEFUL):
            raise Broken("AllStandbysAssigned", f"{wanted} copies of each task are wanted: {copies}")


def as_options(tasks: Tasks) -> dict[str, str]:
    names = ("active", "standby", "warmup")
    return {name: ",".join(f"{sub}_{at}" for sub, at in sorted(role)) for name, role in zip(names, tasks, strict=True)}
