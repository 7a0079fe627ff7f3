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


class Seats:
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

    def join(self, seat: str) -> None:
        protocols = [("range", self.subscriptions.get(seat, b"topics"))]
        ask = self.host.ask(
            commands.JoinGroup("g", self.ids.get(seat, ""), seat, "app", "/h", 30_000, 60_000, "consumer", protocols)
        )
        self.asks[ask] = seat
        self.hear()

    def leave(self, seat: str) -> None:
        self.host.ask(commands.LeaveGroup("g", [commands.Leaver("", seat)]))
        self.ids.pop(seat, None)
        self.hear()

    def sync(self, seat: str, assignments: dict[str, bytes]) -> object:
        generation_id = self.joined[seat].generation_id
        ask = self.host.ask(
            commands.SyncGroup("g", self.ids[seat], seat, generation_id, "consumer", "range", assignments)
        )
        return next((answer for asked, answer in self.hear() if asked == ask), None)

    def hear(self) -> list[tuple[int, object]]:
        _, replies = self.host.take()
        for ask, answer in replies:
            seat = self.asks.pop(ask, None)
            if seat is not None and isinstance(answer, Joined):
                self.ids[seat], self.joined[seat] = answer.member_id, answer
        return replies

    def end_join_phase(self) -> None:
        while self.group()["state"].value == "PreparingRebalance":
            self.host.next_moment(self.host.tick_ms + 60_000)
            self.host.turn()
            self.hear()

    def settle(self) -> None:
        """Let all members join until the generation begins, and its leader assign one partition to each."""
        for seat in list(self.group()["static_members"]):
            self.join(seat)
        self.end_join_phase()
        leader = self.group()["leader"]
        seat = next(seat for seat, member_id in self.ids.items() if member_id == leader)
        seen = [member.member_id for member in self.joined[seat].members]
        if self.group()["state"].value == "CompletingRebalance":
            self.sync(seat, dict.fromkeys(seen, b"something"))


class History:
    """Group under a random operator and random restarts. `active` members had partitions when it last was Stable."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.host = VirtualHost(GroupSettings(group_initial_rebalance_delay_ms=0), seed)
        self.host.on_record = self.watch
        self.seats = Seats(self.host, target=2)
        self.active: set[str] = set()
        self.started: GenerationStarted | None = None
        self.generations = 0
        self.in_reserve = 0

    def watch(self, record: object) -> None:
        if isinstance(record, GenerationStarted):
            self.started = record

    def step(self) -> None:
        random, seats = self.random, self.seats
        match random.choice(["join", "join", "join", "leave", "target", "bounce", "fail over"]):
            case "join":
                seats.join(f"seat-{random.randrange(6)}")
            case "leave" if len(seats.ids) > 2:
                seats.leave(random.choice(sorted(seats.ids)))
            case "target":
                seats.target = random.randint(1, 4)
                seats.configure()
            case "bounce" if seats.ids:
                seat = random.choice(sorted(seats.ids))
                before = seats.ids.pop(seat)
                seats.join(seat)
                if before in self.active:
                    self.active = self.active - {before} | {seats.ids[seat]}
            case "fail over":
                self.host.fail_over()
                seats.configure(at_load=True)
        if seats.group().get("members"):
            seats.settle()
            self.look()
        else:  # a fail-over before the first assignment loses all members
            seats.ids.clear()
            self.active.clear()

    def look(self) -> None:
        group = self.seats.group()
        assert group["state"].value == "Stable"
        members, reserve_members = set(group["members"]), group["reserve_members"]
        if self.started is not None:
            check(self.started, members, self.active, self.seats.target)
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
    seats = Seats(VirtualHost(GroupSettings(group_initial_rebalance_delay_ms=0)), target=2)
    seats.subscriptions = {"a": subscription(), "b": subscription()}
    seats.join("a")
    seats.end_join_phase()
    seats.join("b")
    seats.join("a")
    seats.sync("a", {seats.ids["a"]: assignment(0), seats.ids["b"]: assignment(1)})
    seats.sync("b", {})

    seats.target = 1
    seats.configure()
    seats.subscriptions = {"a": subscription(0), "b": subscription(1)}
    seats.join("b")
    seats.join("a")
    assert [member.group_instance_id for member in seats.joined["a"].members] == ["a"]
    first = seats.sync("a", {seats.ids["a"]: assignment(0, 1)})
    assert isinstance(first, Synced)
    assert first.assignment == assignment(0)
    reserve = seats.sync("b", {})
    assert isinstance(reserve, Synced)
    assert reserve.assignment == RESERVE_ASSIGNMENT

    seats.subscriptions["b"] = subscription()
    seats.join("b")  # it has revoked its partitions and reports that
    seats.join("a")
    second = seats.sync("a", {seats.ids["a"]: assignment(0, 1)})
    assert isinstance(second, Synced)
    assert second.assignment == assignment(0, 1)
