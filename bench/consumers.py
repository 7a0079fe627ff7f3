"""Consumer groups (KIP-848) on our broker and on Apache Kafka: heartbeats of a stable group, and time to stability.

Members have one raw connection each and do only what the protocol demands. A member sends a heartbeat after
the interval in the last answer, and at once when its assignment has changed. So both brokers serve the same member.
"""

from __future__ import annotations

import contextlib
import heapq
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.brokers import Broker, create_topic
from bench.figures import Figure, Sample
from bench.load import Load, Rate, run
from bench.members import repeated
from bench.sides import PEER, brokers
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    HeartbeatTopicPartitions,
)
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicName
from tests.wire import Wire

VERSION = 1
TOPIC, PARTITIONS = TopicName("consumed"), 900
ARRIVING, AT_ONCE = 10, 1_000
ARRIVING_QUICKLY, AT_ONCE_QUICKLY = 2, 100
INTERVAL_MS, MIN_INTERVAL_MS = 5_000, 500
"""Heartbeat interval, which is Kafka's default, and the smallest interval during a rebalance."""
SETTINGS = {
    "group.consumer.heartbeat.interval.ms": str(INTERVAL_MS),
    "group.consumer.min.heartbeat.interval.ms": str(MIN_INTERVAL_MS),
}
REBALANCE_TIMEOUT_MS = 300_000
STABLE_S = 180.0


class Member:
    version = VERSION
    """Version of its heartbeats."""

    def __init__(self, broker: Broker, group_id: str, name: str) -> None:
        self.wire = Wire(broker.host, broker.port)
        self.group_id = GroupId(group_id)
        self.member_id = MemberId(name)
        self.epoch = 0
        self.owned: dict[Any, list[PartitionId]] = {}
        """Partitions by topic id, or of tasks by subtopology."""
        self.has_changed = True
        """True if its assignment has changed since its last heartbeat."""

    def request(self) -> Message:
        owned = [HeartbeatTopicPartitions(topic_id, partitions) for topic_id, partitions in self.owned.items()]
        joins = self.epoch == 0
        return ConsumerGroupHeartbeatRequest(
            self.group_id,
            self.member_id,
            self.epoch,
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS if joins else -1,
            subscribed_topic_names=[TOPIC] if joins else None,
            topic_partitions=owned if self.has_changed else None,
        )

    def send_heartbeat(self) -> None:
        self.wire.send(self.request(), self.version)
        self.has_changed = False

    def receive(self) -> int:
        """Receive an answer; return the milliseconds until the next heartbeat."""
        answer: Any = self.wire.receive()
        assert answer.error_code == 0, f"{self.member_id}: error {answer.error_code}, {answer.error_message}"
        self.epoch = answer.member_epoch
        given = self.assignment_of(answer)
        if given is not None:
            self.has_changed, self.owned = given != self.owned, given
        return 0 if self.has_changed else int(answer.heartbeat_interval_ms)

    def assignment_of(self, answer: Any) -> dict[Any, list[PartitionId]] | None:
        """Return the assignment of an answer; None if the answer has none, because it has not changed."""
        if answer.assignment is None:
            return None
        return {topic.topic_id: list(topic.partitions) for topic in answer.assignment.topic_partitions}

    def steady(self) -> Message:
        """Return the heartbeat of a member of which nothing has changed."""
        return ConsumerGroupHeartbeatRequest(self.group_id, self.member_id, self.epoch)

    def partitions(self) -> set[tuple[Any, PartitionId]]:
        return {(topic_id, partition) for topic_id, partitions in self.owned.items() for partition in partitions}


