"""Requests of a member of a streams group, and the tasks in their responses (rules 5.1 and 5.2).

A null field means "unchanged". The first heartbeat of a membership contains all fields. The first heartbeat after an
error or disconnect contains all fields except the topology.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.tasks import Endpoint, InternalTopic, Subtopology, Task, Tasks, Topology
from tenure.protocol.messages import (
    StreamsGroupDescribeRequest,
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatCopartitionGroup,
    StreamsHeartbeatEndpoint,
    StreamsHeartbeatKeyValue,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTaskOffset,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopology,
)
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName

ACTIVE: Final = "active"
STANDBY: Final = "standby"
WARMUP: Final = "warmup"


class StreamsSettings(NamedTuple):
    """Settings that only a member of a streams group has."""

    topology: Topology
    process_id: str
    """Id of the process. The coordinator assigns a task and its standby tasks to different processes."""
    user_endpoint: Endpoint | None = None
    client_tags: tuple[tuple[str, str], ...] = ()
    describes_topology: bool = True
    """True if the member sends a description of its topology when the broker requests one (KIP-1331)."""


class OwnedTask(NamedTuple):
    """Task with its role in this member."""

    role: str
    task: Task


class ReportedFields(NamedTuple):
    """Fields that a heartbeat contains only after they have changed."""

    owned: tuple[OwnedTask, ...]
    shuts_down: bool
    """True if the member asks the whole application to shut down."""


class TaskOffsets(NamedTuple):
    """Positions of tasks in their changelog topics: restored offsets and end offsets."""

    offsets: Mapping[Task, int]
    end_offsets: Mapping[Task, int]


def heartbeat(
    settings: MembershipSettings,
    streams: StreamsSettings,
    member_id: MemberId,
    member_epoch: int,
    endpoint_epoch: int,
    fields: ReportedFields,
    before: ReportedFields | None,
    task_offsets: TaskOffsets | None,
) -> StreamsGroupHeartbeatRequest:
    """Build a heartbeat with the fields that differ from `before`, the fields that the coordinator has received.

    If `before` is None, the heartbeat contains all fields.
    """
    everything = before is None
    tasks = tasks_of(fields.owned) if before is None or before.owned != fields.owned else None
    endpoint = streams.user_endpoint
    return StreamsGroupHeartbeatRequest(
        group_id=GroupId(settings.group_id),
        member_id=member_id,
        member_epoch=member_epoch,
        endpoint_information_epoch=endpoint_epoch,
        instance_id=_instance_id(settings),
        rack_id=settings.rack_id if everything else None,
        rebalance_timeout_ms=settings.rebalance_timeout_ms if everything else -1,
        topology=_topology(streams.topology) if member_epoch == JOINS else None,
        active_tasks=None if tasks is None else _task_ids(tasks.active),
        standby_tasks=None if tasks is None else _task_ids(tasks.standby),
        warmup_tasks=None if tasks is None else _task_ids(tasks.warmup),
        process_id=streams.process_id if everything else None,
        user_endpoint=StreamsHeartbeatEndpoint(*endpoint) if endpoint is not None and everything else None,
        client_tags=[StreamsHeartbeatKeyValue(*tag) for tag in streams.client_tags] if everything else None,
        task_offsets=None if task_offsets is None else _offsets(task_offsets.offsets),
        task_end_offsets=None if task_offsets is None else _offsets(task_offsets.end_offsets),
        shutdown_application=fields.shuts_down and (before is None or not before.shuts_down),
    )


def leave(settings: MembershipSettings, member_id: MemberId, member_epoch: int) -> StreamsGroupHeartbeatRequest:
    """Build a leave heartbeat for `member_id`.

    `member_id` is this member's id, or the id of another member that has this member's instance id. The leave of the
    other member makes the instance id free for this member.
    """
    return StreamsGroupHeartbeatRequest(
        group_id=GroupId(settings.group_id),
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=_instance_id(settings),
    )


def describe(settings: MembershipSettings) -> StreamsGroupDescribeRequest:
    """Build a StreamsGroupDescribe request for the member's group."""
    return StreamsGroupDescribeRequest(group_ids=[GroupId(settings.group_id)])


