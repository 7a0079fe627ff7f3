"""Random lives of streams groups: what holds in every state, and what holds once all members are heard (rule 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.groups.configs import group_configs
from tenure.coordinator.groups.streams.group import GroupState, StreamsGroup
from tenure.coordinator.groups.streams.tasks import NO_TARGET, Tasks
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.types import GroupId, InstanceId, MemberId, TopicName
from tests.coordinator.streams_words import streams_heartbeat
from tests.coordinator.trace import topic_id_of
from tests.coordinator.world import World

GROUP = GroupId("g")
SEEDS = range(24)
STEPS = 150
ROUNDS_MAX = 12
"""Rounds of heartbeats after which a group is stable: give up, report it, get the rest, for two rebalances at once."""
TOPOLOGY = ("0:lines>counts", "1:~counts!store")
CONFIGS = {"streams.initial.rebalance.delay.ms": "0", "streams.assignment.interval.ms": "0"}


@dataclass
class Client:
    """A member as its process sees it."""

    name: str
    process: str
    instance: str | None
    epoch: int = 0
    tasks: Tasks = NO_TARGET


class Life:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.world = World(seed=seed)
        self.clients: dict[str, Client] = {}
        self.born = 0
        self.highest_epoch = 0
        for name in ("lines", "counts", "store"):
            self.world.topics.put(Topic(TopicName(name), topic_id_of(name), 5))
        self.configure(standbys=self.random.randrange(3))

    def configure(self, standbys: int) -> None:
        self.configs = group_configs(CONFIGS | {"streams.num.standby.replicas": str(standbys)})
        self.world.ask(commands.ConfigureGroup(GROUP, self.configs))

    @property
    def group(self) -> StreamsGroup:
        return next(iter(self.world.shard.streams_groups))

    def step(self) -> None:
        what = self.random.random()
        if what < 0.15 or not self.clients:
            self.join()
        elif what < 0.22:
            self.leave(self.pick())
        elif what < 0.26:
            self.fail_over()
        elif what < 0.29:
            self.configure(standbys=self.random.randrange(3))
        elif what < 0.31:
            self.world.topics.put(Topic(TopicName("other"), topic_id_of("other"), self.random.randrange(1, 9)))
        else:
            self.beat(self.pick(), reports=self.random.random() < 0.6)
        self.check()

    def pick(self) -> Client:
        return self.clients[self.random.choice(sorted(self.clients))]

    def join(self) -> None:
        self.born += 1
        static = self.random.random() < 0.3
        client = Client(f"m{self.born}", f"p{self.random.randrange(3)}", f"i{self.born % 4}" if static else None)
        if any(client.instance and other.instance == client.instance for other in self.clients.values()):
            client.instance = None
        self.send(client, {"process": client.process, "topology": "0"}, joins=True)

    def beat(self, client: Client, *, reports: bool) -> None:
        self.send(client, told(client.tasks) if reports else {})

    def leave(self, client: Client) -> None:
        returns = client.instance is not None and self.random.random() < 0.7
        self.ask(client, {"epoch": "-2" if returns else "-1"})
        del self.clients[client.name]
        if returns:
            self.born += 1
            successor = Client(f"m{self.born}", client.process, client.instance)
            self.send(successor, {"process": client.process, "topology": "0"}, joins=True)

    def send(self, client: Client, said: dict[str, str], *, joins: bool = False) -> None:
        answer = self.ask(client, said | ({} if joins else {"epoch": str(client.epoch)}), TOPOLOGY if joins else ())
        if not isinstance(answer, StreamsHeartbeatAnswered):
            self.clients.pop(client.name, None)
            return
        assert answer.member_epoch >= client.epoch
        client.epoch = answer.member_epoch
        if answer.assignment is not None:
            assigned = answer.assignment
            client.tasks = Tasks(frozenset(assigned.active), assigned.standby, assigned.warmup)
        self.clients[client.name] = client

    def ask(self, client: Client, said: dict[str, str], topology: tuple[str, ...] = ()) -> object:
        options = said | ({"instance": client.instance} if client.instance else {})
        ask = self.world.ask(streams_heartbeat(client.name, [GROUP, *topology], options))
        _, replies = self.world.take()
        return dict(replies)[ask]

    def fail_over(self) -> None:
        before = self.group.digest()
        self.world.fail_over()
        self.world.ask(commands.ConfigureGroup(GROUP, self.configs, at_load=True))
        after = self.group.digest()
        for timers in ("session_deadlines", "revocation_deadlines"):
            assert before.pop(timers).keys() == after.pop(timers).keys()  # type: ignore[attr-defined]
        assert before == after

    def check(self) -> None:
        """Check invariants that hold in every state."""
        group = self.group
        group.check_invariants()
        assert group.group_epoch >= self.highest_epoch
        self.highest_epoch = group.group_epoch
        for client in self.clients.values():
            member = group.members[MemberId(client.name)]
            assert member.instance_id == (None if client.instance is None else InstanceId(client.instance))
        owners = [task for client in self.clients.values() for task in client.tasks.active if self.knows(client, task)]
        assert len(owners) == len(set(owners))

    def knows(self, client: Client, task: tuple[str, int]) -> bool:
        """Return whether the coordinator still counts the task as the client's."""
        member = self.group.members[MemberId(client.name)]
        return task in member.assigned.active or task in member.pending_revocation.active


def told(tasks: Tasks) -> dict[str, str]:
    names = ("active", "standby", "warmup")
    return {name: ",".join(f"{sub}_{at}" for sub, at in sorted(role)) for name, role in zip(names, tasks, strict=True)}


@pytest.mark.parametrize("seed", SEEDS)
def test_streams_group__random_life__one_owner_per_task_and_all_tasks_assigned_at_the_end(seed: int) -> None:
    life = Life(seed)
    life.join()
    for _ in range(STEPS):
        life.step()
    if not life.clients:
        life.join()
    for _ in range(ROUNDS_MAX):
        for client in list(life.clients.values()):
            life.beat(client, reports=True)
            life.check()
    group = life.group
    assert group.state is GroupState.STABLE
    active = [task for client in life.clients.values() for task in client.tasks.active]
    assert sorted(active) == sorted((name, at) for name in ("0", "1") for at in range(5))
    processes: dict[tuple[str, int], list[str]] = {}
    for client in life.clients.values():
        for task in client.tasks.active | client.tasks.standby:
            processes.setdefault(task, []).append(client.process)
    assert all(len(found) == len(set(found)) for found in processes.values())
