"""Streams groups (KIP-1071) at our broker and at Apache Kafka: heartbeats of a stable group, and a rolling restart.

Raw members, like those of `consumers.py`, send the heartbeats. The members of the restart are `StreamsMember`. The
restart counts new epochs of the group, and tasks that the other applications had to give up.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

from bench.brokers import Broker, create_topic
from bench.consumers import PARTITIONS, TOPIC, Member, beat
from bench.figures import Figure, Sample
from bench.load import QUICK_S, Rate
from bench.sides import PEER, beside_kafka, brokers
from tenure.client import StreamsMember, Subtopology, Topology
from tenure.client.tasks import StreamsEvent, TasksAssigned, TasksRevoked
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    DescribedStreamsGroup,
    StreamsGroupDescribeRequest,
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTopology,
)
from tenure.protocol.types import GroupId, PartitionId
from tests.wire import Wire

BEATING = (100, 1_000)
RESTARTED, TASKS = 10, 100
REBALANCE_TIMEOUT_MS = 300_000
STABLE_S = 120.0
SETTINGS = {
    "group_streams_heartbeat_interval_ms": "500",
    "group_streams_initial_rebalance_delay_ms": "0",
    "group_streams_assignment_interval_ms": "0",
}
KAFKAS_BOUNDS = {"group_streams_min_heartbeat_interval_ms": "100", "message_max_bytes": "16777216"}
"""While 1,000 members join, Kafka collects over 1 MB of records for one batch, and with less refuses all heartbeats."""

FORMING = {"group_streams_initial_rebalance_delay_ms": "3000", "group_streams_assignment_interval_ms": "1000"}
"""Kafka's defaults, with which 1,000 members need a few assignments to join, and not one each."""


class RawMember(Member):
    """Raw member with a process id of its own and a topology of one subtopology."""

    version = 1

    def request(self) -> Message:
        joins = self.epoch == 0
        owned = [StreamsHeartbeatTaskIds(name, partitions) for name, partitions in self.owned.items()]
        tells = joins or self.has_changed
        topology = StreamsHeartbeatTopology(0, [StreamsHeartbeatSubtopology("0", [TOPIC])])
        return StreamsGroupHeartbeatRequest(
            self.group_id,
            self.member_id,
            self.epoch,
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS if joins else -1,
            topology=topology if joins else None,
            active_tasks=owned if tells else None,
            standby_tasks=[] if tells else None,
            warmup_tasks=[] if tells else None,
            process_id=self.member_id if joins else None,
        )

    def assignment_of(self, answer: Any) -> dict[Any, list[PartitionId]] | None:
        if answer.active_tasks is None:
            return None
        return {task.subtopology_id: list(task.partitions) for task in answer.active_tasks}

    def steady(self) -> Message:
        return StreamsGroupHeartbeatRequest(self.group_id, self.member_id, self.epoch)


def heartbeats(directory: Path, quick: bool) -> list[Figure]:
    rounds, seconds, sizes = (1, QUICK_S, BEATING[:1]) if quick else (3, 5.0, BEATING)
    rates: dict[tuple[str, int], list[Rate]] = {}
    settings = SETTINGS | FORMING
    with brokers(directory, quick, kafka_settings=settings | KAFKAS_BOUNDS, **settings) as sides:
        for broker in sides.values():
            create_topic(broker, TOPIC, PARTITIONS)
        for number in range(rounds):
            for size in sizes:
                for name, broker in sides.items():
                    rate = beat(broker, f"steady-{number}-{size}", size, seconds, RawMember)
                    rates.setdefault((name, size), []).append(rate)
    return [
        figure
        for size in sizes
        for figure in beside_kafka(
            f"heartbeats/s, streams group of {size} members, steady", {name: rates[name, size] for name in sides}
        )
    ]


# --- a rolling restart ------------------------------------------------------------------------------------------------


class Application:
    """Static member with a process id of its own, and the events that it has returned."""

    def __init__(self, broker: Broker, group_id: str, name: str) -> None:
        topology = Topology((Subtopology("0", (TOPIC,)),))
        self.member = StreamsMember(broker.address, group_id, topology, group_instance_id=name, process_id=name)
        self.member.start()
        self.events: list[StreamsEvent] = []

    def poll(self) -> None:
        for event in self.member.poll(0.01):
            self.events.append(event)
            if isinstance(event, TasksRevoked):
                self.member.acknowledge_revocation()

    @property
    def tasks(self) -> int:
        return len(self.member.tasks.active)


def restarts(directory: Path, quick: bool) -> list[Figure]:
    size = 3 if quick else RESTARTED
    with brokers(directory, quick, kafka_settings=SETTINGS | KAFKAS_BOUNDS, **SETTINGS) as sides:
        costs = {name: restart(broker, "rolling", size) for name, broker in sides.items()}
    theirs = costs.pop(PEER)
    what = f"rolling restart, {size} static applications with {TASKS} tasks"
    return [
        Figure(f"{what}, {name}: {counted}", "", Sample.of([cost[at]]), 0.0, True, PEER, Sample.of([theirs[at]]))
        for name, cost in costs.items()
        for at, counted in enumerate(("rebalances", "tasks moved"))
    ]


def restart(broker: Broker, group_id: str, size: int) -> tuple[float, float]:
    """Stop and start each application, one after the other; return (rebalances, tasks that moved)."""
    create_topic(broker, TOPIC, TASKS)
    with contextlib.ExitStack() as running:

        def start(number: int) -> Application:
            found = Application(broker, group_id, f"host-{number}")
            running.callback(found.member.close)
            return found

        applications = [start(number) for number in range(size)]
        until_stable(broker, group_id, applications)
        epoch, owned = described(broker, group_id).group_epoch, [one.member.tasks for one in applications]
        handle_answer = [len(one.events) for one in applications]
        others_moved = 0
        for number in range(size):
            applications[number].member.close()
            others_moved += moved(applications[number], handle_answer[number])
            applications[number] = start(number)
            until_stable(broker, group_id, applications)
            handle_answer[number] = len(applications[number].events)
        others_moved += sum(moved(one, handle_answer[at]) for at, one in enumerate(applications))
        kept = sum(
            len(set(one.member.tasks.active) & set(was.active)) for one, was in zip(applications, owned, strict=True)
        )
        return float(described(broker, group_id).group_epoch - epoch), float(max(others_moved, TASKS - kept))


def moved(application: Application, since: int) -> int:
    """Count the tasks that were assigned or revoked in the events from number `since` on."""
    count = 0
    for event in application.events[since:]:
        if isinstance(event, TasksAssigned):
            count += len(event.added.active)
        elif isinstance(event, TasksRevoked):
            count += len(event.tasks.active)
    return count


def until_stable(broker: Broker, group_id: str, applications: list[Application]) -> None:
    """Wait until the group is stable, and each application has its tasks."""
    deadline = time.monotonic() + STABLE_S
    while sum(one.tasks for one in applications) != TASKS or described(broker, group_id).group_state != "Stable":
        assert time.monotonic() < deadline, f"tasks: {[one.tasks for one in applications]}"
        for one in applications:
            one.poll()
    for one in applications:
        one.poll()  # read the events of changes that `tasks` contains already


def described(broker: Broker, group_id: str) -> DescribedStreamsGroup:
    with Wire(broker.host, broker.port) as wire:
        group: DescribedStreamsGroup = wire.ask(StreamsGroupDescribeRequest([GroupId(group_id)]), 1).groups[0]
        return group
