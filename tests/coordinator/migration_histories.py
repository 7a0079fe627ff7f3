"""Random histories of a group with members of both protocols, which sometimes change their protocol.

Beside the consumers of `consumer_histories.py` there are classic members, eager and cooperative, static and dynamic.
They do what Java's do: join, assign as leader, sync, heartbeat, and join again on request. Some of their answers are
lost. So the group changes from one protocol to the other in any of its states.

The partitions that clients believe to own are checked, too: no two clients work on the same partition while the
coordinator accepts both as members of the present epoch (NoDoubleProcessing).
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tenure.coordinator.answers import NO_MEMBER_ID
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, HeartbeatAnswered, Joined, Synced
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.shard import AskId, InvariantError
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    decode_assignment,
    decode_subscription,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS, LEAVES
from tenure.protocol.types import InstanceId, MemberId, TopicName
from tenure.simulation.holders import Partition
from tests.coordinator.consumer_histories import GROUP, Client, ConsumerHistory
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import WatchedShard
from tests.simulation.broken import Broken
from tests.simulation.consumer_invariants import at_rest, same_durable_state

WEIGHTS = {"beat": 60, "commit": 10, "wait": 12, "die": 1, "leave": 1, "switch": 4, "subscribe": 2, "grow": 1}
WEIGHTS |= {"fail over": 1, "zombie": 6}
SESSION_MS, REBALANCE_MS = 30_000, 20_000
SETTINGS = GroupSettings(group_initial_rebalance_delay_ms=500)


@dataclass(eq=False)
class MixedClient(Client):
    """Client that may use either protocol. In the classic protocol it has an id from the broker."""

    is_classic: bool = False
    is_cooperative: bool = False
    classic_id: MemberId = NO_MEMBER_ID
    next: str = "join"
    led: list[tuple[MemberId, Subscription]] = field(default_factory=list)
    """Members that it assigns partitions to, while it leads."""
    asked: AskId | None = None
    """Pending request."""

    @property
    def member_id(self) -> MemberId:
        return self.classic_id if self.is_classic else MemberId(f"{self.name}-{self.earlier_processes}")

    def join_again(self, *, as_another: bool) -> None:
        super().join_again(as_another=as_another)
        self.classic_id = NO_MEMBER_ID if as_another else self.classic_id
        self.next, self.led, self.asked, self.reports_next = "join", [], None, False


class MigratingHistory(ConsumerHistory):
    def __init__(self, seed: int, shard_class: type[WatchedShard] = WatchedShard) -> None:
        self.answers: dict[AskId, object] = {}
        self.was = ""
        """Type of the group after the step before."""
        super().__init__(seed, shard_class, settings=SETTINGS)
        self.clients: list[MixedClient] = [  # type: ignore[assignment]
            MixedClient(
                f"c{n}",
                self.random.choice((None, InstanceId(f"instance-{n}"))),
                ("t",),
                is_classic=self.random.random() < 0.6,
                is_cooperative=self.random.random() < 0.5,
            )
            for n in range(self.drawn["clients"])
        ]

    @property
    def classic(self) -> ClassicGroup | None:
        group = self.host.shard.classic_group(GROUP)
        return group if group is not None and group.members else None

    def ask(self, command: object) -> Any:
        ask = self.host.ask(command)
        self.gather()
        return self.answers.pop(ask, None)

    def gather(self) -> None:
        self.answers |= dict(self.host.take()[1])

    def wait(self, for_ms: int) -> None:
        until_ms = self.host.tick_ms + for_ms
        while self.host.next_moment(until_ms):
            self.host.turn()
        self.gather()

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        kind = self.random.choices(tuple(WEIGHTS), tuple(WEIGHTS.values()))[0]
        self.did[kind] += 1
        client: Any = self.random.choice(self.clients)
        before = self.number()
        match kind:
            case "beat":
                self.continue_client(client, is_lost=self.random.random() < 0.15)
            case "commit":
                self.commit(client)
            case "zombie":
                self.commit_as_zombie(client)
            case "wait":
                self.wait(self.random.choices((100, 1_000, 10_000, 35_000), (12, 10, 3, 1))[0])
            case "die":
                client.join_again(as_another=True)
            case "leave":
                self.leave(client)
            case "switch":
                self.switch(client)
            case "subscribe":
                client.topics = self.random.choice((("t",), ("t", "u")))
                client.reports_next = True
            case "grow":
                self.put("t", min(8, self.host.topics.named(TopicName("t")).partitions + 1))  # type: ignore[union-attr]
            case "fail over":
                self.host.fail_over()
                before = 0 if self.classic else before  # a generation is logged once its leader has synced
                self.answers.clear()
                for one in self.clients:
                    one.asked = None
                self.configure()
        self.check_step(before)

    def switch(self, client: MixedClient) -> None:
        """Replace a client by a version that uses the other protocol; a static member does not leave."""
        if client.instance_id is None or self.random.random() < 0.3:
            self.leave(client)
        else:
            client.join_again(as_another=True)
        client.is_classic = not client.is_classic

    def leave(self, client: MixedClient) -> None:
        if client.is_classic:
            if client.classic_id:
                self.ask(commands.LeaveGroup(GROUP, [commands.Leaver(client.classic_id, client.instance_id)]))
        else:
            self.ask(commands.ConsumerHeartbeat(GROUP, client.member_id, LEAVES, client.instance_id))
        client.join_again(as_another=True)

    def continue_client(self, client: MixedClient, *, is_lost: bool = False) -> None:
        """Send the next request of a client, or handle the answer that it waits for."""
        if not client.is_classic:
            self.beat(client, is_lost=is_lost)
        elif client.asked is not None:
            self.handle_answer(client, is_lost=is_lost)
        else:
            command = {"join": self.join_request, "sync": self.sync_request, "beat": self.heartbeat_request}[
                client.next
            ](client)
            client.asked = self.host.ask(command)
            self.gather()
            self.handle_answer(client, is_lost=is_lost)

    # --- requests of classic members ----------------------------------------------------------------------------------

    def join_request(self, client: MixedClient) -> commands.JoinGroup:
        """Return the join of a client; an eager member revokes all partitions first."""
        if not client.is_cooperative:
            client.owned = set()
        subscription = Subscription(
            [TopicName(name) for name in client.topics], None, named(client.owned), client.epoch or -1
        )
        protocols = [("range", encode_subscription(subscription))]
        times = SESSION_MS, REBALANCE_MS
        return commands.JoinGroup(
            GROUP, client.classic_id, client.instance_id, "c", "/h", *times, "consumer", protocols
        )

    def sync_request(self, client: MixedClient) -> commands.SyncGroup:
        shares = self.round_robin(client) if client.led else {}
        return commands.SyncGroup(
            GROUP, client.classic_id, client.instance_id, client.epoch, "consumer", "range", shares
        )

    def heartbeat_request(self, client: MixedClient) -> commands.Heartbeat:
        return commands.Heartbeat(GROUP, client.classic_id, client.instance_id, client.epoch)  # type: ignore[arg-type]

    def round_robin(self, leader: MixedClient) -> dict[MemberId, bytes]:
        """Return a round-robin assignment, in which no partition moves that a member still owns (KIP-429)."""
        owners = {p: member_id for member_id, said in leader.led for p in partitions(said.owned_partitions)}
        shares: dict[MemberId, set[Partition]] = {member_id: set() for member_id, _ in leader.led}
        for topic in self.host.topics:
            wanting = sorted(member_id for member_id, said in leader.led if topic.name in said.topics)
            for partition in range(topic.partitions if wanting else 0):
                one: Any = (topic.topic_id, partition)
                wanted = wanting[partition % len(wanting)]
                if owners.get(one, wanted) == wanted:
                    shares[wanted].add(one)
        return {member_id: encode_assignment(Assignment(named(share))) for member_id, share in shares.items()}

    def handle_answer(self, client: MixedClient, *, is_lost: bool) -> None:
        assert client.asked is not None
        if client.asked not in self.answers:
            self.did["waits"] += 1
            return
        answer: Any = self.answers.pop(client.asked)
        client.asked = None
        if is_lost:
            self.did["lost answer"] += 1
        elif isinstance(answer, Joined):
            client.classic_id, client.epoch = answer.member_id, answer.generation_id
            client.led = [(member.member_id, decode_subscription(member.metadata)) for member in answer.members]
            client.next = "sync"
        elif isinstance(answer, Synced):
            self.did["synced in a consumer group" if self.group else "synced"] += 1
            had, client.owned = client.owned, partitions(decode_assignment(answer.assignment).assigned_partitions)
            client.past += [(client.classic_id, client.epoch, partition) for partition in had]
            client.next = "join" if had - client.owned else "beat"
        else:
            self.handle_error(client, answer.error_code, answer)

    def handle_error(self, client: MixedClient, error_code: ErrorCode, answer: Any) -> None:
        match error_code:
            case ErrorCode.NONE:
                client.next = "join" if client.reports_next else "beat"
                client.reports_next = False
            case ErrorCode.MEMBER_ID_REQUIRED:
                client.classic_id = answer.member_id
            case ErrorCode.REBALANCE_IN_PROGRESS:
                self.did["told to join"] += 1
                client.next = "join"
            case ErrorCode.ILLEGAL_GENERATION:
                self.did["ILLEGAL_GENERATION"] += 1
                client.join_again(as_another=False)
            case _:
                self.did[error_code.name] += 1
                client.join_again(as_another=True)

    def learn(self, client: Any, answer: Any, *, is_lost: bool) -> None:
        if not is_lost and not isinstance(answer, HeartbeatAnswered):
            assert answer.error_code is not ErrorCode.UNKNOWN_SERVER_ERROR, answer
        super().learn(client, answer, is_lost=is_lost)

    def commit(self, client: Client) -> None:
        """Commit partitions that the client believes to own.

        A classic group checks only generations, so it also refuses a client that has not noticed a migration.
        `commit_fence` says which commits must be accepted.
        """
        if self.group is not None and client.epoch != JOINS and client.owned:
            partition = self.random.choice(sorted(client.owned))
            if isinstance(self.answer_of_commit(client.member_id, client.epoch, partition), Committed):
                self.did["honest commit"] += 1

    # --- invariants ---------------------------------------------------------------------------------------------------

    def number(self) -> int:
        """Return the epoch or generation of a group with members."""
        if self.group is not None:
            return self.group.group_epoch if self.group.members else 0
        return 0 if self.classic is None else self.classic.generation_id

    def kind(self) -> str:
        if self.group is not None:
            return "consumer" if self.group.members else ""
        return "" if self.classic is None else f"classic {self.classic.state.name}"

    def check_step(self, before: int) -> None:
        was, self.was = self.was, self.kind()
        if was and self.was and was[:8] != self.was[:8]:
            self.did[f"upgrade of {was}" if self.was == "consumer" else "downgrade"] += 1
        if before and 0 < self.number() < before:
            raise Broken("EpochsMonotonic", f"{before} became {self.number()}")
        if self.group is not None:
            at_rest(self.group, self.host.topics)
            follower = self.follower.consumer_group(GROUP)
            assert follower is not None
            same_durable_state(self.group, follower)
            kinds = {member.classic is not None for member in self.group.members.values()}
            self.did["mixed" if len(kinds) == 2 else "consumers"] += 1
        elif self.classic is not None:
            self.check_classic_group(self.classic)
        self.check_single_owners()

    def check_classic_group(self, group: ClassicGroup) -> None:
        try:
            group.check_invariants()
        except InvariantError as broken:
            raise Broken("Structure", broken) from None
        follower = self.follower.classic_group(GROUP)
        logged = None if follower is None else follower.generation_id
        if group.state is State.STABLE and logged != group.generation_id:
            raise Broken("ReplayEqualsLive", f"the log has generation {logged}, not {group.generation_id}")
        self.did[f"classic {group.state.name}"] += 1

    def check_single_owners(self) -> None:
        owners = Counter(partition for client in self.clients if self.is_member(client) for partition in client.owned)
        twice = [partition for partition, count in owners.items() if count > 1]
        if twice:
            told = [(client.member_id, client.epoch, client.owned) for client in self.clients if client.owned]
            raise Broken("NoDoubleProcessing", f"{twice} of {told}")

    def is_member(self, client: MixedClient) -> bool:
        """Return whether the client is a member in the epoch or generation that it knows."""
        if self.group is not None:
            member = self.group.members.get(client.member_id)
            return (
                member is not None
                and member.member_epoch == client.epoch
                and self.uses_present_protocol(client, member.classic)
            )
        group = self.classic
        return (
            group is not None
            and client.is_classic
            and client.classic_id in group.members
            and client.epoch == group.generation_id
        )

    @staticmethod
    def uses_present_protocol(client: MixedClient, classic: object) -> bool:
        return client.is_classic == (classic is not None)

    def settle(self) -> None:
        """Let all members continue without further faults, until every partition has an owner.

        Only the leader of a classic group would notice changed topics, and these leaders do not check.
        """
        for _ in range(60):
            for client in self.clients:
                before = self.number()
                self.continue_client(client)  # type: ignore[arg-type]
                self.check_step(before)
            self.wait(2_000)
        group: Any = self.group or self.classic
        if group is None or group.state.name != "STABLE" or len(group.members) != len(self.clients):
            raise Broken("EventuallyStable", group and group.digest())
        topics = {name for client in self.clients for name in client.topics}
        wanted = sorted((t.topic_id, p) for t in self.host.topics if t.name in topics for p in range(t.partitions))
        worked_on = sorted(partition for client in self.clients for partition in client.owned)
        if self.group is not None and worked_on != wanted:
            raise Broken("EventuallyStable", f"{worked_on} are worked on, of {wanted}")


def named(owned: set[Partition]) -> list[TopicPartition]:
    by_topic: dict[bytes, list[Any]] = {}
    for topic_id, partition in sorted(owned):
        by_topic.setdefault(topic_id, []).append(partition)
    return [TopicPartition(TopicName(topic_id.rstrip(b"\0").decode()), found) for topic_id, found in by_topic.items()]


def partitions(named_ones: list[TopicPartition]) -> set[Partition]:
    return {(topic_id_of(one.topic), partition) for one in named_ones for partition in one.partitions}
