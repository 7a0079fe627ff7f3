"""Membership of a simulated process in a streams group. Its worker gets the tasks as partitions.

The application has one subtopology, so its tasks are the partitions of its topics. `SharedStreamsMember` translates
tasks in the same way for real engines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.streams.streams_requests import StreamsSettings
from tenure.client.tasks import (
    StatusChanged,
    StreamsEvent,
    Subtopology,
    Tasks,
    TasksAssigned,
    TasksLost,
    TasksRevoked,
    Topology,
)
from tenure.client.values import (
    Assigned,
    Event,
    Lost,
    PartitionDescription,
    Revoked,
    TopicDescription,
    TopicPartition,
)
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.types import TopicName

SUBTOPOLOGY = "0"
Draw: TypeAlias = Callable[[], str]


def new_streams_membership(settings: MembershipSettings, process_id: str, draw: Draw) -> StreamsMembership:
    topology = Topology((Subtopology(SUBTOPOLOGY, settings.topics),))
    return StreamsMembership(settings._replace(topics=()), StreamsSettings(topology, process_id), draw)


def as_partitions(membership: StreamsMembership, event: StreamsEvent) -> Event | None:
    """Return the event with partitions instead of tasks; None if it is about no active task."""
    match event:
        case TasksAssigned():
            return Assigned(event.identity, membership.partitions, event.added_partitions)
        case TasksRevoked(tasks):
            revoked = _partitions_of(membership, tasks)
            return Revoked(revoked) if revoked else None
        case TasksLost(tasks):
            return Lost(_partitions_of(membership, tasks))
        case StatusChanged():
            return None


def _partitions_of(membership: StreamsMembership, tasks: Tasks) -> tuple[TopicPartition, ...]:
    return tuple(partition for task in tasks.active for partition in membership.partitions_of(task))


def described(topics: Topics, names: frozenset[str]) -> list[TopicDescription]:
    """Return the topics of a query that exist."""
    found = [topic for name in sorted(names) if (topic := topics.named(TopicName(name))) is not None]
    return [
        TopicDescription(
            topic.name,
            topic.topic_id,
            tuple(PartitionDescription(number, 1, 0, (1,), (1,)) for number in range(topic.partitions)),
            is_internal=False,
        )
        for topic in found
    ]
