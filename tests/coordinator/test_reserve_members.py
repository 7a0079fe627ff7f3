"""Reserve members under random histories, and their behaviour with real subscriptions.

In each generation as many members are active as wanted, the leader is one of them and sees no others, active members
stay active, and no reserve member has a partition. This also holds after a fail-over.
"""

from collections.abc import Sequence
from random import Random

import pytest

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Joined, Synced
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.records import GenerationStarted
from tenure.coordinator.groups.settings import GroupSettings
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    encode_assignment,
    encode_subscription,
)
from tests.coordinator.virtual_host import VirtualHost

STEPS = 150


class StaticMembers:
    """Static members of one group, by their instance ids."""

    def __init__(self, host: VirtualHost, target: int) -> None:
        self.host = host
        self.target = target
        self.subscriptions: dict[str, bytes] = {}
        self.ids: dict[str, str] = {}
        self.asks: dict[int, str] = {}
        self.joined: dict[str, Joined] = {}
        self.configure()

    def configure(self, *, at_load: bool = False) -> None:
        self.host.ask(commands.ConfigureGroup("g", GroupConfigs(target_group_size=self.target), at_load))

    def group(self) -> dict[str, object]:
        return self.host.shard.digest()[0].get("g", {})

    def join(self, instance_id: str) -> None:
        protocols = [("range", self.subscriptions.get(instance_id, b"topics"))]
        ask = self.host.ask(
            commands.JoinGroup(
                "g", self.ids.get(instance_id, ""), instance_id, "app", "/h", 30_000, 60_000, "consumer", protocols
            )
        )
        self.asks[ask] = instance_id
        self.take_replies()

    def leave(self, instance_id: str) -> None:
        self.host.ask(commands.LeaveGroup("g", [commands.Leaver("", instance_id)]))
        self.ids.pop(instance_id, None)
        self.take_replies()

    def sync(self, instance_id: str, assignments: dict[str, bytes]) -> object:
        generation_id = self.joined[instance_id].generation_id
        ask = self.host.ask(
            commands.SyncGroup("g", self.ids[instance_id], instance_id, generation_id, "consumer", "range", assignments)
        )
        return next((answer for asked, answer in self.take_replies() if asked == ask), None)

    def take_replies(self) -> list[tuple[int, object]]:
        _, replies = self.host.take()
        for ask, answer in replies:
            instance_id = self.asks.pop(ask, None)
            if instance_id is not None and isinstance(answer, Joined):
                self.ids[instance_id], self.joined[instance_id] = answer.member_id, answer
        return replies

    def end_join_phase(self) -> None:
        while self.group()["state"].value == "PreparingRebalance":
            self.host.next_moment(self.host.tick_ms + 60_000)
            self.host.turn()
            self.take_replies()

    def settle(self) -> None:
        """Let all members join until the generation begins, and its leader assign one partition to each."""
        for instance_id in list(self.group()["static_members"]):
            self.join(instance_id)
        self.end_join_phase()
        leader = self.group()["leader"]
        instance_id = next(instance_id for instance_id, member_id in self.ids.items() if member_id == leader)
        seen = [member.member_id for member in self.joined[instance_id].members]
        if self.group()["state"].value == "CompletingRebalance":
            self.sync(instance_id, dict.fromkeys(seen, b"something"))