class MemberLoop:
    """Members that run in one thread."""

    def __init__(self, kind: type[Member] = Member) -> None:
        self._kind = kind
        self.members: list[Member] = []
        self._listening: dict[int, Member] = {}
        self._due: list[tuple[float, int]] = []

    def join(self, broker: Broker, group_id: str, count: int) -> None:
        for number in range(len(self.members), len(self.members) + count):
            member = self._kind(broker, group_id, f"member-{number}")
            self.members.append(member)
            heapq.heappush(self._due, (time.monotonic(), number))

    def run_until_stable(self) -> None:
        """Run until all members have the same epoch, and their numbers of partitions differ by at most one.

        A new member may have the group's epoch and no partitions until the next assignment.
        """
        deadline = time.monotonic() + STABLE_S
        while not self._is_stable():
            assert time.monotonic() < deadline, f"{len(self.members)} members were not stable after {STABLE_S:.0f} s"
            self._turn()

    def _turn(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            _, number = heapq.heappop(self._due)
            member = self.members[number]
            member.send_heartbeat()
            self._listening[number] = member
        if not self._listening:
            time.sleep(min(max(self._due[0][0] - now, 0.0), 0.05))
        for number, member in list(self._listening.items()):
            if member.wire.has_response(within_s=0.0):
                del self._listening[number]
                heapq.heappush(self._due, (time.monotonic() + member.receive() / 1000, number))

    def _is_stable(self) -> bool:
        if len({member.epoch for member in self.members}) != 1 or any(m.has_changed for m in self.members):
            return False
        if self._listening:
            return False
        held = [member.partitions() for member in self.members]
        counts = [len(partitions) for partitions in held]
        return sum(counts) == PARTITIONS == len(set().union(*held)) and max(counts) - min(counts) <= 1

    def close(self) -> None:
        for member in self.members:
            member.wire.close()


# --- heartbeats of a stable group -------------------------------------------------------------------------------------


def beat(broker: Broker, group_id: str, size: int, seconds: float, kind: type[Member] = Member) -> Rate:
    return run(steady(broker, group_id, size, seconds, kind))


def steady(broker: Broker, group_id: str, size: int, seconds: float, kind: type[Member] = Member) -> Load:
    """Form a group; return the load of its members' heartbeats."""
    with member_loop(kind) as members:
        members.join(broker, group_id, size)
        members.run_until_stable()
        return repeated(broker, [member.steady() for member in members.members], kind.version, seconds)


# --- time until a group is stable -------------------------------------------------------------------------------------


def rebalances(directory: Path, quick: bool) -> list[Figure]:
    rounds, arriving, at_once = (1, ARRIVING_QUICKLY, AT_ONCE_QUICKLY) if quick else (3, ARRIVING, AT_ONCE)
    took: dict[str, list[tuple[float, float]]] = {}
    with brokers(directory, quick, kafka_settings=SETTINGS, **SETTINGS) as sides:
        for broker in sides.values():
            create_topic(broker, TOPIC, PARTITIONS)
        for number in range(rounds):
            for name, broker in sides.items():
                lives = (
                    one_by_one(broker, f"arriving-{number}", arriving),
                    all_at_once(broker, f"at-once-{number}", at_once),
                )
                took.setdefault(name, []).append(lives)
    whats = (
        f"{arriving} members of a consumer group join {PARTITIONS} partitions one by one, until stable",
        f"{at_once} members of a consumer group join at once, until stable",
    )
    remark = (
        f"heartbeats every {INTERVAL_MS} ms, and no sooner than after {MIN_INTERVAL_MS} ms where we tell a member to"
    )
    theirs = [Sample.of([life[index] for life in took[PEER]]) for index in range(len(whats))]
    return [
        Figure(
            f"{what}, {name}",
            "s",
            Sample.of([life[index] for life in lives]),
            theirs[index].median,
            less_is_better=True,
            peer=PEER,
            theirs=theirs[index],
            remarks=[remark],
        )
        for index, what in enumerate(whats)
        for name, lives in took.items()
        if name != PEER
    ]


def one_by_one(broker: Broker, group_id: str, count: int) -> float:
    with member_loop() as members:
        started = time.perf_counter()
        for _ in range(count):
            members.join(broker, group_id, 1)
            members.run_until_stable()
        return time.perf_counter() - started


def all_at_once(broker: Broker, group_id: str, count: int) -> float:
    with member_loop() as members:
        started = time.perf_counter()
        members.join(broker, group_id, count)
        members.run_until_stable()
        return time.perf_counter() - started


@contextlib.contextmanager
def member_loop(kind: type[Member] = Member) -> Iterator[MemberLoop]:
    members = MemberLoop(kind)
    try:
        yield members
    finally:
        members.close()
