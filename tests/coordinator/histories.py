"""Random histories of one groups shard in virtual time, with the named invariants checked after every step.

Most clients do what a Java consumer would do. All of them sometimes use old ids, instance ids of others or wrong
generations. Operators delete groups, offsets and topics, appends fail, and the coordinator fails over. Then the faults
stop, and the groups become stable (EventuallyStable). When the clients are silent, too, none of their state is left
(BoundedMemory).
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tenure.coordinator.answers import Accepted, Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, OffsetsDeleted
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.records import JoinParked, SyncParked
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import LogRecord
from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from tenure.protocol.errors import ErrorCode
from tenure.runtime.codecs import GroupsCodec
from tests.coordinator import clients
from tests.coordinator.clients import WEIGHTS, Client
from tests.coordinator.virtual_host import START_WALL_MS, VirtualHost, WatchedShard
from tests.simulation import invariants
from tests.simulation.broken import Broken
from tests.simulation.invariants import Digest, durable

PARKED_LONGEST_MS = 300_000 + 90_000
STABLE_AFTER_MS = 300_000 + 3 * 90_000
"""Longest time until a group is stable: the removal of a vanished new member, and three of the longest rebalances."""
SILENT_AFTER_MS = 900_000
"""Time beyond every session, rebalance and retention of these histories."""
APPEND_ERRORS = (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.MESSAGE_TOO_LARGE)

Position = tuple[str, str, int]
"""Group, topic, partition."""
Waiting = tuple[type, str, str]
"""Kind of record, group, member."""


class History:
    """History of a shard; `drawn` holds every parameter that the seed has determined."""

    def __init__(self, seed: int, shard_class: type[WatchedShard] = WatchedShard) -> None:
        self.random = random = Random(seed)
        self.drawn = {
            "seed": seed,
            "clients": random.randint(3, 10),
            "group_max_size": random.choice((3, 100)),
            "group_initial_rebalance_delay_ms": random.choice((0, 3_000)),
            "offsets_retention_minutes": random.choice((1, 3)),
            "offsets_retention_check_interval_ms": random.choice((20_000, 70_000)),
        }
        settings = GroupSettings(**{k: v for k, v in self.drawn.items() if k in GroupSettings.__slots__})
        kind = type("DrawnHost", (VirtualHost,), {"shard_class": shard_class})
        self.host: VirtualHost = kind(settings, seed)
        self.host.on_record = self.note
        self.clients = clients.random_clients(self.drawn["clients"], random)
        self.follower = self.new_follower()
        self.asked: dict[int, tuple[Client, Any]] = {}
        self.answered: Counter[int] = Counter()
        self.parked: dict[int, tuple[int, Waiting]] = {}
        """Pending asks, each with its begin and the kind of its wait."""
        self.newest_parked: dict[Waiting, int] = {}
        """Newest pending ask of each member, the only one that may still be answered."""
        self.visible: dict[Position, int] = {}
        """Offsets after the accepted commits, deletions and expiries so far."""
        self.configured: dict[str, commands.ConfigureGroup] = {}
        """Configs that the broker repeats after every load, because they are stored elsewhere."""
        self.values: dict[Position, OffsetCommitValue] = {}
        self.written_generation: dict[str, int] = {}
        self.ended: set[str] = set()
        """Groups whose tombstone was written in this step."""
        self.found: list[Broken] = []
        """Violations found during a turn.

        They are raised later, because the host would treat them as bugs of the shard.
        """
        self.asking: object = None
        self.did: Counter[str] = Counter()
        self.steps = 0

    def new_follower(self) -> GroupsShard:
        """Return a follower, which gets every logged record and nothing else."""
        follower, codec = GroupsShard(self.host.settings, Random(0).randbytes), GroupsCodec()
        for chunk in self.host.log:
            for record in decode_records(next(read_batches(chunk))):
                found = codec.decode(record.key, record.value)
                assert found is not None
                follower.apply(found)
        return follower

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self, kind: str = "") -> None:
        self.steps += 1
        self.pass_deadlines()
        kind = kind or self.random.choices(tuple(WEIGHTS), tuple(WEIGHTS.values()))[0]
        self.did[kind] += 1
        if kind == "wait":
            self.wait(self.random.choices((10, 500, 2_000, 20_000), (4, 4, 2, 1))[0])
        elif kind == "append fails":
            self.host.next_append_fails = self.random.choice(APPEND_ERRORS)
        elif kind == "fail over":
            self.fail_over()
        else:
            client = self.random.choice(self.clients)
            if kind == "proceed" and client in self.waiting():
                self.wait(500)
            else:
                self.ask(client, kind)
        self.check_rest()

    def waiting(self) -> set[Client]:
        """Return the clients that wait for an answer; they send no further command."""
        return {self.asked[ask][0] for ask in self.host.shard.parked()}

    def ask(self, client: Client, kind: str) -> None:
        before, offsets_before = self.digest()
        command: Any = clients.command(kind, client, self.random)
        self.asking = command
        self.ended.clear()
        asks: list[int] = []
        reloaded = self.run_turn(lambda: asks.append(self.host.ask(command)))
        self.asked[asks[0]] = client, command
        answer = self.learn().get(asks[0])
        self.asking = None
        if reloaded:
            return
        self.record_offsets(command, answer)
        after, offsets_after = self.digest()
        invariants.epochs_monotonic(before, after, self.ended)
        if not isinstance(command, commands.TopicsDeleted):
            invariants.groups_isolated(before, after, command.group_id)
            invariants.groups_isolated(offsets_before, offsets_after, command.group_id)
        if isinstance(command, commands.JoinGroup):
            invariants.static_bounce_silent(command, before, after, answer)
        elif isinstance(command, commands.CommitOffsets):
            invariants.commit_fence(command, before, answer)
        elif isinstance(command, commands.SyncGroup):
            invariants.check_synced_assignment(command, after, answer)

    def record_offsets(self, command: Any, answer: object) -> None:
        """Record the offsets that are committed or removed according to an answer, to check OffsetOrder."""
        if isinstance(answer, Committed):
            for one in command.offsets:
                self.visible[command.group_id, one.topic, one.partition] = one.offset
        elif isinstance(command, commands.ConfigureGroup):
            self.configured[command.group_id] = commands.ConfigureGroup(command.group_id, command.configs, at_load=True)
        elif isinstance(answer, OffsetsDeleted):
            for where, code in zip(command.partitions, answer.error_codes, strict=True):
                if code is ErrorCode.NONE:
                    self.visible.pop((command.group_id, *where), None)
        elif isinstance(answer, Accepted) and isinstance(command, commands.DeleteGroup):
            self.visible = {at: offset for at, offset in self.visible.items() if at[0] != command.group_id}
        elif isinstance(answer, Accepted) and isinstance(command, commands.TopicsDeleted):
            self.visible = {at: offset for at, offset in self.visible.items() if at[1] not in command.topics}

    def pass_deadlines(self) -> None:
        while self.host.next_moment(self.host.tick_ms):
            self.run_turn(self.host.turn)
        self.learn()

    def wait(self, time_ms: int) -> None:
        """Wait until the next deadline, or for `time_ms`."""
        self.host.next_moment(self.host.tick_ms + time_ms)
        self.run_turn(self.host.turn)
        self.learn()

    def run_turn(self, turn: Callable[[], object]) -> bool:
        """Run a turn; return whether an append failed, so that its records were not written."""
        fails = self.host.next_append_fails is not None
        books = dict(self.visible), dict(self.values), dict(self.written_generation)
        turn()
        if self.found:
            raise self.found[0]
        if not fails or self.host.next_append_fails is not None:
            return False
        self.did["append failed"] += 1
        self.visible, self.values, self.written_generation = books
        self.follower = self.new_follower()
        return True

    def fail_over(self) -> None:
        self.parked.clear()
        self.host.next_append_fails = None
        self.host.fail_over()
        self.learn()
        self.check_load(self.host.shard)
        for command in self.configured.values():
            self.run_turn(lambda command=command: self.host.ask(command))  # type: ignore[misc]
        self.host.take()

    def learn(self) -> dict[int, object]:
        """Let clients learn from their answers, and update the pending asks."""
        records, replies = self.host.take()
        for record in records:
            if isinstance(record, JoinParked | SyncParked):
                waiting = type(record), record.group_id, record.member_id
                self.parked[record.ask] = self.host.tick_ms, waiting
                self.newest_parked[waiting] = record.ask
        for ask, answer in replies:
            self.answered[ask] += 1
            if self.answered[ask] > 1:
                raise Broken("EveryRequestAnsweredOnce", f"ask {ask} has got {answer} as well")
            self.parked.pop(ask, None)
            client, command = self.asked[ask]
            client.handle_answer(command, answer)
            self.did[answer.error_code.name if isinstance(answer, Refused) else type(answer).__name__] += 1
        self.drop_unanswered_requests()
        return dict(replies)

    def drop_unanswered_requests(self) -> None:
        """Drop requests that are never answered: superseded ones, and the sync of a removed member (2.5.2, 2.11)."""
        waiting = set(self.host.shard.parked())
        for ask in self.parked.keys() - waiting:
            _, what = self.parked.pop(ask)
            if what[0] is JoinParked and self.newest_parked[what] == ask:
                raise Broken("EveryRequestAnsweredOnce", f"nobody answers {self.asked[ask]} any more")

    # --- checks of each record ----------------------------------------------------------------------------------------

    def note(self, record: object) -> None:
        """Check a record as soon as it is applied, before any other change (ReplayEqualsLive)."""
        if isinstance(record, LogRecord):
            try:
                self.note_logged(record)
            except Broken as broken:
                self.found.append(broken)

    def note_logged(self, record: LogRecord) -> None:
        self.follower.apply(record)
        key: Any = record.key
        (groups, offsets), (live_groups, live_offsets) = self.follower.digest(), self.host.shard.digest()
        if offsets.get(key.group) != live_offsets.get(key.group):
            raise Broken("ReplayEqualsLive", f"offsets of {key.group} at {record}")
        if isinstance(key, OffsetCommitKey):
            self.note_offset(key, record.value)
        elif isinstance(key, GroupMetadataKey):
            self.did["group record"] += 1
            if durable(groups.get(key.group)) != durable(live_groups.get(key.group)):
                raise Broken("ReplayEqualsLive", f"{groups.get(key.group)} replayed, {live_groups.get(key.group)} live")
            self.note_generation(key.group, record.value)

    def note_offset(self, key: OffsetCommitKey, value: object) -> None:
        at = key.group, key.topic, key.partition
        if isinstance(value, OffsetCommitValue):
            self.values[at] = value
            return
        was = self.values.pop(at, None)
        if was is None:
            raise Broken("OffsetOrder", f"{key} went, and was not there")
        command = self.asking
        by_hand = isinstance(command, commands.DeleteGroup | commands.DeleteOffsets | commands.TopicsDeleted)
        if not by_hand:
            self.did["expired"] += 1
            self.visible.pop(at, None)
            self.check_expiry(key, was)

    def check_expiry(self, key: OffsetCommitKey, value: OffsetCommitValue) -> None:
        """Check that an expired offset was old enough by the clock of its group."""
        group = self.digest()[0][key.group]
        since_ms = value.commit_timestamp
        if group["state"] is State.EMPTY and group["state_since_ms"] >= 0:
            since_ms = min(since_ms, group["state_since_ms"])
        due_ms = since_ms + self.host.settings.offsets_retention_minutes * 60_000
        if START_WALL_MS + self.host.tick_ms < (value.expire_timestamp if value.expire_timestamp >= 0 else due_ms):
            raise Broken("OffsetOrder", f"{key} expired early, it was {value}")

    def note_generation(self, group_id: str, value: object) -> None:
        if not isinstance(value, GroupMetadataValue):
            self.ended.add(group_id)
            self.written_generation.pop(group_id, None)
            return
        before = self.written_generation.get(group_id, 0)
        if value.generation < before:
            raise Broken("EpochsMonotonic", f"generation {value.generation} of {group_id} was written after {before}")
        self.written_generation[group_id] = value.generation

    # --- checks after each step ---------------------------------------------------------------------------------------

    def digest(self) -> tuple[Digest, Any]:
        return self.host.shard.digest()  # type: ignore[return-value]

    def check_rest(self) -> None:
        groups, offsets = self.digest()
        for group_id, group in groups.items():
            self.did[group["state"].name] += 1
            invariants.one_instance_one_member(group_id, group)
            invariants.single_owner(group_id, group)
        invariants.structure(self.host.shard)
        found = {(group, *at): value.offset for group, held in offsets.items() for at, value in held.items()}
        if found != self.visible:
            raise Broken("OffsetOrder", f"{self.visible} was accepted, {found} is there")
        for ask, (since_ms, _) in self.parked.items():
            if self.host.tick_ms - since_ms > PARKED_LONGEST_MS:
                raise Broken("EveryRequestAnsweredOnce", f"ask {ask} waits since {since_ms}")

    def check_load(self, loaded: GroupsShard) -> None:
        """Check that the newest record of each key gives the same state as all records in order."""
        (groups, offsets), (replayed, replayed_offsets) = loaded.digest(), self.follower.digest()
        if offsets != replayed_offsets:
            raise Broken("ReplayEqualsLive", f"{offsets} loaded, {replayed_offsets} replayed")
        for group_id, group in replayed.items():
            left_no_trace = (
                group["state_since_ms"] < 0 and group_id not in offsets
            )  # it never had members, and its offsets are removed
            is_too_large = len(group["members"]) > self.host.settings.group_max_size
            if not left_no_trace and not is_too_large and durable(groups.get(group_id)) != durable(group):
                raise Broken("ReplayEqualsLive", f"{groups.get(group_id)} loaded, {group} replayed")

    # --- checks at the end --------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Check EventuallyStable: without further faults, and with one client without faults for each instance id."""
        self.host.next_append_fails = None
        seats = {(c.group_id, c.instance_id or id(c)): c for c in self.clients}
        living = list(seats.values())
        end_ms = self.host.tick_ms + STABLE_AFTER_MS
        while not self.is_settled(living):
            if self.host.tick_ms > end_ms:
                raise Broken("EventuallyStable", self.digest()[0])
            for client in living:
                if client not in self.waiting():
                    self.ask(client, client.next)
                    self.check_rest()
            until_ms = self.host.tick_ms + 2_000
            while self.host.next_moment(until_ms):
                self.run_turn(self.host.turn)
            self.learn()

    def is_settled(self, living: list[Client]) -> bool:
        """Return whether each member of each group is one of these clients and has its assignment."""
        beating = {client.member_id for client in living if client.next == "heartbeat"}
        groups = {client.group_id for client in living}
        found = self.digest()[0]
        return all(
            group_id in found
            and found[group_id]["state"] is State.STABLE
            and found[group_id]["members"].keys() <= beating
            for group_id in groups
        )

    def fall_silent(self) -> None:
        """Check BoundedMemory: without clients, only the timer of the search for expired offsets is left."""
        self.host.next_append_fails = None
        until_ms = self.host.tick_ms + SILENT_AFTER_MS
        while self.host.next_moment(until_ms):
            self.run_turn(self.host.turn)
        self.learn()
        self.check_rest()
        left = self.digest()
        timers = len(self.host.shard._timers._heap)
        if left != ({}, {}) or self.host.shard.parked() or timers > 1:
            raise Broken("BoundedMemory", f"{left} and {timers} timers are left")