class History:
    """Random changes by an operator, and restarts.

    `active` are the members with partitions in the last Stable state.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.host = VirtualHost(GroupSettings(group_initial_rebalance_delay_ms=0), seed)
        self.host.on_record = self.watch
        self.static_members = StaticMembers(self.host, target=2)
        self.active: set[str] = set()
        self.started: GenerationStarted | None = None
        self.generations = 0
        self.in_reserve = 0

    def watch(self, record: object) -> None:
        if isinstance(record, GenerationStarted):
            self.started = record

    def step(self) -> None:
        random, static_members = self.random, self.static_members
        match random.choice(["join", "join", "join", "leave", "target", "bounce", "fail over"]):
            case "join":
                static_members.join(f"seat-{random.randrange(6)}")
            case "leave" if len(static_members.ids) > 2:
                static_members.leave(random.choice(sorted(static_members.ids)))
            case "target":
                static_members.target = random.randint(1, 4)
                static_members.configure()
            case "bounce" if static_members.ids:
                instance_id = random.choice(sorted(static_members.ids))
                before = static_members.ids.pop(instance_id)
                static_members.join(instance_id)
                if before in self.active:
                    self.active = self.active - {before} | {static_members.ids[instance_id]}
            case "fail over":
                self.host.fail_over()
                static_members.configure(at_load=True)
        if static_members.group().get("members"):
            static_members.settle()
            self.check_state()
        else:  # a fail-over before the first assignment loses all members
            static_members.ids.clear()
            self.active.clear()

    def check_state(self) -> None:
        group = self.static_members.group()
        assert group["state"].value == "Stable"
        members, reserve_members = set(group["members"]), group["reserve_members"]
        if self.started is not None:
            check(self.started, members, self.active, self.static_members.target)
            self.generations += 1
            self.started = None
        self.active = members - reserve_members
        self.in_reserve += bool(reserve_members)
        assert {group["assignments"][member_id] for member_id in reserve_members} <= {RESERVE_ASSIGNMENT}
        assert {group["assignments"][member_id] for member_id in self.active} == {b"something"}


def check(started: GenerationStarted, members: set[str], was_active: set[str], target: int) -> None:
    active = members - started.reserve_members
    assert started.reserve_members <= members
    assert started.leader in active
    assert len(active) == min(target, len(members)), f"{active} of {members} where {target} are wanted"
    replaced = was_active & started.reserve_members
    assert not replaced or active <= was_active, f"{replaced} in reserve instead of {active - was_active}"


@pytest.mark.parametrize("seed", range(8))
def test_reserve_members__random_members_and_target_sizes__active_members_stay_active(seed: int) -> None:
    history = History(seed)
    for step in range(STEPS):
        try:
            history.step()
        except AssertionError as broken:
            raise AssertionError(f"seed {seed}, step {step}: {broken}") from broken
    assert min(history.generations, history.in_reserve) > STEPS // 10, f"seed {seed} did too little"


@pytest.mark.parametrize(
    ("leader", "reserve_members"), [("c", {"c"}), ("a", {"b"}), ("a", set()), ("a", {"b", "c"})],
    ids=["reserve-member-leads", "active-member-put-in-reserve", "too-many-active", "too-few-active"],
)  # fmt: skip
def test_check_of_reserve_members__forbidden_state__detected(leader: str, reserve_members: set[str]) -> None:
    """Find each forbidden state: of a, b and c the first two are active, and two are wanted."""
    with pytest.raises(AssertionError):
        check(GenerationStarted("g", 2, "range", leader, 0, frozenset(reserve_members)), {"a", "b", "c"}, {"a", "b"}, 2)


# --- cooperative members that are put in reserve ----------------------------------------------------------------------


def subscription(*owned: int) -> bytes:
    return encode_subscription(
        Subscription(["t"], owned_partitions=[TopicPartition("t", list(owned))] if owned else [])
    )


def assignment(*partitions: int) -> bytes:
    return encode_assignment(Assignment(partitions_of_t(partitions), b"own"), 1)


def partitions_of_t(partitions: Sequence[int]) -> list[TopicPartition]:
    return [TopicPartition("t", list(partitions))] if partitions else []


def test_target_group_size__lowered__partitions_of_the_new_reserve_member_wait_until_it_rejoins() -> None:
    static_members = StaticMembers(VirtualHost(GroupSettings(group_initial_rebalance_delay_ms=0)), target=2)
    static_members.subscriptions = {"a": subscription(), "b": subscription()}
    static_members.join("a")
    static_members.end_join_phase()
    static_members.join("b")
    static_members.join("a")
    static_members.sync("a", {static_members.ids["a"]: assignment(0), static_members.ids["b"]: assignment(1)})
    static_members.sync("b", {})

    static_members.target = 1
    static_members.configure()
    static_members.subscriptions = {"a": subscription(0), "b": subscription(1)}
    static_members.join("b")
    static_members.join("a")
    assert [member.group_instance_id for member in static_members.joined["a"].members] == ["a"]
    first = static_members.sync("a", {static_members.ids["a"]: assignment(0, 1)})
    assert isinstance(first, Synced)
    assert first.assignment == assignment(0)
    reserve = static_members.sync("b", {})
    assert isinstance(reserve, Synced)
    assert reserve.assignment == RESERVE_ASSIGNMENT

    static_members.subscriptions["b"] = subscription()
    static_members.join("b")  # it has revoked its partitions and reports that
    static_members.join("a")
    second = static_members.sync("a", {static_members.ids["a"]: assignment(0, 1)})
    assert isinstance(second, Synced)
    assert second.assignment == assignment(0, 1)
