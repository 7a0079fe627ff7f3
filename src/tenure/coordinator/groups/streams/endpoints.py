"""Endpoints of a streams group's members, each with the partitions of its member (rule 5.5).

Applications use them to query the state of other applications (interactive queries).
"""

from collections.abc import Iterable
from typing import NamedTuple

from tenure.coordinator.groups.streams.member import Endpoint, StreamsMember
from tenure.coordinator.groups.streams.tasks import Task, by_subtopology
from tenure.coordinator.groups.streams.topic_plan import TopicPlan
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.types import PartitionId, TopicName


class EndpointPartitions(NamedTuple):
    """Endpoint of a member, with the input partitions of the member's tasks."""

    endpoint: Endpoint
    active: list[tuple[TopicName, list[PartitionId]]]
    copies: list[tuple[TopicName, list[PartitionId]]]
    """Input partitions of standby and warm-up tasks."""


def endpoint_partitions(members: Iterable[StreamsMember], plan: TopicPlan, topics: Topics) -> list[EndpointPartitions]:
    return [
        EndpointPartitions(
            member.user_endpoint,
            _partitions(member.assigned.active, plan, topics),
            _partitions(member.assigned.standby | member.assigned.warmup, plan, topics),
        )
        for member in members
        if member.user_endpoint is not None
    ]


def _partitions(tasks: Iterable[Task], plan: TopicPlan, topics: Topics) -> list[tuple[TopicName, list[PartitionId]]]:
    """Return the input partitions of tasks.

    Task n of a subtopology reads partition n of each input topic that has a partition n.
    """
    found = []
    for subtopology_id, numbers in by_subtopology(tasks).items():
        planned = plan.subtopologies.get(subtopology_id)
        if planned is None:
            continue
        names = {*planned.source_topics, *(topic.name for topic in planned.repartition_source_topics)}
        for topic in (topics.named(name) for name in sorted(names)):
            partitions = [] if topic is None else [number for number in numbers if number < topic.partitions]
            if topic is not None and partitions:
                found.append((topic.name, partitions))
    return found
