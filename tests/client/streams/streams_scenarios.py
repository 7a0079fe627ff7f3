"""Scenarios of members of a streams group, for any broker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from time import monotonic
from typing import Any

import pytest

from tenure.admin import Admin
from tenure.client import (
    InternalTopic,
    OffsetAndMetadata,
    StreamsMember,
    Subtopology,
    Task,
    Tasks,
    TopicPartition,
    Topology,
)
from tenure.client.errors import Fenced, StaleIdentity
from tenure.client.tasks import StatusCode, StreamsEvent, TasksAssigned, TasksRevoked
from tenure.client.values import Identity
from tenure.protocol.messages import StreamsGroupDescribeRequest, TopologyDescriptionSubtopology
from tenure.protocol.types import GroupId
from tests.wire import Wire

PATIENCE_S = 60.0


def topology_of(group: str, topic: str) -> Topology:
    """Two steps with a repartition topic between them. The second one has state."""
    by_user = f"{group}-by-user-repartition"
    counted = Subtopology(
        "1", (), (InternalTopic(by_user),), changelogs=(InternalTopic(f"{group}-counts-changelog"),)
    )  # fmt: skip
    return Topology((Subtopology("0", (topic,), repartition_sinks=(by_user,)), counted))


class Worker:
    """Member with the events that it has read. It acknowledges revocations, unless `keeps_tasks` is set."""

    def __init__(self, address: str, group: str, topic: str, process_id: str, **settings: Any) -> None:
        self.member = StreamsMember(address, group, topology_of(group, topic), process_id=process_id, **settings)
        self.member.start()
        self.events: list[StreamsEvent] = []
        self.keeps_tasks = False

    def poll(self) -> None:
        for event in self.member.poll(0.05):
            self.events.append(event)
            if isinstance(event, TasksRevoked) and not self.keeps_tasks:
                self.member.acknowledge_revocation()

    @property
    def active(self) -> tuple[Task, ...]:
        return self.member.tasks.active


def poll_until(holds: Callable[[], bool], *workers: Worker) -> None:
    give_up_at = monotonic() + PATIENCE_S
    while not holds():
        assert monotonic() < give_up_at, [(worker.member.tasks, worker.events) for worker in workers]
        for worker in workers:
            worker.poll()


def every_task(partitions: int) -> tuple[Task, ...]:
    return tuple(Task(step, partition) for step in "01" for partition in range(partitions))


def share_tasks_and_commit(address: str, topic: str, partitions: int) -> None:
    """Check that internal topics are created, tasks move between two members, and each commits only its own tasks."""
    group = f"share-{topic}"
    every = every_task(partitions)
    with Admin(address) as admin, ExitStack() as running:

        def start(name: str) -> Worker:
            worker = Worker(address, group, topic, name)
            running.callback(worker.member.close)
            return worker

        a = start("process-a")
        poll_until(lambda: a.active == every and not a.member.statuses, a)
        internal = admin.describe_topics([f"{group}-by-user-repartition", f"{group}-counts-changelog"])
        assert [len(found.partitions) for found in internal] == [partitions, partitions]
        sources = (topic, f"{group}-by-user-repartition")
        assert a.member.partitions == tuple(
            sorted(TopicPartition(name, partition) for name in sources for partition in range(partitions))
        )
        old, owned = a.member.identity, a.member.ownership_ids
        commit_everything(a, old)

        a.keeps_tasks = True
        b = start("process-b")
        poll_until(lambda: isinstance(a.events[-1], TasksRevoked), a, b)
        revoked = a.events[-1]
        assert isinstance(revoked, TasksRevoked)
        commit_everything(a, a.member.identity)  # revoked tasks may still be committed
        a.keeps_tasks = False
        a.member.acknowledge_revocation()
        poll_until(lambda: sorted(a.active + b.active) == list(every), a, b)
        poll_until(lambda: b.active == revoked.tasks.active, a, b)

        kept = {at: OffsetAndMetadata(2) for task in a.active for at in a.member.partitions_of(task)}
        a.member.commit(kept, old)  # older than the member's epoch, for tasks that it has had all the time
        moved = {at: OffsetAndMetadata(3) for task in b.active for at in b.member.partitions_of(task)}
        with pytest.raises(StaleIdentity):
            a.member.commit(moved, old)
        assert a.member.commit_owned({**kept, **moved}, owned) == kept.keys()
        b.member.commit(moved, b.member.identity)
        found = b.member.committed([*kept, *moved])
        assert {at: offset.offset for at, offset in found.items() if offset is not None} == {
            at: offset.offset for at, offset in {**kept, **moved}.items()
        }
        a.member.close()
        poll_until(lambda: b.active == every, b)


def commit_everything(worker: Worker, identity: Identity) -> None:
    worker.member.commit(dict.fromkeys(worker.member.partitions, OffsetAndMetadata(1)), identity)


def restart_a_static_member(address: str, topic: str, partitions: int) -> None:
    """Check that a static member that closes, or is replaced, keeps its tasks, and the other member gets no event."""
    group = f"static-{topic}"
    with Admin(address) as admin, ExitStack() as running:
        admin.alter_group_configs(group, {"streams.num.standby.replicas": "1"})

        def start(name: str) -> Worker:
            worker = Worker(address, group, topic, f"process-{name}", group_instance_id=name)
            running.callback(worker.member.close)
            return worker

        a, b = start("a"), start("b")
        stateful = {task for task in every_task(partitions) if task.subtopology_id == "1"}

        def is_settled() -> bool:
            tasks = a.member.tasks, b.member.tasks
            copies = [task for of in tasks for task in of.standby]
            return len(tasks[0].active + tasks[1].active) == 2 * partitions and set(copies) == stateful

        poll_until(is_settled, a, b)
        assert not set(a.member.tasks.standby) & set(a.active)
        had, heard = a.member.tasks, len(b.events)
        zombie = a.member.identity
        a.member.close()
        again = start("a")
        poll_until(lambda: again.member.tasks == had, again, b)
        twin = start("a")
        poll_until(lambda: twin.member.tasks == had, twin, b)
        with pytest.raises(Fenced):
            poll_until(lambda: False, again)
        assert [event for event in b.events[heard:] if isinstance(event, TasksAssigned | TasksRevoked)] == []
        assert zombie.member_id != twin.member.identity.member_id
        twin.member.close(leave=True)
        poll_until(lambda: b.member.tasks == Tasks(every_task(partitions)), b)


def wait_for_a_topic_and_shut_down(address: str, topic: str) -> None:
    """Check the statuses for a missing source topic, and for a member that shuts down the application."""
    group = f"missing-{topic}"
    with Admin(address) as admin, ExitStack() as running:
        a, b = (Worker(address, group, topic, name) for name in ("process-a", "process-b"))
        for worker in (a, b):
            running.callback(worker.member.close)
        poll_until(lambda: [status.code for status in a.member.statuses] == [StatusCode.MISSING_SOURCE_TOPICS], a, b)
        assert topic in a.member.statuses[0].detail
        admin.create_topics([topic], partitions=2)
        poll_until(lambda: len(a.active + b.active) == 4, a, b)
        a.member.shut_down_application()
        poll_until(lambda: [status.code for status in b.member.statuses] == [StatusCode.SHUTDOWN_APPLICATION], a, b)


def push_the_topology_description(address: str, topic: str) -> None:
    """Check that the broker gets the description of the topology, and returns it with the group's description."""
    group = f"described-{topic}"
    host, _, port = address.rpartition(":")
    request = StreamsGroupDescribeRequest([GroupId(group)], include_topology_description=True)
    with Wire(host, int(port)) as wire:

        def stored() -> list[TopologyDescriptionSubtopology]:
            description = wire.ask(request, 1).groups[0].topology_description
            return [] if description is None else list(description.subtopologies)

        worker = Worker(address, group, topic, "a")
        with closing(worker.member):
            poll_until(lambda: bool(stored()), worker)
            first, second = stored()
    assert [node.name for node in first.nodes] == ["0-source", "0-processor", f"0-sink-{group}-by-user-repartition"]
    assert first.nodes[0].source_topics == [topic]
    assert [node.stores for node in second.nodes] == [[], ["counts"]]
