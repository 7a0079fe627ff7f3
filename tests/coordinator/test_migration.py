"""Groups that change between the protocols: rare cases (rule 3.9), and upgrades that clients do not notice."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import HeartbeatAnswered, Joined, Synced
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.consumer.member import MemberState
from tenure.coordinator.groups.settings import MIGRATION_POLICIES, GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import LogRecord
from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    decode_assignment,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import InstanceId
from tenure.runtime.codecs import GroupsCodec
from tests.coordinator.migration_histories import MigratingHistory, MixedClient
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import VirtualHost

T: Any = topic_id_of("t")
G: Any = "g"
ALL = (0, 1, 2, 3)
DELAY_MS = 1_000
"""Delay of a first rebalance."""


def settings_with(**others: Any) -> GroupSettings:
    return GroupSettings(group_initial_rebalance_delay_ms=DELAY_MS, **others)


def new_host(settings: GroupSettings | None = None) -> VirtualHost:
    found = VirtualHost(settings or settings_with())
    found.topics.put(Topic("t", T, len(ALL)))  # type: ignore[arg-type]
    return found


def ask(host: VirtualHost, command: object) -> Any:
    """Return the answer, or None while the request is parked."""
    asked = host.ask(command)
    return dict(host.take()[1]).get(asked)


def wait(host: VirtualHost, for_ms: int) -> dict[Any, Any]:
    """Return the answers of that time."""
    until_ms = host.tick_ms + for_ms
    while host.next_moment(until_ms):
        host.turn()
    return dict(host.take()[1])


def subscription(*owned: int, generation: int = -1) -> list[tuple[str, bytes]]:
    parts = [TopicPartition("t", list(owned))] if owned else []  # type: ignore[arg-type]
    return [("range", encode_subscription(Subscription(["t"], None, parts, generation)))]  # type: ignore[list-item,arg-type]


def assigned(*partitions: int) -> bytes:
    return encode_assignment(Assignment([TopicPartition("t", list(partitions))]))  # type: ignore[arg-type]


def join(member_id: str, instance_id: str | None = None, **fields: Any) -> commands.JoinGroup:
    protocols = fields.pop("protocols", subscription())
    times = 30_000, 60_000
    return commands.JoinGroup(G, member_id, instance_id, "c", "/h", *times, "consumer", protocols, **fields)  # type: ignore[arg-type]


def sync(member_id: str, generation: int, shares: Any = None) -> commands.SyncGroup:
    return commands.SyncGroup(G, member_id, None, generation, "consumer", "range", shares or {})  # type: ignore[arg-type]


def classic_beat(member_id: str, generation: int) -> commands.Heartbeat:
    return commands.Heartbeat(G, member_id, None, generation)  # type: ignore[arg-type]


def beat(member_id: str, epoch: int, **fields: Any) -> commands.ConsumerHeartbeat:
    joins = {"rebalance_timeout_ms": 60_000, "subscribed_topic_names": ["t"], "owned": []} if epoch == 0 else {}
    return commands.ConsumerHeartbeat(G, member_id, epoch, **(joins | fields))  # type: ignore[arg-type]


def classic_group(found: VirtualHost, shares: dict[str, bytes]) -> dict[str, str]:
    """Make a Stable group in generation 1 with static members; return their member ids."""
    asks = {instance: found.ask(join("", instance)) for instance in shares}
    joined = wait(found, 10 * DELAY_MS)
    ids = {instance: joined[asked].member_id for instance, asked in asks.items()}
    leader = joined[asks[next(iter(shares))]].leader
    ask(found, sync(leader, 1, {ids[instance]: share for instance, share in shares.items()}))
    group = found.shard.classic_group(G)
    assert group is not None
    assert group.state is State.STABLE
    return ids


# --- upgrade ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", MIGRATION_POLICIES)
def test_migration_policy__consumer_member_joins_and_leaves__group_converted_where_the_policy_allows_it(
    policy: str,
) -> None:
    found = new_host(settings_with(group_consumer_migration_policy=policy))
    classic_group(found, {"a": assigned(*ALL)})
    answer = ask(found, beat("K", 0))
    upgrades = policy in ("bidirectional", "upgrade")
    assert isinstance(answer, HeartbeatAnswered) == upgrades
    if not upgrades:
        assert answer.error_code is ErrorCode.GROUP_ID_NOT_FOUND
        assert "online upgrade is disabled" in answer.message
        found = new_host(found.settings)
        ask(found, beat("K", 0))
        assert isinstance(ask(found, join("", "a")), Joined)
    ask(found, beat("K", -1))
    downgrades = policy in ("bidirectional", "downgrade")
    assert (found.shard.classic_group(G) is not None) == downgrades
    assert (found.shard.consumer_group(G) is None) == downgrades


def test_upgrade__classic_group_before_its_first_generation__members_rejoin_and_get_partitions() -> None:
    """Upgrade before the first generation; Apache Kafka answers with an error of its own here."""
    found = new_host()
    waiting = found.ask(join("", "a"))
    answer = found.ask(beat("K", 0))
    told = dict(found.take()[1])
    assert told[waiting].error_code is ErrorCode.REBALANCE_IN_PROGRESS
    assert isinstance(told[answer], HeartbeatAnswered)
    member_id = told[waiting].member_id
    joined = ask(found, join(member_id, "a"))
    synced = ask(found, sync(member_id, joined.generation_id))
    share = decode_assignment(synced.assignment).assigned_partitions[0].partitions
    group = found.shard.consumer_group(G)
    assert group is not None
    assert sorted([*share, *group.members["K"].assigned[T]]) == list(ALL)  # type: ignore[index]


def test_upgrade__member_still_owns_partitions_that_its_leader_took_away__must_revoke_these() -> None:
    """Upgrade with a cooperative member that does not know yet which partitions its leader took from it."""
    found = new_host()
    waiting = found.ask(join("", "a", protocols=subscription(0, 1, 2, generation=7)))
    told = wait(found, DELAY_MS)[waiting]
    ask(found, sync(told.member_id, 1, {told.member_id: assigned(0, 1)}))
    ask(found, beat("K", 0))
    group = found.shard.consumer_group(G)
    assert group is not None
    member = group.members[told.member_id]
    assert (member.state, member.pending_revocation) == (MemberState.UNREVOKED_PARTITIONS, {T: {2: 1}})
    assert 2 not in group.members["K"].assigned.get(T, {})  # type: ignore[index]
    assert ask(found, classic_beat(told.member_id, 1)) == Refused(ErrorCode.REBALANCE_IN_PROGRESS)


def test_upgrade__consumer_member_takes_over_an_instance_id_of_the_group__all_partitions_assigned() -> None:
    """Assign the group; Apache Kafka continues with the assignment of the last leader."""
    found = new_host()
    classic_group(found, {"a": assigned(0), "b": assigned(1)})
    answer = ask(found, beat("K", 0, instance_id="a"))
    group = found.shard.consumer_group(G)
    assert group is not None
    assert sum(len(target.get(T, ())) for target in group.targets.values()) == len(ALL)
    assert answer.member_epoch == group.group_epoch == 2


def test_upgrade__partition_assigned_to_two_members__refused_without_a_change() -> None:
    found = new_host()
    ids = classic_group(found, {"a": assigned(0, 1), "b": assigned(1, 2)})
    answer = ask(found, beat("K", 0))
    assert answer.error_code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert "two members" in answer.message
    assert ask(found, classic_beat(ids["a"], 1)) == ACCEPTED


def test_upgrade__reserve_member_without_partitions__accepted() -> None:
    found = new_host()
    ids = classic_group(found, {"a": assigned(*ALL), "b": RESERVE_ASSIGNMENT})
    assert isinstance(ask(found, beat("K", 0)), HeartbeatAnswered)
    group = found.shard.consumer_group(G)
    assert group is not None
    assert not group.members[ids["b"]].assigned  # type: ignore[index]


def test_upgrade__group_max_size_reached__refused_without_a_change() -> None:
    found = new_host(settings_with(group_consumer_max_size=1))
    ids = classic_group(found, {"a": assigned(*ALL)})
    assert ask(found, beat("K", 0)).error_code is ErrorCode.GROUP_MAX_SIZE_REACHED
    assert ask(found, classic_beat(ids["a"], 1)) == ACCEPTED


# --- classic members of a consumer group ------------------------------------------------------------------------------


def test_join__unknown_member_id_that_claims_partitions__refused() -> None:
    """Refuse the member; Apache Kafka accepts it, and it works on its partitions until it syncs."""
    found = new_host()
    ask(found, beat("K", 0))
    assert ask(found, join("A", protocols=subscription(1))) == Refused(ErrorCode.UNKNOWN_MEMBER_ID)
    assert isinstance(ask(found, join("A")), Joined)
    assert isinstance(ask(found, join("A", protocols=subscription(1))), Joined)


def test_heartbeat__only_classic_members_left_and_a_partition_unassigned__members_must_rejoin() -> None:
    """Ask all members to join: without a downgrade no other request computes a target. Apache Kafka does nothing."""
    settings = settings_with(group_consumer_migration_policy="upgrade")
    found = new_host(settings)
    ids = classic_group(found, {"a": assigned(0, 1)})
    ask(found, beat("K", 0))
    first = ask(found, join(ids["a"], "a"))
    ask(found, sync(ids["a"], first.generation_id))
    ask(found, beat("K", -1))
    wait(found, 2_000)
    assert ask(found, classic_beat(ids["a"], first.generation_id)) == Refused(ErrorCode.REBALANCE_IN_PROGRESS)
    again = ask(found, join(ids["a"], "a"))
    share = ask(found, sync(ids["a"], again.generation_id))
    assert decode_assignment(share.assignment).assigned_partitions[0].partitions == list(ALL)
    assert ask(found, classic_beat(ids["a"], again.generation_id)) == ACCEPTED


def test_commit__classic_member_with_an_earlier_generation__accepted_if_it_still_owns_the_partition() -> None:
    found = new_host()
    ids = classic_group(found, {"a": assigned(*ALL)})
    ask(found, beat("K", 0))
    told = ask(found, join(ids["a"], "a"))
    share = decode_assignment(ask(found, sync(ids["a"], told.generation_id)).assignment).assigned_partitions[0]
    lost = next(p for p in ALL if p not in share.partitions)
    for partition, error_code in ((share.partitions[0], None), (lost, ErrorCode.ILLEGAL_GENERATION)):
        offset: Any = commands.OffsetToCommit("t", T, partition, 1)  # type: ignore[arg-type]
        old = commands.CommitOffsets(G, ids["a"], None, 1, [offset], member_epochs_supported=False)  # type: ignore[arg-type]
        assert getattr(ask(found, old), "error_code", None) is error_code


# --- downgrade --------------------------------------------------------------------------------------------------------


def test_downgrade__last_consumer_member_replaced_while_another_must_revoke__rebalance_follows() -> None:
    """Start a rebalance; Apache Kafka lets the new member work on the partition at once."""
    found = new_host()
    ids = classic_group(found, {"a": assigned(*ALL)})
    ask(found, beat("K", 0, instance_id="k"))
    joined = ask(found, join("", "k"))
    group = found.shard.classic_group(G)
    assert group is not None
    assert group.state is State.PREPARING_REBALANCE
    assert ask(found, sync(joined.member_id, group.generation_id)).error_code is ErrorCode.REBALANCE_IN_PROGRESS
    assert ask(found, classic_beat(ids["a"], 1)).error_code is ErrorCode.ILLEGAL_GENERATION


def test_downgrade__last_consumer_member_replaced_in_a_stable_group__no_rebalance() -> None:
    found = new_host()
    ask(found, beat("K", 0, instance_id="k"))
    joined = ask(found, join("", "k"))
    group = found.shard.classic_group(G)
    assert group is not None
    assert (group.state, group.generation_id) == (State.STABLE, joined.generation_id)
    synced = ask(found, sync(joined.member_id, joined.generation_id))
    assert isinstance(synced, Synced)
    assert decode_assignment(synced.assignment).assigned_partitions[0].partitions == list(ALL)


def test_downgrade__group_max_size_exceeded__converted_after_enough_members_have_left() -> None:
    found = new_host(settings_with(group_max_size=1))
    ask(found, beat("K", 0, instance_id="k"))
    for member_id in ("A", "B"):
        ask(found, join(member_id))
    ask(found, join("", "k"))
    assert found.shard.consumer_group(G) is not None
    ask(found, commands.LeaveGroup(G, [commands.Leaver("A")]))  # type: ignore[arg-type]
    assert found.shard.consumer_group(G) is not None
    ask(found, commands.LeaveGroup(G, [commands.Leaver("B")]))  # type: ignore[arg-type]
    assert found.shard.classic_group(G) is not None


def test_downgrade__fail_over_afterwards__members_still_have_all_their_protocols() -> None:
    found = new_host()
    ask(found, beat("K", 0))
    both = [*subscription(), ("sticky", subscription()[0][1])]
    ask(found, join("A", protocols=both))
    ask(found, beat("K", -1))
    group = found.shard.classic_group(G)
    assert group is not None
    assert group.protocol_support == {"range": 1, "sticky": 1}
    found.fail_over()
    again = found.shard.classic_group(G)
    assert again is not None
    assert (again.state, again.generation_id) == (State.STABLE, group.generation_id)


# --- replay -----------------------------------------------------------------------------------------------------------


def records_of(found: VirtualHost) -> list[LogRecord]:
    codec = GroupsCodec()
    batches = [batch for data in found.log for batch in read_batches(data)]
    return [codec.decode(record.key, record.value) for batch in batches for record in decode_records(batch)]


def replayed(records: Iterable[LogRecord]) -> GroupsShard:
    shard = GroupsShard(settings_with(), Random(0).randbytes)
    for record in records:
        shard.apply(record)
    return shard


def compacted(records: Sequence[LogRecord], *, keeps_tombstones: bool) -> list[LogRecord]:
    last = {repr(record.key): index for index, record in enumerate(records)}
    kept = sorted(last.values())
    return [records[index] for index in kept if keeps_tombstones or records[index].value is not None]


@pytest.mark.parametrize("keeps_tombstones", [True, False])
def test_replay__log_with_migrations_compacted_up_to_any_record__same_groups(keeps_tombstones: bool) -> None:
    history = MigratingHistory(3)
    for _ in range(300):
        history.step()
    assert history.did["downgrade"] > 1
    records = records_of(history.host)
    migrations = [at for at, one in enumerate(records) if isinstance(one.key, GroupMetadataKey)]
    whole = replayed(records).digest()
    for boundary in range(len(records)):
        replayed(records[:boundary])  # a log that ends within a conversion can be loaded
        if boundary % 7 == 0 or boundary in migrations:
            short = compacted(records[:boundary], keeps_tombstones=keeps_tombstones)
            assert replayed([*short, *records[boundary:]]).digest() == whole, f"boundary {boundary}"


# --- upgrades that clients do not notice ------------------------------------------------------------------------------

BEAT_MS = {True: 3_000, False: 5_000}
"""Heartbeat interval of classic clients and of consumers."""
TICK_MS = 100


class CalmUpgrade(MigratingHistory):
    """History of an upgrade in which no message is lost and all members answer in time."""

    def __init__(self, *, is_static: bool, is_cooperative: bool) -> None:
        super().__init__(1)
        self.put("t", 12)
        self.clients = [  # type: ignore[assignment]
            MixedClient(
                f"c{n}",
                InstanceId(f"seat-{n}") if is_static else None,
                ("t",),
                is_classic=True,
                is_cooperative=is_cooperative,
            )
            for n in range(4)
        ]
        self.beat_at = {client: n * 700 for n, client in enumerate(self.clients)}
        self.without_owner: dict[int, int] = {}
        """Time since which a partition has had no owner."""
        self.longest_ms = 0

    def run_for(self, for_ms: int) -> None:
        for _ in range(for_ms // TICK_MS):
            self.wait(TICK_MS)
            for client in self.clients:
                self.continue_calmly(client)  # type: ignore[arg-type]
            self.check_step(self.number())
            self.measure_unowned_time()

    def continue_calmly(self, client: MixedClient) -> None:
        """Let a client join, sync and confirm revocations at once, and send its heartbeats when they are due."""
        is_late = self.host.tick_ms >= self.beat_at[client]
        hurries = client.next != "beat" if client.is_classic else client.reports_next or client.epoch == 0
        if client.asked is not None or hurries or is_late:
            self.continue_client(client)
            self.beat_at[client] = self.host.tick_ms + BEAT_MS[client.is_classic]

    def measure_unowned_time(self) -> None:
        worked_on = [p for client in self.clients for _, p in client.owned]
        assert len(worked_on) == len(set(worked_on)), [(one.member_id, one.owned) for one in self.clients]
        for partition in range(12):
            if partition in worked_on:
                self.without_owner.pop(partition, None)
            since_ms = self.without_owner.setdefault(partition, self.host.tick_ms)
            self.longest_ms = max(self.longest_ms, self.host.tick_ms - since_ms if partition not in worked_on else 0)


@pytest.mark.parametrize("is_static", [True, False])
@pytest.mark.parametrize("is_cooperative", [True, False])
def test_upgrade__member_by_member__no_partition_without_owner_for_longer_than_a_heartbeat(
    is_static: bool, is_cooperative: bool
) -> None:
    history = CalmUpgrade(is_static=is_static, is_cooperative=is_cooperative)
    history.run_for(30_000)
    assert history.classic is not None
    assert history.classic.state is State.STABLE
    history.longest_ms = 0
    for client in list(history.clients):
        if not is_static:
            history.leave(client)  # type: ignore[arg-type]
        else:
            client.join_again(as_another=True)
        client.is_classic = False  # type: ignore[attr-defined]
        history.run_for(20_000)
    assert history.group is not None
    assert history.group.state.name == "STABLE"
    assert history.longest_ms <= BEAT_MS[False]
