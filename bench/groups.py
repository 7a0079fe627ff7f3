"""Rebalances of a whole group: restarts, joins and a crash, with our members at our broker and at Apache Kafka.

Rebalances and revocations are counted in the records of `__consumer_offsets`, never with a counter of Tenure.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample
from bench.members import form
from tenure.client.group.group_member import GroupMember
from tenure.client.values import Revoked
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue
from tests.consumer_offsets import history
from tests.serving import Serving

BOUNCED_MEMBERS, BOUNCED_PARTITIONS = 40, 200
ARRIVING_MEMBERS, ARRIVING_PARTITIONS = 10, 900
ARRIVING_QUICKLY = 4
MEMBERS_AT_ONCE = 1_000
INITIAL_DELAY_MS = 2_000
SESSION_TIMEOUT_MS = 6_000
"""Shortest session timeout that both brokers allow."""
HEARTBEAT_INTERVAL_MS = 200
STABLE_S = 120.0

PartitionsByInstance = dict[str, frozenset[tuple[str, int]]]
"""Partitions that each member has, by instance id."""


def bounces(directory: Path, quick: bool) -> list[Figure]:
    size = 8 if quick else BOUNCED_MEMBERS
    with tenure(directory / "tenure") as ours, kafka(directory / "kafka", quick) as theirs:
        create_topic(ours, "bounced", BOUNCED_PARTITIONS)
        create_topic(theirs, "bounced", BOUNCED_PARTITIONS)
        plain = bounce(ours, "rolling", size, lambda: None)
        restarted = bounce(ours, "restarted", size, restart_of(ours))
        peer = bounce(theirs, "rolling", size, lambda: None)
    name = f"rolling bounce, {size} static members x {BOUNCED_PARTITIONS} partitions"
    told = ((name, plain, peer), (f"{name}, the broker restarting meanwhile", restarted, None))
    return [
        Figure(
            f"{what}: {counted}",
            "",
            Sample.of([float(own[index])]),
            0.0,
            less_is_better=True,
            peer="Apache Kafka" if other else "",
            theirs=Sample.of([float(other[index])]) if other else None,
        )
        for what, own, other in told
        for index, counted in enumerate(("rebalances", "revocations"))
    ]


def close_all(members: Iterable[GroupMember]) -> None:
    for each in members:
        each.close()


def bounce(broker: Broker, group_id: str, size: int, in_the_middle: Callable[[], None]) -> tuple[int, int]:
    """Restart every member, one after the other; return (rebalances, revocations)."""
    names = [f"seat-{n}" for n in range(size)]
    members = {name: member(broker, group_id, "bounced", name) for name in names}
    with contextlib.ExitStack() as open_members:
        for each in members.values():
            each.start()
        open_members.callback(lambda: close_all(members.values()))
        until_stable(list(members.values()), BOUNCED_PARTITIONS)
        before = len(assignments_over_time(broker, group_id))
        for number, name in enumerate(names):
            if number == size // 2:
                in_the_middle()
            members[name].close()
            members[name] = member(broker, group_id, "bounced", name)
            members[name].start()
            until_stable([members[name]])
        until_stable(list(members.values()), BOUNCED_PARTITIONS)
        told = assignments_over_time(broker, group_id)[before - 1 :]
    rebalances = len({generation for generation, _ in told}) - 1
    return rebalances, sum(lost(old, new) for (_, old), (_, new) in pairwise(told))


def restart_of(broker: Broker) -> Callable[[], None]:
    """Begin a restart of the broker on another thread, while members restart."""
    assert isinstance(broker, Serving)
    return lambda: threading.Thread(target=broker.restart).start()


def assignments_over_time(broker: Broker, group_id: str) -> list[tuple[int, PartitionsByInstance]]:
    """Return generation and partitions by member from every record of the group's members."""
    return [
        (value.generation, {str(seat.group_instance_id): partitions_in(seat.assignment) for seat in value.members})
        for _, value in history(broker.host, broker.port, group_id)
        if isinstance(value, GroupMetadataValue) and value.members
    ]


def partitions_in(assignment: bytes | None) -> frozenset[tuple[str, int]]:
    if not assignment:
        return frozenset()
    topics = decode_assignment(assignment).assigned_partitions
    return frozenset((topic.topic, partition) for topic in topics for partition in topic.partitions)


