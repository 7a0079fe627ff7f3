"""Random histories of one shard. Every failure names its seed; a run that did too little fails too.

Checked after every command: ReplayEqualsLive, OneInstanceOneMember, GroupsIsolated, EpochsMonotonic, and that every
ask is answered at most once, parked ones within their timeouts. StaticBounceSilent has a test of its own.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Joined, Synced
from tenure.coordinator.groups.records import JoinParked, SyncParked
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import LogRecord
from tenure.protocol.consumer_offsets import GroupMetadataKey, GroupMetadataValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID
from tests.coordinator.world import World

GROUPS = ("g", "h")
SEATS = (None, None, "web-1", "web-2", "web-3")
STEPS = 600
PARKED_LONGEST_MS = 300_000 + 60_000


@dataclass
class Client:
    """What one consumer believes. It is often wrong, as real ones are."""

    group_id: str
    instance_id: str | None
    member_id: str = ""
    generation_id: int = -1
    members: tuple[str, ...] = ()
    next: str = "join"
    """What a well-behaved client would do now."""


@dataclass
class History:
    seed: int
    world: World = field(init=False)
    random: Random = field(init=False)
    clients: list[Client] = field(init=False)
    asked: dict[int, tuple[Client, int]] = field(default_factory=dict)
    answered: Counter[int] = field(default_factory=Counter)
    parked: dict[int, int] = field(default_factory=dict)
    """Ask -> when it was parked."""
    written_generation: dict[str, int] = field(default_factory=dict)
    follower: GroupsShard = field(init=False)
    """Is given every logged record and nothing else."""
    did: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.world = World(GroupSettings(group_max_size=self.random.choice((3, 100))), seed=self.seed)
        self.follower = GroupsShard(self.world.settings, self.random.randbytes)
        self.world.on_record = self.note
        self.clients = [Client(self.random.choice(GROUPS), self.random.choice(SEATS)) for _ in range(8)]

    # --- what happens -------------------------------------------------------------------------------------------------

    def step(self) -> None:
        while self.world.next_moment(self.world.tick_ms):  # what passes now is not this command's doing
            self.world.turn()
        self.learn()
        before = self.groups()
        kind = self.random.choices(
            ("proceed", "join", "sync", "heartbeat", "commit", "leave", "restart", "wait", "delete", "fail over"),
            (70, 5, 5, 10, 10, 2, 4, 20, 1, 1),
        )[0]
        self.did[kind] += 1
        touched: str | None = None
        if kind == "wait":
            self.world.next_moment(self.world.tick_ms + self.random.choice((10, 1_000, 5_000, 20_000)))
            self.world.turn()
        elif kind == "fail over":
            self.parked.clear()
            self.world.fail_over()
        else:
            client = self.random.choice(self.clients)
            touched = client.group_id
            ask = self.world.ask(self.command(kind, client))
            self.asked[ask] = (client, self.world.tick_ms)
        self.learn()
        after = self.groups()
        self.check(before, after, touched)

    def command(self, kind: str, client: Client) -> object:
        group_id, seat, random = client.group_id, client.instance_id, self.random
        kind = client.next if kind == "proceed" else kind
        if kind == "restart":
            client.member_id = ""
        if kind in ("join", "restart"):
            protocols = random.choices(
                ([("range", b"x")], [("range", b"y")], [("sticky", b"x"), ("range", b"x")]), (90, 5, 5)
            )[0]
            timeouts = random.choice(((30_000, 60_000), (10_000, 20_000)))
            return commands.JoinGroup(group_id, client.member_id, seat, "c", "/h", *timeouts, "consumer", protocols)
        generation_id = client.generation_id if random.random() < 0.9 else client.generation_id + 1
        if kind == "sync":
            assignments = {member: random.randbytes(2) for member in client.members}
            return commands.SyncGroup(
                group_id, client.member_id, seat, generation_id, "consumer", None, assignments, protocol_required=False
            )
        if kind == "heartbeat":
            return commands.Heartbeat(group_id, client.member_id, seat, generation_id)
        if kind == "leave":
            return commands.LeaveGroup(group_id, [commands.Leaver(client.member_id, seat)])
        if kind == "delete":
            return commands.DeleteGroup(group_id)
        offset = commands.OffsetToCommit("t", ZERO_TOPIC_ID, random.randrange(3), random.randrange(1000))
        return commands.CommitOffsets(group_id, client.member_id, seat, generation_id, [offset])

    def learn(self) -> None:
        """Clients take up what they are told; the books about parked asks are kept."""
        records, replies = self.world.take()
        for record in records:
            if isinstance(record, JoinParked | SyncParked):
                self.parked[record.ask] = self.world.tick_ms
        for ask, answer in replies:
            self.answered[ask] += 1
            self.parked.pop(ask, None)
            client, _ = self.asked[ask]
            if isinstance(answer, Joined):
                self.did["joined"] += 1
                client.member_id, client.generation_id = answer.member_id, answer.generation_id
                client.members = tuple(member.member_id for member in answer.members)
                client.next = "sync"
            elif isinstance(answer, Synced):
                self.did["synced"] += 1
                client.next = "heartbeat"
            elif isinstance(answer, Refused):
                client.next = "join"
                if answer.error_code is ErrorCode.MEMBER_ID_REQUIRED:
                    client.member_id = answer.member_id
                elif answer.error_code is ErrorCode.UNKNOWN_MEMBER_ID:
                    client.member_id = ""
        waiting = set(self.world.shard.parked())
        for ask in [ask for ask in self.parked if ask not in waiting]:
            del self.parked[ask]

    def note(self, record: object) -> None:
        """At the very moment at which something is logged, before anything else happens: ReplayEqualsLive."""
        if not isinstance(record, LogRecord):
            return
        self.follower.apply(record)
        replayed, live = self.follower.digest(), self.world.shard.digest()
        assert replayed[1] == live[1], "ReplayEqualsLive, offsets"
        if not isinstance(record.key, GroupMetadataKey):
            return
        self.did["group record"] += 1
        group_id = record.key.group
        assert durable(replayed[0].get(group_id)) == durable(live[0].get(group_id)), "ReplayEqualsLive"
        generation_id = record.value.generation if isinstance(record.value, GroupMetadataValue) else 0
        assert record.value is None or generation_id >= self.written_generation.get(group_id, 0), "EpochsMonotonic"
        self.written_generation[group_id] = generation_id

    # --- what must be true --------------------------------------------------------------------------------------------

    def groups(self) -> dict[str, Any]:
        return self.world.shard.digest()[0]

    def check(self, before: dict[str, Any], after: dict[str, Any], touched: str | None) -> None:
        for group_id, group in after.items():
            seats = Counter(m.group_instance_id for m in group["members"].values() if m.group_instance_id)
            assert all(count == 1 for count in seats.values()), "OneInstanceOneMember"
            assert set(seats) == set(group["static_members"]), "OneInstanceOneMember"
            if touched is not None and group_id != touched:
                assert group == before[group_id], "GroupsIsolated"
            self.world.shard._groups.classic[group_id].check_invariants()
        assert all(count == 1 for count in self.answered.values()), "answered at most once"
        for since_ms in self.parked.values():
            assert self.world.tick_ms - since_ms <= PARKED_LONGEST_MS, "parked for longer than any timeout"

    def check_load(self) -> None:
        """The newest record of each key gives what all records in a row give."""
        loaded = World(self.world.settings)
        loaded.log = self.world.log
        loaded.fail_over()
        groups, offsets = loaded.shard.digest()
        replayed_groups, replayed_offsets = self.follower.digest()
        assert offsets == replayed_offsets, "ReplayEqualsLive, compacted"
        for group_id, group in replayed_groups.items():
            if not self.world.settings.group_max_size < len(group["members"]):  # else it was told to shrink
                assert durable(groups[group_id]) == durable(group), "ReplayEqualsLive, compacted"


def durable(group: dict[str, Any] | None) -> object:
    """What a group's record says of it."""
    if group is None:
        return None
    members = {
        m.member_id: (
            m.group_instance_id,
            m.session_timeout_ms,
            m.rebalance_timeout_ms,
            m.metadata_for(group["protocol_name"]),
            group["assignments"].get(m.member_id, b""),
        )
        for m in group["members"].values()
    }
    what = ("state", "generation_id", "protocol_type", "protocol_name", "leader", "state_since_ms")
    return *(group[name] for name in what), members


