"""Random histories of a consumer group in virtual time, with the named invariants checked after every step.

Clients behave like Java's, but the network loses answers, clients crash and return, leave permanently or temporarily,
and sometimes do not report their partitions. Zombies commit with each epoch of their earlier answers. Topics grow, and
the coordinator fails over. Then the faults stop, and the group must become stable (EventuallyStable).

The checks use only the answers that clients got, and the owners of partitions in the log, without assignment epochs.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, HeartbeatAnswered
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer.group import ConsumerGroup, GroupState
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import LogRecord
from tenure.protocol.special_values import JOINS, LEAVES, LEAVES_FOR_NOW
from tenure.protocol.types import InstanceId, MemberId, TopicName
from tenure.simulation.holders import Partition
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import VirtualHost, WatchedShard
from tests.simulation.broken import Broken
from tests.simulation.consumer_invariants import Tenures, at_rest, commit_fence, others, same_durable_state

GROUP: Any = "g"
WEIGHTS = {"beat": 30, "commit": 12, "zombie": 8, "wait": 12, "die": 2, "away": 2, "leave": 1, "subscribe": 2}
WEIGHTS |= {"grow": 1, "fail over": 1}


@dataclass(eq=False)
class Client:
    """Seat of one member. `epoch` and `owned` are those of the last answer to its present process."""

    name: str
    instance_id: InstanceId | None
    topics: tuple[str, ...]
    earlier_processes: int = 0
    """Number of its earlier processes."""
    epoch: int = JOINS
    owned: set[Partition] = field(default_factory=set)
    reports_next: bool = False
    """True if its next heartbeat reports changed partitions."""
    past: list[tuple[MemberId, int, Partition]] = field(default_factory=list)
    """Commits that zombies of this seat may send."""

    @property
    def member_id(self) -> MemberId:
        return MemberId(f"{self.name}-{self.earlier_processes}")

    def join_again(self, *, as_another: bool) -> None:
        self.past += [(self.member_id, self.epoch, partition) for partition in self.owned]
        self.earlier_processes += as_another
        self.epoch, self.owned = JOINS, set()


class ConsumerHistory:
    def __init__(
        self,
        seed: int,
        shard_class: type[WatchedShard] = WatchedShard,
        fencing: str = "assignment-epoch",
        settings: GroupSettings | None = None,
    ) -> None:
        self.random = random = Random(seed)
        self.drawn = {"seed": seed, "clients": random.randint(2, 6), "partitions": random.randint(1, 5)}
        kind = type("DrawnHost", (VirtualHost,), {"shard_class": shard_class})
        self.host: VirtualHost = kind(settings, seed)
        self.fencing = fencing
        self.put("t", self.drawn["partitions"])
        self.put("u", 2)
        self.clients = [
            Client(f"c{n}", random.choice((None, InstanceId(f"instance-{n}"))), random.choice((("t",), ("t", "u"))))
            for n in range(self.drawn["clients"])
        ]
        self.follower = GroupsShard(self.host.settings, Random(0).randbytes)
        self.tenures = Tenures()
        self.host.on_record = self.fold
        self.did: Counter[str] = Counter()
        self.configure()

    # --- the host -----------------------------------------------------------------------------------------------------

    def put(self, name: str, partitions: int) -> None:
        self.host.topics.put(Topic(TopicName(name), topic_id_of(name), partitions))

    def configure(self) -> None:
        configs = GroupConfigs(group_commit_fencing=self.fencing, consumer_assignment_interval_ms=500)
        self.ask(commands.ConfigureGroup(GROUP, configs, at_load=True))

    def ask(self, command: object) -> Any:
        ask = self.host.ask(command)
        return next((answer for found, answer in self.host.take()[1] if found == ask), None)

    @property
    def group(self) -> ConsumerGroup | None:
        return self.host.shard.consumer_group(GROUP)

    def fold(self, record: object) -> None:
        if isinstance(record, LogRecord):
            self.follower.apply(record)
            self.tenures.fold(record)

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        kind = self.random.choices(tuple(WEIGHTS), tuple(WEIGHTS.values()))[0]
        self.did[kind] += 1
        client = self.random.choice(self.clients)
        before = self.epochs()
        match kind:
            case "beat":
                self.beat(client, is_lost=self.random.random() < 0.25)
            case "commit":
                self.commit(client)
            case "zombie":
                self.commit_as_zombie(client)
            case "wait":
                self.wait(self.random.choices((100, 1_000, 20_000, 50_000), (12, 10, 2, 1))[0])
            case "die":
                client.join_again(as_another=True)
            case "away" | "leave":
                self.send_leave(client, LEAVES_FOR_NOW if kind == "away" and client.instance_id else LEAVES)
            case "subscribe":
                client.topics = self.random.choice((("t",), ("t", "u")))
                client.reports_next = True
            case "grow":
                self.put("t", min(8, self.host.topics.named(TopicName("t")).partitions + 1))  # type: ignore[union-attr]
            case "fail over":
                self.host.fail_over()
                self.configure()
        self.check(before)

    def wait(self, for_ms: int) -> None:
        until_ms = self.host.tick_ms + for_ms
        while self.host.next_moment(until_ms):
            self.host.turn()
        self.host.take()

    def beat(self, client: Client, *, is_lost: bool = False) -> None:
        joins = client.epoch == JOINS
        reports = joins or client.reports_next or self.random.random() < 0.3
        owned: dict[bytes, list[int]] = {}
        for topic_id, partition in sorted(client.owned):
            owned.setdefault(topic_id, []).append(partition)
        answer = self.ask(
            commands.ConsumerHeartbeat(
                GROUP,
                client.member_id,
                client.epoch,
                client.instance_id,
                rebalance_timeout_ms=30_000 if reports else -1,
                subscribed_topic_names=[TopicName(name) for name in client.topics] if reports else None,
                owned=list(owned.items()) if reports else None,  # type: ignore[arg-type]
            )
        )
        if self.random.random() < 0.3:  # on another thread of the client, before the answer arrives
            self.commit(client)
        self.learn(client, answer, is_lost=is_lost)

    def learn(self, client: Client, answer: Any, *, is_lost: bool) -> None:
        if is_lost:
            self.did["lost answer"] += 1
            client.reports_next = True  # after a lost answer, a client reports all fields
        elif isinstance(answer, HeartbeatAnswered):
            self.did["answered"] += 1
            client.past += [(client.member_id, client.epoch, partition) for partition in client.owned]
            del client.past[:-50]
            client.epoch = answer.member_epoch
            if answer.assignment is not None:
                now = {(topic_id, p) for topic_id, partitions in answer.assignment.items() for p in partitions}
                client.reports_next = now != client.owned
                client.owned = now
            else:
                client.reports_next = False
        else:
            self.did[answer.error_code.name] += 1
            if answer.error_code.name != "UNRELEASED_INSTANCE_ID":
                client.join_again(as_another=answer.error_code.name == "FENCED_INSTANCE_ID")

    def send_leave(self, client: Client, epoch: int) -> None:
        was = self.others(client) if epoch == LEAVES_FOR_NOW and self.is_settled(client) else None
        self.ask(commands.ConsumerHeartbeat(GROUP, client.member_id, epoch, client.instance_id))
        client.join_again(as_another=True)
        if was is not None:
            self.did["bounce"] += 1
            self.beat(client)
            if self.others(client) != was:
                raise Broken("StaticBounceSilent", f"{client} changed {was} to {self.others(client)}")

    def is_settled(self, client: Client) -> bool:
        """Return whether the next heartbeat of any member would change nothing in the group."""
        group = self.group
        member = None if group is None else group.members.get(client.member_id)
        return (
            group is not None
            and member is not None
            and member.subscribed_topic_names == client.topics
            and group.topics_version == self.host.topics.version
            and group.group_epoch == group.target_epoch
        )

    def others(self, client: Client) -> object:
        group = self.group
        return None if group is None else others(group, client.instance_id)

    # --- commits ------------------------------------------------------------------------------------------------------

    def commit(self, client: Client) -> None:
        """Commit partitions that the client owns, at the epoch that it knows; such a commit must be accepted."""
        group = self.group
        if group is None or client.epoch <= 0 or not client.owned or client.member_id not in group.members:
            return
        if group.members[client.member_id].is_away:
            return
        partition = self.random.choice(sorted(client.owned))
        if not isinstance(self.answer_of_commit(client.member_id, client.epoch, partition), Committed):
            raise Broken("NoFalseFence", f"{client} owns {partition}: {group.members[client.member_id]}")
        self.did["honest commit"] += 1

    def commit_as_zombie(self, client: Client) -> None:
        """Commit as a zombie.

        An accepted commit must be of the member's partition, owned since the epoch in the commit.
        """
        if not client.past:
            return
        member_id, epoch, partition = self.random.choice(client.past)
        if self.random.random() < 0.2:
            partition = topic_id_of("t"), self.random.randrange(self.drawn["partitions"])
        accepted = isinstance(self.answer_of_commit(member_id, epoch, partition), Committed)
        self.did["zombie accepted" if accepted else "zombie refused"] += 1

    def answer_of_commit(self, member_id: MemberId, epoch: int, partition: Partition) -> Any:
        topic_id, number = partition
        name = topic_id.rstrip(b"\0").decode()
        offset: Any = commands.OffsetToCommit(TopicName(name), topic_id, number, 1)  # type: ignore[arg-type]
        commit = commands.CommitOffsets(GROUP, member_id, None, epoch, [offset])  # type: ignore[arg-type]
        answer = self.ask(commit)
        if self.group is not None:
            commit_fence(self.group, self.tenures, commit, answer)
        return answer

    # --- invariants ---------------------------------------------------------------------------------------------------

    def epochs(self) -> tuple[int, int]:
        group = self.group
        return (0, 0) if group is None else (group.group_epoch, group.target_epoch)

    def check(self, before: tuple[int, int]) -> None:
        group = self.group
        if group is None:
            return
        at_rest(group, self.host.topics)
        if group.group_epoch < before[0] or group.target_epoch < before[1]:
            raise Broken("EpochsMonotonic", f"{before} became {self.epochs()}")
        follower = self.follower.consumer_group(GROUP)
        assert follower is not None
        same_durable_state(group, follower)
        self.did[group.state.name] += 1

    def settle(self) -> None:
        """Let all clients send heartbeats without further faults; check EventuallyStable."""
        for _ in range(60):
            for client in self.clients:
                before = self.epochs()
                self.beat(client)
                self.check(before)
            self.wait(2_000)
        group = self.group
        if group is None or group.state is not GroupState.STABLE or len(group.members) != len(self.clients):
            raise Broken("EventuallyStable", group and group.digest())