def lost(old: PartitionsByInstance, new: PartitionsByInstance) -> int:
    return sum(len(partitions - new.get(name, frozenset())) for name, partitions in old.items())


# --- arrivals and a crash ---------------------------------------------------------------------------------------------


def rebalances(directory: Path, quick: bool) -> list[Figure]:
    rounds, arriving, at_once = (1, ARRIVING_QUICKLY, 100) if quick else (3, ARRIVING_MEMBERS, MEMBERS_AT_ONCE)
    ours: list[tuple[float, float, float]] = []
    theirs: list[tuple[float, float, float]] = []
    with tenure(directory / "tenure") as our_broker, kafka(directory / "kafka", quick) as their_broker:
        for broker in (our_broker, their_broker):
            create_topic(broker, "arriving", ARRIVING_PARTITIONS)
        for number in range(rounds):
            ours.append(durations_s(our_broker, f"lives-{number}", arriving, at_once))
            theirs.append(durations_s(their_broker, f"lives-{number}", arriving, at_once))
    names = (
        f"{arriving} members join {ARRIVING_PARTITIONS} partitions one by one, until stable",
        f"one of them crashes, until stable (session {SESSION_TIMEOUT_MS / 1000:.0f} s)",
        f"{at_once} members join at once, until stable (initial delay {INITIAL_DELAY_MS / 1000:.0f} s)",
    )
    return [
        Figure(
            what,
            "s",
            Sample.of([life[index] for life in ours]),
            Sample.of([life[index] for life in theirs]).median,
            less_is_better=True,
            peer="Apache Kafka",
            theirs=Sample.of([life[index] for life in theirs]),
            remarks=[f"members hear at their next heartbeat: equal runs may be {HEARTBEAT_INTERVAL_MS} ms apart"],
        )
        for index, what in enumerate(names)
    ]


def durations_s(broker: Broker, group_id: str, arriving: int, at_once: int) -> tuple[float, float, float]:
    """Return three durations in seconds.

    Until `arriving` members that join one by one are stable; until the others are stable after the last one has
    crashed; until `at_once` members that join together are stable.
    """
    members = [member(broker, group_id, "arriving", None) for _ in range(arriving)]
    with closing(members):
        started = time.perf_counter()
        for number, each in enumerate(members, 1):
            each.start()
            until_stable(members[:number], ARRIVING_PARTITIONS)
        arrived = time.perf_counter()
        members[-1].close(leave=False)
        until_stable(members[:-1], ARRIVING_PARTITIONS)
        stable = time.perf_counter()
    join_began = time.perf_counter()
    form(broker, f"{group_id}-at-once", at_once)
    return arrived - started, stable - arrived, time.perf_counter() - join_began


@contextlib.contextmanager
def closing(members: list[GroupMember]) -> Iterator[None]:
    try:
        yield
    finally:
        for each in members:
            each.close()


def member(broker: Broker, group_id: str, topic: str, instance_id: str | None) -> GroupMember:
    return GroupMember(
        broker.address,
        group_id,
        [topic],
        group_instance_id=instance_id,
        session_timeout_ms=SESSION_TIMEOUT_MS if instance_id is None else 60_000,
        heartbeat_interval_ms=HEARTBEAT_INTERVAL_MS,
    )


def until_stable(members: list[GroupMember], partitions: int = 0) -> None:
    """Poll until all members are in one generation, and `partitions` partitions, unless 0, have one owner each."""
    deadline = time.monotonic() + STABLE_S
    while not is_stable(members, partitions):
        assert time.monotonic() < deadline, f"{len(members)} members were not stable after {STABLE_S:.0f} s"
        for each in members:
            if any(isinstance(event, Revoked) for event in each.poll()):
                each.acknowledge_revocation()
        time.sleep(0.002)


def is_stable(members: list[GroupMember], partitions: int) -> bool:
    generations = {each.identity.generation_id for each in members}
    if len(generations) != 1 or -1 in generations:
        return False
    held_by = [each.partitions for each in members]
    return not partitions or (sum(map(len, held_by)) == partitions == len(set().union(*held_by)))
