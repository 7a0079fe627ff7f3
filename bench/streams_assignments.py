"""Assignment of a large streams group at our broker and at Apache Kafka, when one member joins.

All members share one connection, and only the newcomer sends requests while time is measured: from its request to join
until the answer with the epoch of the new target. Tenure assigns such a group on a thread, so the newcomer repeats its
heartbeat until then. The group without standby tasks and the one with them wait for their members together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil

from bench.brokers import Broker, create_topic, pid_of
from bench.figures import Figure, Sample
from bench.sides import PEER, brokers
from tenure.admin import Admin
from tenure.protocol.messages import (
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopology,
)
from tenure.protocol.types import GroupId, MemberId, TopicName
from tests.wire import Wire

SUBTOPOLOGIES: Final = 10
STANDBYS: Final = (0, 1)
"""Standby tasks of each task, one case each."""
SOURCE, STORE = TopicName("assigned"), TopicName("assigned-changelog")
INITIAL_DELAY_MS, SESSION_MS = 10_000, 600_000
REBALANCE_TIMEOUT_MS = 300_000
SETTLED_S: Final = 0.3
"""Time for the assignment after a member has left, which is not measured."""
PATIENCE_S: Final = 120.0
SETTINGS = {
    "group_streams_initial_rebalance_delay_ms": str(INITIAL_DELAY_MS),
    "group_streams_assignment_interval_ms": "0",
    "group_streams_session_timeout_ms": str(SESSION_MS),
    "group_streams_max_session_timeout_ms": str(SESSION_MS),
}
TIMES_KAFKA_MIN = 3.0


class Size(NamedTuple):
    """Size of the group, and number of measured joins."""

    members: int
    tasks: int
    """Tasks of each subtopology."""
    joins: int


FULL: Final = Size(members=1_000, tasks=1_000, joins=20)
QUICK: Final = Size(members=100, tasks=100, joins=1)


def assignments(directory: Path, quick: bool) -> list[Figure]:
    size = QUICK if quick else FULL
    took: dict[tuple[str, int], Joins] = {}
    with brokers(directory, quick, kafka_settings=SETTINGS, **SETTINGS) as sides:
        for name, broker in sides.items():
            create_topic(broker, SOURCE, size.tasks)
            create_topic(broker, STORE, size.tasks)
            took |= {(name, standbys): found for standbys, found in measure(broker, size).items()}
    return [
        figure
        for standbys in STANDBYS
        for name in sides
        if name != PEER
        for figure in figures(name, size, standbys, took[name, standbys], took[PEER, standbys])
    ]


@dataclass
class Joins:
    """Joins of newcomers at one broker."""

    took_ms: list[float] = field(default_factory=list)
    processor_ms: float = 0.0
    """Processor time of the broker during all joins."""

    def add(self, broker: Broker, join: Callable[[], None]) -> None:
        before_s, started = processor_s(broker), time.perf_counter()
        join()
        self.took_ms.append(1e3 * (time.perf_counter() - started))
        self.processor_ms += 1e3 * (processor_s(broker) - before_s)

    def __str__(self) -> str:
        return f"{self.processor_ms / len(self.took_ms):.1f} ms"


def processor_s(broker: Broker) -> float:
    times = psutil.Process(pid_of(broker)).cpu_times()
    return float(times.user + times.system)


def figures(name: str, size: Size, standbys: int, ours: Joins, theirs: Joins) -> list[Figure]:
    copies = f", {standbys} standby each" if standbys else ""
    what = f"one joins {size.members} members with {SUBTOPOLOGIES} x {size.tasks} tasks{copies}, {name}"
    peer, mine = Sample.of(theirs.took_ms), Sample.of(ours.took_ms)
    ratio = Sample.of([peer.median / one for one in ours.took_ms])
    used = f"processor time of a join: ours {ours}, {PEER}'s {theirs}"
    return [
        Figure(what, "ms", mine, None, less_is_better=True, peer=PEER, theirs=peer, remarks=[used]),
        Figure("... times Apache Kafka", "x", ratio, TIMES_KAFKA_MIN),
    ]


def measure(broker: Broker, size: Size) -> dict[int, Joins]:
    """Return the joins of newcomers, by number of standby tasks."""
    with Admin(broker.address) as admin:
        for standbys in STANDBYS:
            admin.alter_group_configs(f"assigned-{standbys}", {"streams.num.standby.replicas": str(standbys)})
    with Wire(broker.host, broker.port) as wire:
        groups = {standbys: LargeGroup(wire, GroupId(f"assigned-{standbys}")) for standbys in STANDBYS}
        for group in groups.values():
            group.join_all(size.members)
        return {standbys: measured(broker, group, size.joins) for standbys, group in groups.items()}


def measured(broker: Broker, group: LargeGroup, joins: int) -> Joins:
    epoch = group.first_target()
    took = Joins()
    for number in range(joins):
        newcomer = MemberId(f"newcomer-{number}")
        epoch += 1
        took.add(broker, partial(group.join, newcomer, epoch))
        group.beat(newcomer, -1)
        group.beat_all()
        epoch += 1
        time.sleep(SETTLED_S)
    return took


class LargeGroup:
    def __init__(self, wire: Wire, group_id: GroupId) -> None:
        self._wire = wire
        self._group_id = group_id
        self._epochs: dict[MemberId, int] = {}

    def join_all(self, members: int) -> None:
        """Let all members join, which takes less than the initial delay."""
        for number in range(members):
            member_id = MemberId(f"member-{number:04}")
            self._epochs[member_id] = self.beat(member_id, 0).member_epoch

    def first_target(self) -> int:
        """Wait until the initial delay has passed; return the epoch of the first target."""
        deadline = time.monotonic() + PATIENCE_S
        last, joined = next(reversed(self._epochs.items()))
        while (epoch := self.beat(last, self._epochs[last]).member_epoch) == joined:
            assert time.monotonic() < deadline, f"no assignment after {PATIENCE_S:.0f} s"
            time.sleep(0.1)
        self._epochs[last] = epoch
        self.beat_all()
        return int(epoch)

    def join(self, member_id: MemberId, epoch: int) -> None:
        """Let a member join, and repeat its heartbeat until it has this epoch."""
        answer = self.beat(member_id, 0)
        deadline = time.monotonic() + PATIENCE_S
        while answer.member_epoch != epoch:
            assert time.monotonic() < deadline, f"epoch {answer.member_epoch} instead of {epoch}"
            answer = self.beat(member_id, answer.member_epoch)

    def beat_all(self) -> None:
        """Extend all sessions. No member reports its tasks, so none of them moves."""
        for member_id, epoch in self._epochs.items():
            self._epochs[member_id] = self.beat(member_id, epoch).member_epoch

    def beat(self, member_id: MemberId, epoch: int) -> Any:
        joins = epoch == 0
        request = StreamsGroupHeartbeatRequest(
            self._group_id,
            member_id,
            epoch,
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS if joins else -1,
            topology=topology() if joins else None,
            active_tasks=[] if joins else None,
            standby_tasks=[] if joins else None,
            warmup_tasks=[] if joins else None,
            process_id=member_id if joins else None,
        )
        answer: Any = self._wire.ask(request, 1)
        assert answer.error_code == 0, f"{member_id}: error {answer.error_code}, {answer.error_message}"
        return answer


def topology() -> StreamsHeartbeatTopology:
    """Return subtopologies that read the same topic, so that brokers need thousands of partitions fewer."""
    stores = [StreamsHeartbeatTopicInfo(STORE, 0, 0, [])]
    return StreamsHeartbeatTopology(
        0, [StreamsHeartbeatSubtopology(str(at), [SOURCE], [], stores, [], [], []) for at in range(SUBTOPOLOGIES)]
    )