@pytest.mark.parametrize("seed", range(40))
def test_history__random_commands_failures_and_time__invariants_hold(seed: int) -> None:
    history = History(seed)
    for number in range(STEPS):
        try:
            history.step()
        except AssertionError as broken:
            raise AssertionError(f"seed {seed}, step {number}: {broken}") from broken
    history.check_load()
    assert history.did["joined"] > 5, f"seed {seed} did too little: {history.did}"
    assert history.did["group record"] > 5, f"seed {seed} did too little: {history.did}"


def test_history__same_seed_twice__same_log_and_same_answers() -> None:
    first, second = History(7), History(7)
    for history in (first, second):
        for _ in range(STEPS):
            history.step()
    assert first.world.log == second.world.log
    assert first.world.shard.digest() == second.world.shard.digest()


@pytest.mark.parametrize("seed", range(20))
def test_static_bounce__all_members_restart_in_any_order__nobody_notices(seed: int) -> None:
    """StaticBounceSilent: neither generation nor assignments move, and nobody is told to join again."""
    random = Random(seed)
    world = World()
    seats = [f"web-{n}" for n in range(random.randint(1, 6))]
    ids = stable_static_group(world, seats)
    generation_id = world.shard.digest()[0]["g"]["generation_id"]
    for seat in random.choices(seats, k=10):
        world.tick_ms += random.randrange(3_000)
        for other in seats:
            world.ask(commands.Heartbeat("g", ids[other], other, generation_id))
        world.ask(join(seat))
        answer = world.replies[-1][1]
        assert isinstance(answer, Joined), f"seed {seed}: {answer}"
        assert answer.generation_id == generation_id, f"seed {seed}"
        ids[seat] = answer.member_id
        world.ask(commands.SyncGroup("g", ids[seat], seat, generation_id, "consumer", "range", {}))
        assert world.replies[-1][1].assignment == seat.encode(), f"seed {seed}"  # type: ignore[attr-defined]
    codes = {getattr(answer, "error_code", ErrorCode.NONE) for _, answer in world.replies}
    assert codes == {ErrorCode.NONE}, f"seed {seed}: {codes}"
    assert world.shard.digest()[0]["g"]["generation_id"] == generation_id, f"seed {seed}"


def join(seat: str) -> commands.JoinGroup:
    return commands.JoinGroup("g", "", seat, "c", "/h", 30_000, 60_000, "consumer", [("range", b"x")])


def stable_static_group(world: World, seats: list[str]) -> dict[str, str]:
    """Each is assigned its own name; the first leads."""
    asks = {world.ask(join(seat)): seat for seat in seats}
    while len(world.replies) < len(seats):
        world.next_moment(world.tick_ms + 60_000)
        world.turn()
    ids = {asks[ask]: answer.member_id for ask, answer in world.replies}  # type: ignore[attr-defined]
    generation_id = world.replies[0][1].generation_id  # type: ignore[attr-defined]
    world.replies.clear()
    for seat in reversed(seats):
        assignments = {ids[other]: other.encode() for other in seats} if seat == seats[0] else {}
        world.ask(commands.SyncGroup("g", ids[seat], seat, generation_id, "consumer", "range", assignments))
    world.replies.clear()
    return ids