def owned_tasks(tasks: Tasks) -> tuple[OwnedTask, ...]:
    """Return all tasks with their roles, sorted."""
    roles = ((ACTIVE, tasks.active), (STANDBY, tasks.standby), (WARMUP, tasks.warmup))
    return tuple(sorted(OwnedTask(role, task) for role, of_role in roles for task in of_role))


def tasks_of(owned: Iterable[OwnedTask]) -> Tasks:
    """Return the tasks by role, each sorted."""
    by_role: dict[str, list[Task]] = {ACTIVE: [], STANDBY: [], WARMUP: []}
    for role, task in sorted(owned):
        by_role[role].append(task)
    return Tasks(*map(tuple, by_role.values()))


def assigned_tasks(
    active: Sequence[StreamsHeartbeatTaskIds] | None,
    standby: Sequence[StreamsHeartbeatTaskIds] | None,
    warmup: Sequence[StreamsHeartbeatTaskIds] | None,
) -> Tasks:
    """Return the tasks in a heartbeat response. A null list is read as empty."""
    return Tasks(*(tuple(sorted(_tasks(role or ()))) for role in (active, standby, warmup)))


def _tasks(task_ids: Iterable[StreamsHeartbeatTaskIds]) -> Iterable[Task]:
    return (Task(ids.subtopology_id, partition) for ids in task_ids for partition in ids.partitions)


def _task_ids(tasks: Iterable[Task]) -> list[StreamsHeartbeatTaskIds]:
    return [
        StreamsHeartbeatTaskIds(subtopology_id, [PartitionId(task.partition) for task in of])
        for subtopology_id, of in groupby(tasks, key=lambda task: task.subtopology_id)
    ]


def _offsets(offsets: Mapping[Task, int]) -> list[StreamsHeartbeatTaskOffset]:
    return [
        StreamsHeartbeatTaskOffset(task.subtopology_id, PartitionId(task.partition), offset)
        for task, offset in sorted(offsets.items())
    ]


def _topology(topology: Topology) -> StreamsHeartbeatTopology:
    """Convert the topology. Sort all lists, because another order counts as a changed topology (rule 5.2)."""
    subtopologies = sorted(topology.subtopologies, key=lambda each: each.subtopology_id)
    return StreamsHeartbeatTopology(topology.epoch, [_subtopology(each) for each in subtopologies])


def _subtopology(subtopology: Subtopology) -> StreamsHeartbeatSubtopology:
    sources = sorted(subtopology.sources)
    repartition = sorted(subtopology.repartition_sources, key=lambda topic: topic.name)
    position = {
        name: index for names in (sources, [topic.name for topic in repartition]) for index, name in enumerate(names)
    }
    return StreamsHeartbeatSubtopology(
        subtopology.subtopology_id,
        source_topics=[TopicName(topic) for topic in sources],
        state_changelog_topics=[
            _topic(topic) for topic in sorted(subtopology.changelogs, key=lambda topic: topic.name)
        ],
        repartition_sink_topics=[TopicName(topic) for topic in sorted(subtopology.repartition_sinks)],
        repartition_source_topics=[_topic(topic) for topic in repartition],
        copartition_groups=[
            StreamsHeartbeatCopartitionGroup(
                source_topics=sorted(position[topic] for topic in topics if topic in subtopology.sources),
                repartition_source_topics=sorted(
                    position[topic] for topic in topics if topic not in subtopology.sources
                ),
            )
            for topics in sorted(subtopology.copartitioned)
        ],
    )


def _topic(topic: InternalTopic) -> StreamsHeartbeatTopicInfo:
    configs = [StreamsHeartbeatKeyValue(key, value) for key, value in sorted(topic.configs.items())]
    return StreamsHeartbeatTopicInfo(TopicName(topic.name), topic.partitions, topic.replication_factor, configs)


def _instance_id(settings: MembershipSettings) -> InstanceId | None:
    return None if settings.group_instance_id is None else InstanceId(settings.group_instance_id)
